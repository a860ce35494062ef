import { type RawBuilder, sql } from 'kysely';
import { gitPurl } from '../../../domain/artifacts/purl.ts';
import { listedKinds, unlistedKinds } from '../../../domain/discovery/cluster/cluster-resources.ts';
import { extractorOfKey } from '../../../domain/discovery/item-key.ts';
import { renovateConfigPaths } from '../../../domain/discovery/renovate-config.ts';
import { maxItems, maxStoredItems } from '../../../domain/discovery/scan-limits.ts';
import type { ArtifactAlias } from '../../../domain/identity/artifact-aliases.ts';
import { scheduleIntervalMs, staleAfterMs } from '../../../domain/scheduling/cron-schedule.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { publishChanges } from '../../audit/index.ts';
import {
  evaluateManagedScrapeJobs,
  followItemReadings,
  markUnconfirmedScrapeJobs,
  setManagedScrapeJobsActive,
  touchManagedScrapeJobs,
} from '../../deployed/index.ts';
import { checkParts, type HeldRun } from '../../runs/index.ts';
import { readAliases } from '../../settings/index.ts';
import { acceptAutomatically, systemContext } from '../acceptance/accept-automatically.ts';
import { reconcileItems } from '../acceptance/reconcile-items.ts';
import { applyAliasesToScan } from '../aliases/apply-aliases-to-items.ts';
import { matchDigests } from '../digests/match-digests.ts';
import { linkLiveVersions, lockLinkedItems, recordItemVersions } from '../live/live-versions.ts';
import { applyIgnoreRules } from '../model/apply-ignore-rules.ts';
import type { DiscoveryJobRow } from '../model/discovery-job-queries.ts';
import {
  type ChangedItem,
  clearUnread,
  countLostItems,
  deleteExpiredItems,
  deleteMissedItems,
  ignoreDuplicates,
  insertFoundItems,
  isSameAsStored,
  linkTakenOver,
  listFoundItems,
  listStoredItems,
  markItemsOfPausedJobs,
  markMissing,
  markMissingItemsGone,
  markReplaced,
  markUnread,
  type StoredItemRow,
  type UnreadItem,
  updateFoundItems,
  withHashJoins,
} from '../model/item-changes.ts';
import { findTakenOver, type PairedItem, pairItems } from '../model/pair-items.ts';
import { suggestSources } from '../suggestions/suggest-sources.ts';
import { type AppliedRepositoryList, applyRepositoryList } from './apply-repository-list.ts';

type Summary = Schemas['TaskSummary'];

export interface AppliedDiscovery {
  added: number;
  updated: number;
  /** Number of items that the scan didn't find. */
  missing: number;
  /** Number of accepted items that another artifact has replaced in the same place. */
  replaced: number;
  /** Number of items in files that the scan couldn't read. */
  unread: number;
  /** Number of missing accepted items that wait for a person's confirmation. */
  held: number;
  gone: number;
  /** Number of versions that differ from the previous ones. */
  recorded: number;
}

/**
 * Applies the results of a scan, or the list of a group's repositories. Found items are matched with stored ones even
 * if their files have moved. Items that weren't found become missing. If a scan at least an hour later doesn't find
 * them either, they count as removed.
 */
