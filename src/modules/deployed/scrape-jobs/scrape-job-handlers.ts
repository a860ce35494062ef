import { parseContentLimits } from '../../../domain/parsers/content-limits.ts';
import { type ParseContentInput, type ParseContentResult } from '../../../domain/parsers/parse-content.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { assertMatch, type Handlers } from '../../../platform/http/index.ts';
import { type Sandbox, SandboxBusyError, SandboxError } from '../../../platform/sandbox/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { recordEdit } from '../../audit/index.ts';
import { deleteAlertConfigs } from '../../monitoring/index.ts';
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
import { recordNewestVersionAgain } from '../versions/record-version.ts';
import { setVersion } from '../versions/set-version.ts';
import { listVersions } from '../versions/version-queries.ts';
import {
  deleteScrapeJob,
  findScrapeJob,
  insertScrapeJob,
  listScrapeJobChoices,
  listScrapeJobs,
  listUsingConfigs,
  lockScrapeJob,
  type ScrapeJobRow,
  updateScrapeJob,
} from './scrape-job-queries.ts';
import { checkScrapeJob, readsSomethingElse } from './scrape-job-values.ts';

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
  | 'listVersions'
  | 'listScrapeJobsDropdown';

export interface ScrapeJobHandlerDeps {
  db: Database;
  wakeUps: WakeUps;
  sandbox: Sandbox;
}

