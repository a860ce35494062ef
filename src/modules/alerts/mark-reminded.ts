import { sql } from 'kysely';
import { changeTopic, type Tx, wake } from '../../platform/database/index.ts';
import type { RemindedAlert } from '../notifications/index.ts';

/**
 * Records that reminders of these alerts were sent. Runs in the transaction of the reminders, so they aren't
 * sent twice.
 */
export async function markRemindedAcrossOrganizations(
  tx: Tx,
  alerts: readonly RemindedAlert[],
): Promise<void> {
  if (alerts.length === 0) return;
  await sql`
    UPDATE alerts SET last_notified_at = pacekeeper_now(), last_sequence = reminded.sequence
    FROM unnest(
      ${alerts.map((alert) => alert.organizationId)}::bigint[], ${alerts.map((alert) => alert.alertId)}::bigint[],
      ${alerts.map((alert) => alert.sequence)}::integer[]
    ) AS reminded (organization_id, id, sequence)
    WHERE alerts.organization_id = reminded.organization_id AND alerts.id = reminded.id`.execute(tx);
  for (const { organizationId, alertId } of alerts) wake(tx, changeTopic(organizationId, 'alert', alertId));
}
