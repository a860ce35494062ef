import { changeTopic, type Tx, wake } from '../../platform/database/index.ts';

/**
 * Maximum number of resource IDs to publish. If more resources change, only the resource type is published.
 */
const maxNamed = 50;

/** Notifies pages and other readers of an organization about changed resources after `tx` is committed. */
export function publishChanges(
  tx: Tx,
  organizationId: number,
  resource: string,
  ids: readonly number[],
  change: 'created' | 'updated' | 'deleted',
): void {
  if (ids.length === 0) return;
  for (const id of ids.length > maxNamed ? [null] : ids)
    wake(tx, changeTopic(organizationId, resource, id, change));
}
