import type { IncomingHttpHeaders } from 'node:http';

/** A signature with a time is valid for so long before and after it, as Slack recommends. */
const maxClockDifferenceMs = 300_000;

/** An empty text if the request doesn't have the header. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Whether a signature that includes this time is still valid.
 *
 * @param timestamp in seconds, as it was received
 * @param now the time of the database
 */
export function isTimely(timestamp: string, now: Date): boolean {
  if (!/^\d{1,12}$/u.test(timestamp)) return false;
  return Math.abs(now.getTime() - Number(timestamp) * 1_000) <= maxClockDifferenceMs;
}
