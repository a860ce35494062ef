import { type CronExpression, parseCron } from './cron-expression.ts';
import { offsetChange, oneDayAround, wallInstants, zoneOffset } from './time-zone.ts';

/**
 * The first run after `after`, or null when there is none any more.
 *
 * Where the clocks change: a schedule that names its hours runs once for each time that it names, at the
 * first instant after the gap when the clock skips the time, and the first time only when it shows it
 * twice. A schedule that goes on through the day (`*` or `*` with a step as hour) runs at each real
 * instant that matches: every half-hour stays every half-hour.
 *
 * @param expression one that parseCron accepts
 * @param timeZone one that isTimeZone accepts
 * @throws for any other
 */
export function nextRun(expression: string, timeZone: string, after: Date): Date | null {
  const schedule = `${timeZone} ${expression}`;
  let answer = answers.get(schedule);
  if (!answer || after.getTime() < answer.after || after.getTime() >= (answer.next ?? Infinity)) {
    answer = { after: after.getTime(), next: findNextRun(expression, timeZone, after.getTime()) };
    if (answers.size >= maxKnown) answers.clear();
    answers.set(schedule, answer);
  }
  return answer.next === null ? null : new Date(answer.next);
}

function findNextRun(expression: string, timeZone: string, after: number): number | null {
  const cron = cronOf(expression);
  return cron.isContinuous ? nextContinuous(cron, timeZone, after) : nextByClock(cron, timeZone, after);
}

/**
 * When a job is due next: its run by schedule and its own jitter. However long ago the last one was,
 * there is one next run, so that a long stop makes up for a missed job once.
 */
export function nextDueAt(expression: string, timeZone: string, after: Date, jitterMs: number): Date | null {
  const next = nextRun(expression, timeZone, new Date(after.getTime() - jitterMs));
  return next && new Date(next.getTime() + jitterMs);
}

/**
 * 0 to 30,000 ms, always the same for one job: it spreads jobs of one schedule, while each keeps its
 * rhythm.
 */
export function jobJitterMs(kind: string, jobId: number | bigint | string): number {
  // FNV-1a with a final mix, as ids in a row differ in their last characters only.
  let hash = 0x811c9dc5;
  for (const character of `${kind}:${jobId}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % (maxJitterMs + 1);
}

/**
 * The longest pause between two runs that the schedule itself makes, in ms: a day for every morning,
 * three for every working day. Somebody who waits longer waits for something that is broken.
 */
export function scheduleIntervalMs(expression: string): number {
  const cron = cronOf(expression);
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute));
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const withinDay = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const overNight = (cron.isDaily ? 1 : longestPauseInDays(cron)) * 1_440 - last + first;
  return Math.max(overNight, ...withinDay) * 60_000;
}

/** How long a job may be without success before what it knows counts as stale, in ms. */
export function staleAfterMs(expression: string): number {
  return Math.max(3 * scheduleIntervalMs(expression), 2 * dayMs);
}

const maxJitterMs = 30_000;
const dayMs = 86_400_000;

/** First instants grow with the time on the clock, so the first that is late enough is the answer. */
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

/** Walks in real time: up to the next change of the offset, then on from there by the new offset. */
function nextContinuous(cron: CronExpression, timeZone: string, after: number): number | null {
  let from = after;
  let isFromIncluded = false;
  for (;;) {
    const offset = zoneOffset(timeZone, from);
    const wall = cron.nextWall(from + offset - (isFromIncluded ? 1 : 0));
    if (wall === null) return null;
    const instant = wall - offset;
    const change = offsetChange(timeZone, from, from + oneDayAround);
    isFromIncluded = true;
    if (change !== null && instant >= change) {
      from = change;
    } else if (instant <= from + oneDayAround) {
      return instant;
    } else {
      // Far away, where another offset may hold.
      const found = wallInstants(timeZone, wall);
      if (!found.isGap) return found.first;
      from = found.end;
    }
  }
}

/** Days from one day of the schedule to the next, at most, seen over a year or two of its days. */
function longestPauseInDays(cron: CronExpression): number {
  // The same schedule, once on each of its days.
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
 * The last answer for each time zone and expression: thousands of jobs share a schedule, and each answer takes a hundred
 * objects. It holds for every time from `after` until the run.
 */
const answers = new Map<string, { after: number; next: number | null }>();
const maxKnown = 2_000;

function cronOf(expression: string): CronExpression {
  const result = parseCron(expression);
  if (!result.ok) throw new Error(`invalid cron expression: ${result.message}`);
  return result.cron;
}
