import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/**
 * Deletes entries that are no longer visible anywhere: their alert was deleted, and no delivery refers to
 * them.
 *
 * @returns The number of deleted entries. If it reaches `limit`, call again.
 */
export async function deleteOldEntriesAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const result = await sql`
    WITH old AS (
      SELECT e.organization_id, e.id
      FROM organizations o
      CROSS JOIN LATERAL (
        SELECT organization_id, id FROM audit_entries e
        WHERE e.organization_id = o.id AND e.alert_id IS NULL AND e.created_at < pacekeeper_now() - interval '1 day'
          AND NOT EXISTS (
            SELECT FROM notification_deliveries d
            WHERE d.organization_id = e.organization_id AND d.audit_entry_id = e.id)
        ORDER BY e.id LIMIT ${limit}
      ) AS e
      LIMIT ${limit}
    )
    DELETE FROM audit_entries USING old
    WHERE audit_entries.organization_id = old.organization_id AND audit_entries.id = old.id`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
