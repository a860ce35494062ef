import { sql } from 'kysely';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { type Claim, type DueLoop, finishDueRows, startDueLoop } from '../../../platform/due-rows/index.ts';
import type { Log } from '../../../platform/log.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { digestFanOutsDue } from '../../upstream/index.ts';
import type { DiscoveryJobRow } from '../discovery-jobs/discovery-job-queries.ts';
import { lockItems } from '../items/item-queries.ts';
import { linkLiveVersions, lockLinkedItems } from '../live/live-versions.ts';
import { recordVersions } from '../live/record-versions.ts';
import { hasDeciding, registryOf } from './item-version-sql.ts';
import { matchDigests } from './match-digests.ts';

export interface DueDigests {
  organization_id: number;
  gather_job_id: number;
  cursor_organization_id: number;
  cursor_item_id: number;
}

export const digestColumns = ['cursor_organization_id', 'cursor_item_id'] as const;

const itemsInStep = 1_000;

/** Gives items the versions of releases whose digests are now known, step by step. */
export function startDigestLoop(deps: { db: Database; wakeUps: WakeUps; log: Log }): DueLoop {
  return startDueLoop<DueDigests>({
    ...deps,
    table: digestFanOutsDue,
    topic: digestFanOutsDue.name,
    batchSize: 20,
    maxInFlight: 20,
    leaseMs: 60_000,
    columns: digestColumns,
    async handle(claims) {
      for (const claim of claims)
        await transaction(deps.db, (tx) => digestStep(tx, deps.wakeUps, claim, itemsInStep));
    },
  });
}

/** One step of one gather job: items of one organization. A job with more of them goes to the end of the line. */
export async function digestStep(
  tx: Tx,
  wakeUps: WakeUps,
  claim: Claim<DueDigests>,
  limit: number,
): Promise<void> {
  const { organizationId, items, hasMore } = await findItems(tx, claim.row, limit);
  if (items.length > 0) await fillItems(tx, wakeUps, organizationId, items);
  const last = hasMore ? items.at(-1)!.id : null;
  const cursor = last === null ? { organizationId: 0, itemId: 0 } : { organizationId, itemId: last };
  const isUnchanged = sql`due_row.wanted = finished_wanted`;
  // A trigger since the claim has set the cursor back already; then it stays there.
  await finishDueRows(tx, digestFanOutsDue, [{ claim, nextDueAt: last === null ? null : claim.now }], {
    alsoSet: sql`
      cursor_organization_id = CASE WHEN ${isUnchanged} THEN ${cursor.organizationId}::bigint
        ELSE due_row.cursor_organization_id END,
      cursor_item_id = CASE WHEN ${isUnchanged} THEN ${cursor.itemId}::bigint ELSE due_row.cursor_item_id END`,
  });
}

interface FoundItem {
  organization_id: number;
  id: number;
  discovery_job_id: number;
}

/** Items after the cursor that have a digest of the job's releases and are compared with them, or of its repository. */
async function findItems(
  tx: Tx,
  job: DueDigests,
  limit: number,
): Promise<{ organizationId: number; items: FoundItem[]; hasMore: boolean }> {
  const isGlobal = job.organization_id === systemOrganizationId;
  const { rows } = await sql<FoundItem>`
    SELECT items.organization_id, items.id, items.discovery_job_id
    FROM discovered_items AS items
    LEFT JOIN artifact_choices AS choice
      ON choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key
    WHERE items.digest = ANY(ARRAY(
        SELECT releases.digest FROM releases
        WHERE releases.organization_id = ${job.organization_id} AND releases.gather_job_id = ${job.gather_job_id}
          AND releases.digest IS NOT NULL AND releases.sort_key IS NOT NULL))
      AND ${hasDeciding('items')}
      AND (items.organization_id, items.id) > (${job.cursor_organization_id}, ${job.cursor_item_id})
      ${isGlobal ? sql`` : sql`AND items.organization_id = ${job.organization_id}`}
      AND (${registryOf('items', 'choice')} = (
          SELECT jobs.artifact_name FROM gather_jobs AS jobs
          WHERE jobs.organization_id = ${job.organization_id} AND jobs.id = ${job.gather_job_id})
        OR EXISTS (
          SELECT FROM alert_configs AS configs
          WHERE configs.organization_id = items.organization_id AND configs.scrape_job_id = items.scrape_job_id
            AND configs.gather_organization_id = ${job.organization_id} AND configs.gather_job_id = ${job.gather_job_id}))
    ORDER BY items.organization_id, items.id LIMIT ${limit}`.execute(tx);
  const organizationId = rows[0]?.organization_id ?? 0;
  const items = rows.filter((row) => row.organization_id === organizationId);
  return { organizationId, items, hasMore: rows.length === limit || items.length < rows.length };
}

/** In the order of everyone who changes items: discovery jobs, organization, items. */
async function fillItems(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  found: readonly FoundItem[],
): Promise<void> {
  const jobIds = [...new Set(found.map((item) => item.discovery_job_id))];
  const { rows: jobs } = await sql<Pick<DiscoveryJobRow, 'id' | 'kind'>>`
    SELECT id, kind FROM discovery_jobs
    WHERE organization_id = ${organizationId} AND id = ANY(${jobIds}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  await lockLinkedItems(tx, organizationId);
  const items = await lockItems(
    tx,
    organizationId,
    found.map(({ id }) => id),
  );
  const matched = await matchDigests(tx, organizationId, { itemIds: items.map(({ id }) => id) });
  if (matched.length === 0) return;
  const changed = new Set(matched.map((item) => item.discovery_job_id));
  // What runs may be declared in a repository.
  for (const job of jobs)
    if (job.kind !== 'git_repository' && changed.has(job.id))
      await linkLiveVersions(tx, wakeUps, organizationId, job);
  await recordVersions(tx, wakeUps, organizationId, { itemIds: matched.map(({ id }) => id) }, null);
  publishChanges(tx, wakeUps, organizationId, 'discovery_job', [...changed], 'updated');
}
