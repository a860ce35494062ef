import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { insertWithAudit, publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { deleteAlertConfigs, triggerEvaluation } from '../../monitoring/index.ts';
import {
  cancelRuns,
  changedValues,
  isSameSchedule,
  lockJob,
  requestRunAfterChange,
  requestRuns,
  scheduleJobs,
  scheduleNewJobs,
  toJob,
  toJobToRun,
} from '../../runs/index.ts';
import { assertNotFollowed } from '../../upstream/index.ts';
import { reapplyTransform } from '../versions/record-version.ts';
import {
  ignoreItemOf,
  insertManagedScrapeJobs,
  keepActiveState,
  lockItemOf,
  type NewManagedScrapeJob,
} from './managed-scrape-jobs.ts';
import {
  deleteScrapeJob,
  findScrapeJob,
  listScrapeJobsById,
  lockAlertConfigsUsingJob,
  type ScrapeJobRow,
  type ScrapeJobValues,
  scrapeJobInsertion,
  scrapeJobs,
  updateScrapeJob,
} from './scrape-job-queries.ts';
import { checkManagedScrapeJob, checkScrapeJob, hasDifferentSource } from './scrape-job-values.ts';

/** Validates a new job. Throws 400 if the job is invalid. */
export function checkNewScrapeJob(body: ApiRequest<'createScrapeJob'>['body']): ScrapeJobValues {
  return checkScrapeJob({ ...body, ref: body.ref ?? null });
}

/** Changes scrape jobs in the transaction of the caller. */
export const scrapeJobEdits = {
  /** @param jobs at most 1,000 */
  async create(tx: Tx, context: EditContext, jobs: readonly ScrapeJobValues[]): Promise<ScrapeJobRow[]> {
    const { organizationId } = context.caller;
    const insertion = scrapeJobInsertion(tx, organizationId, jobs);
    const rows = await insertWithAudit(tx, context, 'scrape_job', insertion, jobs);
    const ids = rows.map(({ id }) => id);
    await scheduleNewJobs(tx, scrapeJobs, organizationId, rows, rows[0]!.created_at);
    const toRun = rows.filter((job) => job.is_active && job.parser_type !== 'manual');
    await requestRuns(
      tx,
      scrapeJobs,
      toRun.map((job) => toJobToRun(organizationId, job)),
      'created',
    );
    publishChanges(tx, organizationId, 'scrape_job', ids, 'created');
    return toRun.length === 0 ? rows : listScrapeJobsById(tx, organizationId, ids);
  },

  /**
   * Creates jobs that get their versions from a discovery job.
   *
   * @param jobs at most 1,000
   */
  async createFed(
    tx: Tx,
    context: EditContext,
    jobs: readonly NewManagedScrapeJob[],
  ): Promise<ScrapeJobRow[]> {
    const { organizationId } = context.caller;
    const ids = await insertManagedScrapeJobs(tx, organizationId, jobs);
    const rows = await listScrapeJobsById(tx, organizationId, ids);
    await recordEdits(
      tx,
      context,
      'scrape_job',
      rows.map((row) => ({ after: toScrapeJob(row) })),
    );
    publishChanges(tx, organizationId, 'scrape_job', ids, 'created');
    return rows;
  },

  async update(
    tx: Tx,
    context: EditContext,
    id: number,
    body: Schemas['UpdateScrapeJobRequest'],
  ): Promise<ScrapeJobRow> {
    const { organizationId } = context.caller;
    if (body.is_active !== undefined) await lockItemOf(tx, organizationId, id);
    await lockJob(tx, scrapeJobs, organizationId, id, { holdsReferences: false });
    const before = await findScrapeJob(tx, organizationId, id);
    if (!before) throw notFound();
    assertIfMatch(context, before);
    if (
      body.parser_type !== undefined &&
      ['manual', 'discovered'].some((type) => (body.parser_type === type) !== (before.parser_type === type))
    ) {
      throw invalidField('parser_type', "can't change to or from manual or discovered; create another job");
    }
    const changed = changedValues(before, requestFields.createScrapeJob, body);
    const { parser_type } = changed;
    const values =
      parser_type === 'discovered'
        ? checkManagedScrapeJob(before, changed)
        : checkScrapeJob({ ...changed, parser_type });
    await updateScrapeJob(tx, organizationId, before.id, values);
    const after = (await findScrapeJob(tx, organizationId, before.id))!;
    if (!isSameSchedule(before, after))
      await scheduleJobs(tx, scrapeJobs, organizationId, [after], after.updated_at);
    if (before.is_active !== after.is_active) {
      await keepActiveState(tx, organizationId, id);
      // Disabling a job affects evaluations only if a discovery job feeds it. Any other disabled job only
      // stops reading, and its version still counts as deployed.
      if (after.discovery_job_id !== null) await triggerEvaluation(tx, { organizationId, scrapeJobId: id });
    }
    const hasRuns = parser_type !== 'manual' && parser_type !== 'discovered';
    const hasNewSource = hasRuns && hasDifferentSource(before, after);
    const isTransformChanged = after.version_transform !== before.version_transform;
    // Don't apply the new transform to the version from the previous source if the source has changed too.
    if (isTransformChanged && !hasNewSource) await reapplyTransform(tx, organizationId, before.id);
    const wantsRun = hasNewSource || isTransformChanged || !before.is_active;
    if (hasRuns && after.is_active && wantsRun) {
      await requestRunAfterChange(tx, scrapeJobs, toJobToRun(organizationId, after));
    } else if (hasNewSource) {
      // Cancel runs, because they would read the previous source.
      await cancelRuns(tx, scrapeJobs, organizationId, before.id);
    }
    await recordEdit(tx, context, 'scrape_job', {
      before: toScrapeJob(before),
      after: toScrapeJob(after),
    });
    publishChanges(tx, organizationId, 'scrape_job', [before.id], 'updated');
    if (!isDeepStrictEqual(after.labels, before.labels)) {
      const inheriting = await lockAlertConfigsUsingJob(tx, organizationId, before.id);
      publishChanges(tx, organizationId, 'alert_config', inheriting, 'updated');
    }
    return (await findScrapeJob(tx, organizationId, before.id))!;
  },

  async delete(tx: Tx, context: EditContext, id: number, { cascade = false } = {}): Promise<void> {
    const { organizationId, actor } = context.caller;
    await lockItemOf(tx, organizationId, id);
    await lockJob(tx, scrapeJobs, organizationId, id, { holdsReferences: true });
    const job = await findScrapeJob(tx, organizationId, id);
    if (!job) throw notFound();
    assertIfMatch(context, job);
    await assertNotFollowed(tx, organizationId, [job.id]);
    const configIds = await lockAlertConfigsUsingJob(tx, organizationId, job.id);
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
      await deleteAlerts(tx, organizationId, { alertConfigIds: configIds }, actor);
      await deleteAlertConfigs(tx, organizationId, { ids: configIds });
    }
    if (job.parser_type === 'discovered') await ignoreItemOf(tx, organizationId, job.id);
    await deleteScrapeJob(tx, organizationId, job.id);
    await recordEdit(tx, context, 'scrape_job', {
      before: toScrapeJob(job),
      detail: { alert_config_count: configIds.length },
    });
    publishChanges(tx, organizationId, 'scrape_job', [job.id], 'deleted');
  },
};

/** True for a manual job that has a version. Its status is completed, because it has no runs. */
function isCompleteManualJob({ parser_type, latest_version }: ScrapeJobRow): boolean {
  return parser_type === 'manual' && latest_version !== null;
}

export function toScrapeJob(row: ScrapeJobRow): Schemas['ScrapeJob'] {
  const job = toJob(row);
  return isCompleteManualJob(row) ? { ...job, status: 'completed' } : job;
}
