import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { createResultCache, readRevision } from '../counts/index.ts';

/** A result, and the time from which it's outdated even without a change: the end of the first snooze in it. */
export interface TimedResult {
  snooze_ends_at: string | null;
}

export interface UpgradeCache {
  /**
   * Returns the result of `compute`, or a stored one if nothing that it depends on has changed.
   *
   * @param about all inputs that determine the result
   */
  read<T extends TimedResult>(organizationId: number, about: unknown, compute: () => Promise<T>): Promise<T>;
}

/**
 * Caches upgrades, because each list reads all alert configurations of an organization. A result is never older than
 * the request, so changes on other servers are visible too.
 */
export function createUpgradeCache(db: Database): UpgradeCache {
  const results = createResultCache();
  return {
    async read<T extends TimedResult>(organizationId: number, about: unknown, compute: () => Promise<T>) {
      // Global gather jobs belong to the Global organization.
      const organizationIds = [organizationId, systemOrganizationId];
      const { revision, now } = await readRevision(db, organizationIds, 'upgrade_changes');
      const isCurrent = ({ snooze_ends_at }: T) => snooze_ends_at === null || new Date(snooze_ends_at) > now;
      return results.read({ organizationId, revision, about }, compute, isCurrent);
    },
  };
}
