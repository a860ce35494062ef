import { type Database, transaction } from '../../../platform/database/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { listRuns, requestRuns, toJobToRun } from '../../runs/index.ts';
import { assertCanEdit } from '../job-scope.ts';
import { helmSyncJobs } from '../source-jobs.ts';
import { listCharts } from './helm-chart-queries.ts';
import { checkHelmSyncJob, helmSyncJobEdits, readHelmSyncJob, toHelmSyncJob } from './helm-sync-job-edits.ts';
import { listHelmSyncJobs } from './helm-sync-job-queries.ts';

type HelmSyncJobOperations =
  | 'listHelmSyncJobs'
  | 'createHelmSyncJob'
  | 'getHelmSyncJob'
  | 'updateHelmSyncJob'
  | 'deleteHelmSyncJob'
  | 'runHelmSyncJob'
  | 'listHelmSyncJobCharts'
  | 'listHelmSyncJobRuns';

export function helmSyncJobHandlers({ db }: { db: Database }): Handlers<HelmSyncJobOperations> {
  return {
    async listHelmSyncJobs({ caller, query }) {
      const page = await listHelmSyncJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toHelmSyncJob) } };
    },

    async createHelmSyncJob(request) {
      const values = checkHelmSyncJob(request.body);
      const [row] = await transaction(db, (tx) => helmSyncJobEdits.create(tx, request, [values]));
      return { status: 201, body: toHelmSyncJob(row!) };
    },

    async getHelmSyncJob({ caller, path }) {
      return { status: 200, body: toHelmSyncJob(await readHelmSyncJob(db, caller, path.id)) };
    },

    async updateHelmSyncJob(request) {
      const { path, body } = request;
      const row = await transaction(db, (tx) => helmSyncJobEdits.update(tx, request, path.id, body));
      return { status: 200, body: toHelmSyncJob(row) };
    },

    async deleteHelmSyncJob(request) {
      const { path, query } = request;
      await transaction(db, (tx) =>
        helmSyncJobEdits.delete(tx, request, path.id, { cascade: query.cascade ?? false }),
      );
      return { status: 204 };
    },

    async runHelmSyncJob({ caller, path }) {
      const row = await transaction(db, async (tx) => {
        const job = await readHelmSyncJob(tx, caller, path.id);
        assertCanEdit(caller, job);
        await requestRuns(tx, helmSyncJobs, [toJobToRun(job.organization_id, job)], 'manual');
        // Running a job doesn't lock it, so it may have been deleted.
        return readHelmSyncJob(tx, caller, job.id);
      });
      return { status: 202, body: toHelmSyncJob(row) };
    },

    async listHelmSyncJobCharts({ caller, path, query }) {
      const job = await readHelmSyncJob(db, caller, path.id);
      return { status: 200, body: await listCharts(db, job.organization_id, job.id, query, query) };
    },

    async listHelmSyncJobRuns({ caller, path, query }) {
      const job = await readHelmSyncJob(db, caller, path.id);
      return { status: 200, body: await listRuns(db, job.organization_id, helmSyncJobs, job.id, query) };
    },
  };
}
