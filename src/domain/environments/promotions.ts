import type { DeployedOrder } from './deployed-order.ts';

/**
 * A version and the time when an environment first had it. The time can be off by up to the interval of the
 * job that reads the version.
 */
export interface FirstSeen {
  readonly version: string;
  readonly atMs: number;
  /** True if the version was already deployed when Pacekeeper first read it, so its arrival is unknown. */
  readonly isUnobserved?: boolean;
}

/** Promotions of the versions of one service from an environment to a later one. */
export interface Promotions {
  /**
   * Time from the arrival of each version in the first environment to its arrival in the second one, ascending.
   * Negative if the version reached the second environment first. Includes only versions whose arrival was observed in
   * both environments.
   */
  readonly lagsMs: readonly number[];
  /** Number of promoted versions that reached the second environment first. */
  readonly reversed: number;
  /**
   * Versions never seen in the second environment, although it has had a higher or a later version. Excludes
   * versions that are older than the first observation of the second environment, because that environment
   * may have had them.
   */
  readonly skipped: readonly FirstSeen[];
  /** Versions not yet seen in the second environment, oldest first. */
  readonly inFlight: readonly FirstSeen[];
}

/**
 * Measures the promotions between two environments. A version counts only once, even if an environment returned to it.
 * @param from Every change of the deployed version in the first environment, in any order.
 * @param sinceMs Start time. Versions that the first environment had before this time are ignored.
 */
export function measurePromotions(
  order: DeployedOrder,
  from: readonly FirstSeen[],
  to: readonly FirstSeen[],
  sinceMs = Number.NEGATIVE_INFINITY,
): Promotions {
  const source = firstSeenByIdentity(order, from);
  const target = firstSeenByIdentity(order, to);

  const lagsMs: number[] = [];
  const remaining: FirstSeen[] = [];
  let lastPromotedMs = Number.NEGATIVE_INFINITY;
  for (const [identity, seen] of source) {
    if (seen.atMs < sinceMs) continue;
    const arrived = target.get(identity);
    if (arrived === undefined) remaining.push(seen);
    else {
      if (!seen.isUnobserved && !arrived.isUnobserved) lagsMs.push(arrived.atMs - seen.atMs);
      lastPromotedMs = Math.max(lastPromotedMs, seen.atMs);
    }
  }
  lagsMs.sort((a, b) => a - b);
  remaining.sort((a, b) => a.atMs - b.atMs);

  const highest = highestByLine(order, [...target.values()]);
  const observedSinceMs = startOfObservation(to);
  const isPassed = (seen: FirstSeen) =>
    seen.atMs < lastPromotedMs || highest.some((reached) => (order.compare(reached, seen.version) ?? 0) > 0);
  return {
    lagsMs,
    reversed: lagsMs.filter((lag) => lag < 0).length,
    skipped: remaining.filter((seen) => isPassed(seen) && seen.atMs >= observedSinceMs && !seen.isUnobserved),
    inFlight: remaining.filter((seen) => !isPassed(seen)),
  };
}

/**
 * Returns the start of observation of an environment, or negative infinity if it was observed from the
 * beginning.
 */
function startOfObservation(seen: readonly FirstSeen[]): number {
  const starts = seen.flatMap(({ atMs, isUnobserved }) => (isUnobserved ? atMs : []));
  return starts.length === 0 ? Number.NEGATIVE_INFINITY : starts.reduce((a, b) => Math.min(a, b));
}

/**
 * Returns the lowest value for which at least the given share of the values is lower or equal, or `null` if the list is
 * empty.
 */
export function percentile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? null;
}

function firstSeenByIdentity(order: DeployedOrder, seen: readonly FirstSeen[]): Map<string, FirstSeen> {
  const first = new Map<string, FirstSeen>();
  for (const entry of seen) {
    const identity = order.identity(entry.version);
    const known = first.get(identity);
    if (known === undefined || entry.atMs < known.atMs) first.set(identity, entry);
  }
  return first;
}

/** Returns the highest version of each line. Versions of different lines aren't comparable. */
function highestByLine(order: DeployedOrder, seen: readonly FirstSeen[]): readonly string[] {
  const highest: string[] = [];
  for (const { version } of seen) {
    if (order.compare(version, version) === null) continue;
    const index = highest.findIndex((known) => order.compare(known, version) !== null);
    const known = highest[index];
    if (known === undefined) highest.push(version);
    else if ((order.compare(version, known) ?? 0) > 0) highest[index] = version;
  }
  return highest;
}
