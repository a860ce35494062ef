import pg from 'pg';

const { builtins } = pg.types;
/** OIDs of array types, for which the driver has no names. */
const textArray: number = 1009;
const int8Array = 1016;
const numericArray = 1231;

const parseInstantWithDriver: (text: string) => unknown = pg.types.getTypeParser(builtins.TIMESTAMPTZ);
const driversTexts: (text: string) => unknown = pg.types.getTypeParser(textArray);

/**
 * Parsers that convert database values. int8 and numeric become numbers, because IDs, counts, and their sums
 * (which are numeric) are far below 2^53. A date without a time stays `YYYY-MM-DD`, and timestamptz becomes a
 * `Date`. The driver converts all other types, and parses json and jsonb.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMPTZ, instant],
  // Return early for empty arrays, because most text arrays are empty and the driver's parser takes 1 µs for
  // each.
  [textArray, (text) => (text === '{}' ? [] : driversTexts(text))],
  [int8Array, numbers],
  [numericArray, numbers],
]);

export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Parses an array such as `{1,2,NULL}`. All arrays in the database have one dimension. */
function numbers(text: string): (number | null)[] {
  const items = text.slice(1, -1);
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : Number(item)));
}

/**
 * Converts a time in a JSON value of the database to the API format. PostgreSQL writes
 * `2026-11-21T05:10:00.12+00:00`. Converting this text through `Date` takes ten times as long.
 */
export function toApiTimestamp(text: string): string {
  if (!inUtcOfJson.test(text)) return new Date(text).toISOString();
  const withoutZone = text.slice(0, -'+00:00'.length);
  const padded = withoutZone.includes('.') ? `${withoutZone}00` : `${withoutZone}.000`;
  return `${padded.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`;
}

const inUtcOfJson = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/;

const inUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/**
 * Parses a timestamp such as `2026-11-21 05:10:00.123+00`, the format that all connections use. A page of 50 rows
 * contains a hundred timestamps. The driver's parser takes 0.5 µs for each, and this one takes 0.1 µs.
 */
function instant(text: string): unknown {
  if (!inUtc.test(text)) return parseInstantWithDriver(text);
  const ms = text.charAt(19) === '.' ? milliseconds(text) : 0;
  const [year, month, day] = [
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5),
    twoDigits(text, 8),
  ];
  // Leave years below 100 to the driver, because `Date.UTC` interprets the year 99 as 1999.
  if (year < 100) return parseInstantWithDriver(text);
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
}

function milliseconds(text: string): number {
  const end = text.length - 3;
  return digit(text, 20) * 100 + (end > 21 ? digit(text, 21) * 10 : 0) + (end > 22 ? digit(text, 22) : 0);
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}
