import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';

// These conditions use literals, because a generic plan with parameters can't use the partial index of open
// deliveries.
const isOpen = sql`status IN ('pending', 'failed', 'in_progress')`;
const isWaiting = sql`status IN ('pending', 'failed') AND NOT waits_for_channel`;
/** True if a digest that contains the delivery is in progress. */
const isBeingSent = sql`EXISTS (
  SELECT FROM notification_deliveries digest
  WHERE digest.organization_id = notification_deliveries.organization_id
    AND digest.id = notification_deliveries.digest_delivery_id AND digest.status = 'in_progress')`;

/**
 * Cancels the open deliveries of a channel that was disabled or is about to be deleted. For a disabled
 * channel, deliveries and digests in progress are finished, and deliveries retried while it's inactive wait
 * until it's enabled.
 * @returns The number of canceled deliveries.
 */
export async function cancelDeliveriesOfChannel(
  tx: Tx,
  organizationId: number,
  channelId: number,
  reason: 'channel_inactive' | 'channel_deleted',
): Promise<number> {
  // Lock waiting digests, so that none starts while its deliveries are canceled. To avoid deadlocks, don't lock digests
  // in progress, because recording an attempt locks the delivery before the channel.
  await sql`
    SELECT FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND event_type = 'digest' AND ${isWaiting}
    ORDER BY id FOR UPDATE`.execute(tx);
  const result = await sql`
    UPDATE notification_deliveries
    SET status = 'canceled', reason = ${reason}, next_attempt_at = NULL, completed_at = pacekeeper_now(),
      waits_for_channel = false, waits_for_cause = NULL, waits_for_hours = false, lease_token = NULL, lease_until = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
      AND ${reason === 'channel_deleted' ? isOpen : sql`${isWaiting} AND NOT ${isBeingSent}`}`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
