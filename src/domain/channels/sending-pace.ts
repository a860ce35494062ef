import { maxRateLimitMs, type RateLimit } from './receiver-rate-limit.ts';

/** The speed at which messages are sent to a channel. A channel without a rate limit has no pace. */
export interface SendingPace {
  /** Nothing is sent before this time. */
  nextSendAt: Date | null;
  /** Time between two messages while the rate limit is remembered. */
  intervalMs: number;
  /** The interval shrinks to this value while messages are accepted. */
  floorMs: number;
  /** Time of the receiver's last rejection because of a rate limit. */
  limitedAt: Date | null;
  /** Start of the current window, in which `acceptedCount` messages were accepted. */
  acceptedSince: Date | null;
  acceptedCount: number;
}

/** The results of one pass of a channel that affect its pace. */
export interface PacedResults {
  acceptedCount: number;
  /**
   * Time since the receiver's last response, which was spent on storing the results. It's subtracted from the waits.
   */
  elapsedMs?: number;
  /** Wait that the receiver requested in its response to an accepted message. */
  usedUpWaitMs: number | null;
  limits: readonly (RateLimit & { startedAt: Date })[];
}

/**
 * Time after which a learned rate is forgotten. A long burst learns it again, at the cost of a few rejected
 * requests.
 */
const rememberedMs = 10 * 60_000;
/**
 * Maximum interval between two messages. After a temporary limit, a longer interval would delay a queue for
 * days.
 */
const maxIntervalMs = 60_000;
/** Factor by which waits exceed the receiver's window, because the receiver can use another clock. */
const margin = 1.02;
const marginMs = 10;
/**
 * A requested wait up to this length is interpreted as the time between two messages. A longer wait is
 * interpreted as the remaining time of a rate-limit window.
 */
const spacingUpToMs = 5_000;
const minGuessMs = 500;
/** Wait after the first rejection of a receiver that doesn't state one. */
const unknownWaitMs = 1_000;

/** True while the learned rate of a channel is in effect. During this time, the channel sends one message at a time. */
export function isPaced({ limitedAt }: Pick<SendingPace, 'limitedAt'>, now: Date): boolean {
  // A time in the future was recorded before the clock was set back.
  return limitedAt !== null && limitedAt <= now && now.getTime() - limitedAt.getTime() < rememberedMs;
}

/** Time after which a learned rate is forgotten, in seconds. SQL uses it for the same decision as `isPaced`. */
export const pacedSeconds = rememberedMs / 1_000;

/** Returns the time until which nothing is sent to a channel, or `null` if a message can be sent now. */
export function pausedUntil({ nextSendAt }: Pick<SendingPace, 'nextSendAt'>, now: Date): Date | null {
  if (nextSendAt === null || nextSendAt <= now) return null;
  // Ignore a pause that exceeds the maximum, because it was recorded before the clock was set back.
  return nextSendAt.getTime() - now.getTime() > maxRateLimitMs + maxIntervalMs ? null : nextSendAt;
}

/**
 * Returns the pace after the results of a pass. After a rejection, the channel pauses for the requested wait.
 * The new interval is the length of the window (the time in which messages were accepted, plus the requested
 * wait) divided by the number of messages accepted in the window. If none was accepted, the interval is a
 * guess, which doubles with each rejection. A pass with accepted messages and without rejections halves the
 * interval.
 *
 * @param pace The pace before the pass, with the accepted messages of this pass already counted.
 */
export function nextPace(pace: SendingPace, results: PacedResults, now: Date): SendingPace {
  const { limits, acceptedCount, usedUpWaitMs, elapsedMs = 0 } = results;
  const wasPaced = isPaced(pace, now);
  const intervalMs = wasPaced ? pace.intervalMs : 0;
  const pause = pausedUntil(pace, now);
  const later = (waitMs: number) => {
    const at = new Date(now.getTime() + Math.ceil(Math.max(0, waitMs - elapsedMs)));
    return pause !== null && pause > at ? pause : at;
  };
  if (limits.length === 0) {
    const shorterMs = Math.max(pace.floorMs, Math.round(intervalMs / 2));
    const nextMs = wasPaced && acceptedCount > 0 ? shorterMs : intervalMs;
    const waitMs = Math.max(nextMs, usedUpWaitMs === null ? 0 : usedUpWaitMs + marginMs);
    return { ...pace, intervalMs: nextMs, nextSendAt: waitMs > 0 ? later(waitMs) : pause };
  }
  const asked = limits.map(({ waitMs }) => waitMs ?? Math.max(unknownWaitMs, 2 * intervalMs));
  const waitMs = Math.min(Math.max(...asked), maxRateLimitMs);
  // Only a rejection of a request that was sent after the last known rejection changes the rate. Requests
  // that were already in flight at that time contain no new information about it.
  const isNew = limits.some(
    ({ isRate, startedAt }) => isRate && (pace.limitedAt === null || !wasPaced || startedAt > pace.limitedAt),
  );
  if (!isNew) return { ...pace, nextSendAt: later(waitMs + marginMs) };
  const { acceptedSince } = pace;
  const isMeasured = pace.acceptedCount > 0 && acceptedSince !== null && acceptedSince <= now;
  const measuredMs = isMeasured
    ? ((now.getTime() - acceptedSince.getTime() + waitMs) / pace.acceptedCount) * margin + marginMs
    : 0;
  const guessMs = Math.max(2 * intervalMs, waitMs * margin + marginMs);
  const newIntervalMs = clampInterval(isMeasured ? Math.max(measuredMs, 1.1 * intervalMs) : guessMs);
  const isStated = limits.some((limit) => limit.waitMs !== null);
  const guessFloorMs = isStated && waitMs <= spacingUpToMs ? waitMs * margin + marginMs : minGuessMs;
  const floorMs = isMeasured ? newIntervalMs : Math.max(wasPaced ? pace.floorMs : 0, guessFloorMs);
  const nextSendAt = later(isMeasured || waitMs >= newIntervalMs ? waitMs + marginMs : newIntervalMs);
  // If the receiver doesn't state a wait, the measured window includes the pauses.
  const windowStart = wasPaced && pace.acceptedCount === 0 ? (acceptedSince ?? now) : now;
  return {
    nextSendAt,
    intervalMs: newIntervalMs,
    floorMs: Math.min(clampInterval(floorMs), newIntervalMs),
    limitedAt: now,
    acceptedSince: isStated ? nextSendAt : windowStart,
    acceptedCount: 0,
  };
}

function clampInterval(ms: number): number {
  return Math.round(Math.min(Math.max(ms, 1), maxIntervalMs));
}
