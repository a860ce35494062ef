/** Who did something, as it is stored and shown. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'link' | 'system';
  readonly id: number | null;
  readonly name: string;
}

export const systemActor: Actor = { type: 'system', id: null, name: 'Pacekeeper' };

/** The actor that a row of the database names in three columns. */
export function actorOf(type: Actor['type'] | null, id: number | null, name: string | null): Actor | null {
  return type === null ? null : { type, id, name: name ?? '' };
}
