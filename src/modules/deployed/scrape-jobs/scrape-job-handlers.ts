import { parseContentLimits } from '../../../domain/parsers/content-limits.ts';
import { type ParseContentInput, type ParseContentResult } from '../../../domain/parsers/parse-content.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { TurnScheduler } from '../../../platform/fairness/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { type Sandbox, SandboxBusyError, SandboxError } from '../../../platform/sandbox/index.ts';
import { changeInTurn } from '../../monitoring/index.ts';
import { listRuns, requestRuns, toJobToRun } from '../../runs/index.ts';
import { setVersion } from '../versions/set-version.ts';
import { listVersions } from '../versions/version-queries.ts';
import { toParsePreview } from './parse-preview.ts';
import { createSourcePreview, type PreviewSourceDeps } from './preview-scrape-source.ts';
import { checkNewScrapeJob, scrapeJobEdits, toScrapeJob } from './scrape-job-edits.ts';
import {
  findScrapeJob,
  listScrapeJobChoices,
  listScrapeJobs,
  type ScrapeJobRow,
  scrapeJobs,
} from './scrape-job-queries.ts';

type ScrapeJobOperations =
  | 'listScrapeJobs'
  | 'createScrapeJob'
  | 'getScrapeJob'
  | 'updateScrapeJob'
  | 'deleteScrapeJob'
  | 'runScrapeJob'
  | 'setScrapeJobVersion'
  | 'listScrapeJobVersions'
  | 'listScrapeJobRuns'
  | 'previewScrapeJob'
  | 'previewScrapeSource'
  | 'listVersions'
  | 'listScrapeJobsDropdown';

export interface ScrapeJobHandlerDeps {
  db: Database;
  sandbox: Sandbox;
  sourceHttp: PreviewSourceDeps['sourceHttp'];
  evaluationTurns: TurnScheduler;
  /** Runs the discovery job that feeds a scrape job. */
  requestScan(tx: Tx, organizationId: number, discoveryJobId: number): Promise<void>;
}

export function scrapeJobHandlers({
  db,
  sandbox,
  sourceHttp,
  evaluationTurns,
  requestScan,
}: ScrapeJobHandlerDeps): Handlers<ScrapeJobOperations> {
  const previewSource = createSourcePreview({ sandbox, sourceHttp });
  return {
    async listScrapeJobs({ caller, query }) {
      const page = await listScrapeJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toScrapeJob) } };
    },

    async createScrapeJob(request) {
      const values = checkNewScrapeJob(request.body);
      const [row] = await transaction(db, (tx) => scrapeJobEdits.create(tx, request, [values]));
      return { status: 201, body: toScrapeJob(row!) };
    },

    async getScrapeJob({ caller, path }) {
      return { status: 200, body: toScrapeJob(await readJob(caller.organizationId, path.id)) };
    },

    async updateScrapeJob(request) {
      const { path, body } = request;
      const change = () => transaction(db, (tx) => scrapeJobEdits.update(tx, request, path.id, body));
      const used = { scrapeJobId: path.id };
      const row = await changeInTurn({ db, evaluationTurns }, request.caller.organizationId, used, change);
      return { status: 200, body: toScrapeJob(row) };
    },

    async deleteScrapeJob(request) {
      const { path, query } = request;
      await transaction(db, (tx) =>
        scrapeJobEdits.delete(tx, request, path.id, { cascade: query.cascade ?? false }),
      );
      return { status: 204 };
    },

    async runScrapeJob({ caller, path }) {
      await transaction(db, async (tx) => {
        const job = await findScrapeJob(tx, caller.organizationId, path.id);
        if (!job) throw notFound();
        if (job.parser_type === 'manual') {
          throw new ApiError('conflict', "Manual jobs don't run. Set the version instead.");
        }
        if (job.discovery_job_id === null)
          await requestRuns(tx, scrapeJobs, [toJobToRun(caller.organizationId, job)], 'manual');
        else await requestScan(tx, caller.organizationId, job.discovery_job_id);
      });
      return { status: 202, body: toScrapeJob(await readJob(caller.organizationId, path.id)) };
    },

    async setScrapeJobVersion({ caller, path, body }) {
      return {
        status: 200,
        body: await setVersion({ db, evaluationTurns }, caller.organizationId, path.id, body.version),
      };
    },

    async listScrapeJobVersions({ caller, path, query }) {
      await readJob(caller.organizationId, path.id);
      const filters = { ...query, scrape_job_id: path.id };
      return { status: 200, body: await listVersions(db, caller.organizationId, filters, query) };
    },

    async listScrapeJobRuns({ caller, path, query }) {
      await readJob(caller.organizationId, path.id);
      return { status: 200, body: await listRuns(db, caller.organizationId, scrapeJobs, path.id, query) };
    },

    async previewScrapeJob({ caller, body }) {
      const result = await parseSafely(caller.organizationId, {
        parserType: body.parser_type,
        expression: body.parse_expression,
        transform: body.version_transform,
        content: body.content,
      });
      return { status: 200, body: toParsePreview(result) };
    },

    async previewScrapeSource({ caller, body, signal }) {
      return { status: 200, body: await previewSource(caller.organizationId, body, signal) };
    },

    async listVersions({ caller, query }) {
      return { status: 200, body: await listVersions(db, caller.organizationId, query, query) };
    },

    async listScrapeJobsDropdown({ caller }) {
      return { status: 200, body: await listScrapeJobChoices(db, caller.organizationId) };
    },
  };

  async function readJob(organizationId: number, id: number): Promise<ScrapeJobRow> {
    const row = await findScrapeJob(db, organizationId, id);
    if (!row) throw notFound();
    return row;
  }

  /** Parses untrusted content in the sandbox. */
  async function parseSafely(organizationId: number, input: ParseContentInput): Promise<ParseContentResult> {
    try {
      return await sandbox.run<ParseContentInput, ParseContentResult>(
        new URL('../../../domain/parsers/parse-content.ts', import.meta.url),
        'parseContent',
        input,
        { deadlineMs: parseContentLimits.deadlineMs, fairKey: String(organizationId) },
      );
    } catch (error) {
      if (error instanceof SandboxBusyError)
        throw new ApiError('unavailable', 'Too many concurrent previews. Try again shortly.');
      if (error instanceof SandboxError) return { ok: false, step: 'content', message: error.message };
      throw error;
    }
  }
}
