const people = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const days = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/**
 * Formats a timestamp of the API in the local time zone: `Mar 3, 2026, 14:05`. Returns any other value
 * unchanged.
 */
export function formatTime(value: unknown): unknown {
  return typeof value === 'string' && timestamp.test(value) ? people.format(new Date(value)) : value;
}

/**
 * Formats a timestamp of the API as a day in the local time zone: `Mar 3, 2026`. Returns any other value
 * unchanged.
 */
export function formatDay(value: unknown): unknown {
  return typeof value === 'string' && timestamp.test(value) ? days.format(new Date(value)) : value;
}

/** True if the API field contains a time. */
export function isTimeField(name: string): boolean {
  return /^(?:time|as_of|since)$|_(at|until|since)$/.test(name);
}

/** Returns a response whose times are formatted for the user. */
export function withFormattedTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFormattedTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isTimeField(name) ? formatTime(inner) : withFormattedTimes(inner),
    ]),
  );
}
