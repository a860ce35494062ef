const example = '2026-03-01T00:00:00Z';
const dateTime = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?`;
const withoutZone = new RegExp(`^${dateTime}$`, 'i');
const withSpace = new RegExp(`^${dateTime} \\d{2}:?\\d{2}$`, 'i');
const withoutTime = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the problem with the text of a timestamp, and the correct format. */
export function dateTimeProblem(text?: string): string {
  if (text !== undefined && withSpace.test(text))
    return 'has a space instead of +: in a URL, encode + as %2B, or use UTC with Z';
  if (text !== undefined && withoutZone.test(text))
    return 'has no time zone: add Z for UTC or an offset, such as -05:00 or %2B02:00 (+02:00)';
  if (text !== undefined && withoutTime.test(text)) return `has no time: use a format such as ${example}`;
  return `must be a date and time with a time zone, such as ${example}`;
}
