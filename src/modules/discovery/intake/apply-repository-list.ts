import { sql } from 'kysely';
import type { ForgeKind } from '../../../domain/artifacts/forges.ts';
import { parseRepositoryUrl } from '../../../domain/artifacts/repository-url.ts';
import {
  type FoundRepository,
  type KnownRepository,
  planRepositories,
  type RepositoryPlan,
} from '../../../domain/discovery/plan-repositories.ts';
import { staleAfterMs } from '../../../domain/scheduling/cron-schedule.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { publishChanges } from '../../audit/index.ts';
import {
  evaluateManagedScrapeJobs,
  followItemReadings,
  markUnconfirmedScrapeJobs,
  setManagedScrapeJobsActive,
  touchManagedScrapeJobs,
} from '../../deployed/index.ts';
import {
  cancelRuns,
  type HeldRun,
  lockJobs,
  lockOpenRuns,
  requestRuns,
  stagedItems,
} from '../../runs/index.ts';
import { lockLinkedItems } from '../live/live-versions.ts';
import { discoveryJobs, groupOptions } from '../model/discovery-job-queries.ts';
import { markAllItemsGone, markItemsOfPausedJobs } from '../model/item-changes.ts';

export interface AppliedRepositoryList {
  /** Number of repositories that got a job. */
  added: number;
  /** Number of renamed repositories. */
  renamed: number;
  /** Number of repositories that were in the previous list but aren't in this one. */
  missing: number;
  /** Number of repositories whose removal is confirmed. */
  gone: number;
  /** Number of missing repositories that wait for a person's confirmation. */
  held: number;
  /** Number of repositories to scan. */
  requested: number;
  unchanged: number;
}

interface Group {
  group_url: string;
  forge: ForgeKind;
  credential_name: string | null;
  cron_expression: string | null;
  is_active: boolean;
  now: Date;
}

/** Largest number of repositories in a list. */
const maxRepositories = 20_000;

/**
 * Interval between the scans that one list requests. Runs are claimed in the order in which they are due, so other jobs
 * of the organization can run in between.
 */
const scanIntervalMs = 200;

/**
 * Applies the list of a group's repositories. The transaction must hold the lock of the group's job. Each
 * repository gets a job, and the repositories that were pushed to are scanned. A repository that isn't in the
 * list is removed only after a second list without it and a person's confirmation.
 */
export async function applyRepositoryList(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  summary: Schemas['TaskSummary'],
): Promise<AppliedRepositoryList> {
  const { organization_id: organizationId, job_id: groupId } = run;
  const group = await readGroup(tx, organizationId, groupId);
  const found = await listFound(tx, run, leaseToken);
  const wrong = found.find(({ path }) => !parseRepositoryUrl(`${originOf(group)}/${path}.git`).ok);
  if (wrong) throw new ApiError('conflict', `The path ${wrong.path} of a repository isn't valid.`);
  if (found.length > maxRepositories)
    throw new ApiError('payload_too_large', `A group can have at most ${maxRepositories} repositories.`);
  const known = await listKnown(tx, organizationId, groupId);
  const plan = planRepositories(found, known, {
    forge: group.forge,
    isComplete: summary.is_complete_list,
    now: group.now,
  });
  const unconfirmed = await listUnconfirmed(tx, organizationId, plan.unchanged);
  await lockChanged(tx, organizationId, known, plan, unconfirmed);
  await removeRepositories(tx, organizationId, groupId, plan.removed);
  const createdIds = await insertRepositories(tx, organizationId, groupId, group, plan);
  publishChanges(tx, organizationId, 'discovery_job', createdIds, 'created');
  await updateListed(tx, organizationId, groupId, group, plan);
  await markMissed(tx, organizationId, groupId, group, plan);
  await confirmUnchanged(tx, organizationId, groupId, group, unconfirmed);
  if (group.is_active) await requestScans(tx, organizationId, groupId, group, plan);
  const { rows } = await sql<{ held: number }>`
    UPDATE discovery_jobs AS jobs
    SET last_success_at = pacekeeper_now(), failing_since = NULL, gone_held_count = nullif(held.count, 0),
        gone_held_at = CASE WHEN held.count > 0 THEN coalesce(jobs.gone_held_at, pacekeeper_now()) END
    FROM (
      SELECT count(*)::integer AS count FROM discovery_jobs
      WHERE organization_id = ${organizationId} AND group_job_id = ${groupId} AND removal = 'held'
    ) AS held
    WHERE jobs.organization_id = ${organizationId} AND jobs.id = ${groupId}
    RETURNING held.count AS held`.execute(tx);
  publishChanges(tx, organizationId, 'discovery_job', [groupId], 'updated');
  return {
    added: plan.created.length,
    renamed: plan.listed.filter(({ isRenamed }) => isRenamed).length,
    missing: plan.missed.length,
    gone: plan.removed.length,
    held: rows[0]!.held,
    requested: group.is_active ? plan.due.length : 0,
    unchanged: plan.unchanged.length,
  };
}

