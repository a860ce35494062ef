import type { Database, Tx } from '../../../platform/database/index.ts';
import { addAndEvictOldest } from './keep-newest.ts';
import type { GatherJobKey } from './release-cache.ts';
import { readApplicationVersions } from './support-queries.ts';

/** Versions of the applications in charts, by chart version. */
type ApplicationVersions = ReadonlyMap<string, string>;

export interface AppVersionCache {
  load(db: Database | Tx, jobs: readonly GatherJobKey[]): Promise<(job: GatherJobKey) => ApplicationVersions>;
}

const maxCharts = 200;

/** Caches application versions by the revision of the releases, which is read with each configuration. */
export function createAppVersionCache(): AppVersionCache {
  const charts = new Map<string, ApplicationVersions>();

  return {
    async load(db, jobs) {
      const loaded = new Map<string, ApplicationVersions>();
      for (const job of jobs) {
        const key = keyOf(job);
        if (loaded.has(key)) continue;
        const versions = charts.get(key) ?? (await readApplicationVersions(db, job));
        loaded.set(key, versions);
        addAndEvictOldest(charts, key, versions, maxCharts);
      }
      return (job) => loaded.get(keyOf(job)) ?? new Map();
    },
  };
}

function keyOf({ organizationId, id, revision }: GatherJobKey): string {
  return `${organizationId}/${id}/${revision}`;
}
