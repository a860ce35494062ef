import type { DeployedOrder } from './deployed-order.ts';
import type { FirstSeen } from './promotions.ts';

/**
 * Relation of a cell of the matrix to the previous environment that has the service. `missing`: other
 * environments have the service, but this one doesn't. `first`: no earlier environment has the service.
 */
export type Relation = 'first' | 'same' | 'behind' | 'ahead' | 'different' | 'missing';

export interface ComparedCell {
  readonly relation: Exclude<Relation, 'first' | 'missing'>;
  /** Number of newer versions that the earlier environment has had. `null` unless behind. */
  readonly releasesBehind: number | null;
  /** Time when the earlier environment first had a newer version. `null` unless behind. */
  readonly behindSinceMs: number | null;
}

/**
 * Compares the version of an environment with the version of an earlier environment. If the versions aren't
 * comparable, compares the times when the earlier environment first had each of them. A version that the
 * earlier environment never had is `different`.
 * @param earlier The version of the earlier environment.
 * @param earlierHistory The versions that the earlier environment has had, each with the time when it was
 * first seen.
 */
export function compareCells(
  order: DeployedOrder,
  deployed: string,
  earlier: string,
  earlierHistory: readonly FirstSeen[],
): ComparedCell {
  if (order.identity(deployed) === order.identity(earlier)) return notBehind('same');

  const firstSeen = new Map<string, FirstSeen>();
  for (const seen of earlierHistory) {
    const identity = order.identity(seen.version);
    const known = firstSeen.get(identity);
    if (known === undefined || seen.atMs < known.atMs) firstSeen.set(identity, seen);
  }
  const deployedAtMs = firstSeen.get(order.identity(deployed))?.atMs ?? null;
  const earlierAtMs = firstSeen.get(order.identity(earlier))?.atMs ?? null;

  /**
   * Returns a positive number if the version is newer than the deployed one. Returns `null` if neither
   * versions nor dates can be compared.
   */
  const newerThanDeployed = (version: string, atMs: number | null): number | null =>
    order.compare(version, deployed) ?? (deployedAtMs === null || atMs === null ? null : atMs - deployedAtMs);

  const difference = newerThanDeployed(earlier, earlierAtMs);
  if (difference === null || difference === 0) return notBehind('different');
  if (difference < 0) return notBehind('ahead');

  const newer = [...firstSeen.values()].filter(
    (seen) => (newerThanDeployed(seen.version, seen.atMs) ?? 0) > 0,
  );
  return {
    relation: 'behind',
    releasesBehind: Math.max(1, newer.length),
    behindSinceMs: newer.length === 0 ? null : Math.min(...newer.map((seen) => seen.atMs)),
  };
}

/**
 * Returns the version that represents several jobs of one cell, such as clusters: the lowest version or, if
 * they can't be compared, the one that has been deployed longest.
 */
export function lowestDeployed(order: DeployedOrder, versions: readonly FirstSeen[]): FirstSeen | null {
  let lowest: FirstSeen | null = null;
  for (const version of versions) {
    if (lowest === null) lowest = version;
    else {
      const difference = order.compare(version.version, lowest.version) ?? version.atMs - lowest.atMs;
      if (difference < 0) lowest = version;
    }
  }
  return lowest;
}

function notBehind(relation: ComparedCell['relation']): ComparedCell {
  return { relation, releasesBehind: null, behindSinceMs: null };
}
