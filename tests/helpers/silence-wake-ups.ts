import { attachWakeUps, type Database } from '../../src/platform/database/index.ts';

/**
 * Sends no wake-ups for transactions of this database. Otherwise, the loops of the server would do the work of the test.
 *
 * @returns A function that sends them again.
 */
export function silenceWakeUps(db: Database): () => void {
  return attachWakeUps(db, { wake: () => undefined, on: () => () => undefined });
}
