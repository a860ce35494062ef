/** A fixed number of slots. Waiting keys are served in turn; within a key, requests are served in order. */
export interface Slots {
  /**
   * Waits for a slot.
   *
   * @returns A function that releases the slot, or `null` if none was free in time. Rejects with the reason
   * of `signal`.
   */
  take(key: string, waitMs: number, signal?: AbortSignal): Promise<(() => void) | null>;
}

export function createSlots(count: number): Slots {
  let free = count;
  /** Waiting requests by key. The first key is next. */
  const waiting = new Map<string, Set<() => void>>();

  function release(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    const [key, grants] = next;
    const [grant] = grants;
    // Move the key to the end, because it has had its turn.
    waiting.delete(key);
    waiting.set(key, grants);
    grant!();
  }

  function removeWaiter(key: string, grant: () => void): void {
    const grants = waiting.get(key);
    grants?.delete(grant);
    if (grants?.size === 0) waiting.delete(key);
  }

  return {
    take(key, waitMs, signal) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(release);
      }
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      return new Promise((resolve, reject) => {
        const settle = () => {
          removeWaiter(key, grant);
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        };
        const grant = () => {
          settle();
          resolve(release);
        };
        const onAbort = () => {
          settle();
          reject(signal!.reason);
        };
        const timer = setTimeout(() => {
          settle();
          resolve(null);
        }, waitMs);
        waiting.set(key, (waiting.get(key) ?? new Set()).add(grant));
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
