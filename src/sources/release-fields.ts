import { earliestReleaseDate } from '../domain/versions/release-date.ts';

/**
 * Readers for untrusted values: they return a value that can be stored, or null.
 */

/** A tag of 1 to 500 characters without control characters. */
export function readTag(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const tag = value.trim();
  return tag !== '' && tag.length <= 500 && tag.isWellFormed() && !/\p{Cc}/u.test(tag) ? tag : null;
}

/** Text without NUL and broken characters, cut to `maxBytes` of UTF-8; null when it is none or empty. */
export function readText(value: unknown, maxBytes: number): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const text = value.slice(0, maxBytes).replaceAll('\0', '').toWellFormed();
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.byteLength <= maxBytes) return text === '' ? null : text;
  let end = maxBytes;
  // Not within a character: its later bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** Release notes: at most 64 KiB. */
export function readNotes(value: unknown): string | null {
  return readText(value, 65_536);
}

/** A URL for people: http or https, without user name and password, at most 2,048 characters. */
export function readUrl(value: unknown, base?: string): string | null {
  if (typeof value !== 'string' || value.length > 2_048 || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  url.username = '';
  url.password = '';
  return url.href.length <= 2_048 ? url.href : null;
}

/**
 * RFC 3339 and its looser kin (a space for the T, no time, no zone: UTC), or seconds or milliseconds since
 * 1970. Null for anything else and for dates before `earliestReleaseDate`. Those in the future are left out where the time
 * is known: when releases are recorded or shown.
 */
export function readDate(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 64) return null;
  if (/^\d{9,13}$/u.test(text)) return toDate(Number(text) * (text.length >= 12 ? 1 : 1_000));
  const [, day, time, fraction, zone] = datePattern.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  if (time === undefined) return toDate(Date.parse(`${day}T00:00:00Z`));
  const offset = (zone ?? 'Z').replace(/^(?:utc|gmt|z)$/iu, 'Z').replace(/^([+-]\d\d)(\d\d)$/u, '$1:$2');
  const seconds = time.length === 5 ? `${time}:00` : time;
  return toDate(Date.parse(`${day}T${seconds}${(fraction ?? '').slice(0, 4)}${offset}`));
}

const datePattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(\.\d{1,12})? ?([Zz]|UTC|GMT|[+-]\d\d:?\d\d)?)?$/u;

/** Null before `earliestReleaseDate` and after the year 9999. @param time Milliseconds since 1970. */
export function toDate(time: number): string | null {
  if (Number.isNaN(time) || time >= Date.UTC(10_000, 0)) return null;
  return time < Date.parse(earliestReleaseDate) ? null : new Date(time).toISOString();
}

/** A digest as registries write it. */
export function readDigest(value: unknown): string | null {
  return typeof value === 'string' && /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/u.test(value)
    ? value
    : null;
}

/** Own members of an object; nothing of anything else. */
export function readMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
