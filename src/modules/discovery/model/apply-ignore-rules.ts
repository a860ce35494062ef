import { sql } from 'kysely';
import { createIgnoreFinder, type IgnoreRule } from '../../../domain/discovery/ignore-rules.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { ignoreItems, restoreItems, setDuplicateStatus } from './item-queries.ts';

interface OpenItem {
  id: number;
  artifact_key: string;
  key: string;
  path: string;
  status: 'new' | 'ignored';
  ignore_reason: string | null;
  is_duplicate: boolean;
}

/**
 * Ignores and restores the items of a discovery job according to its ignore rules. Items that someone accepted, ignored,
 * or restored keep that decision. The transaction must hold the lock of the job.
 */
export async function applyIgnoreRules(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
): Promise<void> {
  const { rows: jobs } = await sql<{ rules: IgnoreRule[]; has_decided: boolean }>`
    SELECT ignore_rules AS rules, EXISTS (
      SELECT FROM discovered_items AS items
      WHERE items.organization_id = jobs.organization_id AND items.discovery_job_id = jobs.id
        AND items.scrape_job_id IS NULL AND (items.status = 'ignored' AND items.ignored_by_rule
          OR items.status = 'new' AND items.duplicate_of_id IS NOT NULL)) AS has_decided
    FROM discovery_jobs AS jobs
    WHERE organization_id = ${organizationId} AND id = ${discoveryJobId}`.execute(tx);
  const [job] = jobs;
  if (!job || (job.rules.length === 0 && !job.has_decided)) return;
  const findRule = createIgnoreFinder(job.rules);
  const slices = new TimeSlices();
  const changed: OpenItem[] = [];
  // Most items don't change, so only those that do are locked, and compared again in case a person has made a
  // decision since then.
  for (const item of await listOpenItems(tx, organizationId, discoveryJobId)) {
    await slices.pause();
    if (changeOf(item, findRule(item)) !== null) changed.push(item);
  }
  if (changed.length === 0) return;
  const changedIds = changed.map(({ id }) => id);
  const locked = await listOpenItems(tx, organizationId, discoveryJobId, { lockedIds: changedIds });
  const ignored = new Map<string | null, number[]>();
  const others: Record<Exclude<Change, 'ignored'>, number[]> = {
    restored: [],
    'kept duplicate': [],
    'ignored duplicate': [],
  };
  for (const item of locked) {
    const rule = findRule(item);
    const change = changeOf(item, rule);
    if (change === 'ignored') {
      const reason = rule?.reason ?? null;
      const ids = ignored.get(reason) ?? [];
      ids.push(item.id);
      ignored.set(reason, ids);
    } else if (change !== null) others[change].push(item.id);
  }
  for (const [reason, ids] of ignored) await ignoreItems(tx, organizationId, ids, reason, { isByRule: true });
  await restoreItems(tx, organizationId, others.restored, { isByPerson: false });
  await setDuplicateStatus(tx, organizationId, others['kept duplicate'], 'new');
  await setDuplicateStatus(tx, organizationId, others['ignored duplicate'], 'ignored');
}

type Change = 'ignored' | 'restored' | 'kept duplicate' | 'ignored duplicate';

/** Returns how the rule that applies to an item changes it. Without a rule that keeps it, a duplicate is ignored. */
function changeOf({ status, ignore_reason, is_duplicate }: OpenItem, rule: IgnoreRule | null): Change | null {
  const isKept = rule?.is_ignored === false;
  if (is_duplicate) {
    if (isKept) return status === 'ignored' ? 'kept duplicate' : null;
    return status === 'new' ? 'ignored duplicate' : null;
  }
  if (rule === null || isKept) return status === 'ignored' ? 'restored' : null;
  return status === 'new' || ignore_reason !== (rule.reason ?? null) ? 'ignored' : null;
}

/** Lists the items that no one accepted, ignored, or restored. */
async function listOpenItems(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
  { lockedIds }: { lockedIds?: readonly number[] } = {},
): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    SELECT id, artifact_key, key, path, status, ignore_reason, duplicate_of_id IS NOT NULL AS is_duplicate
    FROM discovered_items
    WHERE organization_id = ${organizationId} AND discovery_job_id = ${discoveryJobId} AND scrape_job_id IS NULL
      AND restored_at IS NULL
      AND (status = 'new' OR (status = 'ignored' AND (ignored_by_rule OR duplicate_of_id IS NOT NULL)))
      ${lockedIds ? sql`AND id = ANY(${[...lockedIds]}::bigint[]) ORDER BY id FOR NO KEY UPDATE` : sql``}`.execute(
    tx,
  );
  return rows;
}
