import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what is no longer referenced, for tests that count what is alive. It changes a flag of the whole process: only for
 * files whose process is their own (`isolated` in vitest.config.ts).
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
