import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { detachEntries } from '../audit/index.ts';
import { detachDeliveries } from '../notifications/index.ts';
import { settingDefinitions } from '../settings/index.ts';

/**
 * Deletes resolved alerts after the retention period of their organization. Their deliveries are kept. An
 * alert with open deliveries isn't deleted, because the alert determines their order.
 *
 * @returns The number of deleted alerts. If it reaches `limit`, call again.
 */
export async function deleteOldAlertsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const key = 'retention.resolved_alerts_days';
  const { rows } = await sql<{ organization_id: number; id: number }>`
    SELECT old.organization_id, old.id
    FROM organizations o
    LEFT JOIN settings own ON own.organization_id = o.id AND own.key = ${key}
    LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}
    CROSS JOIN LATERAL (
      SELECT a.organization_id, a.id FROM alerts a
      WHERE a.organization_id = o.id AND a.resolved_at < pacekeeper_now()
          - coalesce(own.value, global.value, to_jsonb(${settingDefinitions[key].default}::integer))::integer * interval '1 day'
        AND NOT EXISTS (
          SELECT FROM notification_deliveries d
          WHERE d.organization_id = a.organization_id AND d.alert_id = a.id AND d.status IN ('pending', 'failed', 'in_progress'))
      ORDER BY a.resolved_at, a.id LIMIT ${limit}
      FOR UPDATE OF a SKIP LOCKED
    ) AS old
    LIMIT ${limit}`.execute(tx);
  for (const [organizationId, alerts] of Map.groupBy(rows, (row) => row.organization_id)) {
    const ids = alerts.map((alert) => alert.id);
    await detachDeliveries(tx, organizationId, ids);
    await detachEntries(tx, organizationId, ids);
    await sql`DELETE FROM alerts WHERE organization_id = ${organizationId} AND id = ANY(${ids}::bigint[])`.execute(
      tx,
    );
  }
  return rows.length;
}