export async function applyDiscoveryRun(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  partCount: number,
  summary: Summary,
): Promise<AppliedDiscovery | AppliedRepositoryList> {
  const { organization_id: organizationId, job_id: jobId } = run;
  const job = await lockJob(tx, organizationId, jobId);
  if (job.kind === 'repository_group') {
    await checkParts(tx, run, leaseToken, partCount);
    return applyRepositoryList(tx, run, leaseToken, summary);
  }
  if (job.is_linked) await lockLinkedItems(tx, organizationId);
  assertSameTarget(job, summary);
  await checkParts(tx, run, leaseToken, partCount);
  // The lock on the job keeps the aliases unchanged, because every change to an alias locks all jobs first.
  const aliases = await readAliases(tx, organizationId);
  const isSame = aliases.length === 0 && (await isSameAsStored(tx, run, leaseToken));
  const { stored, paired, missed, unread, reread, changed, addedIds } = isSame
    ? nothingChanged()
    : await storeFoundItems(tx, run, leaseToken, { job, aliases, summary });
  // One bad commit, a wrong branch, or a template that replaces all items must not end their history.
  const loss = await countLostItems(tx, organizationId, jobId, [...missed]);
  const isHeld =
    !job.is_loss_expected && loss.missing > maxUnguardedLoss && loss.missing * 2 > loss.confirmed;
  const replaced = await markReplaced(
    tx,
    organizationId,
    isHeld ? [] : replacements(paired, addedIds).filter(({ formerId }) => missed.has(formerId)),
  );
  const takenOver = await new TimeSlices().run(findTakenOver(stored, paired));
  await linkTakenOver(tx, organizationId, newItems(paired, addedIds, takenOver));
  const replacedJobIds = replaced.flatMap(({ scrapeJobId }) => scrapeJobId ?? []);
  const endedJobIds = await setManagedScrapeJobsActive(tx, organizationId, replacedJobIds, {
    isActive: false,
  });
  await markItemsOfPausedJobs(tx, organizationId, endedJobIds);
  const backIds = changed.flatMap((item) => (item.is_back ? (item.scrape_job_id ?? []) : []));
  await setManagedScrapeJobsActive(tx, organizationId, backIds, { isActive: true });

  const replacedIds = new Set(replaced.map(({ id }) => id));
  const missedIds = [...missed].filter((id) => !replacedIds.has(id));
  const unreadCount = unread.length;
  if (isHeld)
    for (const id of missedIds)
      unread.push({ id, reason: 'held', message: 'The scan missed more than half of the accepted items.' });
  else await markMissing(tx, organizationId, missedIds, job.last_success_at);
  await markUnread(tx, organizationId, unread, job.last_success_at);
  await clearUnread(tx, organizationId, reread);
  await finishJob(tx, job, {
    heldCount: isHeld ? loss.missing : null,
    isConfirmed: job.is_loss_expected || loss.missing === 0,
    isLossTaken: true,
    summary,
  });
  await matchDigests(tx, organizationId, { jobId });
  if (job.is_linked) await linkLiveVersions(tx, organizationId, job);
  const recorded = await recordItemVersions(tx, organizationId, { jobId }, summary.commit_sha ?? null);
  const goneCount = await endSuccess(tx, job, { isHeld });
  await deleteExpiredItems(tx, organizationId, jobId);
  return {
    added: addedIds.length,
    replaced: replacedJobIds.length,
    unread: unreadCount,
    held: isHeld ? loss.missing : 0,
    updated: changed.length,
    missing: missedIds.length,
    gone: goneCount,
    recorded,
  };
}

interface StoredScan {
  stored: StoredItemRow[];
  paired: PairedItem[];
  /** Items that weren't found, classified by `classifyMissing`. */
  missed: Set<number>;
  unread: UnreadItem[];
  reread: number[];
  changed: ChangedItem[];
  addedIds: number[];
}

/** Returns the result of a scan that found exactly the stored items, which needn't be listed. */
function nothingChanged(): StoredScan {
  return {
    stored: [],
    paired: [],
    missed: new Set(),
    unread: [],
    reread: [],
    changed: [],
    addedIds: [],
  };
}

/** Matches the found items with the stored ones, and stores those that are new or have changed. */
async function storeFoundItems(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  { job, aliases, summary }: { job: LockedJob; aliases: readonly ArtifactAlias[]; summary: Summary },
): Promise<StoredScan> {
  const { organization_id: organizationId, job_id: jobId } = run;
  const rows = await listFoundItems(tx, run, leaseToken, { withProposals: aliases.length > 0 });
  if (rows.length > maxItems)
    throw new ApiError('payload_too_large', `A discovery task can have at most ${maxItems} items.`);
  if (rows.some((item) => item.is_too_long))
    throw new ApiError('conflict', 'The key, the path, or the artifact of an item is missing or too long.');
  const found = await applyAliasesToScan(rows, aliases);
  const stored = await listStoredItems(tx, organizationId, jobId);
  const findUnread = createUnreadFinder(summary, new Set(found.map(({ path }) => path)));
  const { paired, missingIds } = await new TimeSlices().run(
    pairItems(stored, found, (path) => findUnread(path) !== undefined),
  );
  const { missed, unread, reread, absent } = classifyMissing(
    stored,
    missingIds,
    findUnread,
    summary.unread_kinds ?? [],
  );
  const excess = stored.length + paired.filter(({ id }) => id === null).length - maxStoredItems;
  if (excess > 0 && (await deleteMissedItems(tx, organizationId, absent, excess)) < excess)
    throw new ApiError(
      'payload_too_large',
      `A discovery job can have at most ${maxStoredItems} items, including missing ones.`,
    );
  const written = await withHashJoins(tx, async () => {
    const known = paired.filter(({ id }) => id !== null);
    const added = paired.filter(({ id }) => id === null);
    const changed = await updateFoundItems(tx, run, leaseToken, known);
    const addedIds = await insertFoundItems(tx, run, leaseToken, added);
    await ignoreDuplicates(tx, organizationId, addedIds, await listOtherJobs(tx, job));
    return { changed, addedIds };
  });
  return { stored, paired, missed, unread, reread, ...written };
}

