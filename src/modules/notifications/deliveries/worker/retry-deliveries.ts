import { sql } from 'kysely';
import { maxAttempts } from '../../../../domain/scheduling/retry-schedule.ts';
import { dueTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import { triggerDueRows } from '../../../../platform/due-rows/index.ts';
import { minFailuresForProbes } from '../model/channel-row.ts';
import { isOpen } from '../model/delivery-lines.ts';
import { deliverySettings } from '../model/delivery-settings.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';

export interface RetryFilter {
  status: 'dead_letter' | 'canceled';
  channelId?: number | undefined;
  eventType?: string | undefined;
  since?: Date | undefined;
  deliveryId?: number;
}

const retryBatchSize = 1_000;
/**
 * Maximum number of remaining deliveries that are counted. Counting all deliveries of a failed target would
 * take longer than the retry itself.
 */
const countedUpTo = 10_000;

/**
 * Resets deliveries to pending for a new series of attempts with the same `webhook-id` and body. A retried
 * digest includes all of its events. Deliveries of inactive channels wait until the channel is enabled.
 * Deliveries of deleted channels aren't retried.
 *
 * @returns The number of retried deliveries (oldest first, at most 1,000), and how many more match the filter
 * (at most 10,000).
 */
export async function retryDeliveries(
  tx: Tx,
  organizationId: number,
  filter: RetryFilter,
): Promise<{ retried: number; remaining: number }> {
  const { status, channelId, eventType, since, deliveryId } = filter;
  const matches = sql`
    d.organization_id = ${organizationId} AND d.status = ${status} AND d.digest_delivery_id IS NULL
    AND (${channelId ?? null}::bigint IS NULL OR d.channel_id = ${channelId ?? null}::bigint)
    AND (${eventType ?? null}::text IS NULL OR d.event_type = ${eventType ?? null}::text)
    AND (${since?.toISOString() ?? null}::timestamptz IS NULL OR d.created_at >= ${since?.toISOString() ?? null}::timestamptz)
    AND (${deliveryId ?? null}::bigint IS NULL OR d.id = ${deliveryId ?? null}::bigint)
    AND EXISTS (SELECT FROM notification_channels c
      WHERE c.organization_id = d.organization_id AND c.id = d.channel_id)`;
  const { retryScheduleSeconds } = await deliverySettings(tx, organizationId);
  // Lock channels before deliveries, in the same order as planning and toggling. While a channel is locked,
  // it can't be enabled or disabled, so a delivery never starts to wait for a channel that is already
  // enabled.
  const { rows: chosen } = await sql<{ channel_id: number }>`
    SELECT DISTINCT channel_id FROM (
      SELECT d.channel_id FROM notification_deliveries d WHERE ${matches} ORDER BY d.created_at, d.id LIMIT ${retryBatchSize}
    ) AS chosen`.execute(tx);
  const { rows: channels } = await sql<{ id: number; is_active: boolean }>`
    SELECT id, is_active FROM notification_channels
    WHERE organization_id = ${organizationId} AND id = ANY(${chosen.map((row) => row.channel_id)}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  const channelIds = channels.map(({ id }) => id);
  const activeIds = channels.flatMap(({ id, is_active }) => (is_active ? id : []));
  await triggerDueRows(
    tx,
    dueChannelsTable,
    sql`organization_id = ${organizationId} AND id = ANY(${activeIds}::bigint[])`,
  );
  // Retry immediately, regardless of previous failures of the receiver.
  await sql`
    UPDATE notification_channels SET consecutive_failures = least(consecutive_failures, ${minFailuresForProbes - 1})
    WHERE organization_id = ${organizationId} AND id = ANY(${activeIds}::bigint[])`.execute(tx);

  const isReady = sql`d.channel_id = ANY(${activeIds}::bigint[])`;
  const { rows: retried } = await sql<{ id: number }>`
    UPDATE notification_deliveries d
    SET status = 'pending', series_attempt_count = 0, series_started_at = pacekeeper_now(), rate_limit_wait_ms = 0,
      is_rate_limited = false, was_brought_forward = false,
      max_attempts = d.attempt_count + ${maxAttempts(retryScheduleSeconds)}, waits_for_channel = NOT ${isReady},
      next_attempt_at = CASE WHEN ${isReady} THEN pacekeeper_now() END, completed_at = NULL, reason = NULL,
      updated_at = pacekeeper_now()
    WHERE d.organization_id = ${organizationId} AND d.id IN (
      SELECT d.id FROM notification_deliveries d
      WHERE ${matches} AND d.channel_id = ANY(${channelIds}::bigint[])
      ORDER BY d.created_at, d.id LIMIT ${retryBatchSize} FOR UPDATE)
    RETURNING d.id`.execute(tx);
  await sql`
    UPDATE notification_deliveries d
    SET status = 'pending', series_started_at = digest.series_started_at, max_attempts = digest.max_attempts,
      waits_for_channel = digest.waits_for_channel, completed_at = NULL, reason = NULL, updated_at = pacekeeper_now()
    FROM notification_deliveries digest
    WHERE d.organization_id = ${organizationId} AND d.status IN ('dead_letter', 'canceled')
      AND d.digest_delivery_id = ANY(${retried.map((row) => row.id)}::bigint[])
      AND digest.organization_id = d.organization_id AND digest.id = d.digest_delivery_id`.execute(tx);
  const { rows: left } = await sql<{ count: number }>`
    SELECT count(*) AS count
    FROM (SELECT FROM notification_deliveries d WHERE ${matches} LIMIT ${countedUpTo}) AS counted`.execute(
    tx,
  );
  wake(tx, dueTopic(dueChannelsTable.name));
  return { retried: retried.length, remaining: left[0]?.count ?? 0 };
}

/**
 * Starts a new attempt series for deliveries that were retried while their channel was inactive. The caller
 * must hold the lock of the channel.
 */
export async function startWaitingDeliveries(
  tx: Tx,
  organizationId: number,
  channelId: number,
): Promise<void> {
  await sql`
    UPDATE notification_deliveries d
    SET waits_for_channel = false, series_started_at = pacekeeper_now(), updated_at = pacekeeper_now(),
      next_attempt_at = CASE WHEN d.digest_delivery_id IS NULL THEN pacekeeper_now() END
    WHERE d.organization_id = ${organizationId} AND d.channel_id = ${channelId} AND ${isOpen}
      AND d.next_attempt_at IS NULL AND d.waits_for_channel`.execute(tx);
}

/** Returns the digest that contains a delivery, or the delivery itself if it isn't in a digest. */
export async function findSentDelivery(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<{ id: number; status: string; hasChannel: boolean } | undefined> {
  const { rows } = await sql<{ id: number; status: string; hasChannel: boolean }>`
    SELECT carrier.id, carrier.status, c.id IS NOT NULL AS "hasChannel"
    FROM notification_deliveries d
    JOIN notification_deliveries carrier ON carrier.organization_id = d.organization_id
      AND carrier.id = coalesce(d.digest_delivery_id, d.id)
    LEFT JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    WHERE d.organization_id = ${organizationId} AND d.id = ${id}`.execute(tx);
  return rows[0];
}
