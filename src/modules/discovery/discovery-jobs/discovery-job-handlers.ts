import { type Database, transaction } from '../../../platform/database/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { listRuns, requestRuns, toJobToRun } from '../../runs/index.ts';
import { discoveryJobs, listDiscoveryJobs, readCoverage } from '../model/discovery-job-queries.ts';
import {
  checkNewDiscoveryJob,
  discoveryJobEdits,
  readDiscoveryJob,
  toDiscoveryJob,
} from './discovery-job-edits.ts';

type DiscoveryJobOperations =
  | 'listDiscoveryJobs'
  | 'createDiscoveryJob'
  | 'getDiscoveryJob'
  | 'updateDiscoveryJob'
  | 'deleteDiscoveryJob'
  | 'runDiscoveryJob'
  | 'confirmGoneItems'
  | 'listDiscoveryJobRuns';

export function discoveryJobHandlers({ db }: { db: Database }): Handlers<DiscoveryJobOperations> {
  return {
    async listDiscoveryJobs({ caller, query }) {
      const page = await listDiscoveryJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toDiscoveryJob) } };
    },

    async createDiscoveryJob(request) {
      const values = await checkNewDiscoveryJob(request.body);
      const [row] = await transaction(db, (tx) => discoveryJobEdits.create(tx, request, [values]));
      return { status: 201, body: toDiscoveryJob(row!) };
    },

    async getDiscoveryJob({ caller, path }) {
      const row = await readDiscoveryJob(db, caller.organizationId, path.id);
      // Read the coverage separately. Lists omit it, because it can be much larger than the rest of a job.
      const coverage = await readCoverage(db, caller.organizationId, path.id);
      return { status: 200, body: { ...toDiscoveryJob(row), coverage } };
    },

    async updateDiscoveryJob(request) {
      const { path, body } = request;
      const row = await transaction(db, (tx) => discoveryJobEdits.update(tx, request, path.id, body));
      const coverage = await readCoverage(db, request.caller.organizationId, path.id);
      return { status: 200, body: { ...toDiscoveryJob(row), coverage } };
    },

    async deleteDiscoveryJob(request) {
      const { path, query } = request;
      await transaction(db, (tx) => discoveryJobEdits.delete(tx, request, path.id, query));
      return { status: 204 };
    },

    async runDiscoveryJob({ caller: { organizationId }, path }) {
      const row = await transaction(db, async (tx) => {
        const job = await readDiscoveryJob(tx, organizationId, path.id);
        await requestRuns(tx, discoveryJobs, [toJobToRun(organizationId, job)], 'manual');
        // Running a job doesn't lock it, so the job may have been deleted.
        return readDiscoveryJob(tx, organizationId, job.id);
      });
      return { status: 202, body: toDiscoveryJob(row) };
    },

    async confirmGoneItems(request) {
      const row = await transaction(db, (tx) => discoveryJobEdits.confirmGone(tx, request, request.path.id));
      return { status: 202, body: toDiscoveryJob(row) };
    },

    async listDiscoveryJobRuns({ caller: { organizationId }, path, query }) {
      const job = await readDiscoveryJob(db, organizationId, path.id);
      return { status: 200, body: await listRuns(db, organizationId, discoveryJobs, job.id, query) };
    },
  };
}
