/** Person, key, trust, link, or system that performed an action, as stored and displayed. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'deployment_trust' | 'link' | 'system';
  readonly id: number | null;
  readonly name: string;
}

export const systemActor: Actor = { type: 'system', id: null, name: 'Pacekeeper' };

/** Returns the actor that three columns of a row describe. */
export function actorOf(type: Actor['type'] | null, id: number | null, name: string | null): Actor | null {
  return type === null ? null : { type, id, name: name ?? '' };
}
