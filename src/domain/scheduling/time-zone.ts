/** True if `name` is a named time zone (`Europe/Berlin`, `UTC`). Plain offsets (`+02:00`) aren't valid. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/u.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns how far the time zone is ahead of UTC at this instant, in milliseconds. */
export function zoneOffset(timeZone: string, instant: number): number {
  const second = Math.floor(instant / 1_000) * 1_000;
  const parts: Record<string, number> = {};
  for (const part of formatterOf(timeZone).formatToParts(second)) {
    if (part.type !== 'literal' && part.type !== 'era') parts[part.type] = Number(part.value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: sec = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, sec) - second;
}

/**
 * Returns the instant in (from, to] at which the offset of the time zone changes, or `null` if the offset is the same
 * at `from` and `to`. The span must be short enough to contain at most one change.
 */
export function offsetChange(timeZone: string, from: number, to: number): number | null {
  const before = zoneOffset(timeZone, from);
  if (zoneOffset(timeZone, to) === before) return null;
  let low = Math.floor(from / 1_000);
  let high = Math.ceil(to / 1_000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffset(timeZone, middle * 1_000) === before) low = middle;
    else high = middle;
  }
  return high * 1_000;
}

export type WallInstants =
  /** The clock shows the time once, or twice if the clock goes back. `first` is the earlier instant. */
  | { isGap: false; first: number }
  /** The clock never shows the time. `end` is the first instant after the gap. */
  | { isGap: true; end: number };

/**
 * Returns the instants at which the clock of the time zone shows `wall`, which is represented as if it were
 * UTC.
 */
export function wallInstants(timeZone: string, wall: number): WallInstants {
  const before = zoneOffset(timeZone, wall - maxOffsetSearchMs);
  const after = zoneOffset(timeZone, wall + maxOffsetSearchMs);
  const found = [wall - before, wall - after].filter(
    (at, i) => zoneOffset(timeZone, at) === (i === 0 ? before : after),
  );
  if (found.length > 0) return { isGap: false, first: Math.min(...found) };
  const end = offsetChange(timeZone, wall - maxOffsetSearchMs, wall + maxOffsetSearchMs);
  return { isGap: true, end: end ?? wall - after };
}

/**
 * Distance around a clock time in which to search for a clock change. Offsets reach 14 hours, and a zone once skipped a
 * whole day.
 */
export const maxOffsetSearchMs = 26 * 3_600_000;

const formatters = new Map<string, Intl.DateTimeFormat>();
const maxFormatters = 1_000;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Limit the cache: names are case-insensitive, so there can be many more spellings than zones.
  if (formatters.size >= maxFormatters) formatters.clear();
  formatters.set(timeZone, formatter);
  return formatter;
}
