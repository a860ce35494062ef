import { Cron } from 'croner';
import { ownValue } from '../json/own-value.ts';

/** A parsed cron expression. */
export interface CronExpression {
  /** The expression as five numeric fields, without names or shortcuts such as `@daily`. */
  normalized: string;
  /** Minutes of the hour, ascending. `hours` contains the hours of the day. */
  minutes: readonly number[];
  hours: readonly number[];
  /** True if the schedule runs every day. */
  isDaily: boolean;
  /**
   * True if the hour field covers the whole day (`*` or a step over all hours) instead of specific hours. Such
   * schedules run at equal intervals, even during daylight-saving changes. Schedules with specific hours follow the
   * clock.
   */
  isContinuous: boolean;
  /**
   * Returns the first match after `wall`, or `null` if none exists. Both are clock times represented as if they were
   * UTC.
   */
  nextWall(wall: number): number | null;
}

export type CronResult = { ok: true; cron: CronExpression } | { ok: false; message: string };

/**
 * Parses five fields (minute, hour, day of month, month, day of week) with `*`, lists, ranges, steps, and
 * English names, or `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly`, `@annually`. If both
 * day fields are restricted, a match of either is sufficient, as in standard cron. The error message names
 * the invalid field.
 */
export function parseCron(expression: string): CronResult {
  const known = parsed.get(expression);
  if (known) return known;
  const result = readCron(expression);
  if (result.ok) {
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(expression, result);
  }
  return result;
}

/**
 * Parsed expressions. Thousands of jobs share a schedule, and parsing it takes longer than all other checks
 * of a job.
 */
const parsed = new Map<string, CronResult>();
const maxParsed = 2_000;

function readCron(expression: string): CronResult {
  if (expression.length > maxLength)
    return invalidCron(`A cron expression can have at most ${maxLength} characters.`);
  const text = expression.trim().toLowerCase();
  if (text.startsWith('@')) {
    const fields = ownValue(nicknames, text);
    return fields ? readCron(fields) : invalidCron(`Unknown shortcut ${quote(text)}. Use ${nicknameHint}`);
  }
  const parts = text === '' ? [] : text.split(/\s+/u);
  if (parts.length !== 5) {
    return invalidCron(
      `A cron expression needs five fields (${fieldNames}) or a shortcut (${nicknameHint}); found ${parts.length}.`,
    );
  }
  const fields: Field[] = [];
  for (const [index, shape] of shapes.entries()) {
    const field = parseField(parts[index] ?? '', shape);
    if (typeof field === 'string') return invalidCron(`The ${shape.name} (field ${index + 1}): ${field}`);
    fields.push(field);
  }
  const [minute, hour, day, month, weekday] = fields;
  if (!minute || !hour || !day || !month || !weekday) return invalidCron('A field is missing.');

  const normalized = fields.map((field) => field.text).join(' ');
  const matcher = new Cron(normalized, { mode: '5-part', timezone: 'UTC', paused: true });
  const nextWall = (wall: number): number | null => matcher.nextRun(new Date(wall))?.getTime() ?? null;
  if (nextWall(anyTime) === null) {
    return invalidCron('This schedule never runs: none of its months has that day.');
  }
  const isDaily = month.values.length === 12 && day.values.length === 31 && weekday.values.length === 7;
  return {
    ok: true,
    cron: {
      normalized,
      minutes: minute.values,
      hours: hour.values,
      isDaily,
      isContinuous: hour.isAny || hour.values.length === 24,
      nextWall,
    },
  };
}

const maxLength = 256;
/** Start of the search for any match. The start is fixed, so that the result doesn't depend on the current date. */
const anyTime = Date.UTC(2024, 0, 1);
const fieldNames = 'minute, hour, day of month, month, day of week';
const nicknameHint = '@hourly, @daily, @weekly, @monthly, or @yearly';

const nicknames: Record<string, string | undefined> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

interface FieldShape {
  name: string;
  min: number;
  max: number;
  names: readonly string[];
}

const shapes: readonly FieldShape[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

interface Field {
  text: string;
  values: number[];
  /** True if the field is `*`, a step over all values, or a range of all values. */
  isAny: boolean;
}

/** Returns the parsed field or an error message. */
function parseField(text: string, shape: FieldShape): Field | string {
  const values = new Set<number>();
  const items: string[] = [];
  let isAny = false;
  for (const item of text.split(',')) {
    const range = parseItem(item, shape);
    if (typeof range === 'string') return range;
    if (range.isAny) isAny = true;
    items.push(range.text);
    for (let value = range.from; value <= range.to; value += range.step) {
      // Both 0 and 7 are Sunday.
      values.add(shape.max === 7 ? value % 7 : value);
    }
  }
  return { text: items.join(','), values: [...values].sort((a, b) => a - b), isAny };
}

interface Range {
  text: string;
  from: number;
  to: number;
  step: number;
  isAny: boolean;
}

function parseItem(item: string, shape: FieldShape): Range | string {
  if (item === '') return 'empty list item.';
  const [span = '', stepText, ...rest] = item.split('/');
  const step = stepText === undefined ? 1 : Number(stepText);
  const size = shape.max === 7 ? 7 : shape.max - shape.min + 1;
  if (
    rest.length > 0 ||
    (stepText !== undefined && !/^\d{1,3}$/u.test(stepText)) ||
    step < 1 ||
    step > size
  ) {
    return `the step in ${quote(item)} must be a number from 1 to ${size}.`;
  }
  if (span === '*') return { text: item, from: shape.min, to: shape.max, step, isAny: true };

  const [fromText = '', toText, ...more] = span.split('-');
  const from = parseValue(fromText, shape);
  let to = toText === undefined ? from : parseValue(toText, shape);
  if (from === null || to === null || more.length > 0) {
    return `${quote(item)} isn't valid: use ${describeValues(shape)}, or a range.`;
  }
  if (stepText !== undefined && toText === undefined) {
    return `the step in ${quote(item)} needs a range before it: ${from}-${shape.max}/${step}.`;
  }
  // Sunday is 0, but as the end of a range such as MON-SUN, it's treated as 7.
  if (shape.max === 7 && toText !== undefined && to === 0 && from > 0) to = 7;
  if (from > to) return `the range ${quote(span)} is reversed.`;
  const numbers = toText === undefined ? `${from}` : `${from}-${to}`;
  const isAll = from === shape.min && to >= (shape.max === 7 ? 6 : shape.max);
  return { text: stepText === undefined ? numbers : `${numbers}/${step}`, from, to, step, isAny: isAll };
}

function parseValue(text: string, shape: FieldShape): number | null {
  const named = shape.names.indexOf(text);
  if (named >= 0) return named + (shape.name === 'month' ? 1 : 0);
  if (!/^\d{1,2}$/u.test(text)) return null;
  const value = Number(text);
  return value >= shape.min && value <= shape.max ? value : null;
}

function describeValues(shape: FieldShape): string {
  const numbers = `a number from ${shape.min} to ${shape.max}`;
  return shape.names.length === 0 ? numbers : `${numbers} or a name such as ${shape.names[1]?.toUpperCase()}`;
}

/** Quotes user input, truncated to 30 characters. */
function quote(text: string): string {
  return `"${text.length > 30 ? `${text.slice(0, 30)}…` : text}"`;
}

function invalidCron(message: string): CronResult {
  return { ok: false, message };
}