async function readGroup(tx: Tx, organizationId: number, id: number): Promise<Group> {
  const { rows } = await sql<Group>`
    SELECT group_url, forge, credential_name, cron_expression, is_active, pacekeeper_now() AS now
    FROM discovery_jobs WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
  return rows[0]!;
}

async function listFound(tx: Tx, run: HeldRun, leaseToken: string): Promise<FoundRepository[]> {
  const { rows } = await sql<FoundRepository>`
    SELECT item ->> 'forge_id' AS forge_id, item ->> 'path' AS path, (item ->> 'pushed_at')::timestamptz AS pushed_at,
      item ->> 'excluded' AS excluded
    FROM ${stagedItems(run, leaseToken)} AS staged
    WHERE item ->> 'forge_id' IS NOT NULL
    ORDER BY sequence, number LIMIT ${sql.lit(maxRepositories + 1)}`.execute(tx);
  return rows;
}

async function listKnown(tx: Tx, organizationId: number, groupId: number): Promise<KnownRepository[]> {
  const { rows } = await sql<KnownRepository>`
    SELECT jobs.id, jobs.forge_id, jobs.name AS path, jobs.pushed_at, jobs.read_push, jobs.unlisted_since,
      jobs.unlisted_reason, substring(jobs.moved_to FROM '^https?://[^/]+/(.*)\.git$') AS moved_path, jobs.removal, jobs.is_removed, jobs.last_outcome = 'succeeded' AS has_succeeded,
      missing.discovery_job_id IS NOT NULL AS has_missing, runs.status AS open_run
    FROM discovery_jobs AS jobs
    LEFT JOIN (
      SELECT DISTINCT discovery_job_id FROM discovered_items
      WHERE organization_id = ${organizationId} AND missing_since IS NOT NULL AND status IN ('new', 'accepted')
    ) AS missing ON missing.discovery_job_id = jobs.id
    LEFT JOIN runs ON runs.organization_id = ${organizationId} AND runs.kind = 'discovery'
      AND runs.discovery_job_id = jobs.id AND runs.status IN ('queued', 'in_progress')
    WHERE jobs.organization_id = ${organizationId} AND jobs.group_job_id = ${groupId}
    ORDER BY jobs.id`.execute(tx);
  return rows;
}

/** Returns the jobs whose last success was so long ago that their data could become stale, or that fail. */
async function listUnconfirmed(tx: Tx, organizationId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM discovery_jobs
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])
      AND (failing_since IS NOT NULL OR last_success_at IS NULL
        OR last_success_at < pacekeeper_now() - interval '1 hour')`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Locks the jobs of all repositories that the list changes, in the same order as scans: runs, jobs, the
 * organization, and then items. A repository can leave the group before it's locked, so all updates of known
 * repositories check the group again.
 */
async function lockChanged(
  tx: Tx,
  organizationId: number,
  known: readonly KnownRepository[],
  { listed, missed, held, removed, due }: RepositoryPlan,
  unconfirmed: readonly number[],
): Promise<void> {
  await lockOpenRuns(tx, discoveryJobs, organizationId, removed);
  const dueIds = new Set(due.map(({ forge_id: id }) => id));
  const ids = [
    ...[...listed, ...missed, ...known.filter((job) => dueIds.has(job.forge_id))].map(({ id }) => id),
    ...held,
    ...removed,
    ...unconfirmed,
  ];
  await lockJobs(tx, discoveryJobs, organizationId, ids, { holdsReferences: false });
  if (removed.length > 0) await lockLinkedItems(tx, organizationId);
}

/** Returns the beginning of the URLs of a group's repositories. */
function originOf({ group_url }: Group): string {
  return new URL(group_url).origin;
}

async function insertRepositories(
  tx: Tx,
  organizationId: number,
  groupId: number,
  group: Group,
  { created }: RepositoryPlan,
): Promise<number[]> {
  if (created.length === 0) return [];
  const options = groupOptions.map((column) => sql.ref(column));
  const { rows } = await sql<{ id: number }>`
    INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref, group_job_id, forge_id, pushed_at,
      ${sql.join(options)})
    SELECT ${organizationId}, found.path, 'git_repository', ${originOf(group)} || '/' || found.path || '.git', 'HEAD',
      ${groupId}, found.forge_id, found.pushed_at,
      ${sql.join(groupOptions.map((column) => sql.ref(`jobs.${column}`)))}
    FROM discovery_jobs AS jobs, unnest(
      ${created.map(({ forge_id: id }) => id)}::text[], ${created.map(({ path }) => path)}::text[],
      ${created.map(({ pushed_at: at }) => at?.toISOString() ?? null)}::timestamptz[]
    ) AS found (forge_id, path, pushed_at)
    WHERE jobs.organization_id = ${organizationId} AND jobs.id = ${groupId}
    RETURNING id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function updateListed(
  tx: Tx,
  organizationId: number,
  groupId: number,
  group: Group,
  { listed }: RepositoryPlan,
): Promise<void> {
  if (listed.length === 0) return;
  await sql`
    UPDATE discovery_jobs AS jobs
    SET name = found.path, repository_url = ${originOf(group)} || '/' || found.path || '.git',
        pushed_at = found.pushed_at, unlisted_since = NULL, unlisted_reason = NULL, moved_to = NULL, removal = NULL,
        is_removed = false,
        is_active = CASE WHEN is_removed THEN ${group.is_active} ELSE is_active END,
        validators = CASE WHEN is_removed THEN NULL ELSE validators END
    FROM unnest(
      ${listed.map(({ id }) => id)}::bigint[], ${listed.map(({ path }) => path)}::text[],
      ${listed.map(({ pushed_at: at }) => at?.toISOString() ?? null)}::timestamptz[]
    ) AS found (id, path, pushed_at)
    WHERE jobs.organization_id = ${organizationId} AND jobs.group_job_id = ${groupId} AND jobs.id = found.id`.execute(
    tx,
  );
}

async function markMissed(
  tx: Tx,
  organizationId: number,
  groupId: number,
  group: Group,
  { missed, held }: RepositoryPlan,
): Promise<void> {
  await sql`
    UPDATE discovery_jobs AS jobs
    SET unlisted_since = coalesce(unlisted_since, pacekeeper_now()), unlisted_reason = missed.reason,
        moved_to = ${originOf(group)} || '/' || missed.moved_path || '.git'
    FROM unnest(
      ${missed.map(({ id }) => id)}::bigint[], ${missed.map(({ excluded }) => excluded)}::text[],
      ${missed.map(({ movedPath }) => movedPath)}::text[]
    ) AS missed (id, reason, moved_path)
    WHERE jobs.organization_id = ${organizationId} AND jobs.group_job_id = ${groupId} AND jobs.id = missed.id`.execute(
    tx,
  );
  await sql`
    UPDATE discovery_jobs SET removal = 'held'
    WHERE organization_id = ${organizationId} AND group_job_id = ${groupId} AND id = ANY(${held}::bigint[])`.execute(
    tx,
  );
}

/** Ends the items of removed repositories. Their scrape jobs keep their versions and are disabled. */
async function removeRepositories(
  tx: Tx,
  organizationId: number,
  groupId: number,
  plannedIds: readonly number[],
): Promise<void> {
  if (plannedIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    UPDATE discovery_jobs SET is_removed = true, removal = NULL, is_active = false
    WHERE organization_id = ${organizationId} AND group_job_id = ${groupId} AND id = ANY(${[...plannedIds]}::bigint[])
    RETURNING id`.execute(tx);
  const ids = rows.map(({ id }) => id).toSorted((one, other) => one - other);
  for (const id of ids) await cancelRuns(tx, discoveryJobs, organizationId, id);
  const scrapeJobIds = await markAllItemsGone(tx, organizationId, ids);
  const disabled = await setManagedScrapeJobsActive(tx, organizationId, scrapeJobIds, {
    isActive: false,
  });
  await markItemsOfPausedJobs(tx, organizationId, disabled);
  publishChanges(tx, organizationId, 'discovery_job', ids, 'updated');
}

/**
 * Records that nothing was pushed to these repositories since their last scan. This has the same effect as a scan
 * without changes.
 */
async function confirmUnchanged(
  tx: Tx,
  organizationId: number,
  groupId: number,
  { cron_expression }: Group,
  plannedIds: readonly number[],
): Promise<void> {
  if (plannedIds.length === 0) return;
  const { rows } = await sql<{ id: number; was_failing: boolean }>`
    WITH before AS (
      SELECT id, failing_since IS NOT NULL AS was_failing FROM discovery_jobs
      WHERE organization_id = ${organizationId} AND group_job_id = ${groupId} AND id = ANY(${[...plannedIds]}::bigint[])
    )
    UPDATE discovery_jobs AS jobs SET last_success_at = pacekeeper_now(), failing_since = NULL
    FROM before WHERE jobs.organization_id = ${organizationId} AND jobs.id = before.id
    RETURNING jobs.id, before.was_failing`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await touchManagedScrapeJobs(tx, organizationId, ids);
  await followItemReadings(tx, organizationId, ids, null);
  await markUnconfirmedScrapeJobs(tx, organizationId, ids, staleAfterMs(cron_expression ?? '@daily'));
  const recovered = rows.filter((job) => job.was_failing).map(({ id }) => id);
  if (recovered.length > 0) await evaluateManagedScrapeJobs(tx, organizationId, recovered);
}

async function requestScans(
  tx: Tx,
  organizationId: number,
  groupId: number,
  { credential_name: credentialName }: Group,
  { due }: RepositoryPlan,
): Promise<void> {
  if (due.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    UPDATE discovery_jobs AS jobs SET read_push = due.read_push
    FROM unnest(
      ${due.map(({ forge_id: id }) => id)}::text[],
      ${due.map(({ readPush }) => readPush?.toISOString() ?? null)}::timestamptz[]
    ) AS due (forge_id, read_push)
    WHERE jobs.organization_id = ${organizationId} AND jobs.group_job_id = ${groupId} AND jobs.forge_id = due.forge_id
    RETURNING jobs.id`.execute(tx);
  const jobs = rows
    .toSorted((one, other) => one.id - other.id)
    .map(({ id }, index) => ({
      organizationId,
      jobId: id,
      credentialName,
      delayMs: index * scanIntervalMs,
    }));
  await requestRuns(tx, discoveryJobs, jobs, 'schedule');
}
