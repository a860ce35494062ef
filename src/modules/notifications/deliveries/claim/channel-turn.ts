import { probeWaitMs, seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import { type Database, transaction } from '../../../../platform/database/index.ts';
import type { Claim } from '../../../../platform/due-rows/index.ts';
import type { DeliverySettings } from '../plan/delivery-settings.ts';
import { formDigest } from '../plan/form-digests.ts';
import { cancelDeliveriesOfChannel } from '../settle/close-deliveries.ts';
import { expireDeliveries } from '../settle/expire-deliveries.ts';
import { inFlightLimits } from './in-flight.ts';

/** A channel that is in our hands for one pass, with room for so many of its deliveries. */
export interface ChannelPass {
  claim: Claim<ChannelRow>;
  maxCount: number;
}

/** A channel as the loop claims it. */
export interface ChannelRow {
  organization_id: number;
  id: number;
  is_active: boolean;
  digest_minutes: number | null;
  consecutive_failures: number;
  last_failure_at: Date | null;
  last_duration_ms: number | null;
  probe_count: number;
}

/** From so many failures in a row on, a channel is only probed. */
export const probeFromFailures = 10;

/** A channel whose last attempt took longer gets one delivery at a time. */
export const slowFromMs = 5_000;

/** One at a time to a target that failed or was slow; of one that fails again and again, that one is the probe. */
export function batchLimit({ consecutive_failures, last_duration_ms }: ChannelRow): number {
  return consecutive_failures > 0 || (last_duration_ms ?? 0) > slowFromMs ? 1 : inFlightLimits.perChannel;
}

export function isWaitingForProbe({ row, now }: Claim<ChannelRow>): boolean {
  if (row.consecutive_failures < probeFromFailures) return false;
  const probeAt = nextProbeAt(row, now);
  return probeAt !== null && probeAt > now;
}

/** Null when the channel need not be probed. A failure in the future is one before the clock was set back. */
export function nextProbeAt(
  {
    consecutive_failures,
    probe_count,
    last_failure_at,
  }: Pick<ChannelRow, 'consecutive_failures' | 'probe_count' | 'last_failure_at'>,
  now: Date,
): Date | null {
  if (consecutive_failures < probeFromFailures || last_failure_at === null || last_failure_at > now)
    return null;
  return new Date(last_failure_at.getTime() + probeWaitMs(probe_count));
}

/** Whether something is to be settled before deliveries of the channel are read. */
export function needsMaintenance({ claim: { row } }: ChannelPass): boolean {
  const { is_active, consecutive_failures, digest_minutes } = row;
  return !is_active || consecutive_failures > 0 || digest_minutes !== null;
}

/** Settles it: cancels for an inactive channel, gives up what is too old, makes a digest. */
export async function maintainChannel(
  db: Database,
  { claim: { row } }: ChannelPass,
  settings: DeliverySettings,
): Promise<void> {
  const { organization_id: organizationId, id: channelId } = row;
  const { retryScheduleSeconds, timeoutSeconds } = settings;
  if (!row.is_active) {
    await transaction(db, (tx) =>
      cancelDeliveriesOfChannel(tx, organizationId, channelId, 'channel_inactive'),
    );
    return;
  }
  if (row.consecutive_failures > 0) {
    const maxAgeMs = seriesExpiresAt(retryScheduleSeconds, new Date(0), timeoutSeconds).getTime();
    await transaction(db, (tx) => expireDeliveries(tx, organizationId, channelId, maxAgeMs));
  }
  if (row.digest_minutes !== null)
    await formDigest(db, organizationId, channelId, retryScheduleSeconds.length + 1);
}
