import { type Database, transaction } from '../../../platform/database/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Sandbox } from '../../../platform/sandbox/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { listRuns } from '../../runs/index.ts';
import { gatherJobs, helmSyncJobs } from '../source-jobs.ts';
import { checkNewGatherJob, gatherJobEdits, readJob, toGatherJob } from './gather-job-edits.ts';
import { listGatherJobChoices, listGatherJobs } from './gather-job-queries.ts';
import { previewGatherJob } from './preview-gather-job.ts';

type GatherJobOperations =
  | 'listGatherJobs'
  | 'createGatherJob'
  | 'getGatherJob'
  | 'updateGatherJob'
  | 'deleteGatherJob'
  | 'runGatherJob'
  | 'clearGatherJobReleases'
  | 'previewGatherJob'
  | 'listGatherJobRuns'
  | 'listGatherJobsDropdown'
  | 'listGlobalGatherJobsDropdown';

export function gatherJobHandlers({
  db,
  sandbox,
}: {
  db: Database;
  sandbox: Pick<Sandbox, 'run'>;
}): Handlers<GatherJobOperations> {
  return {
    async listGatherJobs({ caller, query }) {
      const page = await listGatherJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toGatherJob) } };
    },

    async createGatherJob(request) {
      const values = checkNewGatherJob(request.body);
      const [row] = await transaction(db, (tx) => gatherJobEdits.create(tx, request, [values]));
      return { status: 201, body: toGatherJob(row!) };
    },

    async getGatherJob({ caller, path }) {
      return { status: 200, body: toGatherJob(await readJob(db, caller, path.id)) };
    },

    async updateGatherJob(request) {
      const { path, body } = request;
      const row = await transaction(db, (tx) => gatherJobEdits.update(tx, request, path.id, body));
      return { status: 200, body: toGatherJob(row) };
    },

    async deleteGatherJob(request) {
      const { path, query } = request;
      await transaction(db, (tx) =>
        gatherJobEdits.delete(tx, request, path.id, { cascade: query.cascade ?? false }),
      );
      return { status: 204 };
    },

    async runGatherJob({ caller, path }) {
      const row = await transaction(db, (tx) => gatherJobEdits.run(tx, caller, path.id));
      return { status: 202, body: toGatherJob(row) };
    },

    async clearGatherJobReleases(request) {
      const deleted = await transaction(db, (tx) =>
        gatherJobEdits.clearReleases(tx, request, request.path.id),
      );
      return { status: 200, body: { deleted } };
    },

    async previewGatherJob({ caller, body }) {
      return { status: 200, body: await previewGatherJob({ db, sandbox }, caller.organizationId, body) };
    },

    async listGatherJobRuns({ caller, path, query }) {
      const job = await readJob(db, caller, path.id);
      const page =
        job.helm_sync_job_id === null
          ? await listRuns(db, job.organization_id, gatherJobs, job.id, query)
          : await listRuns(db, job.organization_id, helmSyncJobs, job.helm_sync_job_id, query);
      return { status: 200, body: page };
    },

    async listGatherJobsDropdown({ caller }) {
      return { status: 200, body: await listGatherJobChoices(db, caller.organizationId) };
    },

    async listGlobalGatherJobsDropdown() {
      return { status: 200, body: await listGatherJobChoices(db, systemOrganizationId) };
    },
  };
}
