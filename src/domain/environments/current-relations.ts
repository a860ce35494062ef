import { canBeCommit } from '../versions/exclude-commit-ids.ts';
import { versionScheme } from '../versions/versions.ts';
import { type DeployedOrder, deployedOrder } from './deployed-order.ts';
import type { Relation } from './relation.ts';

/** A version that a scrape job reports, and its environment. */
export interface CurrentVersion {
  readonly environment: string;
  readonly version: string;
}

/**
 * Returns the relations that `serviceCells` would return for one service, or `null` if they can't be
 * determined from the current versions alone. For example, the relation of two commits depends on the earlier
 * versions.
 */
export function currentRelations(
  environments: readonly string[],
  versions: readonly CurrentVersion[],
): Relation[] | null {
  const texts = new Set(versions.map(({ version }) => version));
  if (texts.size > 1 && [...texts].some(canBeCommit)) return null;
  const order = deployedOrder(versionScheme('auto'), texts);
  const byEnvironment = Map.groupBy(versions, ({ environment }) => environment);

  const relations: Relation[] = [];
  let earlier: string | null = null;
  for (const environment of environments) {
    const own = byEnvironment.get(environment);
    if (own === undefined) {
      relations.push('missing');
      continue;
    }
    const lowest = lowestOf(order, own);
    const relation = earlier === null ? 'first' : lowest === null ? null : relationTo(order, lowest, earlier);
    if (lowest === null || relation === null) return null;
    relations.push(relation);
    earlier = lowest;
  }
  return relations;
}

function relationTo(order: DeployedOrder, deployed: string, earlier: string): Relation | null {
  if (order.identity(deployed) === order.identity(earlier)) return 'same';
  const difference = order.compare(earlier, deployed);
  if (difference === null) return null;
  return difference === 0 ? 'different' : difference > 0 ? 'behind' : 'ahead';
}

/** Returns the lowest version, or `null` if it depends on when the versions were deployed. */
function lowestOf(order: DeployedOrder, versions: readonly CurrentVersion[]): string | null {
  let lowest: string | null = null;
  for (const { version } of versions) {
    if (lowest === null) lowest = version;
    else if (version !== lowest) {
      const difference = order.compare(version, lowest);
      if (difference === null) return null;
      if (difference < 0) lowest = version;
    }
  }
  return lowest;
}