/**
 * Maximum number of missing accepted items that aren't held for confirmation, because small jobs often lose
 * half of their items.
 */
const maxUnguardedLoss = 3;

/**
 * Classifies the items that weren't found. An item is missing only if the scan read its file, directory, or
 * kind. Otherwise, the item doesn't count as removed yet, even if an earlier scan missed it.
 *
 * @returns The missed items, the unread items, the items that an earlier scan missed and whose files this
 * scan could read again, and all items that are certainly absent.
 */
function classifyMissing(
  stored: readonly StoredItemRow[],
  missingIds: readonly number[],
  findUnread: UnreadFinder,
  unreadKinds: readonly string[],
): { missed: Set<number>; unread: UnreadItem[]; reread: number[]; absent: number[] } {
  const missed = new Set<number>();
  const unread: UnreadItem[] = [];
  const reread: number[] = [];
  const absent: number[] = [];
  const isRead = isKindRead(unreadKinds);
  const missing = new Set(missingIds);
  for (const item of stored) {
    const { id, key, kind, path, status, is_missing: isMissing } = item;
    if (!missing.has(id)) continue;
    if (status === 'gone' || status === 'replaced') {
      absent.push(id);
      continue;
    }
    const isCustom = extractorOfKey(key) === 'custom';
    const file = isRead(kind) ? findUnread(path, { isCustom }) : isMissing ? unreadKind : null;
    if (file === null) continue;
    if (file) {
      unread.push({ id, reason: file.reason, message: file.message });
      continue;
    }
    absent.push(id);
    if (!isMissing) missed.add(id);
    else if (item.is_unread) reread.push(id);
  }
  return { missed, unread, reread, absent };
}

type UnreadFile = Pick<NonNullable<Summary['unread_files']>[number], 'reason' | 'message'>;
type UnreadFinder = (path: string, options?: { isCustom: boolean }) => UnreadFile | undefined;

const unreadKind: UnreadFile = {
  reason: 'unreadable',
  message: "The scan couldn't list objects of this kind.",
};

/**
 * Returns a function that finds the reason why the scan didn't read a file, usually the entry in
 * `unread_files` for this file or for a directory that contains it.
 *
 * @param readPaths Files in which the scan found items. If `unread_files` is truncated, all other files count
 * as unread.
 */
function createUnreadFinder(
  { unread_files: files = [], unread_count: count = 0 }: Summary,
  readPaths: ReadonlySet<string>,
): UnreadFinder {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const isCut = count > files.length;
  // Ignore a symbolic link, because it isn't a configuration file.
  const config = files.find(({ path, reason }) => reason !== 'outside' && renovateConfigPaths.includes(path));
  return (path, { isCustom } = { isCustom: false }) => {
    for (let at = path.length; at > 0 && byPath.size > 0; at = path.lastIndexOf('/', at - 1)) {
      const file = byPath.get(path.slice(0, at));
      if (file) return file;
    }
    // The unread configuration can contain a pattern for any file, even for a file that other extractors read.
    if (isCustom && config) return config;
    if (!isCut || (readPaths.has(path) && !isCustom)) return undefined;
    return { reason: 'limit', message: 'The scan reached a limit before it read this file.' };
  };
}

/** Returns the replaced items with the ones that took their places. */
function replacements(
  paired: readonly PairedItem[],
  addedIds: readonly number[],
): { formerId: number; id: number }[] {
  let added = 0;
  return paired.flatMap(({ id, replaces }) => {
    const current = id ?? addedIds[added++]!;
    return replaces === null ? [] : [{ formerId: replaces, id: current }];
  });
}

/** Returns the new items that take over from a base, by their IDs. */
function newItems(
  paired: readonly PairedItem[],
  addedIds: readonly number[],
  takenOver: readonly { at: number; baseId: number }[],
): { id: number; baseId: number }[] {
  if (takenOver.length === 0) return [];
  let added = 0;
  const ids = paired.map(({ id }) => id ?? addedIds[added++]!);
  return takenOver.map(({ at, baseId }) => ({ id: ids[at]!, baseId }));
}

