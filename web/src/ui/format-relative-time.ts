import { countOf } from './format.ts';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
// Counts elapsed units instead of calendar units, so that 700 days ago isn't "last year".
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * Formats a time such as "3 hours ago" or "in 5 minutes". Past times are counted in full units, as in rules
 * that count days. Future times are rounded to the nearest unit, but days are rounded up, so that a due date
 * is "in 20 days" for the whole day.
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
  // Rounding can reach the next unit: 59.5 minutes are rounded to 60, which is an hour.
  const length = unitOf(seconds)[1];
  const [unit, unitLength] = unitOf(rounded(length) * length);
  return relative.format(rounded(unitLength), unit);
}

/** Formats elapsed time in full units, such as "3 hours". */
export function formatElapsedTime(since: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1_000));
  const [unit, length] = steps.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  return countOf(Math.trunc(seconds / length), unit);
}
