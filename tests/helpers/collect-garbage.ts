import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage, for tests that count objects that are still referenced. This sets a flag of the whole
 * process, so use it only in files that run in their own process (`isolated` in vitest.config.ts).
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
