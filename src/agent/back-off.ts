import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Creates a backoff whose delay doubles with each consecutive failure, from 1 s up to 1 minute, with a jitter
 * of ±25%.
 */
export function createBackOff(options: { firstMs?: number; maxMs?: number } = {}) {
  const firstMs = options.firstMs ?? 1_000;
  const maxMs = options.maxMs ?? 60_000;
  let failures = 0;

  return {
    /** @param atLeastMs Minimum delay that the server requires. */
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

/** Resolves after the delay, or earlier if the signal is aborted. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  // `sleep` rejects only when the signal is aborted.
  await sleep(delayMs, undefined, { signal }).catch(() => undefined);
}
