const times = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});
const days = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });

/** `Mar 3, 2026, 14:05 UTC`, for people in any time zone. @param at RFC 3339; anything else stays as it is */
export function readableTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : `${times.format(time)} UTC`;
}

/** `Mar 3, 2026`: the day of UTC. @param at `2026-03-03`, or RFC 3339; anything else stays as it is */
export function readableDay(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : days.format(time);
}
