import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isGathered, sourceTypes } from '../../../domain/source-types/source-types.ts';
import { splitPlatformWords } from '../../../domain/versions/platform-words.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import {
  type ApiRequest,
  assertIfMatch,
  type Caller,
  type EditContext,
} from '../../../platform/http/index.ts';
import { publishChanges, recordEdit, recordEdits, writeAuditLog } from '../../audit/index.ts';
import { markNotMonitored, toMirror } from '../../monitoring/index.ts';
import {
  cancelRuns,
  changedValues,
  isSameSchedule,
  lockJob,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  scheduleNewJobs,
  toJob,
  toJobToRun,
} from '../../runs/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { assertCanEdit, scopeOf } from '../job-scope.ts';
import { clearReleases } from '../releases/clear-releases.ts';
import { refreshJobCounters } from '../releases/job-counters.ts';
import { clearChangelogNotes } from '../releases/record-changelog.ts';
import { readFirstSeen, recordReleasesFromDeployedVersions } from '../releases/record-deployed-versions.ts';
import { gatherJobs, helmSyncJobs } from '../source-jobs.ts';
import {
  affectsLatestRelease,
  affectsSupportDates,
  affectsVulnerabilities,
  checkGatherJob,
  hasDifferentChangelog,
  hasDifferentRetention,
  hasDifferentSource,
} from './check-gather-job.ts';
import { assertNotInUse, deleteWithConfigs } from './delete-gather-jobs.ts';
import { followedScrapeJobId, lockFollowedScrapeJobs } from './followed-scrape-jobs.ts';
import {
  dropValidators,
  findGatherJob,
  type GatherJobRow,
  type GatherJobValues,
  insertGatherJobs,
  listGatherJobsById,
  type NewGatherJobValues,
  updateGatherJob,
} from './gather-job-queries.ts';
import { clearSyncValidators, requestOwningHelmSync } from './request-owning-helm-sync.ts';

/**
 * Validates a new job.
 * @throws ApiError 400 if the job is invalid.
 */
export function checkNewGatherJob(body: ApiRequest<'createGatherJob'>['body']): GatherJobValues {
  return checkGatherJob({
    ...body,
    version_scheme: body.version_scheme ?? sourceTypes[body.source_type].defaultVersionScheme,
  });
}