/**
 * Applies scans without changes since the last scan. Items that have been missing long enough then count as
 * removed.
 *
 * @returns The figures of each job, in the order of `jobs`.
 */
export async function applyUnchangedDiscovery(
  tx: Tx,
  jobs: readonly { organizationId: number; jobId: number }[],
): Promise<Pick<AppliedDiscovery, 'gone' | 'held'>[]> {
  const inOrder = jobs.toSorted((a, b) => a.organizationId - b.organizationId || a.jobId - b.jobId);
  const locked: LockedJob[] = [];
  for (const { organizationId, jobId } of inOrder) locked.push(await lockJob(tx, organizationId, jobId));
  const figures = new Map<number, Pick<AppliedDiscovery, 'gone' | 'held'>>();
  const linked = new Set(locked.filter((job) => job.is_linked).map((job) => job.organization_id));
  for (const organizationId of linked) await lockLinkedItems(tx, organizationId);
  for (const job of locked) {
    await finishJob(tx, job, {
      heldCount: job.gone_held_count,
      isConfirmed: false,
      isLossTaken: false,
      summary: null,
    });
    // If the running versions of the job had expired, this scan confirms that they are running again.
    if (job.is_linked && job.kind !== 'git_repository' && !job.is_live)
      await linkLiveVersions(tx, job.organization_id, job);
    const held = job.gone_held_count ?? 0;
    const gone = await endSuccess(tx, job, { isHeld: held > 0 });
    figures.set(job.id, { gone, held });
  }
  return jobs.map(({ jobId }) => figures.get(jobId)!);
}

interface LockedJob {
  organization_id: number;
  id: number;
  kind: DiscoveryJobRow['kind'];
  cluster_uid: string | null;
  host_uid: string | null;
  cron_expression: string | null;
  /** True if the results of the last scan are still considered running versions. */
  is_live: boolean;
  /** True if the organization has discovery jobs of several kinds, which can find the same items. */
  is_linked: boolean;
  repository_url: string | null;
  ref: string | null;
  is_loss_expected: boolean;
  gone_held_count: number | null;
  last_success_at: Date | null;
  is_failing: boolean;
  /** True if the job accepts items automatically. */
  accepts: boolean;
}

async function lockJob(tx: Tx, organizationId: number, id: number): Promise<LockedJob> {
  const { rows } = await sql<LockedJob>`
    SELECT organization_id, id, kind, cluster_uid, host_uid, cron_expression, repository_url, ref, is_loss_expected,
      gone_held_count, last_success_at, coalesce(live_until > pacekeeper_now(), false) AS is_live,
      failing_since IS NOT NULL AS is_failing, accept <> 'ask' AS accepts,
      EXISTS (
        SELECT FROM discovery_jobs AS other
        WHERE other.organization_id = ${organizationId} AND other.kind NOT IN (discovery_jobs.kind, 'repository_group')
      ) AS is_linked
    FROM discovery_jobs WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`.execute(
    tx,
  );
  // The caller holds a lock on the run, so its job can't have been deleted.
  return rows[0]!;
}

/**
 * Lists all other jobs of the organization, and those among them that read the same ref of the same
 * repository, even if the URL is written differently.
 */
async function listOtherJobs(
  tx: Tx,
  { organization_id, id, repository_url, ref }: LockedJob,
): Promise<{ all: number[]; sameSource: number[] }> {
  const { rows } = await sql<{ id: number; repository_url: string | null; ref: string | null }>`
    SELECT id, repository_url, ref FROM discovery_jobs
    WHERE organization_id = ${organization_id} AND id <> ${id}`.execute(tx);
  const source = repository_url === null ? null : gitPurl(repository_url);
  const isSame = (other: { repository_url: string | null; ref: string | null }) =>
    other.repository_url !== null && other.ref === ref && gitPurl(other.repository_url) === source;
  return { all: rows.map((other) => other.id), sameSource: rows.filter(isSame).map((other) => other.id) };
}

