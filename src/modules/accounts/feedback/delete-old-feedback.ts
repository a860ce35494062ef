import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

const retentionDays = 365;

/**
 * Deletes feedback that is older than a year.
 * @returns The number of deleted rows. If it reaches `limit`, call again.
 */
export async function deleteOldFeedbackAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const result = await sql`
    WITH old AS (
      SELECT oldest.organization_id, oldest.id
      FROM organizations o
      -- Reads rows in the order of the primary key. IDs ascend with time, so the oldest rows come first and
      -- newer rows aren't read.
      CROSS JOIN LATERAL (
        SELECT organization_id, id, created_at FROM feedback f
        WHERE f.organization_id = o.id ORDER BY f.id LIMIT ${limit}
      ) AS oldest
      WHERE oldest.created_at < pacekeeper_now() - ${retentionDays}::integer * interval '1 day'
      LIMIT ${limit}
    )
    DELETE FROM feedback USING old
    WHERE feedback.organization_id = old.organization_id AND feedback.id = old.id`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
