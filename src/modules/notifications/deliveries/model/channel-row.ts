import { type RawBuilder, sql } from 'kysely';
import {
  isPaced,
  pacedSeconds,
  pausedUntil,
  type SendingPace,
} from '../../../../domain/channels/sending-pace.ts';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import { probeWaitMs } from '../../../../domain/scheduling/retry-schedule.ts';
import type { SendingHours } from '../../../../domain/scheduling/sending-hours.ts';
import type { PresetId } from '../../../../domain/templates/presets.ts';
import type { Claim } from '../../../../platform/due-rows/index.ts';

/** The columns of a channel that the delivery loop reads when it claims the channel. */
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
  preset: PresetId;
  next_send_at: Date | null;
  send_interval_ms: number;
  send_interval_floor_ms: number;
  rate_limited_at: Date | null;
  accepted_since: Date | null;
  accepted_count: number;
}

/** Columns of `ChannelRow` other than the key. The delivery loop reads them when it claims channels. */
export const channelColumns = [
  'is_active',
  'digest_minutes',
  'digest_schedule',
  'sending_hours',
  'timezone',
  'always_for',
  'held_until',
  'consecutive_failures',
  'last_failure_at',
  'last_duration_ms',
  'probe_count',
  'preset',
  'next_send_at',
  'send_interval_ms',
  'send_interval_floor_ms',
  'rate_limited_at',
  'accepted_since',
  'accepted_count',
] as const satisfies readonly (keyof ChannelRow)[];

type PaceColumns = Pick<
  ChannelRow,
  | 'next_send_at'
  | 'send_interval_ms'
  | 'send_interval_floor_ms'
  | 'rate_limited_at'
  | 'accepted_since'
  | 'accepted_count'
>;

export function paceOf(row: PaceColumns): SendingPace {
  return {
    nextSendAt: row.next_send_at,
    intervalMs: row.send_interval_ms,
    floorMs: row.send_interval_floor_ms,
    limitedAt: row.rate_limited_at,
    acceptedSince: row.accepted_since,
    acceptedCount: row.accepted_count,
  };
}

/** Number of consecutive failures after which a channel receives only probes. */
export const minFailuresForProbes = 10;

/** If the last attempt took longer than this, the channel processes one delivery at a time. */
export const slowThresholdMs = 5_000;

/**
 * Returns how many deliveries a channel can process at a time. The result is 1 for a channel that failed, was
 * slow, or is rate limited. After repeated failures, this single delivery is the probe. The result is also 1
 * for channels of chat and incident platforms, because these platforms limit the rate of each channel, and
 * people read its messages in order.
 */
export function batchLimit(row: ChannelRow, now: Date, { perChannel }: { perChannel: number }): number {
  const { consecutive_failures, last_duration_ms, preset } = row;
  const isSingle =
    consecutive_failures > 0 ||
    (last_duration_ms ?? 0) > slowThresholdMs ||
    preset !== 'generic' ||
    isPaced(paceOf(row), now);
  return isSingle ? 1 : perChannel;
}

/** Returns `batchLimit` as SQL, with the columns of `notification_channels`. */
export function batchLimitSql({ perChannel }: { perChannel: number }): RawBuilder<number> {
  return sql<number>`
    CASE WHEN consecutive_failures > 0 OR coalesce(last_duration_ms, 0) > ${sql.lit(slowThresholdMs)} OR preset <> 'generic'
      OR (rate_limited_at <= pacekeeper_now()
        AND rate_limited_at > pacekeeper_now() - ${sql.lit(pacedSeconds)} * interval '1 second')
    THEN 1 ELSE ${sql.lit(perChannel)} END`;
}

/** True if nothing is sent to the channel now, because its next probe isn't due or its receiver requested a pause. */
export function isWaiting({ row, now }: Claim<ChannelRow>): boolean {
  if (pausedUntil(paceOf(row), now) !== null) return true;
  if (row.consecutive_failures < minFailuresForProbes) return false;
  const probeAt = nextProbeAt(row, now);
  return probeAt !== null && probeAt > now;
}

/**
 * Returns the time of the next probe, or `null` if the channel doesn't need one. A failure in the future was
 * recorded before the clock was set back, so it's ignored.
 */
export function nextProbeAt(
  {
    consecutive_failures,
    probe_count,
    last_failure_at,
  }: Pick<ChannelRow, 'consecutive_failures' | 'probe_count' | 'last_failure_at'>,
  now: Date,
): Date | null {
  if (consecutive_failures < minFailuresForProbes || last_failure_at === null || last_failure_at > now)
    return null;
  return new Date(last_failure_at.getTime() + probeWaitMs(probe_count));
}
