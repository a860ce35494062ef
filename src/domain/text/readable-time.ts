import { isTimeZone } from '../scheduling/time-zone.ts';

/** Cache of formats by time zone name. Names are case-insensitive, so there can be many more names than time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 1_000;

/** Returns the format of a time zone, or of UTC if this server doesn't know the zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (!isTimeZone(timeZone)) return formatOf('UTC');
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
}

const days = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });

/**
 * Formats a time and names its time zone, such as `Mar 3, 2026, 14:05 UTC` or `Mar 3, 2026, 15:05 GMT+1`.
 * @param at An RFC 3339 time. Any other text is returned unchanged.
 * @param timeZone A name such as `Europe/Berlin`. Unknown names are treated as UTC.
 */
export function readableTime(at: string, timeZone = 'UTC'): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : formatOf(timeZone).format(time);
}

/**
 * Formats a day in UTC, such as `Mar 3, 2026`.
 * @param at `2026-03-03`, or an RFC 3339 time. Any other text is returned unchanged.
 */
export function readableDay(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : days.format(time);
}
