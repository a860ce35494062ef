import { isPaced } from '../../../../domain/channels/sending-pace.ts';
import { seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import { type Database, transaction } from '../../../../platform/database/index.ts';
import type { Claim } from '../../../../platform/due-rows/index.ts';
import { type ChannelRow, paceOf } from '../model/channel-row.ts';
import { cancelDeliveriesOfChannel } from '../model/close-deliveries.ts';
import type { DeliverySettings } from '../model/delivery-settings.ts';
import { createDigest } from '../plan/form-digests.ts';
import { expireDeliveries } from './expire-deliveries.ts';
import { applySendingHours } from './hold-for-hours.ts';

/** A channel claimed for one pass, and how many deliveries it can process. */
export interface ChannelPass {
  claim: Claim<ChannelRow>;
  maxCount: number;
  /** IDs of the deliveries that can be sent outside the sending hours. `null` allows all. */
  onlyIds?: readonly number[] | null;
}

/** True if the channel needs maintenance before its deliveries are read. */
export function needsMaintenance({ claim: { row } }: ChannelPass): boolean {
  return !row.is_active || row.consecutive_failures > 0 || collectsDigests(row) || hasSendingHours(row);
}

function collectsDigests({ digest_minutes, digest_schedule }: ChannelRow): boolean {
  return digest_minutes !== null || digest_schedule !== null;
}

/**
 * True if the channel has sending hours, or if deliveries are still held because of sending hours that were removed.
 */
function hasSendingHours({ sending_hours, held_until }: ChannelRow): boolean {
  return sending_hours.length > 0 || held_until !== null;
}

/** Time after a pause during which waiting messages don't expire, so that they can still be sent. */
const afterPauseMs = 3_600_000;

function wasPausedRecently({ next_send_at }: Pick<ChannelRow, 'next_send_at'>, now: Date): boolean {
  // A time far in the future was recorded before the clock was set back.
  return next_send_at !== null && Math.abs(now.getTime() - next_send_at.getTime()) <= afterPauseMs;
}

/**
 * Prepares a channel: cancels deliveries of an inactive channel, expires old deliveries, holds deliveries for
 * the sending hours, and creates a digest.
 *
 * @returns IDs of the deliveries that can be sent now, or `null` for all.
 */
export async function maintainChannel(
  db: Database,
  { claim: { row, now } }: ChannelPass,
  settings: DeliverySettings,
): Promise<readonly number[] | null> {
  const { organization_id: organizationId, id: channelId } = row;
  const { retryScheduleSeconds, timeoutSeconds } = settings;
  if (!row.is_active) {
    await transaction(db, (tx) =>
      cancelDeliveriesOfChannel(tx, organizationId, channelId, 'channel_inactive'),
    );
    return null;
  }
  // Messages that wait because of a rate limit don't expire.
  if (row.consecutive_failures > 0 && !isPaced(paceOf(row), now) && !wasPausedRecently(row, now)) {
    const maxAgeMs = seriesExpiresAt(retryScheduleSeconds, new Date(0), timeoutSeconds).getTime();
    await transaction(db, (tx) => expireDeliveries(tx, organizationId, channelId, maxAgeMs));
  }
  const allowed = hasSendingHours(row) ? await applySendingHours(db, row, now) : null;
  if (!collectsDigests(row)) return allowed;
  const digestId = await createDigest(db, organizationId, channelId, {
    maxAttempts: retryScheduleSeconds.length + 1,
    onlyIds: allowed,
  });
  return allowed === null || digestId === null ? allowed : [...allowed, digestId];
}
