import { chartArtifactName, normalizeRepositoryUrl } from '../../../domain/artifacts/chart-names.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import type { Database, Tx, WakeUps } from '../../../platform/database/index.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { assertMatch, type Caller, type EditContext } from '../../../platform/http/index.ts';
import { checkGlob, createChartFilter } from '../../../sources/chart-filter.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import {
  cancelRuns,
  checkSchedule,
  isSameSchedule,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  toJobStatus,
  toJobToRun,
  toRun,
} from '../../runs/index.ts';
import { deleteWithConfigs, refuseWhenInUse } from '../gather-jobs/delete-gather-jobs.ts';
import { requestFeedingSync } from '../gather-jobs/request-feeding-sync.ts';
import { refuseForeign, scopeOf } from '../job-scope.ts';
import { clearReleases } from '../releases/clear-releases.ts';
import { detachManagedJobs } from './detach-managed-jobs.ts';
import { lockFedJobs, moveFedJobs, setCredentialOfFedJobs } from './fed-job-queries.ts';
import { deleteCharts, listChartNames } from './helm-chart-queries.ts';
import {
  deleteHelmSyncJob,
  findHelmSyncJob,
  type HelmSyncJobRow,
  type HelmSyncJobValues,
  insertHelmSyncJobs,
  listHelmSyncJobsById,
  lockHelmSyncJob,
  updateHelmSyncJob,
} from './helm-sync-job-queries.ts';

/** Changes to helm sync jobs, for use in a transaction. */
export function helmSyncJobEdits(wakeUps: WakeUps) {
  return {
    /** @param jobs at most 1,000 */
    async create(
      tx: Tx,
      context: EditContext,
      jobs: readonly HelmSyncJobValues[],
    ): Promise<HelmSyncJobRow[]> {
      const { organizationId } = context.caller;
      const { ids, now } = await insertHelmSyncJobs(tx, organizationId, jobs);
      const made = jobs.map((values, index) => ({ ...values, id: ids[index]! }));
      await scheduleJobs(tx, wakeUps, 'helm_sync', organizationId, made, now);
      const toRun = made.filter((job) => job.is_active).map((job) => toJobToRun(organizationId, job));
      await requestRuns(tx, wakeUps, 'helm_sync', toRun, 'created');
      publishChanges(tx, wakeUps, organizationId, 'helm_sync_job', ids, 'created');
      const rows = await listHelmSyncJobsById(tx, organizationId, ids);
      await recordEdits(
        tx,
        context,
        'helm_sync_job',
        rows.map((row) => ({ after: toHelmSyncJob(row) })),
      );
      return rows;
    },

    async update(
      tx: Tx,
      context: EditContext,
      id: number,
      body: Schemas['UpdateHelmSyncJobRequest'],
    ): Promise<HelmSyncJobRow> {
      const { caller } = context;
      const { organizationId, lock } = await lockToChange(tx, caller, id);
      const before = await readHelmSyncJob(tx, caller, id);
      assertMatch(context, before);
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const after = checkHelmSyncJob({ ...valuesOf(before), ...given });
      const needsResync = hasDifferentSource(before, after);
      await updateHelmSyncJob(tx, organizationId, before.id, {
        ...after,
        ...(needsResync && { validators: null }),
      });
      if (!isSameSchedule(before, after)) {
        await scheduleJobs(tx, wakeUps, 'helm_sync', organizationId, [{ ...after, id: before.id }], lock.now);
      }
      await changeFedJobs(tx, before, after, lock.now);
      const job = toJobToRun(organizationId, { ...after, id: before.id });
      if (needsResync && after.is_active) await requestRunAfterChange(tx, wakeUps, 'helm_sync', job);
      else if (needsResync) await cancelRuns(tx, 'helm_sync', organizationId, before.id);
      // A job that was created inactive has never run.
      else if (after.is_active && !before.is_active && !lock.hasSucceeded) {
        await requestRuns(tx, wakeUps, 'helm_sync', [job], 'created');
      }
      publishChanges(tx, wakeUps, organizationId, 'helm_sync_job', [before.id], 'updated');
      const changed = (await findHelmSyncJob(tx, organizationId, before.id))!;
      await recordEdit(tx, context, 'helm_sync_job', {
        before: toHelmSyncJob(before),
        after: toHelmSyncJob(changed),
      });
      return changed;
    },

    async delete(tx: Tx, context: EditContext, id: number, { cascade = false } = {}): Promise<void> {
      const { caller } = context;
      const { organizationId, lock } = await lockToChange(tx, caller, id);
      const job = await readHelmSyncJob(tx, caller, id);
      assertMatch(context, job);
      const fed = await lockFedJobs(tx, organizationId, job.id);
      let configCount = 0;
      if (cascade) {
        const ids = fed.map((each) => each.id);
        const configIds = await refuseWhenInUse(tx, organizationId, ids, { cascade: true });
        await deleteWithConfigs(tx, wakeUps, organizationId, ids, configIds, caller.actor);
        configCount = configIds.length;
      } else {
        await detachManagedJobs(tx, wakeUps, job, fed, lock.now);
      }
      await deleteHelmSyncJob(tx, organizationId, job.id);
      await recordEdit(tx, context, 'helm_sync_job', {
        before: toHelmSyncJob(job),
        detail: { alert_config_count: configCount },
      });
      publishChanges(tx, wakeUps, organizationId, 'helm_sync_job', [job.id], 'deleted');
    },

    /** Has the whole index read again, for jobs that were created for charts of it. */
    async readAgain(tx: Tx, { caller }: EditContext, id: number): Promise<void> {
      await requestFeedingSync(tx, wakeUps, caller.organizationId, id, 'changed');
    },
  };

  async function lockToChange(tx: Tx, caller: Caller, id: number) {
    const job = await readHelmSyncJob(tx, caller, id);
    refuseForeign(caller, job);
    const lock = await lockHelmSyncJob(tx, job.organization_id, id);
    if (!lock) throw notFound();
    return { organizationId: job.organization_id, lock };
  }

  /** Updates the gather jobs that the sync manages: with its new address, or by detaching them. */
  async function changeFedJobs(
    tx: Tx,
    before: HelmSyncJobRow,
    after: HelmSyncJobValues,
    now: Date,
  ): Promise<void> {
    const { organization_id: organizationId, id } = before;
    if (before.credential_name !== after.credential_name) {
      await setCredentialOfFedJobs(tx, organizationId, id, after.credential_name);
    }
    if (!hasDifferentSource(before, after)) return;
    const passes = createChartFilter(after.chart_filter);
    const isFedOn = (job: { chart: string }) => after.create_gather_jobs && passes(job.chart);
    const [fedOn, letGo] = partition(await lockFedJobs(tx, organizationId, id), isFedOn);
    await detachManagedJobs(tx, wakeUps, { ...before, ...after }, letGo, now);
    const isMoved = before.repository_url !== after.repository_url;
    if (isMoved) {
      const moved = fedOn.flatMap(({ id: jobId, chart }) => {
        const artifact = chartArtifactName(after.repository_url, chart);
        return artifact.ok ? [{ id: jobId, artifactName: artifact.artifactName }] : [];
      });
      await moveFedJobs(tx, organizationId, moved);
      const movedIds = moved.map((job) => job.id);
      await clearReleases(tx, wakeUps, organizationId, movedIds);
    }
    const names = await listChartNames(tx, organizationId, id);
    const gone = isMoved ? names : names.filter((name) => !passes(name));
    await deleteCharts(tx, organizationId, id, gone);
  }
}

