import type { Log } from './log.ts';

const everyMs = 5_000;

/**
 * Creates a rate-limited warning log for failures that affect many requests at the same time, such as a
 * database outage. Writes one line per message every 5 seconds, with the number of lines that it replaces.
 */
export function createRateLimitedLog(
  log: Log,
  clock: () => number = () => performance.now(),
): (fields: object, message: string) => void {
  const written = new Map<string, { at: number; leftOut: number }>();
  return (fields, message) => {
    const now = clock();
    const last = written.get(message);
    if (last && now - last.at < everyMs) {
      last.leftOut++;
      return;
    }
    written.set(message, { at: now, leftOut: 0 });
    log.warn({ ...fields, ...(last && last.leftOut > 0 && { leftOut: last.leftOut }) }, message);
  };
}
