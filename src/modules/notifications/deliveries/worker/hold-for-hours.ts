import { type RawBuilder, sql } from 'kysely';
import {
  decideOutsideSendingHours,
  supersededMessages,
  type WaitingMessage,
} from '../../../../domain/channels/waiting-messages.ts';
import { nextOpening } from '../../../../domain/scheduling/sending-hours.ts';
import { type Database, type Tx, transaction } from '../../../../platform/database/index.ts';
import type { ChannelRow } from '../model/channel-row.ts';
import {
  belongsToChannel,
  cancelOutdatedDeliveries,
  dropDeliveries,
  isWaiting,
} from '../model/drop-deliveries.ts';

type Channel = Pick<
  ChannelRow,
  | 'organization_id'
  | 'id'
  | 'sending_hours'
  | 'timezone'
  | 'always_for'
  | 'held_until'
  | 'digest_minutes'
  | 'digest_schedule'
>;

/**
 * Batch size for deliveries that are due outside the sending hours. The rest is processed in the next pass.
 */
const holdBatchSize = 2_000;

/**
 * Holds deliveries of a channel for its sending hours, and releases deliveries when the hours begin or
 * change. The caller must hold the lease of the channel. All decisions about sending hours happen here, so
 * that planned and retried deliveries are treated alike, and changed hours also apply to waiting deliveries.
 *
 * @returns IDs of the deliveries that can be sent now, or `null` for all.
 */
export async function applySendingHours(db: Database, channel: Channel, now: Date): Promise<number[] | null> {
  const opensAt = nextOpening(channel.sending_hours, channel.timezone, now);
  const isSameOpening = channel.held_until?.getTime() === opensAt?.getTime();
  if (opensAt === null && isSameOpening) return null;
  return transaction(db, async (tx) => {
    if (channel.held_until !== null && !isSameOpening)
      await releaseHeld(tx, channel, { isOpen: opensAt === null });
    const allowed = opensAt === null ? null : await holdDue(tx, channel, opensAt);
    // Update `held_until`, which shows whether deliveries are held, so that channels without held deliveries
    // don't need a query. The condition preserves a concurrent change to the sending hours, which the next
    // pass applies.
    if (!isSameOpening) {
      await sql`
        UPDATE notification_channels SET held_until = ${opensAt?.toISOString() ?? null}
        WHERE organization_id = ${channel.organization_id} AND id = ${channel.id}
          AND held_until IS NOT DISTINCT FROM ${channel.held_until?.toISOString() ?? null}::timestamptz`.execute(
        tx,
      );
    }
    return allowed;
  });
}

/**
 * Makes all held deliveries due now. When the sending hours begin, outdated and redundant messages are
 * canceled first.
 */
async function releaseHeld(tx: Tx, channel: Channel, { isOpen }: { isOpen: boolean }): Promise<void> {
  if (isOpen) {
    await cancelOutdatedDeliveries(tx, channel, sql`d.waits_for_hours`);
    const held = await readWaiting(tx, channel, sql`d.waits_for_hours`);
    await dropDeliveries(tx, channel, [...supersededMessages(held)]);
  }
  await release(tx, channel, sql`true`);
}

async function holdDue(tx: Tx, channel: Channel, opensAt: Date): Promise<number[]> {
  const due = await readWaiting(
    tx,
    channel,
    sql`NOT d.waits_for_hours AND d.next_attempt_at <= pacekeeper_now()`,
    holdBatchSize,
  );
  const alertIds = due.flatMap(({ alertId, isUrgent }) => (isUrgent && alertId !== null ? alertId : []));
  const held = due.some(({ isUrgent }) => isUrgent)
    ? await readWaiting(
        tx,
        channel,
        sql`d.waits_for_hours AND (d.alert_id = ANY(${alertIds}::bigint[]) OR d.event_type = 'digest')`,
      )
    : [];
  const unrelated = await readUnrelatedDigests(tx, channel, due, held);
  const { send, hold, superseded } = decideOutsideSendingHours(due, held, unrelated);
  await dropDeliveries(tx, channel, superseded);
  const sendIds = new Set(send);
  const pulled = held.flatMap(({ id }) => (sendIds.has(id) ? id : []));
  if (pulled.length > 0) await release(tx, channel, sql`d.id = ANY(${pulled}::bigint[])`);
  if (hold.length > 0) {
    await sql`
      UPDATE notification_deliveries d
      SET waits_for_hours = true, next_attempt_at = ${opensAt.toISOString()}, updated_at = pacekeeper_now()
      WHERE ${belongsToChannel(channel)} AND d.id = ANY(${hold}::bigint[]) AND ${isWaiting}`.execute(tx);
  }
  return send;
}

