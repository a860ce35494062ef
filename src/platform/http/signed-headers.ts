import type { IncomingHttpHeaders } from 'node:http';

/** Maximum difference between the timestamp of a signature and the current time, as Slack recommends. */
const maxClockDifferenceMs = 300_000;

/** Returns the value of a header, or an empty string if the request doesn't have it. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/**
 * True if a signature with this timestamp is still valid.
 *
 * @param timestamp Time in seconds, as received.
 * @param now Current time of the database.
 */
export function isWithinTolerance(timestamp: string, now: Date): boolean {
  if (!/^\d{1,12}$/u.test(timestamp)) return false;
  return Math.abs(now.getTime() - Number(timestamp) * 1_000) <= maxClockDifferenceMs;
}
