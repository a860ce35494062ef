import { sql } from 'kysely';
import { findMostSpecificVersion } from '../../../domain/versions/most-specific.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { type Claim, type DueLoop, finishDueRows, startDueLoop } from '../../../platform/due-rows/index.ts';
import type { Log } from '../../../platform/log.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { dueDigestFanOutsTable } from '../../upstream/index.ts';
import { linkLiveVersions, lockLinkedItems, recordItemVersions } from '../live/live-versions.ts';
import type { DiscoveryJobRow } from '../model/discovery-job-queries.ts';
import { lockItems } from '../model/item-queries.ts';
import { effectiveRegistrySql, hasDecisiveDigest } from '../model/item-version-sql.ts';
import { matchDigests } from './match-digests.ts';

export interface DueDigests {
  organization_id: number;
  gather_job_id: number;
  for_organization_id: number;
  cursor_organization_id: number;
  cursor_item_id: number;
  pass_requested_seq: number;
}

export const digestColumns = ['cursor_organization_id', 'cursor_item_id', 'pass_requested_seq'] as const;

const itemsPerStep = 1_000;

/** Maximum number of organizations that a step checks for items to change. */
const organizationsPerStep = 50;

/**
 * Starts the loop that sets the versions of items when releases with their digests become known. Each step
 * processes one batch of items.
 */
export function startDigestLoop(deps: { db: Database; log: Log }): DueLoop {
  return startDueLoop<DueDigests>({
    ...deps,
    table: dueDigestFanOutsTable,
    batchSize: 4,
    maxInFlight: 4,
    quickRows: 1,
    isOneByOne: true,
    leaseMs: 60_000,
    columns: digestColumns,
    async handle(claims) {
      for (const claim of claims) await transaction(deps.db, (tx) => digestStep(tx, claim, itemsPerStep));
    },
  });
}

/**
 * Processes one step of a gather job: items of one organization. A job with more items goes to the end of the
 * queue.
 */
export async function digestStep(tx: Tx, claim: Claim<DueDigests>, limit: number): Promise<void> {
  const { row, requestedSeq } = claim;
  const { organizationId, items, next } = await findItems(tx, row, limit);
  if (items.length > 0) await fillItems(tx, organizationId, items);
  const isFirst = row.cursor_organization_id === 0;
  const passWanted = isFirst ? requestedSeq : String(row.pass_requested_seq);
  const isDone = next === null && passWanted === requestedSeq;
  const held = await finishDueRows(
    tx,
    dueDigestFanOutsTable,
    [{ claim, nextDueAt: isDone ? null : claim.now }],
    {
      alsoSet: sql`
      cursor_organization_id = ${next?.organizationId ?? 0}, cursor_item_id = ${next?.itemId ?? 0},
      pass_requested_seq = ${passWanted}::bigint`,
    },
  );
  if (held.size === 0) throw new Error('a step outlived its lease; another server took over');
}

interface Cursor {
  organizationId: number;
  itemId: number;
}

interface FoundItem {
  id: number;
  discovery_job_id: number;
}

interface Found {
  organizationId: number;
  items: FoundItem[];
  /** Null if no items remain. */
  next: Cursor | null;
}

/** Finds items to change in the first organization at or after the cursor that has any. */
async function findItems(tx: Tx, job: DueDigests, limit: number): Promise<Found> {
  const digests = await listDigests(tx, job);
  const isForAll = job.for_organization_id === systemOrganizationId;
  if (!isForAll) {
    const items = await findItemsOf(tx, job, job.for_organization_id, job.cursor_item_id, digests, limit);
    return found(job.for_organization_id, items, limit, null);
  }
  let at: Cursor = { organizationId: job.cursor_organization_id, itemId: job.cursor_item_id };
  for (let count = 0; count < organizationsPerStep; count++) {
    const organizationId = await findOrganization(tx, digests, at.organizationId);
    if (organizationId === null) return { organizationId: 0, items: [], next: null };
    const after = organizationId === at.organizationId ? at.itemId : 0;
    const items = await findItemsOf(tx, job, organizationId, after, digests, limit);
    at = { organizationId: organizationId + 1, itemId: 0 };
    if (items.length > 0) return found(organizationId, items, limit, at);
  }
  return { organizationId: 0, items: [], next: at };
}

