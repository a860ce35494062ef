import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type EditContext } from '../../../platform/http/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { deleteAlertConfigs } from '../../monitoring/index.ts';
import {
  cancelRuns,
  isSameSchedule,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  toJobStatus,
  toJobToRun,
  toRun,
} from '../../runs/index.ts';
import { recordNewestVersionAgain } from '../versions/record-version.ts';
import {
  deleteScrapeJob,
  findScrapeJob,
  insertScrapeJobs,
  listScrapeJobsById,
  listUsingConfigs,
  lockScrapeJob,
  type ScrapeJobRow,
  type ScrapeJobValues,
  updateScrapeJob,
} from './scrape-job-queries.ts';
import { checkScrapeJob, hasDifferentSource } from './scrape-job-values.ts';

/** Validates a new job. Throws 400 if it is invalid. */
export function checkNewScrapeJob(body: ApiRequest<'createScrapeJob'>['body']): ScrapeJobValues {
  return checkScrapeJob({ ...body, ref: body.ref ?? null });
}

/** Changes to scrape jobs, for use in a transaction. */
export function scrapeJobEdits(wakeUps: WakeUps) {
  return {
    /** @param jobs at most 1,000 */
    async create(tx: Tx, context: EditContext, jobs: readonly ScrapeJobValues[]): Promise<ScrapeJobRow[]> {
      const { organizationId } = context.caller;
      const { ids, now } = await insertScrapeJobs(tx, organizationId, jobs);
      const made = jobs.map((values, index) => ({ ...values, id: ids[index]! }));
      await scheduleJobs(tx, wakeUps, 'scrape', organizationId, made, now);
      const toRun = made.filter((job) => job.is_active && job.parser_type !== 'manual');
      await requestRuns(
        tx,
        wakeUps,
        'scrape',
        toRun.map((job) => toJobToRun(organizationId, job)),
        'created',
      );
      const rows = await listScrapeJobsById(tx, organizationId, ids);
      await recordEdits(
        tx,
        context,
        'scrape_job',
        rows.map((row) => ({ after: toScrapeJob(row) })),
      );
      publishChanges(tx, wakeUps, organizationId, 'scrape_job', ids, 'created');
      return rows;
    },

    async update(
      tx: Tx,
      context: EditContext,
      id: number,
      body: Schemas['UpdateScrapeJobRequest'],
    ): Promise<ScrapeJobRow> {
      const { organizationId } = context.caller;
      await lockScrapeJob(tx, organizationId, id);
      const before = await findScrapeJob(tx, organizationId, id);
      if (!before) throw notFound();
      assertMatch(context, before);
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
      const readsElse = after.parser_type !== 'manual' && hasDifferentSource(before, after);
      const isTransformChanged = after.version_transform !== before.version_transform;
      // Results from before the job's source changed don't apply to the new source.
      if (isTransformChanged && !readsElse)
        await recordNewestVersionAgain(tx, wakeUps, organizationId, before.id);
      const wantsRun = readsElse || isTransformChanged || !before.is_active;
      if (after.parser_type !== 'manual' && after.is_active && wantsRun) {
        await requestRunAfterChange(tx, wakeUps, 'scrape', toJobToRun(organizationId, after));
      } else if (readsElse) {
        // The current run reads the previous source.
        await cancelRuns(tx, 'scrape', organizationId, before.id);
      }
      await recordEdit(tx, context, 'scrape_job', {
        before: toScrapeJob(before),
        after: toScrapeJob(after),
      });
      publishChanges(tx, wakeUps, organizationId, 'scrape_job', [before.id], 'updated');
      return (await findScrapeJob(tx, organizationId, before.id))!;
    },

    async delete(tx: Tx, context: EditContext, id: number, { cascade = false } = {}): Promise<void> {
      const { organizationId, actor } = context.caller;
      await lockScrapeJob(tx, organizationId, id, { toDelete: true });
      const job = await findScrapeJob(tx, organizationId, id);
      if (!job) throw notFound();
      assertMatch(context, job);
      const configIds = await listUsingConfigs(tx, organizationId, job.id);
      if (configIds.length > 0 && !cascade) {
        const configs =
          configIds.length === 1
            ? '1 alert configuration uses'
            : `${configIds.length} alert configurations use`;
        throw new ApiError('in_use', `${configs} this job. Delete them first, or add ?cascade=true.`, {
          extra: { alert_config_ids: configIds.slice(0, 20), alert_config_count: configIds.length },
        });
      }
      if (configIds.length > 0) {
        await deleteAlerts(tx, organizationId, { alertConfigIds: configIds }, actor, wakeUps);
        await deleteAlertConfigs(tx, organizationId, { ids: configIds }, wakeUps);
      }
      await deleteScrapeJob(tx, organizationId, job.id);
      await recordEdit(tx, context, 'scrape_job', {
        before: toScrapeJob(job),
        detail: { alert_config_count: configIds.length },
      });
      publishChanges(tx, wakeUps, organizationId, 'scrape_job', [job.id], 'deleted');
    },
  };
}

function pickValues(row: ScrapeJobRow) {
  const { name, parser_type, repository_url, ref, target_file, parse_expression, version_transform } = row;
  const { credential_name, cron_expression, cron_timezone, history_limit, is_active } = row;
  return {
    ...{ name, parser_type, repository_url, ref, target_file, parse_expression, version_transform },
    ...{ credential_name, cron_expression, cron_timezone, history_limit, is_active },
  };
}

/** A manual job has no runs. It is completed once it has a version. */
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
