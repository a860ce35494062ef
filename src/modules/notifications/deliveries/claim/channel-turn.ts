import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import { probeWaitMs, seriesExpiresAt } from '../../../../domain/scheduling/retry-schedule.ts';
import type { SendingHours } from '../../../../domain/scheduling/sending-hours.ts';
import { type Database, transaction } from '../../../../platform/database/index.ts';
import type { Claim } from '../../../../platform/due-rows/index.ts';
import type { DeliverySettings } from '../plan/delivery-settings.ts';
import { formDigest } from '../plan/form-digests.ts';
import { cancelDeliveriesOfChannel } from '../settle/close-deliveries.ts';
import { expireDeliveries } from '../settle/expire-deliveries.ts';
import { holdForHours } from './hold-for-hours.ts';
import { inFlightLimits } from './in-flight.ts';

/** A channel that is in our hands for one pass, with room for so many of its deliveries. */
export interface ChannelPass {
  claim: Claim<ChannelRow>;
  maxCount: number;
  /** Outside of its sending hours, the deliveries that can be sent. */
  onlyIds?: readonly number[] | null;
}

/** A channel as the loop claims it. */
export interface ChannelRow {
  organization_id: number;
  id: number;
  is_active: boolean;
  digest_minutes: number | null;
  digest_schedule: string | null;
  sending_hours: SendingHours[];
  timezone: string;
  always_for: AlertSeverity[];
  held_until: Date | null;
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
  return !row.is_active || row.consecutive_failures > 0 || collectsDigests(row) || hasSendingHours(row);
}

function collectsDigests({ digest_minutes, digest_schedule }: ChannelRow): boolean {
  return digest_minutes !== null || digest_schedule !== null;
}

/** Also one that has none any more, while deliveries wait for those that it had. */
function hasSendingHours({ sending_hours, held_until }: ChannelRow): boolean {
  return sending_hours.length > 0 || held_until !== null;
}

/**
 * Prepares it: cancels for an inactive channel, expires what is too old, holds deliveries for the sending hours,
 * makes a digest.
 *
 * @returns the deliveries that can be sent now; null for all
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
  if (row.consecutive_failures > 0) {
    const maxAgeMs = seriesExpiresAt(retryScheduleSeconds, new Date(0), timeoutSeconds).getTime();
    await transaction(db, (tx) => expireDeliveries(tx, organizationId, channelId, maxAgeMs));
  }
  const allowed = hasSendingHours(row) ? await holdForHours(db, row, now) : null;
  if (!collectsDigests(row)) return allowed;
  const digestId = await formDigest(db, organizationId, channelId, {
    maxAttempts: retryScheduleSeconds.length + 1,
    onlyIds: allowed,
  });
  return allowed === null || digestId === null ? allowed : [...allowed, digestId];
}