export function scrapeJobHandlers({
  db,
  wakeUps,
  sandbox,
}: ScrapeJobHandlerDeps): Handlers<ScrapeJobOperations> {
  return {
    async listScrapeJobs({ caller, query }) {
      const page = await listScrapeJobs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toScrapeJob) } };
    },

    async createScrapeJob(request) {
      const { caller, body } = request;
      const values = checkScrapeJob({ ...body, ref: body.ref ?? null });
      const row = await transaction(db, async (tx) => {
        const id = await insertScrapeJob(tx, caller.organizationId, values);
        const job = (await findScrapeJob(tx, caller.organizationId, id))!;
        await scheduleJobs(tx, wakeUps, 'scrape', caller.organizationId, [job], job.created_at);
        if (job.is_active && job.parser_type !== 'manual') {
          await requestRuns(tx, wakeUps, 'scrape', [toJobToRun(caller.organizationId, job)], 'created');
        }
        await recordEdit(tx, request, 'scrape_job', { after: toScrapeJob(job) });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/scrape_job/${id}/created`);
        return findScrapeJob(tx, caller.organizationId, id);
      });
      return { status: 201, body: toScrapeJob(row!) };
    },

    async getScrapeJob({ caller, path }) {
      return { status: 200, body: toScrapeJob(await readJob(caller.organizationId, path.id)) };
    },

    async updateScrapeJob(request) {
      const { path, body } = request;
      const { organizationId } = request.caller;
      const row = await transaction(db, async (tx) => {
        await lockScrapeJob(tx, organizationId, path.id);
        const before = await findScrapeJob(tx, organizationId, path.id);
        if (!before) throw notFound();
        assertMatch(request, before);
        if (
          body.parser_type !== undefined &&
          (body.parser_type === 'manual') !== (before.parser_type === 'manual')
        ) {
          throw invalidField('parser_type', "can't change to or from manual; create another job");
        }
        const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
        const values = checkScrapeJob({ ...pickValues(before), ...given });
        await updateScrapeJob(tx, organizationId, before.id, values);
        const after = (await findScrapeJob(tx, organizationId, before.id))!;
        if (!isSameSchedule(before, after))
          await scheduleJobs(tx, wakeUps, 'scrape', organizationId, [after], after.updated_at);
        const readsElse = after.parser_type !== 'manual' && readsSomethingElse(before, after);
        const isTransformChanged = after.version_transform !== before.version_transform;
        // What was read before a job was pointed elsewhere says nothing of what it reads from now on.
        if (isTransformChanged && !readsElse)
          await recordNewestVersionAgain(tx, wakeUps, organizationId, before.id);
        const wantsRun = readsElse || isTransformChanged || !before.is_active;
        if (after.parser_type !== 'manual' && after.is_active && wantsRun) {
          await requestRunAfterChange(tx, wakeUps, 'scrape', toJobToRun(organizationId, after));
        } else if (readsElse) {
          // What runs now reads what the job was before.
          await cancelRuns(tx, 'scrape', organizationId, before.id);
        }
        await recordEdit(tx, request, 'scrape_job', {
          before: toScrapeJob(before),
          after: toScrapeJob(after),
        });
        wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/scrape_job/${before.id}`);
        return findScrapeJob(tx, organizationId, before.id);
      });
      return { status: 200, body: toScrapeJob(row!) };
    },

    async deleteScrapeJob(request) {
      const { caller, path, query } = request;
      const { organizationId } = caller;
      await transaction(db, async (tx) => {
        await lockScrapeJob(tx, organizationId, path.id, { toDelete: true });
        const job = await findScrapeJob(tx, organizationId, path.id);
        if (!job) throw notFound();
        assertMatch(request, job);
        const configIds = await listUsingConfigs(tx, organizationId, job.id);
        if (configIds.length > 0 && !query.cascade) {
          const configs =
            configIds.length === 1
              ? '1 alert configuration uses'
              : `${configIds.length} alert configurations use`;
          throw new ApiError('in_use', `${configs} this job. Delete them first, or add ?cascade=true.`, {
            extra: { alert_config_ids: configIds.slice(0, 20), alert_config_count: configIds.length },
          });
        }
        if (configIds.length > 0) {
          await deleteAlerts(tx, organizationId, { alertConfigIds: configIds }, caller.actor, wakeUps);
          await deleteAlertConfigs(tx, organizationId, { ids: configIds }, wakeUps);
        }
        await deleteScrapeJob(tx, organizationId, job.id);
        await recordEdit(tx, request, 'scrape_job', {
          before: toScrapeJob(job),
          detail: { alert_config_count: configIds.length },
        });
        wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/scrape_job/${job.id}/deleted`);
      });
      return { status: 204 };
    },

    async runScrapeJob({ caller, path }) {
      await transaction(db, async (tx) => {
        const job = await findScrapeJob(tx, caller.organizationId, path.id);
        if (!job) throw notFound();
        if (job.parser_type === 'manual') {
          throw new ApiError('conflict', "Manual jobs don't run. Set the version instead.");
        }
        await requestRuns(tx, wakeUps, 'scrape', [toJobToRun(caller.organizationId, job)], 'manual');
      });
      return { status: 202, body: toScrapeJob(await readJob(caller.organizationId, path.id)) };
    },

    async setScrapeJobVersion({ caller, path, body }) {
      return {
        status: 200,
        body: await setVersion(db, wakeUps, caller.organizationId, path.id, body.version),
      };
    },

    async listScrapeJobVersions({ caller, path, query }) {
      await readJob(caller.organizationId, path.id);
      const filters = { ...query, scrape_job_id: path.id };
      return { status: 200, body: await listVersions(db, caller.organizationId, filters, query) };
    },

    async listScrapeJobRuns({ caller, path, query }) {
      await readJob(caller.organizationId, path.id);
      return { status: 200, body: await listRuns(db, caller.organizationId, 'scrape', path.id, query) };
    },

    async previewScrapeJob({ caller, body }) {
      const result = await parseSafely(caller.organizationId, {
        parserType: body.parser_type,
        expression: body.parse_expression,
        transform: body.version_transform,
        content: body.content,
      });
      return {
        status: 200,
        body: result.ok
          ? { found: true, raw_version: result.rawVersion, version: result.version, error: null }
          : {
              found: false,
              raw_version: null,
              version: null,
              error: { code: result.step, message: result.message },
            },
      };
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

  /** The content is hostile: it is parsed where it can do no harm. */
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

function toJobToRun(organizationId: number, job: ScrapeJobRow) {
  return { organizationId, jobId: job.id, credentialName: job.credential_name };
}

function pickValues(row: ScrapeJobRow) {
  const { name, parser_type, repository_url, ref, target_file, parse_expression, version_transform } = row;
  const { credential_name, cron_expression, cron_timezone, history_limit, is_active } = row;
  return {
    ...{ name, parser_type, repository_url, ref, target_file, parse_expression, version_transform },
    ...{ credential_name, cron_expression, cron_timezone, history_limit, is_active },
  };
}

/** A manual job has no runs: it has done its work once it has a version. */
function isSetByHand({ parser_type, latest_version }: ScrapeJobRow): boolean {
  return parser_type === 'manual' && latest_version !== null;
}

export function toScrapeJob(row: ScrapeJobRow): Schemas['ScrapeJob'] {
  return {
    ...row,
    status: isSetByHand(row) ? 'completed' : toJobStatus(row.last_run),
    last_run: row.last_run ? toRun(row.last_run) : null,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    latest_version_at: row.latest_version_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