async function finishJob(
  tx: Tx,
  { organization_id, id, kind, cron_expression }: LockedJob,
  {
    heldCount,
    isConfirmed,
    isLossTaken,
    summary,
  }: { heldCount: number | null; isConfirmed: boolean; isLossTaken: boolean; summary: Summary | null },
): Promise<void> {
  await sql`
    UPDATE discovery_jobs
    SET last_success_at = pacekeeper_now(), failing_since = NULL,
        gone_held_count = ${heldCount}::integer,
        gone_held_at = CASE WHEN ${heldCount}::integer IS NULL THEN NULL
          ELSE coalesce(gone_held_at, pacekeeper_now()) END,
        is_loss_expected = is_loss_expected AND NOT ${isLossTaken},
        confirmed_at = CASE WHEN ${isConfirmed} THEN pacekeeper_now() ELSE confirmed_at END,
        cluster_uid = coalesce(cluster_uid, ${kind === 'kubernetes_cluster' ? (summary?.cluster_uid ?? null) : null}),
        host_uid = coalesce(host_uid, ${kind === 'container_host' ? (summary?.host_uid ?? null) : null}),
        live_until = ${liveUntil(kind, cron_expression)},
        coverage = ${summary ? sql`${coverageOf(summary)}::jsonb` : sql`coverage`},
        validators = ${summary ? sql`${summary.validators && JSON.stringify(summary.validators)}::jsonb` : sql`validators`}
    WHERE organization_id = ${organization_id} AND id = ${id}`.execute(tx);
}

/** Returns the coverage of a scan as JSON, or null if the agent didn't report it. */
function coverageOf({
  files,
  silent_files,
  skipped_directories,
  pattern_problems = [],
}: Summary): string | null {
  return silent_files && skipped_directories
    ? JSON.stringify({ files: files ?? 0, silent_files, skipped_directories, pattern_problems })
    : null;
}

/**
 * Completes a successful scan.
 * @returns The number of items that changed from missing to removed.
 */
async function endSuccess(tx: Tx, job: LockedJob, { isHeld }: { isHeld: boolean }): Promise<number> {
  const { organization_id: organizationId, id } = job;
  const { scrapeJobIds, count } = isHeld
    ? { scrapeJobIds: [], count: 0 }
    : await markMissingItemsGone(tx, organizationId, id);
  const disabled = await setManagedScrapeJobsActive(tx, organizationId, scrapeJobIds, {
    isActive: false,
  });
  await markItemsOfPausedJobs(tx, organizationId, disabled);
  await touchManagedScrapeJobs(tx, organizationId, [id]);
  await followItemReadings(tx, organizationId, [id], job.last_success_at);
  await markUnconfirmedScrapeJobs(tx, organizationId, [id], staleAfterMs(job.cron_expression ?? '@daily'));
  if (job.kind === 'kubernetes_cluster') await suggestSources(tx, organizationId, id);
  await applyIgnoreRules(tx, organizationId, id);
  if (job.accepts) await acceptAutomatically(tx, organizationId, id);
  await reconcileItems(tx, systemContext(organizationId), { jobId: id });
  if (job.is_failing) await evaluateManagedScrapeJobs(tx, organizationId, [id]);
  publishChanges(tx, organizationId, 'discovery_job', [id], 'updated');
  return count;
}

/**
 * Throws 409 if the scan read a different cluster or host than before. Otherwise, another cluster or host
 * behind the same credential could replace all versions.
 */
function assertSameTarget({ kind, cluster_uid, host_uid }: LockedJob, summary: Summary): void {
  if (kind === 'git_repository') return;
  const [what, field, known, found] =
    kind === 'kubernetes_cluster'
      ? ['cluster', 'cluster_uid', cluster_uid, summary.cluster_uid]
      : ['host', 'host_uid', host_uid, summary.host_uid];
  if (found === undefined)
    throw new ApiError('conflict', `The summary of a ${what} scan must include ${field}.`);
  if (known !== null && known !== found)
    throw new ApiError('conflict', `The task read a different ${what} than the previous scans.`);
}

/**
 * Returns a function that checks if the scan read a kind of Kubernetes object. Kinds that clusters don't list
 * directly are found through the owners of pods.
 */
function isKindRead(unread: readonly string[]): (kind: string | null) => boolean {
  if (unread.length === 0) return () => true;
  const kinds = new Set(unread);
  return (kind) =>
    !kinds.has(kind ?? unlistedKinds) &&
    !kinds.has(kind !== null && listedKinds.includes(kind) ? kind : unlistedKinds);
}

/**
 * Returns the time until which the items that a scan found are considered running: three intervals of the
 * schedule. Without a schedule, the items are considered running until the next scan. Null for repositories,
 * because their contents don't run.
 */
function liveUntil(kind: LockedJob['kind'], cronExpression: string | null): RawBuilder<unknown> {
  if (kind === 'git_repository') return sql`NULL`;
  if (cronExpression === null) return sql`'infinity'::timestamptz`;
  const seconds = (3 * scheduleIntervalMs(cronExpression)) / 1_000;
  return sql`pacekeeper_now() + make_interval(secs => ${seconds})`;
}
