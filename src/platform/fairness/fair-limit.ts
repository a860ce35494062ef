import { Counts } from './counts.ts';
import { FairQueue } from './fair-queue.ts';

export interface EnterOptions {
  /** Default: 1. */
  weight?: number;
  /** If the signal is aborted while the work waits, the work doesn't begin. */
  signal?: AbortSignal | undefined;
  /** Maximum time to wait. */
  waitMs?: number;
}

/** Limits the total weight of the work that runs at the same time. No key can use the whole limit. */
export interface FairLimit {
  /**
   * Waits for a turn. Call the returned function once to release the capacity; further calls have no effect.
   *
   * @param key The owner of the work. Owners take turns, and the work of each runs in order. Work without an owner counts
   * toward the limit, but begins immediately.
   * @throws NoCapacityError if the work waited too long, or too much work is waiting. Throws the signal's reason if it's
   * aborted while waiting.
   */
  enter(key: string | null, options?: EnterOptions): Promise<() => void>;
  /** Runs the work when its turn comes and settles with its result. */
  run<T>(key: string | null, work: () => Promise<T>, options?: EnterOptions): Promise<T>;
  /** Number of callers that wait. */
  readonly waitingCount: number;
}

export interface FairLimitOptions {
  /** Limit for all keys together. Work that is larger than a limit runs alone. */
  max: number;
  /** Limit for one key, so that it can't block the others. A function gets the weight that all keys use. */
  maxPerKey: number | ((usedByAll: number) => number);
  /**
   * Maximum number of waiting callers. One more takes the place of the last one of the key that has the most. Default: no
   * limit.
   */
  maxWaiting?: number;
}

/** There was no capacity for the work in time, or too much other work was waiting for it. */
export class NoCapacityError extends Error {
  override name = 'NoCapacityError';
}

interface Waiting {
  weight: number;
  begin(end: () => void): void;
  fail(reason: unknown): void;
}

export function createFairLimit({ max, maxPerKey, maxWaiting = Infinity }: FairLimitOptions): FairLimit {
  const used = new Counts<string>();
  let usedByAll = 0;
  const queue = new FairQueue<Waiting>(maxWaiting);

  const fits = (inUse: number, weight: number, limit: number) => inUse === 0 || inUse + weight <= limit;
  const hasTurn = (key: string, weight: number): boolean | 'stop' => {
    const limit = typeof maxPerKey === 'number' ? maxPerKey : maxPerKey(usedByAll);
    if (!fits(used.of(key), weight, limit)) return false;
    // Start nothing else, so that heavy work gets capacity when its turn comes. Otherwise, lighter work could pass it
    // indefinitely.
    return fits(usedByAll, weight, max) || 'stop';
  };

  /** Takes capacity and returns a function that releases it. */
  function take(key: string | null, weight: number): () => void {
    change(key, weight);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      change(key, -weight);
      beginNext();
    };
  }

  function change(key: string | null, weight: number): void {
    usedByAll += weight;
    if (key !== null) used.add(key, weight);
  }

  function beginNext(): void {
    let nextKey = '';
    const next = queue.take((key, { weight }) => {
      nextKey = key;
      return hasTurn(key, weight);
    });
    if (!next) return;
    next.begin(take(nextKey, next.weight));
    beginNext();
  }

  async function enter(
    key: string | null,
    { weight = 1, signal, waitMs }: EnterOptions = {},
  ): Promise<() => void> {
    signal?.throwIfAborted();
    if (key === null || (queue.size === 0 && hasTurn(key, weight) === true)) return take(key, weight);
    const turn = Promise.withResolvers<() => void>();
    let isSettled = false;
    const one: Waiting = {
      weight,
      begin(end) {
        isSettled = true;
        turn.resolve(end);
      },
      fail: turn.reject,
    };
    queue.add(key, one)?.fail(new NoCapacityError('Too much work is waiting.'));
    beginNext();
    // Adding a listener to a signal compares it with all existing ones, so add it only if the work must wait.
    if (isSettled) return turn.promise;
    const leave = (reason: unknown): void => {
      queue.remove(key, one);
      turn.reject(reason);
      // The work may have blocked all others.
      beginNext();
    };
    const onAbort = (): void => leave(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer =
      waitMs === undefined
        ? undefined
        : setTimeout(() => leave(new NoCapacityError('The work waited too long.')), waitMs);
    try {
      return await turn.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async function run<T>(key: string | null, work: () => Promise<T>, options?: EnterOptions): Promise<T> {
    const end = await enter(key, options);
    try {
      return await work();
    } finally {
      end();
    }
  }

  return {
    enter,
    run,
    get waitingCount() {
      return queue.size;
    },
  };
}

/** Limits work of a single owner. Work beyond the limit waits in order. */
export function createLimit(max: number) {
  const limit = createFairLimit({ max, maxPerKey: max });
  return {
    enter: (weight = 1): Promise<() => void> => limit.enter('', { weight }),
    run: <T>(work: () => Promise<T>, weight = 1): Promise<T> => limit.run('', work, { weight }),
  };
}
