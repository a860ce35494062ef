import { maxOffsetSearchMs, offsetChange, wallInstants, zoneOffset } from './time-zone.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Sending hours of a channel on some days of the week, in local time. */
export interface SendingHours {
  /** Days on which the sending hours begin. */
  days: Weekday[];
  /** Start time, such as `08:00`. */
  from: string;
  /** End time, such as `18:00` or `24:00`. If it isn't after `from`, the sending hours end on the next day. */
  to: string;
}

/**
 * Returns the next time at which sending hours begin. Returns `null` if `now` is within sending hours, or if
 * `hours` is empty, which allows sending at any time.
 *
 * Sending hours follow the clock of the time zone. If the clock skips their start, they begin at the first
 * instant after the gap, unless they have already ended by then. If the clock shows the same hours twice,
 * both are sending hours.
 *
 * @param timeZone A time zone that `isTimeZone` accepts.
 */
export function nextOpening(hours: readonly SendingHours[], timeZone: string, now: Date): Date | null {
  if (hours.length === 0 || isWithin(hours, timeZone, now.getTime())) return null;
  const after = now.getTime();
  const today = Math.floor((after + zoneOffset(timeZone, after)) / dayMs) * dayMs;
  // The search starts on the previous day, because a clock change can interrupt sending hours that began on
  // that day. It covers two weeks: a clock change can skip one start, and the next start can be a week later.
  for (let day = -1; day <= 15; day++) {
    const midnight = today + day * dayMs;
    const beginnings = hours
      .filter(({ days }) => days.includes(weekdayOf(midnight)))
      .flatMap(({ from }) => instantsOf(timeZone, midnight + minutesOf(from) * minuteMs));
    const found = [...beginnings, ...changesOn(timeZone, midnight)].filter(
      (instant) => instant > after && isWithin(hours, timeZone, instant),
    );
    if (found.length > 0) return new Date(Math.min(...found));
  }
  return null;
}

/** True if the sending hours end at the time when they begin, so that they would be empty. */
export function isEmptyHours({ from, to }: SendingHours): boolean {
  return minutesOf(from) === minutesOf(to);
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

function isWithin(hours: readonly SendingHours[], timeZone: string, instant: number): boolean {
  const wall = instant + zoneOffset(timeZone, instant);
  const minute = Math.floor((wall % dayMs) / minuteMs);
  const [day, before] = [weekdayOf(wall), weekdayOf(wall - dayMs)];
  return hours.some(({ days, from, to }) => {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    if (start < end) return days.includes(day) && minute >= start && minute < end;
    return (days.includes(day) && minute >= start) || (days.includes(before) && minute < end);
  });
}

/**
 * Returns the instants at which the clock shows `wall`. If the clock skips `wall`, returns the instant of the
 * change.
 */
function instantsOf(timeZone: string, wall: number): number[] {
  const found = wallInstants(timeZone, wall);
  if (found.isGap) return [found.end];
  const change = offsetChange(timeZone, wall - maxOffsetSearchMs, wall + maxOffsetSearchMs);
  const second = change === null ? found.first : wall - zoneOffset(timeZone, change);
  return second > found.first ? [found.first, second] : [found.first];
}

/**
 * Returns the instant at which the clock changes on the day that begins at `midnight`. If the clock goes back, sending
 * hours that have ended can begin again at this instant.
 */
function changesOn(timeZone: string, midnight: number): number[] {
  const change = offsetChange(timeZone, midnight - maxOffsetSearchMs, midnight + maxOffsetSearchMs + dayMs);
  if (change === null) return [];
  const wall = change + zoneOffset(timeZone, change);
  return wall >= midnight && wall < midnight + dayMs ? [change] : [];
}

/** @param wall A clock time represented as if it were UTC. */
function weekdayOf(wall: number): Weekday {
  return weekdays[(new Date(wall).getUTCDay() + 6) % 7]!;
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}
