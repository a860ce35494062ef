import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { ClosedDelivery } from './attempt-queries.ts';

/**
 * Cancels what still waits for a channel that was turned off or is about to be deleted. What is being sent at
 * this moment ends as it does.
 * @returns how many
 */
export async function cancelDeliveriesOfChannel(
  tx: Tx,
  organizationId: number,
  channelId: number,
  reason: 'channel_inactive' | 'channel_deleted',
): Promise<number> {
  const result = await sql`
    UPDATE notification_deliveries
    SET status = 'canceled', reason = ${reason}, next_attempt_at = NULL, completed_at = pacekeeper_now(),
      lease_token = NULL, lease_until = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
      AND (status IN ('pending', 'failed') OR status = 'in_progress' AND ${reason === 'channel_deleted'})`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}

/** The channel of these deliveries is about to be deleted; they keep its name. */
export async function detachDeliveriesOfChannel(tx: Tx, organizationId: number, channelId: number): Promise<void> {
  await cancelDeliveriesOfChannel(tx, organizationId, channelId, 'channel_deleted');
  await sql`
    UPDATE notification_deliveries SET channel_id = NULL
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId}`.execute(tx);
}

const expiredAtOnce = 500;

/**
 * Gives up what has waited for longer than the schedule's sum behind a target that fails. A channel that works is
 * never asked: what waited for us, as after a long stop, is still sent.
 * @returns those given up, at most 500
 */
export async function expireDeliveriesOfChannel(
  tx: Tx,
  organizationId: number,
  channelId: number,
  maxAgeMs: number,
): Promise<ClosedDelivery[]> {
  const { rows } = await sql<ClosedDelivery>`
    UPDATE notification_deliveries d
    SET status = 'dead_letter', reason = 'expired', next_attempt_at = NULL, completed_at = pacekeeper_now(),
      updated_at = pacekeeper_now()
    WHERE d.organization_id = ${organizationId} AND d.id IN (
      SELECT id FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND status IN ('pending', 'failed')
        AND digest_delivery_id IS NULL
        AND series_started_at < pacekeeper_now() - ${maxAgeMs}::float8 * interval '1 millisecond'
      ORDER BY id LIMIT ${expiredAtOnce} FOR UPDATE SKIP LOCKED)
    RETURNING d.organization_id, d.id, d.alert_id, d.channel_name, d.event_type`.execute(tx);
  return rows;
}
