import type { Tx, WakeUps } from '../../platform/database/index.ts';

/** Of more resources than this, readers are sent the kind alone. */
const maxNamed = 50;

/** Has the pages and other readers of an organization notified of changed resources, once `tx` is committed. */
export function publishChanges(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  resource: string,
  ids: readonly number[],
  change: 'created' | 'updated' | 'deleted',
): void {
  if (ids.length === 0) return;
  for (const id of ids.length > maxNamed ? [''] : ids)
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/${resource}/${id}/${change}`);
}
