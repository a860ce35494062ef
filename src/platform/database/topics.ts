declare const topic: unique symbol;

/** Subject of wake-ups: a name, or `name:detail`. Only the functions of this file create topics. */
export type Topic = string & { readonly [topic]: true };

/** Names of the topics. Those of due rows are the names of their tables. */
export const topicNames = { changes: 'changes', rights: 'rights', runs: 'runs' } as const;

const topicOf = (name: string, detail?: string): Topic =>
  (detail === undefined ? name : `${name}:${detail}`) as Topic;

/** Wakes the loop of a table. With an organization, the loop can claim its rows before those of others. */
export function dueTopic(table: string, organizationId?: number): Topic {
  return topicOf(table, organizationId?.toString());
}

export interface Change {
  organizationId: number;
  resource: string;
  /** Null if no resource is named. */
  id: number | null;
  change: string;
}

/** Notifies pages and other readers of an organization about a changed resource, or about several if `id` is null. */
export function changeTopic(
  organizationId: number,
  resource: string,
  id: number | null,
  change: 'created' | 'updated' | 'deleted' = 'updated',
): Topic {
  return topicOf(topicNames.changes, [organizationId, resource, id ?? '', change].join('/'));
}

/** Reads the detail of a topic of `changeTopic`. */
export function readChange(detail: string): Change {
  const [organizationId, resource = '', id, change = ''] = detail.split('/');
  return { organizationId: Number(organizationId), resource, id: id ? Number(id) : null, change };
}

/** Wakes agents that wait for runs: those that serve the organization and the kind, or all of them. */
export function runsTopic(of?: { organizationId: number; kind: string }): Topic {
  return topicOf(topicNames.runs, of && `${of.organizationId}/${of.kind}`);
}

/** Lets servers recheck the access of open streams and long polls: those of this holder of rights, or all of them. */
export function rightsTopic(holder?: string): Topic {
  return topicOf(topicNames.rights, holder);
}
