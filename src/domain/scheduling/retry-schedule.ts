/**
 * When an attempt that failed is made again, or null when it was the last.
 *
 * @param schedule the waits between attempts in seconds: n waits make n + 1 attempts
 * @param attempt how many attempts were made, at least 1
 * @param retryAfter the value of `Retry-After`: seconds or an HTTP date; null when there was none
 * @param random a number in [0, 1): spreads the wait by ± 20 %
 */
export function nextAttemptAt(
  schedule: readonly number[],
  attempt: number,
  now: Date,
  retryAfter: string | null,
  random: number,
): Date | null {
  const plannedSeconds = schedule[attempt - 1];
  if (plannedSeconds === undefined) return null;
  const plannedMs = plannedSeconds * 1_000;
  const spreadMs = plannedMs * (1 - spread + 2 * spread * random);
  const askedMs = parseRetryAfter(retryAfter, now) ?? 0;
  // A target may ask for more time, but not for so much that its messages grow old.
  const waitMs = Math.max(spreadMs, Math.min(askedMs, 2 * plannedMs));
  return new Date(now.getTime() + Math.round(waitMs));
}

/** How many attempts a schedule allows. */
export function maxAttempts(schedule: readonly number[]): number {
  return schedule.length + 1;
}

/**
 * Until when a series of attempts may go on: the sum of the schedule with its spread, and the time
 * that the attempts themselves may take. What is older waited for something else, and is given up.
 */
export function seriesExpiresAt(schedule: readonly number[], startedAt: Date, timeoutSeconds: number): Date {
  const waitSeconds = schedule.reduce((sum, seconds) => sum + seconds, 0) * (1 + spread);
  const seconds = waitSeconds + maxAttempts(schedule) * timeoutSeconds;
  return new Date(startedAt.getTime() + Math.round(seconds * 1_000));
}

/**
 * How long `Retry-After` (RFC 9110) asks to wait, in ms, from `now`: a whole number of seconds or an
 * HTTP date. Null for anything else, and for a date that has passed.
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/u.test(text)) {
    const seconds = Number(text);
    return seconds > 0 ? Math.min(seconds, maxRetryAfterSeconds) * 1_000 : null;
  }
  if (!httpDate.test(text)) return null;
  // The oldest of the forms names no zone, but means UTC as well.
  const waitMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - now.getTime();
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterSeconds * 1_000) : null;
}

/**
 * When a run that failed for a reason that may pass is queued again.
 * @param attempt the attempt that failed, at least 1
 */
export function runRetryAt(attempt: number, now: Date): Date {
  const seconds = runRetrySeconds[Math.min(attempt, runRetrySeconds.length) - 1] ?? runRetrySeconds[0];
  return new Date(now.getTime() + seconds * 1_000);
}

/**
 * How long a channel that fails again and again is left alone before its next probe, in ms: a minute,
 * then twice as long each time, up to 15 minutes.
 * @param failedProbes how many probes have failed in a row
 */
export function probeWaitMs(failedProbes: number): number {
  return Math.min(60_000 * 2 ** Math.min(failedProbes, 10), 15 * 60_000);
}

const spread = 0.2;
const runRetrySeconds = [30, 120] as const;
/** A year: beyond it dates are no dates any more. */
const maxRetryAfterSeconds = 366 * 86_400;

/** The three forms of RFC 9110, section 5.6.7; Date.parse alone would take far more than these. */
const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/u;