/**
 * Returns the IDs of digests that can wait while urgent messages are sent: those after the last digest that contains an
 * alert of an urgent message. Returns none for a channel that collects digests, because it sends one digest at a time.
 * Also returns none if an urgent message is about a deleted alert, because any digest can contain that alert.
 */
async function readUnrelatedDigests(
  tx: Tx,
  channel: Channel,
  due: readonly WaitingMessage[],
  held: readonly WaitingMessage[],
): Promise<Set<number>> {
  const urgent = due.filter(({ isUrgent }) => isUrgent);
  const digests = [...held, ...due].flatMap(({ id, eventType, isUrgent }) =>
    eventType === 'digest' && !isUrgent ? id : [],
  );
  const collects = channel.digest_minutes !== null || channel.digest_schedule !== null;
  const isOfDeleted = urgent.some(({ alertId, eventType }) => alertId === null && eventType !== 'digest');
  if (urgent.length === 0 || digests.length === 0 || collects || isOfDeleted) return new Set();
  const urgentIds = urgent.map(({ id }) => id);
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(contained.digest_delivery_id) AS last FROM notification_deliveries d
    JOIN notification_deliveries contained ON contained.organization_id = d.organization_id
      AND contained.channel_id = d.channel_id AND contained.alert_id = d.alert_id
    WHERE ${belongsToChannel(channel)} AND (d.id = ANY(${urgentIds}::bigint[]) OR d.digest_delivery_id = ANY(${urgentIds}::bigint[]))
      AND contained.status IN ('pending', 'failed', 'in_progress')
      AND contained.digest_delivery_id = ANY(${digests}::bigint[])`.execute(tx);
  return new Set(digests.filter((id) => id > (rows[0]!.last ?? 0)));
}

/**
 * Releases held deliveries. The attempt series starts now, because the time on hold doesn't count toward its
 * age.
 */
async function release(tx: Tx, channel: Channel, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    UPDATE notification_deliveries d
    SET waits_for_hours = false, next_attempt_at = pacekeeper_now(), series_started_at = pacekeeper_now(),
      updated_at = pacekeeper_now()
    WHERE ${belongsToChannel(channel)} AND ${isWaiting} AND d.waits_for_hours AND ${which}`.execute(tx);
}

async function readWaiting(
  tx: Tx,
  channel: Channel,
  which: RawBuilder<unknown>,
  limit: number | null = null,
): Promise<WaitingMessage[]> {
  const isSevere = sql`e.data #>> '{alert,severity}' = ANY(${channel.always_for}::text[])`;
  const { rows } = await sql<WaitingMessage>`
    SELECT d.id, d.alert_id AS "alertId", d.sequence, d.event_type AS "eventType", d.attempt_count > 0 AS "wasTried",
      CASE d.event_type WHEN 'digest' THEN EXISTS (
        SELECT FROM notification_deliveries carried
        JOIN audit_entries e ON e.organization_id = carried.organization_id AND e.id = carried.audit_entry_id
        WHERE carried.organization_id = d.organization_id AND carried.digest_delivery_id = d.id AND ${isSevere})
      ELSE EXISTS (
        SELECT FROM audit_entries e
        WHERE e.organization_id = d.organization_id AND e.id = d.audit_entry_id AND ${isSevere})
      END AS "isUrgent"
    FROM notification_deliveries d
    WHERE ${belongsToChannel(channel)} AND ${isWaiting} AND d.next_attempt_at IS NOT NULL AND ${which}
    ORDER BY d.next_attempt_at, d.id LIMIT ${limit}`.execute(tx);
  return rows;
}
