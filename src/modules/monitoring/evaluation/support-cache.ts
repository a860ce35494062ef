import type { LifecycleLine } from '../../../domain/support/read-lifecycles.ts';
import type { SupportLines } from '../../../domain/support/support-lines.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { AppVersionCache } from './app-version-cache.ts';
import { addAndEvictOldest } from './keep-newest.ts';
import type { GatherJobKey } from './release-cache.ts';
import { type LifecycleRow, readSupportLines, type SharedSupport } from './support-queries.ts';

export interface SupportKey {
  gatherJob: GatherJobKey;
  lifecycle: LifecycleRow | null;
}

export interface SupportCache {
  /** Loads the support data for the product of each job, or `null` if the product isn't known. */
  load(db: Database | Tx, keys: readonly SupportKey[]): Promise<(key: SupportKey) => SharedSupport | null>;
}

/** Maximum number of cached products. The reference data contains fewer. */
const maxProducts = 1_000;

/** Caches release lines by the fingerprint of their product, which is read with each configuration. */
export function createSupportCache(charts: AppVersionCache): SupportCache {
  const lines = new Map<string, SupportLines<LifecycleLine>>();

  return {
    async load(db, keys) {
      const known = keys.filter((key): key is KnownKey => key.lifecycle !== null);
      const linesNow = new Map<string, SupportLines<LifecycleLine>>();
      const missing = new Map<string, string>();
      for (const { lifecycle } of known) {
        const kept = lines.get(linesKey(lifecycle));
        if (kept === undefined) missing.set(lifecycle.product, linesKey(lifecycle));
        else linesNow.set(linesKey(lifecycle), kept);
      }
      if (missing.size > 0) {
        for (const [product, read] of await readSupportLines(db, [...missing.keys()])) {
          linesNow.set(missing.get(product)!, read);
          addAndEvictOldest(lines, missing.get(product)!, read, maxProducts);
        }
      }
      const versionsOf = await charts.load(
        db,
        known.filter(({ lifecycle }) => lifecycle.is_chart).map(({ gatherJob }) => gatherJob),
      );
      return ({ gatherJob, lifecycle }) => {
        const found = lifecycle === null ? undefined : linesNow.get(linesKey(lifecycle));
        if (lifecycle === null || found === undefined) return null;
        return {
          product: lifecycle.product,
          label: lifecycle.label,
          lines: found,
          applicationVersions: lifecycle.is_chart ? versionsOf(gatherJob) : null,
        };
      };
    },
  };
}

type KnownKey = SupportKey & { lifecycle: LifecycleRow };

function linesKey({ product, fingerprint }: LifecycleRow): string {
  return `${product} ${fingerprint}`;
}
