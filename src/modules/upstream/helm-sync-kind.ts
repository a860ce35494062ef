import { sql } from 'kysely';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import {
  type ClaimedRun,
  isJobOfRuns,
  type JobKind,
  jobKey,
  readParts,
  startScheduleLoop,
  type TaskBody,
} from '../runs/index.ts';
import { triggerFanOuts } from './fan-out-evaluation.ts';
import { recordHelmSync } from './helm-sync-jobs/record-helm-sync.ts';
import { listOrganizationsUsingGlobalJobs } from './job-scope.ts';
import { isSyncShownAsOld, listManagedGatherJobs } from './releases/job-record-queries.ts';
import { type RecordDeps, recordUnchanged, toReadOutcome } from './releases/record-releases.ts';
import { helmSyncJobs } from './source-jobs.ts';

/** Jobs that read the index of a Helm repository. */
export const helmSyncKind: JobKind<RecordDeps> = {
  ...helmSyncJobs,
  resultFields: ['chart'],
  wholeResult: null,
  ofOrganizations: {
    isListedAsNext: true,
    evaluateStale: (tx, organizationId, jobId) => triggerManagedFanOuts(tx, organizationId, [jobId]),
    isReportedElsewhere: () => Promise.resolve(false),
    listUsersOfGlobalJob: (tx, jobId) =>
      listOrganizationsUsingGlobalJobs(tx, sql`g.helm_sync_job_id = ${jobId}`),
  },
  startSchedules: (deps) => startScheduleLoop(helmSyncJobs, deps),
  describe,

  async applyParts(tx, deps, run, { leaseToken, partCount, summary }) {
    const job = { organizationId: run.organization_id, jobId: run.job_id };
    const parts = readParts<Schemas['HelmSyncResultItem']>(tx, run, leaseToken, partCount);
    return { applied: await recordHelmSync(tx, deps, job, parts, toReadOutcome(summary)) };
  },

  async applyTogether(tx, _deps, tasks) {
    const runs = tasks.map(({ run }) => run);
    const recovered = await recordUnchanged(tx, helmSyncJobs, isSyncShownAsOld, runs);
    for (const [organizationId, ids] of recovered) await triggerManagedFanOuts(tx, organizationId, ids);
    return tasks.map(() => ({ applied: {} }));
  },
};

/** Triggers the evaluations that use the gather jobs that these helm sync jobs manage. */
async function triggerManagedFanOuts(tx: Tx, organizationId: number, ids: readonly number[]): Promise<void> {
  const jobIds = await listManagedGatherJobs(tx, organizationId, ids);
  await triggerFanOuts(tx, organizationId, jobIds);
}

async function describe(db: Database, runs: readonly ClaimedRun[]): Promise<Map<string, TaskBody>> {
  const { rows } = await sql<
    Omit<Schemas['HelmSyncTaskSpec'], 'helm_sync_job_id'> & { organization_id: number; id: number }
  >`
    SELECT organization_id, id, repository_url, coalesce(chart_filter, '{}') AS chart_filter, create_gather_jobs,
      credential_name, validators
    FROM helm_sync_jobs WHERE ${isJobOfRuns(runs)}`.execute(db);
  return new Map(
    rows.map(({ organization_id, id, ...row }) => [
      jobKey(organization_id, id),
      { kind: 'helm_sync', spec: { ...row, helm_sync_job_id: id } },
    ]),
  );
}
