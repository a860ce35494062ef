import { sql } from 'kysely';
import { deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { channelEvents } from '../../../../domain/routing/notification-event.ts';
import { changeTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import { cancelDeliveriesOfChannel } from '../model/close-deliveries.ts';
import type { DueDelivery } from '../model/pick-deliveries.ts';
import { planServiceEvent, replanChannelEvent } from '../plan/plan-service-event.ts';

/**
 * Disables the channels whose targets permanently rejected a delivery, cancels their waiting deliveries, and
 * notifies other channels. If a disabled channel would have received an event about a channel, the event is
 * sent to another one instead.
 *
 * All channels are disabled before the first event is routed, so that no event is routed to one of them.
 */
export async function disableChannels(
  tx: Tx,
  rejected: readonly Pick<DueDelivery, 'organizationId' | 'channelId' | 'channelName' | 'deliveryId'>[],
  reason: 'gone',
): Promise<void> {
  const planned: (() => Promise<unknown>)[] = [];
  for (const { organizationId, channelId: id, channelName: name, deliveryId } of rejected) {
    const lost = await readEventsAboutChannels(tx, organizationId, id, deliveryId);
    const result = await sql`
      UPDATE notification_channels
      SET is_active = false, inactive_reason = ${reason}, updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND id = ${id} AND is_active`.execute(tx);
    // If two responses arrive at the same time, the channel is already disabled for the second.
    const isDisabled = result.numAffectedRows === 1n;
    if (isDisabled) await cancelDeliveriesOfChannel(tx, organizationId, id, 'channel_inactive');
    planned.push(async () => {
      for (const entryId of lost) await replanChannelEvent(tx, organizationId, entryId);
      if (!isDisabled) return;
      const data = { channel: { id, name, reason: deliveryCodes[reason][0] } };
      await planServiceEvent(tx, organizationId, { type: 'channel.disabled', data });
      wake(tx, changeTopic(organizationId, 'notification_channel', id));
    });
  }
  for (const plan of planned) await plan();
}

/**
 * Returns the IDs of audit entries about channels: those of events whose delivery waits for this channel or
 * is part of the rejected delivery.
 */
async function readEventsAboutChannels(
  tx: Tx,
  organizationId: number,
  channelId: number,
  rejectedId: number,
): Promise<number[]> {
  const isAboutChannel = sql`event_type IN (${sql.join(channelEvents.map((type) => sql.lit(type)))})`;
  const { rows } = await sql<{ audit_entry_id: number }>`
    SELECT audit_entry_id FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND ${isAboutChannel}
      AND status IN ('pending', 'failed', 'in_progress')
    UNION SELECT audit_entry_id FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND id = ${rejectedId} AND ${isAboutChannel}
    UNION SELECT audit_entry_id FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND digest_delivery_id = ${rejectedId} AND ${isAboutChannel}
    ORDER BY audit_entry_id`.execute(tx);
  return rows.map((row) => row.audit_entry_id);
}
