import { earliestReleaseDate } from '../domain/versions/release-date.ts';

/** Readers for untrusted values. Each returns a value that can be stored, or `null`. */

/** Returns a tag of 1 to 500 characters without control characters, or `null`. */
export function readTag(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const tag = value.trim();
  return tag !== '' && tag.length <= 500 && tag.isWellFormed() && !/\p{Cc}/u.test(tag) ? tag : null;
}

/**
 * Returns text without NUL and malformed characters, truncated to `maxBytes` of UTF-8, or `null` if the value
 * isn't text or is empty.
 */
export function readText(value: unknown, maxBytes: number): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const text = value.slice(0, maxBytes).replaceAll('\0', '').toWellFormed();
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.byteLength <= maxBytes) return text === '' ? null : text;
  let end = maxBytes;
  // Don't cut within a character, whose continuation bytes are 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** Returns release notes, truncated to 64 KiB. */
export function readNotes(value: unknown): string | null {
  return readText(value, 65_536);
}

/**
 * Returns an http or https URL of at most 2,048 characters that can be displayed, without user name and
 * password.
 */
export function readUrl(value: unknown, base?: string): string | null {
  if (typeof value !== 'string' || value.length > 2_048 || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  url.username = '';
  url.password = '';
  return url.href.length <= 2_048 ? url.href : null;
}

/**
 * Parses RFC 3339 and its looser variants (a space instead of the T, no time, no zone, which means UTC),
 * dates of HTTP, or seconds or milliseconds since 1970. Returns `null` for anything else and for dates before
 * `earliestReleaseDate`. Future dates are excluded later, when releases are recorded or shown, because the
 * current time is known there.
 */
export function readDate(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 64) return null;
  if (/^\d{9,13}$/u.test(text)) return toDate(Number(text) * (text.length >= 12 ? 1 : 1_000));
  if (/^\d{9,10}\.\d{1,9}$/u.test(text)) return toDate(Math.floor(Number(text) * 1_000));
  if (httpDatePattern.test(text.trim())) return toDate(Date.parse(text));
  const [, day, time, fraction, zone] = datePattern.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  if (time === undefined) return toDate(Date.parse(`${day}T00:00:00Z`));
  // Go prints the name of the zone after its offset.
  const given = (zone ?? 'Z').replace(/ [A-Z]+$/u, '');
  const offset = given.replace(/^(?:utc|gmt|z)$/iu, 'Z').replace(/^([+-]\d\d)(\d\d)$/u, '$1:$2');
  const seconds = time.length === 5 ? `${time}:00` : time;
  return toDate(Date.parse(`${day}T${seconds}${(fraction ?? '').slice(0, 4)}${offset}`));
}

/** Dates of HTTP and email, such as `Tue, 13 Jan 2026 12:15:42 GMT`. */
const httpDatePattern =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC?|[+-]\d{4})$/u;

const datePattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(\.\d{1,12})? ?([Zz]|UTC|GMT|[+-]\d\d:?\d\d(?: [A-Z]{3,5})?)?)?$/u;

/**
 * Returns an RFC 3339 date, or `null` before `earliestReleaseDate` and after the year 9999.
 *
 * @param time Milliseconds since 1970.
 */
export function toDate(time: number): string | null {
  if (Number.isNaN(time) || time >= Date.UTC(10_000, 0)) return null;
  return time < Date.parse(earliestReleaseDate) ? null : new Date(time).toISOString();
}

/** Returns a digest in the format of registries, or `null`. */
export function readDigest(value: unknown): string | null {
  return typeof value === 'string' && /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/u.test(value)
    ? value
    : null;
}

/** Returns the digest of a chart archive, which Helm writes as hexadecimal digits of SHA-256, or `null`. */
export function readArchiveDigest(value: unknown): string | null {
  const digits = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return readDigest(digits.startsWith('sha256:') ? digits : `sha256:${digits}`);
}

/** Returns the ID of a Git object (SHA-1 or SHA-256), or `null`. */
export function readCommit(value: unknown): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(value) ? value : null;
}

/** Returns a property that is defined on the object itself, or `undefined`. */
export function readField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
