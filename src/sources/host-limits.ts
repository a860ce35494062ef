import { createFairLimit, type FairLimit } from '../platform/fairness/index.ts';

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
  /** Returns the time until which the host rejects requests of the client, or `null` if it accepts them. */
  blockedUntil(host: string, client: LimitedClient, now: Date): Date | null;
  /**
   * Blocks requests of the client. If the client has no credential, requests of other owners without a credential are
   * blocked, too, but for at most one minute in every five, regardless of how many owners reach a limit.
   */
  hold(host: string, client: LimitedClient, until: Date, now: Date): void;
}

/** Client whose requests a host counts together. */
export interface LimitedClient {
  /** The owner of the request, such as an organization. */
  fairKey: string;
  /** Name of the credential. `null` without one: the host then counts the requests of all owners together. */
  credential: string | null;
}

/**
 * Maximum time for which the rate limit of one owner blocks requests of other owners, if none of them uses a
 * credential. After that, each of the other owners sends a request to find out whether the host limits it,
 * too.
 */
const maxSharedHoldMs = 60_000;
/**
 * Minimum time between the starts of two such blocks. Without it, an owner that reaches its limit repeatedly could
 * block the others without interruption.
 */
const sharedHoldIntervalMs = 5 * 60_000;

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
  /** Time from which the requests of all owners can be blocked again, by host. */
  const sharedHoldsFrom = new Map<string, Date>();

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

  function blockedUntil(host: string, client: LimitedClient, now: Date): Date | null {
    const untils = [ownKey(host, client), ...(client.credential === null ? [sharedKey(host)] : [])].flatMap(
      (key) => {
        const until = holds.get(key);
        if (until !== undefined && until > now) return until;
        holds.delete(key);
        return [];
      },
    );
    return untils.reduce<Date | null>(
      (latest, until) => (latest === null || until > latest ? until : latest),
      null,
    );
  }

  function hold(host: string, client: LimitedClient, until: Date, now: Date): void {
    keep(holds, ownKey(host, client), until);
    if (client.credential !== null || (sharedHoldsFrom.get(host) ?? now) > now) return;
    keep(holds, sharedKey(host), new Date(Math.min(until.getTime(), now.getTime() + maxSharedHoldMs)));
    keep(sharedHoldsFrom, host, new Date(now.getTime() + sharedHoldIntervalMs));
  }

  return { enter, blockedUntil, hold };
}

/**
 * Stores a time. Usually, few hosts limit requests. If many do, the oldest entry is dropped, and that host will report
 * its limit again.
 */
function keep(times: Map<string, Date>, key: string, time: Date): void {
  times.delete(key);
  if (times.size >= 10_000) times.delete(times.keys().next().value ?? '');
  times.set(key, time);
}

function ownKey(host: string, { fairKey, credential }: LimitedClient): string {
  return JSON.stringify([host, fairKey, credential]);
}

function sharedKey(host: string): string {
  return JSON.stringify([host]);
}
