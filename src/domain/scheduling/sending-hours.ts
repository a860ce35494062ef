import { offsetChange, oneDayAround, wallInstants, zoneOffset } from './time-zone.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Hours of some days of the week, by the clock of a time zone. */
export interface SendingHours {
  /** The days on which they begin. */
  days: Weekday[];
  /** `08:00` */
  from: string;
  /** `18:00`, or `24:00`. Not after `from`: on the next day. */
  to: string;
}

/**
 * When the hours begin next; null if they are now, and if there are none, which means always.
 *
 * The clock of the zone decides. A beginning that the clock skips is the first instant after the gap, if that is within
 * the hours; hours that the clock shows twice are hours both times.
 *
 * @param timeZone one that isTimeZone accepts
 */
export function nextOpening(hours: readonly SendingHours[], timeZone: string, now: Date): Date | null {
  if (hours.length === 0 || isWithin(hours, timeZone, now.getTime())) return null;
  const after = now.getTime();
  const today = Math.floor((after + zoneOffset(timeZone, after)) / dayMs) * dayMs;
  // The day before, for hours that began then and that the clock interrupts; a beginning can be skipped for a week.
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

/** Whether hours end when they begin, so that they would be none. */
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

/** The instants at which the clock shows `wall`; if it skips it, the one at which it does. */
function instantsOf(timeZone: string, wall: number): number[] {
  const found = wallInstants(timeZone, wall);
  if (found.isGap) return [found.end];
  const change = offsetChange(timeZone, wall - oneDayAround, wall + oneDayAround);
  const second = change === null ? found.first : wall - zoneOffset(timeZone, change);
  return second > found.first ? [found.first, second] : [found.first];
}

/** The instant at which the clock changes on the day that begins at `midnight`: it can show hours that had ended. */
function changesOn(timeZone: string, midnight: number): number[] {
  const change = offsetChange(timeZone, midnight - oneDayAround, midnight + oneDayAround + dayMs);
  if (change === null) return [];
  const wall = change + zoneOffset(timeZone, change);
  return wall >= midnight && wall < midnight + dayMs ? [change] : [];
}

/** @param wall as if UTC */
function weekdayOf(wall: number): Weekday {
  return weekdays[(new Date(wall).getUTCDay() + 6) % 7]!;
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}
