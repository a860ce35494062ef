import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';

// Literals: with a parameter, a generic plan can't use the partial index of open deliveries.
const isOpen = sql`status IN ('pending', 'failed', 'in_progress')`;
const isWaiting = sql`status IN ('pending', 'failed') AND NOT waits_for_channel`;
/** With the digest that carries it. */
const isBeingSent = sql`EXISTS (
  SELECT FROM notification_deliveries digest
  WHERE digest.organization_id = notification_deliveries.organization_id
    AND digest.id = notification_deliveries.digest_delivery_id AND digest.status = 'in_progress')`;

/**
 * Cancels what still waits for a channel that was turned off or is about to be deleted. What is being sent at
 * this moment ends as it does, and what a digest carries ends as the digest does. Deliveries retried while the channel is inactive keep waiting until it is enabled.
 * @returns how many
 */
export async function cancelDeliveriesOfChannel(
  tx: Tx,
  organizationId: number,
  channelId: number,
  reason: 'channel_inactive' | 'channel_deleted',
): Promise<number> {
  // Until the transaction ends, no digest that waits begins to be sent while what it carries is canceled. One that is being
  // sent isn't locked: whoever records its attempt locks the channel after it.
  await sql`
    SELECT FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND event_type = 'digest' AND ${isWaiting}
    ORDER BY id FOR UPDATE`.execute(tx);
  const result = await sql`
    UPDATE notification_deliveries
    SET status = 'canceled', reason = ${reason}, next_attempt_at = NULL, completed_at = pacekeeper_now(),
      waits_for_channel = false, waits_for_reading = false, waits_for_hours = false, lease_token = NULL, lease_until = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
      AND ${reason === 'channel_deleted' ? isOpen : sql`${isWaiting} AND NOT ${isBeingSent}`}`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