function found(organizationId: number, items: FoundItem[], limit: number, end: Cursor | null): Found {
  const next = items.length < limit ? end : { organizationId, itemId: items.at(-1)!.id };
  return { organizationId, items, next };
}

/** Digest of the job's releases, and the most specific version with this digest. */
interface KnownDigest {
  digest: string;
  version: string;
}

async function listDigests(tx: Tx, job: DueDigests): Promise<KnownDigest[]> {
  const { rows } = await sql<{
    digest: string;
    versions: string[];
    version_scheme: VersionSchemeId;
    platform_words: string | null;
  }>`
    SELECT releases.digest, array_agg(DISTINCT releases.version) AS versions, jobs.version_scheme, jobs.platform_words
    FROM gather_jobs AS jobs
    JOIN releases ON releases.organization_id = jobs.organization_id AND releases.gather_job_id = jobs.id
      AND releases.digest IS NOT NULL AND releases.sort_key IS NOT NULL
    WHERE jobs.organization_id = ${job.organization_id} AND jobs.id = ${job.gather_job_id}
    GROUP BY releases.digest, jobs.organization_id, jobs.id`.execute(tx);
  return rows.flatMap(({ digest, versions, version_scheme, platform_words }) => {
    const version = findMostSpecificVersion(versionScheme(version_scheme, platform_words ?? ''), versions);
    return version === null ? [] : [{ digest, version }];
  });
}

/** Returns the first organization at or after `from` that has an item with one of the digests. */
async function findOrganization(
  tx: Tx,
  digests: readonly KnownDigest[],
  from: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT min(first.organization_id) AS id
    FROM unnest(${digests.map(({ digest }) => digest)}::text[]) AS known (digest)
    CROSS JOIN LATERAL (
      SELECT items.organization_id FROM discovered_items AS items
      WHERE items.digest = known.digest AND items.organization_id >= ${from}
      ORDER BY items.organization_id LIMIT 1
    ) AS first`.execute(tx);
  return rows[0]!.id;
}

/**
 * Finds items of one organization that have a digest of the job's releases and are compared with these
 * releases, or that belong to the job's repository. Excludes items that already have the version.
 */
async function findItemsOf(
  tx: Tx,
  job: DueDigests,
  organizationId: number,
  after: number,
  digests: readonly KnownDigest[],
  limit: number,
): Promise<FoundItem[]> {
  const { rows } = await sql<FoundItem>`
    SELECT items.id, items.discovery_job_id
    FROM unnest(${digests.map(({ digest }) => digest)}::text[], ${digests.map(({ version }) => version)}::text[])
      AS known (digest, version)
    JOIN discovered_items AS items ON items.digest = known.digest
      AND items.matched_version IS DISTINCT FROM known.version
    LEFT JOIN artifact_corrections AS choice
      ON choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key
    WHERE items.organization_id = ${organizationId} AND items.id > ${after} AND ${hasDecisiveDigest('items')}
      AND (${effectiveRegistrySql('items', 'choice')} = (
          SELECT jobs.artifact_name FROM gather_jobs AS jobs
          WHERE jobs.organization_id = ${job.organization_id} AND jobs.id = ${job.gather_job_id})
        OR EXISTS (
          SELECT FROM alert_configs AS configs
          WHERE configs.organization_id = items.organization_id AND configs.scrape_job_id = items.scrape_job_id
            AND configs.gather_organization_id = ${job.organization_id} AND configs.gather_job_id = ${job.gather_job_id}))
    ORDER BY items.id LIMIT ${limit}`.execute(tx);
  return rows;
}

/**
 * Sets the versions of items. Locks discovery jobs, the organization, and items in this order, like all other
 * transactions that change items.
 */
async function fillItems(tx: Tx, organizationId: number, found: readonly FoundItem[]): Promise<void> {
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
  // Running items can also be declared in a repository, so they are linked to its items.
  for (const job of jobs)
    if (job.kind !== 'git_repository' && changed.has(job.id)) await linkLiveVersions(tx, organizationId, job);
  await recordItemVersions(tx, organizationId, { itemIds: matched.map(({ id }) => id) }, null);
  publishChanges(tx, organizationId, 'discovery_job', [...changed], 'updated');
}
