import { createFairLimit, type FairLimit } from './fair-limit.ts';

/**
 * Limits requests to hosts: only a few at the same time, and none while a host reports that its rate limit is
 * exhausted. All jobs of a process share the limits. Requests of other processes don't count.
 */
export interface HostLimits {
  /**
   * Waits for a slot at the host. Call the returned function exactly once after the response has been read.
   *
   * @param fairKey The owner of the request. No owner can use all slots of a host.
   */
  enter(host: string, fairKey: string, signal: AbortSignal): Promise<() => void>;
  /**
   * Returns the time until which the host rejects requests, or `null` if it accepts them. `client` identifies
   * the client for which the host counts requests.
   */
  blockedUntil(host: string, client: string, now: Date): Date | null;
  hold(host: string, client: string, until: Date): void;
}

/** Maximum number of concurrent requests from one organization to one host, two more than a browser opens. */
const maxPerKey = 8;
/**
 * Maximum number of concurrent requests to one host from all organizations. It exceeds `maxPerKey`, so unread
 * responses of one organization can't occupy all slots.
 */
const maxPerHost = 12;

export function createHostLimits(): HostLimits {
  /** Hosts with running or pending requests, and the number of these requests. */
  const hosts = new Map<string, { limit: FairLimit; count: number }>();
  const holds = new Map<string, Date>();

  async function enter(host: string, fairKey: string, signal: AbortSignal): Promise<() => void> {
    const entry = hosts.get(host) ?? { limit: createFairLimit({ max: maxPerHost, maxPerKey }), count: 0 };
    hosts.set(host, entry);
    entry.count += 1;
    let holdsSlot = true;
    const releaseSlot = (): void => {
      if (holdsSlot) entry.count -= 1;
      holdsSlot = false;
      if (entry.count === 0) hosts.delete(host);
    };
    try {
      const leaveLimit = await entry.limit.enter(fairKey, { signal });
      return () => {
        leaveLimit();
        releaseSlot();
      };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  function blockedUntil(host: string, client: string, now: Date): Date | null {
    const key = `${host} ${client}`;
    const until = holds.get(key);
    if (until === undefined) return null;
    if (until > now) return until;
    holds.delete(key);
    return null;
  }

  function block(host: string, client: string, until: Date): void {
    // Few hosts limit requests. If there are many, the oldest entry is dropped, and that host reports its
    // limit again.
    if (holds.size >= 10_000) holds.delete(holds.keys().next().value ?? '');
    holds.set(`${host} ${client}`, until);
  }

  return { enter, blockedUntil, hold: block };
}
