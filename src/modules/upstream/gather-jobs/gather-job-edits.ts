import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import type { Database, Tx, WakeUps } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type Caller, type EditContext } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit, recordEdits, writeAuditLog } from '../../audit/index.ts';
import {
  cancelRuns,
  isSameSchedule,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  toJobStatus,
  toJobToRun,
  toRun,
} from '../../runs/index.ts';
import { lockHelmSyncJob } from '../helm-sync-jobs/helm-sync-job-queries.ts';
import { refuseForeign, scopeOf } from '../job-scope.ts';
import { clearReleases } from '../releases/clear-releases.ts';
import { checkGatherJob, hasDifferentRetention, hasDifferentSource, sourceOf } from './check-gather-job.ts';
import { deleteWithConfigs, refuseWhenInUse } from './delete-gather-jobs.ts';
import {
  dropValidators,
  findGatherJob,
  type GatherJobRow,
  type GatherJobValues,
  insertGatherJobs,
  listGatherJobsById,
  lockGatherJob,
  updateGatherJob,
} from './gather-job-queries.ts';
import { forgetIndex, requestFeedingSync } from './request-feeding-sync.ts';

/** Validates a new job. Throws 400 if it is invalid. */
export function checkNewGatherJob(body: ApiRequest<'createGatherJob'>['body']): GatherJobValues {
  return checkGatherJob({
    ...body,
    version_scheme: body.version_scheme ?? sourceOf(body.source_type).defaultVersionScheme,
  });
}

