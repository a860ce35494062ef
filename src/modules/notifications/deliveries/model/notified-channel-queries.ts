import { sql } from 'kysely';
import { type NotifiedChannel, openAlertEvents } from '../../../../domain/routing/notified-channels.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { collectsDigests } from './delivery-lines.ts';

/**
 * Returns the channels that were notified of open alerts, by alert ID, with the rules that matched at the
 * time. Channels whose first message still waits for a digest or for the sending hours are excluded, because
 * that message isn't sent after the alert is resolved.
 */
export async function readNotifiedChannels(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<Map<number, NotifiedChannel[]>> {
  if (alertIds.length === 0) return new Map();
  const { rows } = await sql<NotifiedChannel & { alertId: number }>`
    SELECT d.alert_id AS "alertId", d.channel_id AS "channelId",
      coalesce(jsonb_agg(DISTINCT m.notification_rule_id) FILTER (WHERE m.notification_rule_id IS NOT NULL), '[]') AS "ruleIds"
    FROM notification_deliveries d
    JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    LEFT JOIN notification_rule_matches m ON m.organization_id = d.organization_id AND m.event_id = d.event_id
    WHERE d.organization_id = ${organizationId} AND d.alert_id = ANY(${alertIds}::bigint[])
      AND d.event_type IN (${sql.join(openAlertEvents.map((type) => sql.lit(type)))})
      AND d.status NOT IN ('canceled', 'dead_letter')
      AND (d.attempt_count > 0 OR d.digest_delivery_id IS NOT NULL OR NOT (d.waits_for_hours OR d.waits_for_cause IS NOT NULL OR ${collectsDigests}))
    GROUP BY d.alert_id, d.channel_id ORDER BY d.alert_id, d.channel_id`.execute(tx);
  return Map.groupBy(rows, ({ alertId }) => alertId);
}
