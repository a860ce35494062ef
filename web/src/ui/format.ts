/** All numbers and times in the UI use US English and 24-hour time. */
const locale = 'en-US';
const counts = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

const percents = percentFormat(1);
const smallPercents = percentFormat(2);

const hourCycle = 'h23';
const day = { month: 'short', day: 'numeric' } as const;
const toTheDay = { ...day, year: 'numeric' } as const;
const toTheMinute = { hour: '2-digit', minute: '2-digit', hourCycle } as const;

/** Formats a count, such as "1,200". */
export const formatCount = (count: number): string => counts.format(count);

/**
 * Formats a decimal number, such as "1,200.5". Values less than 1 have two decimal places, such as "0.25".
 */
export const formatDecimal = (value: number): string => (value < 1 ? hundredths : tenths).format(value);

/**
 * Formats a share as a percentage, such as "99.9%". The percentage is rounded down, so 100% means all. Values less than
 * 10% have two decimal places, such as "0.04%".
 */
export const formatPercent = (share: number): string =>
  (share < 0.1 ? smallPercents : percents).format(share);

function percentFormat(maximumFractionDigits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits, roundingMode: 'floor' });
}

/**
 * Formats a count with its noun, such as "1 release" or "1,200 releases".
 * @param many The plural. By default, the singular with an s.
 */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/**
 * Returns the singular of a list name: "monitor" for "monitors", "delivery" for "deliveries", "line or
 * variant" for "lines and variants".
 */
export const singularOf = (name: string): string =>
  name
    .replaceAll(/(?:ies|(?<=ias|ch|sh|ss|x)es|s)\b/g, (ending) => (ending === 'ies' ? 'y' : ''))
    .replace(/ and /, ' or ');

/** Formats a time as "Mar 3, 2026, 14:05", in the time zone of the browser. */
export const formatTime = new Intl.DateTimeFormat(locale, { ...toTheDay, ...toTheMinute }).format;

const dayAndMinute = new Intl.DateTimeFormat(locale, { ...day, ...toTheMinute });

/** Formats two times as "Mar 3, 14:05 – 18:05", in the time zone of the browser. */
export function formatPeriod(from: Date, to: Date): string {
  // The dash is between thin spaces.
  return dayAndMinute.formatRange(from, to).replaceAll('\u2009', ' ');
}

/** Formats a time as "Sun, Mar 3, 14:05", in the time zone of the browser. */
export const formatWeekdayTime = new Intl.DateTimeFormat(locale, { weekday: 'short', ...day, ...toTheMinute })
  .format;

/** Formats a date in UTC: "Mar 3, 2026". The next formatters return "Mar 3", "Sun", and "Mar 2026". */
export const formatDay = utc(toTheDay);
export const formatDayOfYear = utc(day);
export const formatWeekday = utc({ weekday: 'short' });
export const formatMonth = utc({ month: 'short', year: 'numeric' });

function utc(options: Intl.DateTimeFormatOptions): (at: Date | number) => string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format;
}

/** Formats a time for a `datetime-local` input: local time, to the minute. */
export function toDateTimeInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