/** Edits gather jobs in the transaction of the caller. */
export const gatherJobEdits = {
  /**
   * @param jobs At most 1,000 jobs.
   * @param options.firstRunsAfterMs Delay of the first run of each job. By default, all jobs start
   * immediately.
   */
  async create(
    tx: Tx,
    context: EditContext,
    jobs: readonly NewGatherJobValues[],
    { firstRunsAfterMs = [] }: { firstRunsAfterMs?: readonly number[] } = {},
  ): Promise<GatherJobRow[]> {
    const { organizationId } = context.caller;
    await lockFollowedScrapeJobs(tx, organizationId, jobs);
    const rows = await insertGatherJobs(tx, organizationId, jobs);
    const ids = rows.map(({ id }) => id);
    const created = rows.map((row, index) => ({ ...row, firstRunAfterMs: firstRunsAfterMs[index] ?? 0 }));
    await scheduleNewJobs(tx, gatherJobs, organizationId, created, rows[0]!.created_at);
    const following = created.filter((job) => followedScrapeJobId(job) !== null);
    await recordReleasesFromDeployedVersions(
      tx,
      organizationId,
      following.map(({ id }) => id),
    );
    const active = created.filter((job) => job.is_active && isGathered(job.source_type));
    await requestRuns(
      tx,
      gatherJobs,
      active.map((job) => ({ ...toJobToRun(organizationId, job), delayMs: job.firstRunAfterMs })),
      'created',
    );
    const isStarted = following.length > 0 || active.length > 0;
    return recordCreated(tx, context, isStarted ? await listGatherJobsById(tx, organizationId, ids) : rows);
  },

  /**
   * Creates jobs for charts that a helm sync job hasn't found yet. When the helm sync job finds the charts, it starts
   * to manage these jobs. The caller must request a run of the helm sync job.
   *
   * @param jobs At most 1,000 jobs, for helm sync jobs of the organization.
   */
  async createFed(
    tx: Tx,
    context: EditContext,
    jobs: readonly (NewGatherJobValues & { helm_sync_job_id: number })[],
  ): Promise<GatherJobRow[]> {
    return recordCreated(tx, context, await insertGatherJobs(tx, context.caller.organizationId, jobs));
  },

  async update(
    tx: Tx,
    context: EditContext,
    id: number,
    body: Schemas['UpdateGatherJobRequest'],
  ): Promise<GatherJobRow> {
    const { caller } = context;
    const { organizationId, lock } = await lockToChange(tx, caller, id);
    const before = await readJob(tx, caller, id);
    assertIfMatch(context, before);
    const changes = {
      ...body,
      lifecycle_product: setProduct(before, body),
      vulnerability_packages: setPackages(before, body),
    };
    const stored: GatherJobValues = before;
    const after = checkGatherJob(changedValues(stored, requestFields.createGatherJob, changes));
    if (before.helm_sync_job_id !== null) assertSourceUnchanged(before, after);
    assertSameKind(before, after);
    // Evaluate the configurations of the former original, because they no longer show this mirror.
    if (before.mirror_of !== null && hasDifferentSource(before, after))
      await triggerFanOuts(tx, organizationId, [before.id]);
    await updateGatherJob(tx, organizationId, before, after);
    const latestChanged = affectsLatestRelease(before, after);
    if (latestChanged) await refreshJobCounters(tx, organizationId, [before.id]);
    if (latestChanged || affectsSupportDates(before, after) || affectsVulnerabilities(before, after))
      await triggerFanOuts(tx, organizationId, [before.id]);
    if (!isSameSchedule(before, after)) {
      await scheduleJobs(tx, gatherJobs, organizationId, [{ ...after, id: before.id }], lock.now);
    }
    await refetchAfterChange(tx, organizationId, before, after, lock.hasSucceeded);
    publishChanges(tx, organizationId, 'gather_job', [before.id], 'updated');
    const changed = (await findGatherJob(tx, organizationId, before.id))!;
    await recordEdit(tx, context, 'gather_job', {
      before: toGatherJob(before),
      after: toGatherJob(changed),
    });
    return changed;
  },

  async delete(tx: Tx, context: EditContext, id: number, { cascade = false } = {}): Promise<void> {
    const { caller } = context;
    if (cascade)
      await markNotMonitored(
        tx,
        caller.organizationId,
        sql<boolean>`(c.gather_organization_id = ${caller.organizationId} AND c.gather_job_id = ${id})`,
      );
    const { organizationId } = await lockToChange(tx, caller, id, { toDelete: true });
    const job = await readJob(tx, caller, id);
    assertIfMatch(context, job);
    const users = await assertNotInUse(tx, organizationId, [job.id], { cascade });
    await deleteWithConfigs(tx, organizationId, [job.id], users, caller.actor);
    await recordEdit(tx, context, 'gather_job', {
      before: toGatherJob(job),
      detail: { alert_config_count: users.length },
    });
    publishChanges(tx, organizationId, 'gather_job', [job.id], 'deleted');
  },

  /**
   * Requests a run of the job. A job that follows a scrape job gets its releases immediately.
   * @throws ApiError 409 for a job that has only a lifecycle.
   */
  async run(tx: Tx, caller: Caller, id: number): Promise<GatherJobRow> {
    const job = await readJob(tx, caller, id);
    assertCanEdit(caller, job);
    if (job.source_type === 'lifecycle')
      throw new ApiError(
        'conflict',
        "Lifecycle jobs don't run. Their dates come from the reference data: see GET /reference-sources.",
      );
    if (followedScrapeJobId(job) !== null) {
      const { organizationId } = await lockToChange(tx, caller, id);
      await recordReleasesFromDeployedVersions(tx, organizationId, [id]);
    } else if (job.helm_sync_job_id !== null)
      await requestOwningHelmSync(tx, job.organization_id, job.helm_sync_job_id, 'manual');
    else await requestRuns(tx, gatherJobs, [toJobToRun(job.organization_id, job)], 'manual');
    // Running a job doesn't lock it, so it can have been deleted.
    return readJob(tx, caller, job.id);
  },

  /** @returns The number of deleted releases. */
  async clearReleases(tx: Tx, { caller, requestId }: EditContext, id: number): Promise<number> {
    const { organizationId, lock } = await lockToChange(tx, caller, id);
    const job = await readJob(tx, caller, id);
    if (job.helm_sync_job_id !== null) await clearSyncValidators(tx, organizationId, job.helm_sync_job_id);
    // A run in progress started with the previous releases and can return only the releases that were new
    // at that time.
    if (lock.isInProgress) await requestRunAfterChange(tx, gatherJobs, toJobToRun(organizationId, job));
    publishChanges(tx, organizationId, 'gather_job', [job.id], 'updated');
    const firstSeen = await readFirstSeen(
      tx,
      organizationId,
      followedScrapeJobId(job) === null ? [] : [job.id],
    );
    const count = await clearReleases(tx, organizationId, [job.id]);
    await recordReleasesFromDeployedVersions(tx, organizationId, [job.id], firstSeen);
    await writeAuditLog(tx, organizationId, {
      action: 'gather_job.releases_cleared',
      resourceId: job.id,
      resourceName: job.name,
      actor: caller.actor,
      detail: { deleted: count },
      requestId,
    });
    return count;
  },
};

