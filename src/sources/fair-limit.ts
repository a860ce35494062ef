/** Limits the total weight of the work that runs at the same time. No key can use the whole limit. */
export interface FairLimit {
  /**
   * Waits for a turn. Call the returned function once to release the capacity; further calls have no effect.
   * Rejects with the signal's reason if it's aborted while waiting.
   *
   * @param key The owner of the work. Owners take turns, and the work of each runs in order.
   */
  enter(key: string, options?: { weight?: number; signal?: AbortSignal }): Promise<() => void>;
  /** Runs the work when its turn comes and settles with its result. */
  run<T>(
    key: string,
    work: () => Promise<T>,
    options?: { weight?: number; signal?: AbortSignal },
  ): Promise<T>;
}

interface Waiting {
  weight: number;
  begin(): void;
}

/**
 * Creates a limit.
 *
 * @param options.max Limit for all keys together. Work that is larger than a limit runs alone.
 * @param options.maxPerKey Limit for one key, so that it can't block the others.
 */
export function createFairLimit({ max, maxPerKey }: { max: number; maxPerKey: number }): FairLimit {
  const used = new Map<string, number>();
  let usedByAll = 0;
  /** Pending work by key, in the order of the keys' turns. Contains only keys with pending work. */
  const waiting = new Map<string, Waiting[]>();

  const fits = (inUse: number, weight: number, limit: number) => inUse === 0 || inUse + weight <= limit;

  function beginNext(): void {
    for (const [key, [first]] of waiting) {
      if (!first || !fits(used.get(key) ?? 0, first.weight, maxPerKey)) continue;
      // Start nothing else, so that heavy work gets capacity when its turn comes. Otherwise, lighter work could pass it
      // indefinitely.
      if (!fits(usedByAll, first.weight, max)) return;
      remove(key, first);
      // The key moves behind the others.
      const rest = waiting.get(key);
      if (waiting.delete(key) && rest) waiting.set(key, rest);
      usedByAll += first.weight;
      used.set(key, (used.get(key) ?? 0) + first.weight);
      first.begin();
      return beginNext();
    }
  }

  function remove(key: string, one: Waiting): void {
    const all = waiting.get(key) ?? [];
    const at = all.indexOf(one);
    if (at >= 0) all.splice(at, 1);
    if (all.length === 0) waiting.delete(key);
  }

  function leave(key: string, weight: number): void {
    usedByAll -= weight;
    const left = (used.get(key) ?? 0) - weight;
    if (left > 0) used.set(key, left);
    else used.delete(key);
    beginNext();
  }

  async function enter(
    key: string,
    { weight = 1, signal }: { weight?: number; signal?: AbortSignal } = {},
  ): Promise<() => void> {
    signal?.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    let hasBegun = false;
    const one: Waiting = {
      weight,
      begin() {
        hasBegun = true;
        turn.resolve();
      },
    };
    const onAbort = (): void => {
      remove(key, one);
      turn.reject(signal?.reason);
      // The aborted work may have blocked all others.
      beginNext();
    };
    const others = waiting.get(key);
    if (others) others.push(one);
    else waiting.set(key, [one]);
    beginNext();
    // Adding a listener to a signal compares it with all existing ones, so add it only if the work must wait.
    if (!hasBegun) {
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        await turn.promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    }
    let isHeld = true;
    return () => {
      if (isHeld) leave(key, weight);
      isHeld = false;
    };
  }

  async function run<T>(
    key: string,
    work: () => Promise<T>,
    options?: { weight?: number; signal?: AbortSignal },
  ): Promise<T> {
    const end = await enter(key, options);
    try {
      return await work();
    } finally {
      end();
    }
  }

  return { enter, run };
}
