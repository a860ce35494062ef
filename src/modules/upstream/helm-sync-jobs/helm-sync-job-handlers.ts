import { chartArtifactName, normalizeRepositoryUrl } from '../../../domain/artifacts/chart-names.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { assertMatch, type Caller, type Handlers } from '../../../platform/http/index.ts';
import { checkGlob, createChartFilter } from '../../../sources/chart-filter.ts';
import { recordEdit } from '../../audit/index.ts';
import {
  cancelRuns,
  checkSchedule,
  isSameSchedule,
  listRuns,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  toJobStatus,
  toRun,
} from '../../runs/index.ts';
import { deleteWithConfigs, refuseWhenInUse } from '../gather-jobs/delete-gather-jobs.ts';
import { refuseForeign, scopeOf } from '../job-scope.ts';
import { clearReleases } from '../releases/clear-releases.ts';
import { detachManagedJobs } from './detach-managed-jobs.ts';
import { lockFedJobs, moveFedJobs, setCredentialOfFedJobs } from './fed-job-queries.ts';
import { deleteCharts, listChartNames, listCharts } from './helm-chart-queries.ts';
import {
  deleteHelmSyncJob,
  findHelmSyncJob,
  type HelmSyncJobRow,
  type HelmSyncJobValues,
  insertHelmSyncJob,
  listHelmSyncJobs,
  lockHelmSyncJob,
  updateHelmSyncJob,
} from './helm-sync-job-queries.ts';

type HelmSyncJobOperations =
  | 'listHelmSyncJobs'
  | 'createHelmSyncJob'
  | 'getHelmSyncJob'
  | 'updateHelmSyncJob'
  | 'deleteHelmSyncJob'
  | 'runHelmSyncJob'
  | 'listHelmSyncJobCharts'
  | 'listHelmSyncJobRuns';

