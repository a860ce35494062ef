import { createFairLimit, type FairLimit } from './fair-limit.ts';

/**
 * What this process owes to the hosts that it asks: not more than a few requests at once, and none while a
 * host said that its limit is used up. Shared by all jobs of a process; nobody else's requests are counted.
 */
export interface HostLimits {
  /**
   * Waits for a place at the host; call what it gives exactly once when the answer has been read.
   * @param fairKey whose request it is: nobody gets all places of a host.
   */
  enter(host: string, fairKey: string, signal: AbortSignal): Promise<() => void>;
  /** Until when the host wants no request; null when it may be asked. Limits are counted by `who`. */
  blockedUntil(host: string, who: string, now: Date): Date | null;
  hold(host: string, who: string, until: Date): void;
}

/** At once to one host, of one organization: two more than a browser opens. */
const maxPerKey = 8;
/** Of all: what one organization leaves unread takes no place from the others. */
const maxPerHost = 12;

export function createHostLimits(): HostLimits {
  /** Of hosts that are asked, with how many are inside or wait. */
  const hosts = new Map<string, { limit: FairLimit; count: number }>();
  const holds = new Map<string, Date>();

  async function enter(host: string, fairKey: string, signal: AbortSignal): Promise<() => void> {
    const entry = hosts.get(host) ?? { limit: createFairLimit({ max: maxPerHost, maxPerKey }), count: 0 };
    hosts.set(host, entry);
    entry.count += 1;
    let isInside = true;
    const releaseSlot = (): void => {
      if (isInside) entry.count -= 1;
      isInside = false;
      if (entry.count === 0) hosts.delete(host);
    };
    try {
      const makeRoom = await entry.limit.enter(fairKey, { signal });
      return () => {
        makeRoom();
        releaseSlot();
      };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  function blockedUntil(host: string, who: string, now: Date): Date | null {
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

  return { enter, blockedUntil, hold };
}
