/** How numbers and times are written, in one place: US English, 24-hour times. */
const locale = 'en-US';
const counts = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

const hourCycle = 'h23';
const day = { month: 'short', day: 'numeric' } as const;
const toTheDay = { ...day, year: 'numeric' } as const;
const toTheMinute = { hour: '2-digit', minute: '2-digit', hourCycle } as const;

/** "1,200" */
export const formatCount = (count: number): string => counts.format(count);

/** "1,200.5", and "0.25" below 1 */
export const formatDecimal = (value: number): string => (value < 1 ? hundredths : tenths).format(value);

/** "1 release", "1,200 releases" @param many the plural, where it isn't the singular with an s */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The name of one row of a list: "monitor" of "monitors", "delivery" of "deliveries", "line or variant" of "lines and variants". */
export const singularOf = (name: string): string =>
  name.replaceAll(/ies\b/g, 'y').replaceAll(/s\b/g, '').replace(/ and /, ' or ');

/** "Mar 3, 2026, 14:05", in the time zone of the browser. */
export const formatTime = new Intl.DateTimeFormat(locale, { ...toTheDay, ...toTheMinute }).format;

/** "Sun, Mar 3, 14:05", in the time zone of the browser. */
export const formatWeekdayTime = new Intl.DateTimeFormat(locale, { weekday: 'short', ...day, ...toTheMinute })
  .format;

/** Of UTC: "Mar 3, 2026", "Mar 3", "Mar 2026". */
export const formatDay = utc(toTheDay);
export const formatDayOfYear = utc(day);
export const formatMonth = utc({ month: 'short', year: 'numeric' });

function utc(options: Intl.DateTimeFormatOptions): (at: Date | number) => string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format;
}

/** A time as the browser's own field takes it: local, to the minute. */
export function forInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
