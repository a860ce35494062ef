import { countOf } from './format.ts';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
// Of elapsed units, and not of the calendar: 700 days ago isn't "last year".
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * "3 hours ago", "in 5 minutes". What has passed counts in full units, like the days of a rule. What is to come is rounded
 * to the nearest unit, but days are rounded up: what is due on a date is due "in 20 days" all day long.
 */
export function formatRelativeTime(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  if (Math.abs(seconds) < 5) return 'now';
  const unitOf = (length: number) => steps.find(([, each]) => length >= each) ?? (['second', 1] as const);
  const [passedUnit, passedLength] = unitOf(-seconds);
  if (seconds < 0) {
    const count = passedLength === 1 ? Math.round(seconds) : Math.trunc(seconds / passedLength);
    return relative.format(count, passedUnit);
  }
  const rounded = (length: number) => (length === 86_400 ? Math.ceil : Math.round)(seconds / length);
  // 59.5 minutes are 60, which is an hour.
  const length = unitOf(seconds)[1];
  const [unit, unitLength] = unitOf(rounded(length) * length);
  return relative.format(rounded(unitLength), unit);
}

/** "3 hours": the time that has passed, in full units. */
export function formatElapsedTime(since: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1_000));
  const [unit, length] = steps.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  return countOf(Math.trunc(seconds / length), unit);
}