export function helmSyncJobHandlers({
  db,
  wakeUps,
}: {
  db: Database;
  wakeUps: WakeUps;
}): Handlers<HelmSyncJobOperations> {
  return {
    async listHelmSyncJobs({ caller, query }) {
      const page = await listHelmSyncJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toHelmSyncJob) } };
    },

    async createHelmSyncJob(request) {
      const { body } = request;
      const { organizationId } = request.caller;
      const values = checkHelmSyncJob(body);
      const row = await transaction(db, async (tx) => {
        const { id, now } = await insertHelmSyncJob(tx, organizationId, values);
        await scheduleJobs(tx, wakeUps, 'helm_sync', organizationId, [{ ...values, id }], now);
        if (values.is_active)
          await requestRuns(tx, wakeUps, 'helm_sync', [toRequest(organizationId, id, values)], 'created');
        publishChange(tx, organizationId, id);
        const created = (await findHelmSyncJob(tx, organizationId, id))!;
        await recordEdit(tx, request, 'helm_sync_job', { after: toHelmSyncJob(created) });
        return created;
      });
      return { status: 201, body: toHelmSyncJob(row) };
    },

    async getHelmSyncJob({ caller, path }) {
      return { status: 200, body: toHelmSyncJob(await readJob(db, caller, path.id)) };
    },

    async updateHelmSyncJob(request) {
      const { caller, path, body } = request;
      const row = await transaction(db, async (tx) => {
        const { organizationId, lock } = await lockToChange(tx, caller, path.id);
        const before = await readJob(tx, caller, path.id);
        assertMatch(request, before);
        const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        const after = checkHelmSyncJob({ ...valuesOf(before), ...given });
        const needsResync = hasDifferentSource(before, after);
        await updateHelmSyncJob(tx, organizationId, before.id, {
          ...after,
          ...(needsResync && { validators: null }),
        });
        if (!isSameSchedule(before, after)) {
          await scheduleJobs(
            tx,
            wakeUps,
            'helm_sync',
            organizationId,
            [{ ...after, id: before.id }],
            lock.now,
          );
        }
        await changeFedJobs(tx, before, after, lock.now);
        const job = toRequest(organizationId, before.id, after);
        if (needsResync && after.is_active) await requestRunAfterChange(tx, wakeUps, 'helm_sync', job);
        else if (needsResync) await cancelRuns(tx, 'helm_sync', organizationId, before.id);
        // One that was made inactive has never run.
        else if (after.is_active && !before.is_active && !lock.hasSucceeded) {
          await requestRuns(tx, wakeUps, 'helm_sync', [job], 'created');
        }
        publishChange(tx, organizationId, before.id);
        const changed = (await findHelmSyncJob(tx, organizationId, before.id))!;
        await recordEdit(tx, request, 'helm_sync_job', {
          before: toHelmSyncJob(before),
          after: toHelmSyncJob(changed),
        });
        return changed;
      });
      return { status: 200, body: toHelmSyncJob(row) };
    },

    async deleteHelmSyncJob(request) {
      const { caller, path, query } = request;
      await transaction(db, async (tx) => {
        const { organizationId, lock } = await lockToChange(tx, caller, path.id);
        const job = await readJob(tx, caller, path.id);
        assertMatch(request, job);
        const fed = await lockFedJobs(tx, organizationId, job.id);
        let configCount = 0;
        if (query.cascade) {
          const ids = fed.map(({ id }) => id);
          const configIds = await refuseWhenInUse(tx, organizationId, ids, { cascade: true });
          await deleteWithConfigs(tx, wakeUps, organizationId, ids, configIds, caller.actor);
          configCount = configIds.length;
        } else {
          await detachManagedJobs(tx, wakeUps, job, fed, lock.now);
        }
        await deleteHelmSyncJob(tx, organizationId, job.id);
        await recordEdit(tx, request, 'helm_sync_job', {
          before: toHelmSyncJob(job),
          detail: { alert_config_count: configCount },
        });
        publishChange(tx, organizationId, job.id);
      });
      return { status: 204 };
    },

    async runHelmSyncJob({ caller, path }) {
      const row = await transaction(db, async (tx) => {
        const job = await readJob(tx, caller, path.id);
        refuseForeign(caller, job);
        await requestRuns(tx, wakeUps, 'helm_sync', [toRequest(job.organization_id, job.id, job)], 'manual');
        // It may have been deleted meanwhile: to run a job does not lock it.
        return readJob(tx, caller, job.id);
      });
      return { status: 202, body: toHelmSyncJob(row) };
    },

    async listHelmSyncJobCharts({ caller, path, query }) {
      const job = await readJob(db, caller, path.id);
      return { status: 200, body: await listCharts(db, job.organization_id, job.id, query, query) };
    },

    async listHelmSyncJobRuns({ caller, path, query }) {
      const job = await readJob(db, caller, path.id);
      return { status: 200, body: await listRuns(db, job.organization_id, 'helm_sync', job.id, query) };
    },
  };

  async function lockToChange(tx: Tx, caller: Caller, id: number) {
    const job = await readJob(tx, caller, id);
    refuseForeign(caller, job);
    const lock = await lockHelmSyncJob(tx, job.organization_id, id);
    if (!lock) throw notFound();
    return { organizationId: job.organization_id, lock };
  }

  /** What the sync feeds follows it: to another address, or into a life of its own. */
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

  function publishChange(tx: Tx, organizationId: number, id: number): void {
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/helm_sync_job/${id}`);
  }
}

async function readJob(db: Database | Tx, caller: Caller, id: number): Promise<HelmSyncJobRow> {
  const row = await findHelmSyncJob(db, caller.organizationId, id);
  if (!row) throw notFound();
  return row;
}

/** What a job is made of, with the address in its one spelling. Throws 400 for what could never be read. */
function checkHelmSyncJob(values: HelmSyncJobValues): HelmSyncJobValues {
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

function toRequest(organizationId: number, id: number, job: { credential_name: string | null }) {
  return { organizationId, jobId: id, credentialName: job.credential_name };
}

function valuesOf(row: HelmSyncJobRow): HelmSyncJobValues {
  return {
    name: row.name,
    repository_url: row.repository_url,
    chart_filter: row.chart_filter,
    create_gather_jobs: row.create_gather_jobs,
    credential_name: row.credential_name,
    cron_expression: row.cron_expression,
    cron_timezone: row.cron_timezone,
    is_active: row.is_active,
  };
}

function toHelmSyncJob({ organization_id, ...row }: HelmSyncJobRow): Schemas['HelmSyncJob'] {
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
