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

/** `Mar 3, 2026, 14:05` in the time zone of the reader; anything but a timestamp of the API as it is. */
export function formatTime(value: unknown): unknown {
  return typeof value === 'string' && timestamp.test(value) ? people.format(new Date(value)) : value;
}

/** `Mar 3, 2026` in the time zone of the reader; anything but a timestamp of the API as it is. */
export function formatDay(value: unknown): unknown {
  return typeof value === 'string' && timestamp.test(value) ? days.format(new Date(value)) : value;
}

/** Whether a field of the API holds a time. */
export function isTimeField(name: string): boolean {
  return /_(at|until|since)$/.test(name);
}

/** A response with its times as people read them. */
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
