/** A number of places that are taken in the order of the requests. */
export interface Slots {
  /** @returns gives the place back; null if none was free in time. Rejects with the reason of `signal`. */
  take(waitMs: number, signal?: AbortSignal): Promise<(() => void) | null>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  }

  return {
    take(waitMs, signal) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(release);
      }
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      return new Promise((resolve, reject) => {
        const settle = () => {
          waiting.delete(grant);
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
        waiting.add(grant);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
