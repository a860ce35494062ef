import { sql } from 'kysely';
import { dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import type { DueTable } from '../../../platform/due-rows/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { type SettingKey, settingDefinitions } from '../../settings/index.ts';

/** Organizations to measure. They are due when an input of freshness has changed, and every hour. */
export const dueFreshnessTable = {
  name: 'freshness_states',
  keys: { organization_id: 'bigint' },
} as const satisfies DueTable;

const labelsKey = 'freshness.labels' satisfies SettingKey;

/** Schedules an immediate measurement of an organization after its targets have changed. */
export async function triggerFreshness(tx: Tx, organizationId: number): Promise<void> {
  await sql`
    INSERT INTO freshness_states (organization_id) VALUES (${organizationId})
    ON CONFLICT (organization_id) DO UPDATE
    SET requested_seq = freshness_states.requested_seq + 1, due_at = least(freshness_states.due_at, pacekeeper_now())`.execute(
    tx,
  );
  wake(tx, dueTopic(dueFreshnessTable.name));
}

/**
 * Schedules the measurement of organizations whose labels have changed, and of organizations in which a configuration
 * was added or evaluated since the last measurement. The latter are due at least two minutes after that measurement.
 */
export async function scheduleFreshnessAcrossOrganizations(tx: Tx): Promise<void> {
  const { numAffectedRows: added } = await sql`
    INSERT INTO freshness_states (organization_id)
    SELECT id FROM organizations o
    WHERE id <> ${systemOrganizationId}
      AND NOT EXISTS (SELECT FROM freshness_states f WHERE f.organization_id = o.id)
      AND EXISTS (SELECT FROM alert_configs c WHERE c.organization_id = o.id)
    ON CONFLICT DO NOTHING`.execute(tx);
  const { numAffectedRows: changed } = await sql`
    WITH chosen AS (
      SELECT organization_id FROM freshness_states f
      WHERE due_at > pacekeeper_now() AND lease_until IS NULL AND (
        (measured_at < pacekeeper_now() - interval '2 minutes' AND (
          EXISTS (SELECT FROM alert_configs c
            WHERE c.organization_id = f.organization_id AND c.last_evaluated_at > f.measured_at)
          OR EXISTS (SELECT FROM alert_configs c
            WHERE c.organization_id = f.organization_id AND c.created_at > f.measured_at)))
        OR label_keys <> coalesce(
          (SELECT value FROM settings WHERE organization_id = f.organization_id AND key = ${labelsKey}),
          (SELECT value FROM settings WHERE organization_id = ${systemOrganizationId} AND key = ${labelsKey}),
          ${JSON.stringify(settingDefinitions[labelsKey].default)}::jsonb))
      ORDER BY organization_id FOR UPDATE SKIP LOCKED
    )
    UPDATE freshness_states f SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()
    FROM chosen WHERE f.organization_id = chosen.organization_id`.execute(tx);
  if (Number(added ?? 0) + Number(changed ?? 0) > 0) wake(tx, dueTopic(dueFreshnessTable.name));
}
