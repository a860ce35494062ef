import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { BenchWorld } from './evaluation-world.ts';

const pauseMs = 10;

/**
 * Sets versions one after another.
 * @returns The duration of each request, in ms.
 */
export async function setVersions(
  { url, token }: BenchWorld,
  ids: readonly number[],
  { count = Number.POSITIVE_INFINITY, until = () => false }: { count?: number; until?: () => boolean },
): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count && !until()) {
    const id = ids[times.length % ids.length]!;
    const { ms, result } = await timed(async () => {
      const response = await request(`${url}/api/v1/client/scrape-jobs/${id}/set-version`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ version: `2.0.${times.length}` }),
      });
      await response.body.dump();
      return response.statusCode;
    });
    if (result !== 200) throw new Error(`set-version returned ${result}`);
    times.push(ms);
    await sleep(pauseMs);
  }
  return times;
}

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

/** Returns the smallest time that is at least as long as this fraction of all times. */
export function percentile(times: readonly number[], fraction: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * fraction))]!;
}
