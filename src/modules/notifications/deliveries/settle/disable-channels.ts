import { sql } from 'kysely';
import { deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import { planServiceEvent } from '../plan/plan-service-event.ts';
import { cancelDeliveriesOfChannel } from './close-deliveries.ts';

/**
 * Disables a channel whose target permanently rejects messages, cancels its waiting deliveries, and notifies
 * the default channel.
 */
export async function disableChannel(
  tx: Tx,
  organizationId: number,
  channel: { id: number; name: string },
  reason: 'gone',
  wakeUps: WakeUps,
): Promise<void> {
  const result = await sql`
    UPDATE notification_channels
    SET is_active = false, inactive_reason = ${reason}, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${channel.id} AND is_active`.execute(tx);
  // If two responses arrive at the same time, the channel is already disabled for the second.
  if (result.numAffectedRows !== 1n) return;
  await cancelDeliveriesOfChannel(tx, organizationId, channel.id, 'channel_inactive');
  const data = { channel: { ...channel, reason: deliveryCodes[reason][0] } };
  await planServiceEvent(tx, organizationId, { type: 'channel.disabled', data }, wakeUps);
  wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/notification_channel/${channel.id}`);
}
