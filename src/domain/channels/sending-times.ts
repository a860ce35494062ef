import type { AlertSeverity } from '../rules/severity.ts';
import { nextRun } from '../scheduling/cron-schedule.ts';
import type { SendingHours } from '../scheduling/sending-hours.ts';

/** Settings that determine when a channel sends messages. */
export interface SendingTimes {
  /**
   * Number of minutes during which a channel collects events for a digest. `null` if the channel doesn't send
   * digests or uses a schedule.
   */
  readonly digestMinutes: number | null;
  /** Cron expression of the digests. */
  readonly digestSchedule: string | null;
  /** Hours in which the channel sends. If empty, the channel sends at any time. */
  readonly sendingHours: readonly SendingHours[];
  readonly timezone: string;
  /** Severities that are sent immediately, even outside the sending hours. */
  readonly alwaysFor: readonly AlertSeverity[];
}

/** True if a channel combines events into digests. */
export function collectsDigests({
  digestMinutes,
  digestSchedule,
}: Pick<SendingTimes, 'digestMinutes' | 'digestSchedule'>): boolean {
  return digestMinutes !== null || digestSchedule !== null;
}

/**
 * Returns the due time of a digest whose first event occurs at `now`, or `null` if the channel doesn't send
 * digests.
 */
export function nextDigestAt(
  {
    digestMinutes,
    digestSchedule,
    timezone,
  }: Pick<SendingTimes, 'digestMinutes' | 'digestSchedule' | 'timezone'>,
  now: Date,
): Date | null {
  // If a schedule has no next run, for example after the last year that croner supports, send immediately, so
  // that events don't wait forever.
  if (digestSchedule !== null) return nextRun(digestSchedule, timezone, now) ?? now;
  return digestMinutes === null ? null : new Date(now.getTime() + digestMinutes * 60_000);
}
