import { sql } from 'kysely';
import { systemOrganizationId } from '../modules/accounts/index.ts';
import { settingDefinitions } from '../modules/settings/index.ts';
import type { Tx } from '../platform/database/index.ts';

/**
 * Deletes audit log entries that exceed the retention of their organization.
 *
 * @returns The number of deleted entries. If it reaches `limit`, call again.
 */
export async function deleteOldAuditLogAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const key = 'retention.audit_log_days';
  const result = await sql`
    WITH old AS (
      SELECT entry.organization_id, entry.id
      FROM organizations o
      LEFT JOIN settings own ON own.organization_id = o.id AND own.key = ${key}
      LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}
      CROSS JOIN LATERAL (
        SELECT l.organization_id, l.id FROM audit_log l
        WHERE l.organization_id = o.id AND l.created_at < pacekeeper_now()
            - coalesce(own.value, global.value, to_jsonb(${settingDefinitions[key].default}::integer))::integer * interval '1 day'
        ORDER BY l.created_at, l.id LIMIT ${limit}
      ) AS entry
      LIMIT ${limit}
    )
    DELETE FROM audit_log USING old
    WHERE audit_log.organization_id = old.organization_id AND audit_log.id = old.id`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
