const format = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});

/** `Mar 3, 2026, 14:05 UTC`, for people in any time zone. @param at RFC 3339; anything else stays as it is */
export function readableTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : `${format.format(time)} UTC`;
}