async function recordCreated(tx: Tx, context: EditContext, rows: GatherJobRow[]): Promise<GatherJobRow[]> {
  await recordEdits(
    tx,
    context,
    'gather_job',
    rows.map((row) => ({ after: toGatherJob(row) })),
  );
  const ids = rows.map(({ id }) => id);
  const mirrorIds = rows.flatMap(({ id, mirror_of }) => (mirror_of === null ? [] : id));
  await triggerFanOuts(tx, context.caller.organizationId, mirrorIds);
  publishChanges(tx, context.caller.organizationId, 'gather_job', ids, 'created');
  return rows;
}

async function lockToChange(tx: Tx, caller: Caller, id: number, { toDelete = false } = {}) {
  const job = await readJob(tx, caller, id);
  assertCanEdit(caller, job);
  // Lock in the same order as when a helm sync run is recorded: the run, the helm sync job, then its
  // managed jobs.
  if (job.helm_sync_job_id !== null)
    await lockJob(tx, helmSyncJobs, job.organization_id, job.helm_sync_job_id, { holdsReferences: true });
  await lockFollowedScrapeJobs(tx, job.organization_id, [job]);
  const lock = await lockJob(tx, gatherJobs, job.organization_id, id, { holdsReferences: toDelete });
  if (!lock) throw notFound();
  return { organizationId: job.organization_id, lock };
}

/** Clears or refetches the stored releases that no longer match a job after a change. */
async function refetchAfterChange(
  tx: Tx,
  organizationId: number,
  before: GatherJobRow,
  after: GatherJobValues,
  hasSucceeded: boolean,
): Promise<void> {
  const needsFullRefetch = hasDifferentSource(before, after);
  if (followedScrapeJobId(after) !== null) {
    if (!needsFullRefetch) return;
    await clearReleases(tx, organizationId, [before.id]);
    await recordReleasesFromDeployedVersions(tx, organizationId, [before.id]);
    return;
  }
  // A lifecycle job has no releases. A change to its product has already triggered the evaluations.
  if (after.source_type === 'lifecycle') return;
  const isOtherChangelog = hasDifferentChangelog(before, after);
  if (!needsFullRefetch && isOtherChangelog) await clearChangelogNotes(tx, organizationId, before.id);
  if (!needsFullRefetch && !isOtherChangelog && !hasDifferentRetention(before, after)) {
    if (before.is_active || !after.is_active) return;
    if (before.helm_sync_job_id !== null) {
      await requestOwningHelmSync(tx, organizationId, before.helm_sync_job_id, 'changed');
    } else if (!hasSucceeded) {
      // A job that was created inactive has no runs yet, so it gets its first run when it's activated.
      await requestRuns(tx, gatherJobs, [toJobToRun(organizationId, { ...after, id: before.id })], 'created');
    }
    return;
  }
  if (needsFullRefetch) await clearReleases(tx, organizationId, [before.id]);
  else await dropValidators(tx, organizationId, before.id);
  if (before.helm_sync_job_id !== null) {
    await requestOwningHelmSync(tx, organizationId, before.helm_sync_job_id, 'changed');
  } else if (after.is_active) {
    await requestRunAfterChange(tx, gatherJobs, toJobToRun(organizationId, { ...after, id: before.id }));
  } else {
    await cancelRuns(tx, gatherJobs, organizationId, before.id);
  }
}

