import { createFairLimit } from './fair-limit.ts';

/**
 * Schedules work that uses much CPU time. Owners take turns, and each has one turn at a time, so the CPU time
 * of an owner doesn't depend on the number of its requests.
 */
export interface TurnScheduler {
  /**
   * Waits for a turn.
   *
   * @param owner An organization, or the name of a loop.
   * @returns A function that ends the turn. Further calls have no effect.
   */
  begin(owner: number | string, signal?: AbortSignal): Promise<() => void>;
  /** Waits for a turn, runs `work`, and ends the turn. */
  run<T>(owner: number | string, work: () => Promise<T>): Promise<T>;
}

/**
 * Time after which a turn ends even if its work isn't finished. The work can wait for a lock that its
 * organization holds, or for a slow server, and must not stop the work of others.
 */
const longestTurnMs = 1_000;

/** Longest pause after a turn. */
const longestPauseMs = 500;

/**
 * Creates a turn scheduler.
 *
 * @param options.atOnce Maximum number of turns at the same time.
 * @param options.pauseFactor Length of the pause after a turn, as a multiple of the duration of the turn.
 * With 3, the work uses at most a quarter of the time. Default: 0.
 */
export function createTurnScheduler({
  atOnce,
  pauseFactor = 0,
  turnMs = longestTurnMs,
}: {
  atOnce: number;
  pauseFactor?: number;
  turnMs?: number;
}): TurnScheduler {
  const limit = createFairLimit({ max: atOnce, maxPerKey: 1 });

  async function begin(owner: number | string, signal?: AbortSignal): Promise<() => void> {
    const end = await limit.enter(String(owner), signal ? { signal } : {});
    const startedAt = performance.now();
    const timer = setTimeout(end, turnMs).unref();
    return () => {
      clearTimeout(timer);
      const pauseMs = Math.min(longestPauseMs, (performance.now() - startedAt) * pauseFactor);
      if (pauseMs > 0) setTimeout(end, pauseMs).unref();
      else end();
    };
  }

  return {
    begin,
    async run(owner, work) {
      const end = await begin(owner);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