/** A job that the caller can read. Throws 404 if not found. */
export async function readHelmSyncJob(
  db: Database | Tx,
  caller: Caller,
  id: number,
): Promise<HelmSyncJobRow> {
  const row = await findHelmSyncJob(db, caller.organizationId, id);
  if (!row) throw notFound();
  return row;
}

/** What a job is made of, with the address in its one spelling. Throws 400 for what could never be read. */
export function checkHelmSyncJob(values: HelmSyncJobValues): HelmSyncJobValues {
  const repository = normalizeRepositoryUrl(values.repository_url);
  if (!repository.ok) throw invalidField('repository_url', repository.message);
  for (const [index, glob] of values.chart_filter.entries()) {
    const problem = checkGlob(glob);
    if (problem !== null) throw invalidField(`chart_filter.${index}`, problem);
  }
  checkSchedule(values);
  return { ...values, repository_url: repository.repositoryUrl };
}

function hasDifferentSource(before: HelmSyncJobValues, after: HelmSyncJobValues): boolean {
  return (
    before.repository_url !== after.repository_url ||
    before.create_gather_jobs !== after.create_gather_jobs ||
    before.credential_name !== after.credential_name ||
    JSON.stringify(before.chart_filter) !== JSON.stringify(after.chart_filter)
  );
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => isFirst(item)), items.filter((item) => !isFirst(item))];
}

/** What a request can change. */
function valuesOf(row: HelmSyncJobRow): HelmSyncJobValues {
  return Object.fromEntries(
    requestFields.createHelmSyncJob.map((field) => [field, row[field]]),
  ) as unknown as HelmSyncJobValues;
}

export function toHelmSyncJob({ organization_id, ...row }: HelmSyncJobRow): Schemas['HelmSyncJob'] {
  return {
    ...row,
    scope: scopeOf(organization_id),
    status: toJobStatus(row.last_run),
    last_run: row.last_run ? toRun(row.last_run) : null,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
