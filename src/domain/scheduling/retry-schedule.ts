/**
 * Returns the time of the next attempt after a failed one, or `null` if the failed attempt was the last.
 *
 * @param schedule Waits between attempts in seconds. A schedule with n waits allows n + 1 attempts.
 * @param attempt Number of attempts so far, at least 1.
 * @param retryAfter Value of the `Retry-After` header: seconds or an HTTP date. `null` if the header is missing.
 * @param random A number in [0, 1), which varies the wait by ±20%.
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
  const retryAfterMs = parseRetryAfter(retryAfter, now) ?? 0;
  // The receiver can extend the wait to at most twice the planned time, so that messages don't become outdated.
  const waitMs = Math.max(spreadMs, Math.min(retryAfterMs, 2 * plannedMs));
  return new Date(now.getTime() + Math.round(waitMs));
}

/** Returns the number of attempts that a schedule allows. */
export function maxAttempts(schedule: readonly number[]): number {
  return schedule.length + 1;
}

/**
 * Returns the deadline of a series of attempts: the sum of the schedule's waits plus 20 %, plus the maximum
 * time for the attempts themselves. A series that exceeds the deadline was delayed for another reason and is
 * aborted.
 */
export function seriesExpiresAt(schedule: readonly number[], startedAt: Date, timeoutSeconds: number): Date {
  const waitSeconds = schedule.reduce((sum, seconds) => sum + seconds, 0) * (1 + spread);
  const seconds = waitSeconds + maxAttempts(schedule) * timeoutSeconds;
  return new Date(startedAt.getTime() + Math.round(seconds * 1_000));
}

/**
 * Returns the wait in `Retry-After` (RFC 9110), in milliseconds from `now`. The value is a whole number of
 * seconds or an HTTP date. Returns `null` for any other value and for a date in the past.
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/u.test(text)) {
    const seconds = Number(text);
    return seconds > 0 ? Math.min(seconds, maxRetryAfterSeconds) * 1_000 : null;
  }
  if (!httpDate.test(text)) return null;
  // The date format without a time zone is also in UTC.
  const waitMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - now.getTime();
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterSeconds * 1_000) : null;
}

/**
 * Returns the time at which to requeue a run that failed for a temporary reason.
 * @param attempt Number of the failed attempt, at least 1.
 */
export function runRetryAt(attempt: number, now: Date): Date {
  const seconds = runRetrySeconds[Math.min(attempt, runRetrySeconds.length) - 1] ?? runRetrySeconds[0];
  return new Date(now.getTime() + seconds * 1_000);
}

/**
 * Returns the wait before the next probe of a failing channel, in milliseconds. After each of the first nine
 * failed probes, the wait is one minute, so that a receiver gets its messages within a minute after a short
 * outage. From the tenth failed probe on, the wait doubles each time, up to 15 minutes.
 * @param failedProbes Number of consecutive failed probes.
 */
export function probeWaitMs(failedProbes: number): number {
  return Math.min(60_000 * 2 ** Math.min(Math.max(failedProbes - quickProbes, 0), 10), 15 * 60_000);
}

const spread = 0.2;
const quickProbes = 9;
const runRetrySeconds = [30, 120] as const;
/** About one year. Longer waits aren't plausible. */
const maxRetryAfterSeconds = 366 * 86_400;

/** The three date formats of RFC 9110, section 5.6.7. `Date.parse` alone would accept many more. */
const httpDate =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/u;
