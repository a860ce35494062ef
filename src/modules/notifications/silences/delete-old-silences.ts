import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { settingDefinitions } from '../../settings/index.ts';

/**
 * Deletes silences that ended longer ago than the organization's retention time of resolved alerts.
 *
 * @returns The number of deleted silences. If it reaches `limit`, there can be more.
 */
export async function deleteOldSilencesAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const key = 'retention.resolved_alerts_days';
  const { numAffectedRows } = await sql`
    DELETE FROM silences s USING (
      SELECT old.organization_id, old.id
      FROM silences old
      LEFT JOIN settings own ON own.organization_id = old.organization_id AND own.key = ${key}
      LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}
      -- Two conditions on the end time: the first one ends the scan of the index at the shortest retention
      -- time that an organization can set.
      WHERE old.ends_at < pacekeeper_now() - interval '1 day' AND old.ends_at < pacekeeper_now()
        - coalesce(own.value, global.value, to_jsonb(${settingDefinitions[key].default}::integer))::integer * interval '1 day'
      ORDER BY old.ends_at LIMIT ${limit}
      FOR UPDATE OF old SKIP LOCKED
    ) AS old
    WHERE s.organization_id = old.organization_id AND s.id = old.id`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