/** Changes to gather jobs, for use in a transaction. */
export function gatherJobEdits(wakeUps: WakeUps) {
  return {
    /** @param jobs at most 1,000 */
    async create(tx: Tx, context: EditContext, jobs: readonly GatherJobValues[]): Promise<GatherJobRow[]> {
      const { organizationId } = context.caller;
      const { ids, now } = await insertGatherJobs(tx, organizationId, jobs);
      const made = jobs.map((values, index) => ({ ...values, id: ids[index]! }));
      await scheduleJobs(tx, wakeUps, 'gather', organizationId, made, now);
      const toRun = made.filter((job) => job.is_active).map((job) => toJobToRun(organizationId, job));
      await requestRuns(tx, wakeUps, 'gather', toRun, 'created');
      return recordCreated(tx, context, ids);
    },

    /**
     * Creates jobs of charts that a helm sync hasn't found yet: it feeds them once it does. The caller has the sync run.
     *
     * @param jobs at most 1,000, of syncs of the organization
     */
    async createFed(
      tx: Tx,
      context: EditContext,
      jobs: readonly (GatherJobValues & { helm_sync_job_id: number })[],
    ): Promise<GatherJobRow[]> {
      const { ids } = await insertGatherJobs(tx, context.caller.organizationId, jobs);
      return recordCreated(tx, context, ids);
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
      assertMatch(context, before);
      const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const after = checkGatherJob({ ...valuesOf(before), ...changes });
      if (before.helm_sync_job_id !== null) assertSourceUnchanged(before, after);
      await updateGatherJob(tx, organizationId, before.id, after);
      if (!isSameSchedule(before, after)) {
        await scheduleJobs(tx, wakeUps, 'gather', organizationId, [{ ...after, id: before.id }], lock.now);
      }
      await readAnew(tx, organizationId, before, after, lock.hasSucceeded);
      publishChanges(tx, wakeUps, organizationId, 'gather_job', [before.id], 'updated');
      const changed = (await findGatherJob(tx, organizationId, before.id))!;
      await recordEdit(tx, context, 'gather_job', {
        before: toGatherJob(before),
        after: toGatherJob(changed),
      });
      return changed;
    },

    async delete(tx: Tx, context: EditContext, id: number, { cascade = false } = {}): Promise<void> {
      const { caller } = context;
      const { organizationId } = await lockToChange(tx, caller, id, { toDelete: true });
      const job = await readJob(tx, caller, id);
      assertMatch(context, job);
      const users = await refuseWhenInUse(tx, organizationId, [job.id], { cascade });
      await deleteWithConfigs(tx, wakeUps, organizationId, [job.id], users, caller.actor);
      await recordEdit(tx, context, 'gather_job', {
        before: toGatherJob(job),
        detail: { alert_config_count: users.length },
      });
      publishChanges(tx, wakeUps, organizationId, 'gather_job', [job.id], 'deleted');
    },

    /** @returns how many releases were deleted */
    async clearReleases(tx: Tx, { caller, requestId }: EditContext, id: number): Promise<number> {
      const { organizationId, lock } = await lockToChange(tx, caller, id);
      const job = await readJob(tx, caller, id);
      if (job.helm_sync_job_id !== null) await forgetIndex(tx, organizationId, job.helm_sync_job_id);
      // What reads at this moment began with what it knew, and may bring no more than what was new to it.
      if (lock.isInProgress)
        await requestRunAfterChange(tx, wakeUps, 'gather', toJobToRun(organizationId, job));
      publishChanges(tx, wakeUps, organizationId, 'gather_job', [job.id], 'updated');
      const count = await clearReleases(tx, wakeUps, organizationId, [job.id]);
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

  async function recordCreated(
    tx: Tx,
    context: EditContext,
    ids: readonly number[],
  ): Promise<GatherJobRow[]> {
    const { organizationId } = context.caller;
    const rows = await listGatherJobsById(tx, organizationId, ids);
    await recordEdits(
      tx,
      context,
      'gather_job',
      rows.map((row) => ({ after: toGatherJob(row) })),
    );
    publishChanges(tx, wakeUps, organizationId, 'gather_job', ids, 'created');
    return rows;
  }

  async function lockToChange(tx: Tx, caller: Caller, id: number, options?: { toDelete: boolean }) {
    const job = await readJob(tx, caller, id);
    refuseForeign(caller, job);
    // In the order of a sync that is recorded: its run, the sync, what it feeds.
    if (job.helm_sync_job_id !== null) await lockHelmSyncJob(tx, job.organization_id, job.helm_sync_job_id);
    const lock = await lockGatherJob(tx, job.organization_id, id, options);
    if (!lock) throw notFound();
    return { organizationId: job.organization_id, lock };
  }

  /** After a change: what is stored must answer what is asked now. */
  async function readAnew(
    tx: Tx,
    organizationId: number,
    before: GatherJobRow,
    after: GatherJobValues,
    hasSucceeded: boolean,
  ): Promise<void> {
    const needsFullRefetch = hasDifferentSource(before, after);
    if (!needsFullRefetch && !hasDifferentRetention(before, after)) {
      if (before.is_active || !after.is_active) return;
      if (before.helm_sync_job_id !== null) {
        await requestFeedingSync(tx, wakeUps, organizationId, before.helm_sync_job_id, 'changed');
      } else if (!hasSucceeded) {
        // A job that was created inactive has never run.
        await requestRuns(
          tx,
          wakeUps,
          'gather',
          [toJobToRun(organizationId, { ...after, id: before.id })],
          'created',
        );
      }
      return;
    }
    if (needsFullRefetch) await clearReleases(tx, wakeUps, organizationId, [before.id]);
    else await dropValidators(tx, organizationId, before.id);
    if (before.helm_sync_job_id !== null) {
      await requestFeedingSync(tx, wakeUps, organizationId, before.helm_sync_job_id, 'changed');
    } else if (after.is_active) {
      await requestRunAfterChange(
        tx,
        wakeUps,
        'gather',
        toJobToRun(organizationId, { ...after, id: before.id }),
      );
    } else {
      await cancelRuns(tx, 'gather', organizationId, before.id);
    }
  }
}

/** A job that the caller can read. Throws 404 if not found. */
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

/** What a request can change. */
function valuesOf(row: GatherJobRow): GatherJobValues {
  return Object.fromEntries(
    requestFields.createGatherJob.map((field) => [field, row[field]]),
  ) as unknown as GatherJobValues;
}

export function toGatherJob({ organization_id, ...row }: GatherJobRow): Schemas['GatherJob'] {
  return {
    ...row,
    scope: scopeOf(organization_id),
    status: toJobStatus(row.last_run),
    last_run: row.last_run ? toRun(row.last_run) : null,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    latest_released_at: row.latest_released_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
