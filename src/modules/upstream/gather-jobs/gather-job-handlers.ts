import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { assertMatch, type Caller, type Handlers } from '../../../platform/http/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { recordEdit, writeAuditLog } from '../../audit/index.ts';
import {
  cancelRuns,
  isSameSchedule,
  listRuns,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  toJobStatus,
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
  insertGatherJob,
  listGatherJobChoices,
  listGatherJobs,
  lockGatherJob,
  updateGatherJob,
} from './gather-job-queries.ts';
import { forgetIndex, requestFeedingSync } from './request-feeding-sync.ts';

type GatherJobOperations =
  | 'listGatherJobs'
  | 'createGatherJob'
  | 'getGatherJob'
  | 'updateGatherJob'
  | 'deleteGatherJob'
  | 'runGatherJob'
  | 'clearGatherJobReleases'
  | 'listGatherJobRuns'
  | 'listGatherJobsDropdown'
  | 'listGlobalGatherJobsDropdown';

export function gatherJobHandlers({
  db,
  wakeUps,
}: {
  db: Database;
  wakeUps: WakeUps;
}): Handlers<GatherJobOperations> {
  return {
    async listGatherJobs({ caller, query }) {
      const page = await listGatherJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toGatherJob) } };
    },

    async createGatherJob(request) {
      const { body } = request;
      const { organizationId } = request.caller;
      const values = checkGatherJob({
        ...body,
        version_scheme: body.version_scheme ?? sourceOf(body.source_type).defaultVersionScheme,
      });
      const row = await transaction(db, async (tx) => {
        const { id, now } = await insertGatherJob(tx, organizationId, values);
        await scheduleJobs(tx, wakeUps, 'gather', organizationId, [{ ...values, id }], now);
        if (values.is_active)
          await requestRuns(tx, wakeUps, 'gather', [toRequest(organizationId, id, values)], 'created');
        publishChange(tx, organizationId, id);
        const created = (await findGatherJob(tx, organizationId, id))!;
        await recordEdit(tx, request, 'gather_job', { after: toGatherJob(created) });
        return created;
      });
      return { status: 201, body: toGatherJob(row) };
    },

    async getGatherJob({ caller, path }) {
      return { status: 200, body: toGatherJob(await readJob(db, caller, path.id)) };
    },

    async updateGatherJob(request) {
      const { caller, path, body } = request;
      const row = await transaction(db, async (tx) => {
        const { organizationId, lock } = await lockToChange(tx, caller, path.id);
        const before = await readJob(tx, caller, path.id);
        assertMatch(request, before);
        const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        const after = checkGatherJob({ ...valuesOf(before), ...changes });
        if (before.helm_sync_job_id !== null) assertSourceUnchanged(before, after);
        await updateGatherJob(tx, organizationId, before.id, after);
        if (!isSameSchedule(before, after)) {
          await scheduleJobs(tx, wakeUps, 'gather', organizationId, [{ ...after, id: before.id }], lock.now);
        }
        await readAnew(tx, organizationId, before, after, lock.hasSucceeded);
        publishChange(tx, organizationId, before.id);
        const changed = (await findGatherJob(tx, organizationId, before.id))!;
        await recordEdit(tx, request, 'gather_job', {
          before: toGatherJob(before),
          after: toGatherJob(changed),
        });
        return changed;
      });
      return { status: 200, body: toGatherJob(row) };
    },

    async deleteGatherJob(request) {
      const { caller, path, query } = request;
      await transaction(db, async (tx) => {
        const { organizationId } = await lockToChange(tx, caller, path.id, { toDelete: true });
        const job = await readJob(tx, caller, path.id);
        assertMatch(request, job);
        const users = await refuseWhenInUse(tx, organizationId, [job.id], {
          cascade: query.cascade ?? false,
        });
        await deleteWithConfigs(tx, wakeUps, organizationId, [job.id], users, caller.actor);
        await recordEdit(tx, request, 'gather_job', {
          before: toGatherJob(job),
          detail: { alert_config_count: users.length },
        });
        publishChange(tx, organizationId, job.id);
      });
      return { status: 204 };
    },

    async runGatherJob({ caller, path }) {
      const row = await transaction(db, async (tx) => {
        const job = await readJob(tx, caller, path.id);
        refuseForeign(caller, job);
        if (job.helm_sync_job_id !== null)
          await requestFeedingSync(tx, wakeUps, job.organization_id, job.helm_sync_job_id, 'manual');
        else
          await requestRuns(tx, wakeUps, 'gather', [toRequest(job.organization_id, job.id, job)], 'manual');
        // It may have been deleted meanwhile: to run a job does not lock it.
        return readJob(tx, caller, job.id);
      });
      return { status: 202, body: toGatherJob(row) };
    },

    async clearGatherJobReleases({ caller, path, requestId }) {
      const deleted = await transaction(db, async (tx) => {
        const { organizationId, lock } = await lockToChange(tx, caller, path.id);
        const job = await readJob(tx, caller, path.id);
        if (job.helm_sync_job_id !== null) await forgetIndex(tx, organizationId, job.helm_sync_job_id);
        // What reads at this moment began with what it knew, and may bring no more than what was new to it.
        if (lock.isInProgress)
          await requestRunAfterChange(tx, wakeUps, 'gather', toRequest(organizationId, job.id, job));
        publishChange(tx, organizationId, job.id);
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
      });
      return { status: 200, body: { deleted } };
    },

    async listGatherJobRuns({ caller, path, query }) {
      const job = await readJob(db, caller, path.id);
      const page =
        job.helm_sync_job_id === null
          ? await listRuns(db, job.organization_id, 'gather', job.id, query)
          : await listRuns(db, job.organization_id, 'helm_sync', job.helm_sync_job_id, query);
      return { status: 200, body: page };
    },

    async listGatherJobsDropdown({ caller }) {
      return { status: 200, body: await listGatherJobChoices(db, caller.organizationId) };
    },

    async listGlobalGatherJobsDropdown() {
      return { status: 200, body: await listGatherJobChoices(db, systemOrganizationId) };
    },
  };

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
        // One that was made inactive has never run.
        await requestRuns(tx, wakeUps, 'gather', [toRequest(organizationId, before.id, after)], 'created');
      }
      return;
    }
    if (needsFullRefetch) await clearReleases(tx, wakeUps, organizationId, [before.id]);
    else await dropValidators(tx, organizationId, before.id);
    if (before.helm_sync_job_id !== null) {
      await requestFeedingSync(tx, wakeUps, organizationId, before.helm_sync_job_id, 'changed');
    } else if (after.is_active) {
      await requestRunAfterChange(tx, wakeUps, 'gather', toRequest(organizationId, before.id, after));
    } else {
      await cancelRuns(tx, 'gather', organizationId, before.id);
    }
  }

  function publishChange(tx: Tx, organizationId: number, id: number): void {
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/gather_job/${id}`);
  }
}

async function readJob(db: Database | Tx, caller: Caller, id: number): Promise<GatherJobRow> {
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

function toRequest(organizationId: number, id: number, job: { credential_name: string | null }) {
  return { organizationId, jobId: id, credentialName: job.credential_name };
}

function valuesOf(row: GatherJobRow): GatherJobValues {
  return {
    name: row.name,
    source_type: row.source_type,
    artifact_name: row.artifact_name,
    source_options: row.source_options,
    version_scheme: row.version_scheme,
    version_pattern: row.version_pattern,
    include_prereleases: row.include_prereleases,
    max_releases: row.max_releases,
    credential_name: row.credential_name,
    cron_expression: row.cron_expression,
    cron_timezone: row.cron_timezone,
    is_active: row.is_active,
  };
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
