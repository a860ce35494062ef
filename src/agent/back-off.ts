import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait after a failure: doubles with each in a row, from a second up to a minute, spread by ± 25 %. */
export function createBackOff(options: { firstMs?: number; maxMs?: number } = {}) {
  const firstMs = options.firstMs ?? 1_000;
  const maxMs = options.maxMs ?? 60_000;
  let failures = 0;

  return {
    /** @param atLeastMs what the other side asks for. */
    nextMs(atLeastMs = 0): number {
      const planned = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 20));
      failures += 1;
      return Math.max(atLeastMs, planned * (0.75 + Math.random() / 2));
    },
    reset(): void {
      failures = 0;
    },
  };
}

export type BackOff = ReturnType<typeof createBackOff>;

/** Resolves after the time, or early when the signal ends it. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  // It rejects only when the signal is aborted.
  await sleep(delayMs, undefined, { signal }).catch(() => undefined);
}
