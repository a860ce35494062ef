import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage, for tests that count what is still referenced. It sets a flag of the whole process, so use it only in files
 * that have a process to themselves (`isolated` in vitest.config.ts).
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
