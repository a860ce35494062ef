import { type CronExpression, parseCron } from './cron-expression.ts';
import { maxOffsetSearchMs, offsetChange, wallInstants, zoneOffset } from './time-zone.ts';

/**
 * Returns the first run after `after`, or `null` if the schedule has no further runs.
 *
 * Daylight-saving changes: a schedule with specific hours runs once for each scheduled time. If the clock
 * skips that time, the schedule runs at the first instant after the gap. If the clock shows that time twice,
 * it runs at the first occurrence. A schedule that covers the whole day (its hour is `*`, or `*` with a step)
 * runs at each actual instant that matches, so a half-hourly schedule always runs every half hour.
 *
 * @param expression An expression that `parseCron` accepts.
 * @param timeZone A time zone that `isTimeZone` accepts.
 * @throws If either is invalid.
 */
export function nextRun(expression: string, timeZone: string, after: Date): Date | null {
  const schedule = `${timeZone} ${expression}`;
  let answer = cachedRuns.get(schedule);
  if (!answer || after.getTime() < answer.after || after.getTime() >= (answer.next ?? Infinity)) {
    answer = { after: after.getTime(), next: findNextRun(expression, timeZone, after.getTime()) };
    if (cachedRuns.size >= maxCachedRuns) cachedRuns.clear();
    cachedRuns.set(schedule, answer);
  }
  return answer.next === null ? null : new Date(answer.next);
}

function findNextRun(expression: string, timeZone: string, after: number): number | null {
  const cron = cronOf(expression);
  return cron.isContinuous ? nextContinuous(cron, timeZone, after) : nextByClock(cron, timeZone, after);
}

/**
 * Returns the next due time of a job: its scheduled run plus its jitter. After a long outage, a job therefore has only
 * one due run, regardless of how many it missed.
 */
export function nextDueAt(expression: string, timeZone: string, after: Date, jitterMs: number): Date | null {
  const next = nextRun(expression, timeZone, new Date(after.getTime() - jitterMs));
  return next && new Date(next.getTime() + jitterMs);
}

/**
 * Returns a jitter of 0 to 30,000 ms. It distributes jobs with the same schedule over time and is constant for each
 * job, so that its runs keep their interval.
 */
export function jobJitterMs(kind: string, jobId: number | bigint | string): number {
  // FNV-1a with additional mixing at the end, because consecutive IDs differ only in their last characters.
  let hash = 0x811c9dc5;
  for (const character of `${kind}:${jobId}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % (maxJitterMs + 1);
}

/**
 * Returns the longest interval between two scheduled runs, in milliseconds: one day for a daily schedule,
 * three days for a schedule on working days. If the last run is longer ago than that, a run was missed.
 */
export function scheduleIntervalMs(expression: string): number {
  const cron = cronOf(expression);
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute));
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const withinDay = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const overNight = (cron.isDaily ? 1 : maxIntervalDays(cron)) * 1_440 - last + first;
  return Math.max(overNight, ...withinDay) * 60_000;
}

/** Returns how long a job can go without a successful run before its data is considered stale, in milliseconds. */
export function staleAfterMs(expression: string): number {
  return Math.max(3 * scheduleIntervalMs(expression), 2 * dayMs);
}

const maxJitterMs = 30_000;
const dayMs = 86_400_000;

/**
 * Finds the next run by clock time. Candidates are examined in ascending order of clock time, and the first
 * one whose instant is after `after` is the result.
 */
function nextByClock(cron: CronExpression, timeZone: string, after: number): number | null {
  let wall = cron.nextWall(after + zoneOffset(timeZone, after));
  while (wall !== null) {
    const found = wallInstants(timeZone, wall);
    const instant = found.isGap ? found.end : found.first;
    if (instant > after) return instant;
    wall = cron.nextWall(wall);
  }
  return null;
}

/**
 * Finds the next run by elapsed time. If the UTC offset changes before the next match, continues the search
 * at that change with the new offset.
 */
function nextContinuous(cron: CronExpression, timeZone: string, after: number): number | null {
  let from = after;
  let isFromIncluded = false;
  for (;;) {
    const offset = zoneOffset(timeZone, from);
    const wall = cron.nextWall(from + offset - (isFromIncluded ? 1 : 0));
    if (wall === null) return null;
    const instant = wall - offset;
    const change = offsetChange(timeZone, from, from + maxOffsetSearchMs);
    isFromIncluded = true;
    if (change !== null && instant >= change) {
      from = change;
    } else if (instant <= from + maxOffsetSearchMs) {
      return instant;
    } else {
      // The match is so far in the future that a different offset can apply.
      const found = wallInstants(timeZone, wall);
      if (!found.isGap) return found.first;
      from = found.end;
    }
  }
}

/**
 * Returns the longest distance in days between two consecutive days on which the schedule runs. Considers all
 * such days of one year, or at least two if they're further apart.
 */
function maxIntervalDays(cron: CronExpression): number {
  // Find the days with a schedule that runs once, at midnight, on each of the same days.
  const [, , ...dayFields] = cron.normalized.split(' ');
  const days = cronOf(['0', '0', ...dayFields].join(' '));
  const start = Date.UTC(2024, 0, 1);
  let longest = 0;
  let previous: number | null = null;
  for (let day = days.nextWall(start - 1); day !== null; day = days.nextWall(day)) {
    if (previous !== null) {
      longest = Math.max(longest, day - previous);
      if (day - start > 366 * dayMs) break;
    }
    previous = day;
  }
  return Math.max(1, Math.round(longest / dayMs));
}

/**
 * Last result for each time zone and expression. Thousands of jobs can share a schedule, and computing a
 * result allocates about a hundred objects. A result is valid for every time between its `after` and its run.
 */
const cachedRuns = new Map<string, { after: number; next: number | null }>();
const maxCachedRuns = 2_000;

function cronOf(expression: string): CronExpression {
  const result = parseCron(expression);
  if (!result.ok) throw new Error(`invalid cron expression: ${result.message}`);
  return result.cron;
}
