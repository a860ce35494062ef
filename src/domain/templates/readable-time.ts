const times = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});
const days = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });

/**
 * Formats a time for readers in any time zone, such as `Mar 3, 2026, 14:05 UTC`.
 * @param at An RFC 3339 time. Any other text is returned unchanged.
 */
export function readableTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : `${times.format(time)} UTC`;
}

/**
 * Formats a day in UTC, such as `Mar 3, 2026`.
 * @param at `2026-03-03`, or an RFC 3339 time. Any other text is returned unchanged.
 */
export function readableDay(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : days.format(time);
}
