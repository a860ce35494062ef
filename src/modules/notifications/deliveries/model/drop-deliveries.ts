import { type RawBuilder, sql } from 'kysely';
import {
  type CurrentAlertState,
  isOutdated,
  type WaitingMessage,
} from '../../../../domain/channels/waiting-messages.ts';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { readActiveSilences, toAlertSilence } from './active-silences.ts';
import type { ChannelRow } from './channel-row.ts';

type ChannelKey = Pick<ChannelRow, 'organization_id' | 'id'>;

export function belongsToChannel({ organization_id, id }: ChannelKey): RawBuilder<boolean> {
  return sql<boolean>`d.organization_id = ${organization_id} AND d.channel_id = ${id}`;
}

/**
 * True for deliveries that are neither in progress nor part of a digest. Deliveries in progress aren't
 * interrupted.
 */
export const isWaiting = sql<boolean>`d.status IN ('pending', 'failed') AND d.digest_delivery_id IS NULL`;

/**
 * Cancels deliveries that are no longer needed. The caller must hold the lease of the channel or the row
 * locks of the deliveries.
 */
export async function dropDeliveries(
  tx: Tx,
  channel: ChannelKey,
  ids: readonly number[],
  reason: 'superseded' | 'silenced' = 'superseded',
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE notification_deliveries d
    SET status = 'canceled', reason = ${reason}, waits_for_hours = false, waits_for_cause = NULL,
      next_attempt_at = NULL, completed_at = pacekeeper_now(), updated_at = pacekeeper_now()
    WHERE ${belongsToChannel(channel)} AND ${isWaiting} AND d.id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

interface WaitingOfAlert extends Pick<WaitingMessage, 'id' | 'eventType' | 'wasTried'>, CurrentAlertState {
  severity: AlertSeverity;
  rule_id: number;
  labels: Record<string, string>;
}

/**
 * Cancels waiting messages that no longer match the state of their alerts. A reminder is also canceled while
 * a silence matches its alert. A silence doesn't cancel openings and escalations. A canceled one would have
 * to be reported when the silence ends, and that report goes to all channels, even those that already
 * reported the alert.
 */
export async function cancelOutdatedDeliveries(
  tx: Tx,
  channel: ChannelKey,
  which: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<WaitingOfAlert>`
    SELECT d.id, d.event_type AS "eventType", false AS "wasTried", a.resolved_at IS NOT NULL AS "isResolved",
      a.acknowledged_at IS NOT NULL OR CASE WHEN a.snoozed_until IS NULL THEN a.is_snoozed_until_version_changes
        ELSE a.snoozed_until > pacekeeper_now() END AS "isQuiet",
      a.severity, a.rule_id, a.labels
    FROM notification_deliveries d
    JOIN alerts a ON a.organization_id = d.organization_id AND a.id = d.alert_id
    WHERE ${belongsToChannel(channel)} AND ${isWaiting} AND NOT d.waits_for_channel AND d.attempt_count = 0 AND ${which}
      AND (d.event_type = 'alert.reminder'
        OR a.resolved_at IS NOT NULL AND d.event_type IN ('alert.created', 'alert.escalated'))`.execute(tx);
  const outdated = new Set(rows.filter((row) => isOutdated(row, row)));
  await dropDeliveries(
    tx,
    channel,
    [...outdated].map(({ id }) => id),
  );
  const reminders = rows.filter((row) => row.eventType === 'alert.reminder' && !outdated.has(row));
  if (reminders.length === 0) return;
  const active = await readActiveSilences(tx, channel.organization_id);
  const silenced = reminders.filter((row) => toAlertSilence(active, row) !== null);
  await dropDeliveries(
    tx,
    channel,
    silenced.map(({ id }) => id),
    'silenced',
  );
}
