import { sql } from 'kysely';
import { dueTopic, type Tx, wake } from '../../platform/database/index.ts';
import type { DueTable } from '../../platform/due-rows/index.ts';

/** Gather jobs whose releases have new digests. They are due until all items with these digests are found. */
export const dueDigestFanOutsTable = {
  name: 'digest_fan_outs',
  keys: { organization_id: 'bigint', gather_job_id: 'bigint', for_organization_id: 'bigint' },
  turnOf: 'for_organization_id',
} as const satisfies DueTable;

/**
 * Triggers a search for the items whose digests are now known from these jobs, in every organization that can
 * see the jobs.
 */
export async function triggerDigestFanOuts(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<void> {
  if (jobIds.length === 0) return;
  const ascending = jobIds.toSorted((a, b) => a - b);
  await sql`
    INSERT INTO digest_fan_outs (organization_id, gather_job_id, for_organization_id, due_at, requested_seq)
    SELECT ${organizationId}, id, ${organizationId}, pacekeeper_now(), 1 FROM unnest(${ascending}::bigint[]) AS id
    ON CONFLICT (organization_id, gather_job_id, for_organization_id) DO UPDATE
    SET requested_seq = digest_fan_outs.requested_seq + 1, due_at = least(digest_fan_outs.due_at, EXCLUDED.due_at)`.execute(
    tx,
  );
  wake(tx, dueTopic(dueDigestFanOutsTable.name, organizationId));
}