/**
 * Returns a job that the caller can read.
 * @throws ApiError 404 if the job isn't found.
 */
export async function readJob(db: Database | Tx, caller: Caller, id: number): Promise<GatherJobRow> {
  const row = await findGatherJob(db, caller.organizationId, id);
  if (!row) throw notFound();
  return row;
}

function assertSourceUnchanged(before: GatherJobRow, after: GatherJobValues): void {
  const keeps =
    before.source_type === after.source_type &&
    before.artifact_name === after.artifact_name &&
    before.credential_name === after.credential_name &&
    JSON.stringify(before.source_options) === JSON.stringify(after.source_options);
  if (!keeps)
    throw new ApiError(
      'conflict',
      'This job is managed by a helm sync job. Change the source and credential there.',
    );
  if (after.cron_expression !== null) {
    throw new ApiError('conflict', 'This job is managed by a helm sync job and uses its schedule.');
  }
}

/** Returns the product to store. A derived product stays derived if the request contains the same product. */
function setProduct(
  before: GatherJobRow,
  { lifecycle_product }: Schemas['UpdateGatherJobRequest'],
): string | null | undefined {
  const isDerived = before.lifecycle_product === null && lifecycle_product === before.derived_product?.name;
  return isDerived ? null : lifecycle_product;
}

/**
 * Returns the packages to store. Derived packages stay derived if the request contains the same packages.
 * Without derived data, the API returns an empty list.
 */
function setPackages(
  before: GatherJobRow,
  { vulnerability_packages }: Schemas['UpdateGatherJobRequest'],
): string[] | null | undefined {
  if (before.vulnerability_packages !== null) return vulnerability_packages;
  const derived = before.derived_packages?.keys ?? [];
  return isDeepStrictEqual(vulnerability_packages, derived) ? null : vulnerability_packages;
}

/**
 * Rejects a change between jobs with runs and jobs that have only a lifecycle. Also rejects following another
 * scrape job, because the releases of two environments would be mixed.
 */
function assertSameKind(before: GatherJobRow, after: GatherJobValues): void {
  if ((before.source_type === 'lifecycle') !== (after.source_type === 'lifecycle'))
    throw invalidField('source_type', "can't change to or from lifecycle; create another gather job");
  if (followedScrapeJobId(before) !== followedScrapeJobId(after))
    throw invalidField(
      before.source_type === after.source_type ? 'artifact_name' : 'source_type',
      "can't change to, from, or between environments; create another gather job",
    );
}

export function toGatherJob(row: GatherJobRow): Schemas['GatherJob'] {
  // Destructure all fields in one statement, because each copy of a row takes 1 µs.
  const {
    organization_id,
    platform_words,
    purls,
    mirror,
    derived_product,
    lifecycle_product,
    derived_packages,
    vulnerability_packages,
    has_lifecycle,
    ...values
  } = row;
  const job = toJob(values);
  // Jobs that follow a scrape job and lifecycle jobs have no runs. The former are completed when the scrape job has a
  // version, the latter when the reference data contains their product.
  const isFilled =
    job.source_type === 'lifecycle'
      ? has_lifecycle
      : followedScrapeJobId(job) !== null && job.release_count > 0;
  return {
    ...job,
    status: isFilled ? 'completed' : job.status,
    lifecycle_product: lifecycle_product ?? derived_product?.name ?? null,
    lifecycle_product_source: lifecycle_product === null ? (derived_product?.source ?? null) : 'set',
    vulnerability_packages: vulnerability_packages ?? derived_packages?.keys ?? [],
    vulnerability_packages_source:
      vulnerability_packages === null ? (derived_packages?.source ?? null) : 'set',
    purls,
    mirror: toMirror(mirror),
    platform_words: splitPlatformWords(platform_words),
    scope: scopeOf(organization_id),
  };
}
