/**
 * What this process owes to the hosts that it asks: not more than a few requests at once, and none while a
 * host said that its limit is used up. Shared by all jobs of a process; nobody else's requests are counted.
 */
export interface HostLimits {
  /** Waits for a place at the host; call what it gives exactly once when the answer has been read. */
  enter(host: string, signal: AbortSignal): Promise<() => void>;
  /** Until when the host wants no request; null when it may be asked. Limits are counted by `who`. */
  heldUntil(host: string, who: string, now: Date): Date | null;
  hold(host: string, who: string, until: Date): void;
}

/** @param options.maxPerHost requests at once to one host, default 8: two more than a browser opens. */
export function createHostLimits(options: { maxPerHost?: number } = {}): HostLimits {
  const maxPerHost = options.maxPerHost ?? 8;
  const hosts = new Map<string, { running: number; waiting: (() => void)[] }>();
  const holds = new Map<string, Date>();

  function leave(host: string): void {
    const entry = hosts.get(host);
    if (!entry) return;
    const next = entry.waiting.shift();
    if (next) return next();
    entry.running -= 1;
    if (entry.running === 0) hosts.delete(host);
  }

  async function enter(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const entry = hosts.get(host) ?? { running: 0, waiting: [] };
    hosts.set(host, entry);
    if (entry.running < maxPerHost) {
      entry.running += 1;
    } else {
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          entry.waiting.splice(entry.waiting.indexOf(onTurn), 1);
          reject(signal.reason);
        };
        const onTurn = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        signal.addEventListener('abort', onAbort, { once: true });
        entry.waiting.push(onTurn);
      });
    }
    let isInside = true;
    return () => {
      if (isInside) leave(host);
      isInside = false;
    };
  }

  function heldUntil(host: string, who: string, now: Date): Date | null {
    const key = `${host} ${who}`;
    const until = holds.get(key);
    if (until === undefined) return null;
    if (until > now) return until;
    holds.delete(key);
    return null;
  }

  function hold(host: string, who: string, until: Date): void {
    // Hosts that limit us are few; should they be many, the oldest is forgotten and says so again.
    if (holds.size >= 10_000) holds.delete(holds.keys().next().value ?? '');
    holds.set(`${host} ${who}`, until);
  }

  return { enter, heldUntil, hold };
}
