import { sql } from 'kysely';
import { chartArtifactName, normalizeRepositoryUrl } from '../../../domain/artifacts/chart-names.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { invalidField, notFound, runChecks } from '../../../platform/errors.ts';
import { assertIfMatch, type Caller, type EditContext } from '../../../platform/http/index.ts';
import { checkGlob, createChartFilter } from '../../../sources/chart-filter.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { markNotMonitored } from '../../monitoring/index.ts';
import { applyJobChange, changedValues, checkSchedule, lockJob, startJobs, toJob } from '../../runs/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { assertNotInUse, deleteWithConfigs } from '../gather-jobs/delete-gather-jobs.ts';
import { requestOwningHelmSync } from '../gather-jobs/request-owning-helm-sync.ts';
import { assertCanEdit, scopeOf } from '../job-scope.ts';
import { clearReleases } from '../releases/clear-releases.ts';
import { helmSyncJobs } from '../source-jobs.ts';
import { detachManagedJobs } from './detach-managed-jobs.ts';
import { deleteCharts, listChartNames } from './helm-chart-queries.ts';
import {
  deleteHelmSyncJob,
  findHelmSyncJob,
  type HelmSyncJobRow,
  type HelmSyncJobValues,
  insertHelmSyncJobs,
  listHelmSyncJobsById,
  updateHelmSyncJob,
} from './helm-sync-job-queries.ts';
import { lockManagedJobs, moveManagedJobs, setCredentialOfManagedJobs } from './managed-job-queries.ts';

/** Edits helm sync jobs in the transaction of the caller. */
export const helmSyncJobEdits = {
  /** @param jobs At most 1,000 jobs. */
  async create(
    tx: Tx,
    context: EditContext,
    jobs: readonly (HelmSyncJobValues & { discovery_job_id?: number })[],
  ): Promise<HelmSyncJobRow[]> {
    const { organizationId } = context.caller;
    const { ids, now } = await insertHelmSyncJobs(tx, organizationId, jobs);
    const created = jobs.map((values, index) => ({ ...values, id: ids[index]! }));
    await startJobs(tx, helmSyncJobs, organizationId, created, now);
    publishChanges(tx, organizationId, 'helm_sync_job', ids, 'created');
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
    assertIfMatch(context, before);
    const after = checkHelmSyncJob(changedValues(before, requestFields.createHelmSyncJob, body));
    const needsResync = hasDifferentSource(before, after);
    await updateHelmSyncJob(tx, organizationId, before.id, {
      ...after,
      ...(needsResync && { validators: null }),
    });
    await changeFedJobs(tx, before, after, lock.now);
    const change = { before, after: { ...after, id: before.id }, readsElse: needsResync };
    await applyJobChange(tx, helmSyncJobs, organizationId, change, lock);
    publishChanges(tx, organizationId, 'helm_sync_job', [before.id], 'updated');
    const changed = (await findHelmSyncJob(tx, organizationId, before.id))!;
    await recordEdit(tx, context, 'helm_sync_job', {
      before: toHelmSyncJob(before),
      after: toHelmSyncJob(changed),
    });
    return changed;
  },

  async delete(tx: Tx, context: EditContext, id: number, { cascade = false } = {}): Promise<void> {
    const { caller } = context;
    if (cascade)
      await markNotMonitored(
        tx,
        caller.organizationId,
        sql<boolean>`(c.gather_organization_id = ${caller.organizationId} AND c.gather_job_id IN (
            SELECT fed.id FROM gather_jobs AS fed
            WHERE fed.organization_id = ${caller.organizationId} AND fed.helm_sync_job_id = ${id}))`,
      );
    const { organizationId, lock } = await lockToChange(tx, caller, id);
    const job = await readHelmSyncJob(tx, caller, id);
    assertIfMatch(context, job);
    const fed = await lockManagedJobs(tx, organizationId, job.id);
    let configCount = 0;
    if (cascade) {
      const ids = fed.map((each) => each.id);
      const configIds = await assertNotInUse(tx, organizationId, ids, { cascade: true });
      await deleteWithConfigs(tx, organizationId, ids, configIds, caller.actor);
      configCount = configIds.length;
    } else {
      await detachManagedJobs(tx, job, fed, lock.now);
    }
    await deleteHelmSyncJob(tx, organizationId, job.id);
    await recordEdit(tx, context, 'helm_sync_job', {
      before: toHelmSyncJob(job),
      detail: { alert_config_count: configCount },
    });
    publishChanges(tx, organizationId, 'helm_sync_job', [job.id], 'deleted');
  },

  /** Requests a run that reads the entire index again, for jobs that were created for its charts. */
  async readAgain(tx: Tx, { caller }: EditContext, id: number): Promise<void> {
    await requestOwningHelmSync(tx, caller.organizationId, id, 'changed');
  },
};

