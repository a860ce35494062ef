import type { Log } from './log.ts';

const everyMs = 5_000;

/**
 * For what goes wrong for everybody at once and goes on doing so, such as a database that is away: one line in five
 * seconds for each message, which says how many it stands for.
 */
export function createSparingLog(
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
