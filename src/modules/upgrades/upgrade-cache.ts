import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { createResultCache } from '../environments/index.ts';
import type { UpgradePage } from './upgrade-queries.ts';

/** A result, and the time from which it's outdated even without a change: the end of the first snooze in it. */
export interface TimedResult {
  snooze_ends_at: string | null;
}

export interface UpgradeCache {
  /**
   * Returns the result of `compute`, or a stored one if nothing that it depends on has changed.
   *
   * @param about all inputs that determine the result
   * @param weigh returns the weight of a result, which counts toward the limit of the cache
   */
  read<T extends TimedResult>(
    organizationId: number,
    about: unknown,
    compute: () => Promise<T>,
    weigh: (result: T) => number,
  ): Promise<T>;
}

/**
 * Caches upgrades, because each list reads all alert configurations of an organization. A result is never older than
 * the request, so changes on other servers are visible too.
 */
export function createUpgradeCache(db: Database): UpgradeCache {
  const results = createResultCache();
  return {
    async read<T extends TimedResult>(
      organizationId: number,
      about: unknown,
      compute: () => Promise<T>,
      weigh: (result: T) => number,
    ) {
      const { revision, now } = await readRevision(db, organizationId);
      const isCurrent = ({ snooze_ends_at }: T) => snooze_ends_at === null || new Date(snooze_ends_at) > now;
      return results.read({ organizationId, revision, about }, compute, weigh, isCurrent);
    },
  };
}

/** Weight of an upgrade with its labels and deployed versions, in units of the cache. */
const upgradeWeight = 10;

export const weighUpgrades = ({ items }: UpgradePage): number => 1 + items.length * upgradeWeight;

/**
 * Returns a revision that changes with every alert configuration, open alert, or gather job that affects upgrades. Global
 * gather jobs belong to the Global organization.
 */
async function readRevision(db: Database, organizationId: number): Promise<{ revision: number; now: Date }> {
  const { rows } = await sql<{ revision: number; now: Date }>`
    SELECT coalesce(sum(amount), 0)::bigint AS revision, pacekeeper_now() AS now FROM row_counts
    WHERE organization_id IN (${organizationId}, ${sql.lit(systemOrganizationId)}) AND subject = 'upgrade_changes'`.execute(
    db,
  );
  return rows[0]!;
}