async function lockToChange(tx: Tx, caller: Caller, id: number) {
  const job = await readHelmSyncJob(tx, caller, id);
  assertCanEdit(caller, job);
  const lock = await lockJob(tx, helmSyncJobs, job.organization_id, id, { holdsReferences: true });
  if (!lock) throw notFound();
  return { organizationId: job.organization_id, lock };
}

/**
 * Updates the gather jobs that the sync manages: sets their credential and repository URL, or detaches
 * them.
 */
async function changeFedJobs(
  tx: Tx,
  before: HelmSyncJobRow,
  after: HelmSyncJobValues,
  now: Date,
): Promise<void> {
  const { organization_id: organizationId, id } = before;
  if (before.credential_name !== after.credential_name) {
    await setCredentialOfManagedJobs(tx, organizationId, id, after.credential_name);
  }
  if (!hasDifferentSource(before, after)) return;
  const passes = createChartFilter(after.chart_filter);
  const isFedOn = (job: { chart: string }) => after.create_gather_jobs && passes(job.chart);
  const [fedOn, letGo] = partition(await lockManagedJobs(tx, organizationId, id), isFedOn);
  await detachManagedJobs(tx, { ...before, ...after }, letGo, now);
  const isMoved = before.repository_url !== after.repository_url;
  if (isMoved) {
    const moved = fedOn.flatMap(({ id: jobId, chart }) => {
      const artifact = chartArtifactName(after.repository_url, chart);
      return artifact.ok ? [{ id: jobId, artifactName: artifact.artifactName }] : [];
    });
    const movedIds = moved.map((job) => job.id);
    // These jobs may be mirrors. Evaluate the configurations again that use the jobs that they mirrored
    // until now, because these will no longer show the mirrors' releases.
    await triggerFanOuts(tx, organizationId, movedIds);
    await moveManagedJobs(tx, organizationId, moved);
    await clearReleases(tx, organizationId, movedIds);
  }
  const names = await listChartNames(tx, organizationId, id);
  const gone = isMoved ? names : names.filter((name) => !passes(name));
  await deleteCharts(tx, organizationId, id, gone);
}

/** Returns a job that the caller can read. Throws 404 if the job isn't found. */
export async function readHelmSyncJob(
  db: Database | Tx,
  caller: Caller,
  id: number,
): Promise<HelmSyncJobRow> {
  const row = await findHelmSyncJob(db, caller.organizationId, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Returns the values of a job with the repository URL in its normalized form. Throws 400 for invalid values.
 */
export function checkHelmSyncJob(values: HelmSyncJobValues): HelmSyncJobValues {
  const repository = normalizeRepositoryUrl(values.repository_url);
  runChecks([
    () => {
      if (!repository.ok) throw invalidField('repository_url', repository.message);
    },
    ...values.chart_filter.map((glob, index) => () => {
      const problem = checkGlob(glob);
      if (problem !== null) throw invalidField(`chart_filter.${index}`, problem);
    }),
    () => checkSchedule(values),
  ]);
  return repository.ok ? { ...values, repository_url: repository.repositoryUrl } : values;
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

export function toHelmSyncJob({ organization_id, ...row }: HelmSyncJobRow): Schemas['HelmSyncJob'] {
  return { ...toJob(row), scope: scopeOf(organization_id) };
}
