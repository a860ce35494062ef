import type { Log } from './log.ts';

const everyMs = 5_000;

export interface RateLimitedLine {
  /** Default: `warn`. */
  level?: 'warn' | 'error';
  /** Lines with equal keys share a limit. There must be few keys. Default: the message. */
  key?: string;
}

/**
 * Creates a rate-limited log for failures that affect many requests at the same time, such as a database
 * outage, and for those that someone can cause at will. Writes one line per key every 5 seconds, with the
 * number of lines that it replaces.
 */
export function createRateLimitedLog(
  log: Log,
  clock: () => number = () => performance.now(),
): (fields: object, message: string, line?: RateLimitedLine) => void {
  const written = new Map<string, { at: number; leftOut: number }>();
  return (fields, message, { level = 'warn', key = message } = {}) => {
    const now = clock();
    const last = written.get(key);
    if (last && now - last.at < everyMs) {
      last.leftOut++;
      return;
    }
    written.set(key, { at: now, leftOut: 0 });
    log[level]({ ...fields, ...(last && last.leftOut > 0 && { leftOut: last.leftOut }) }, message);
  };
}
