import { isDeepStrictEqual } from 'node:util';
import { parseRepositoryUrl } from '../../../domain/artifacts/repository-url.ts';
import { toRepositoryFilter } from '../../../domain/discovery/repository-group.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { requestFields } from '../../../generated/request-fields.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import {
  convertToManualScrapeJobs,
  deleteManagedScrapeJobs,
  lockManagedScrapeJobs,
} from '../../deployed/index.ts';
import {
  applyJobChange,
  cancelRuns,
  changedValues,
  lockJob,
  lockJobs,
  lockOpenRuns,
  requestRunAfterChange,
  startJobs,
  toJob,
  toJobToRun,
} from '../../runs/index.ts';
import { reconcileItems } from '../acceptance/reconcile-items.ts';
import { clearLiveVersions, lockLinkedItems } from '../live/live-versions.ts';
import { applyIgnoreRules } from '../model/apply-ignore-rules.ts';
import {
  clearValidators,
  confirmItemLoss,
  type DiscoveryJobRow,
  type DiscoveryJobValues,
  deleteDiscoveryJobs,
  deleteItemsOfJobs,
  discoveryJobs,
  findDiscoveryJob,
  groupOptions,
  insertDiscoveryJobs,
  leaveGroup,
  listDiscoveryJobsById,
  listGroupedJobs,
  lockRules,
  updateDiscoveryJob,
  updateGroupedJobs,
} from '../model/discovery-job-queries.ts';
import { checkDiscoveryJob, hasDifferentSource } from './check-discovery-job.ts';

/** Validates a new job. Throws 400 if the job is invalid. */
export async function checkNewDiscoveryJob(
  body: ApiRequest<'createDiscoveryJob'>['body'],
): Promise<DiscoveryJobValues> {
  return checkDiscoveryJob({
    ...body,
    label_rules: body.label_rules.map(withLabels),
    custom_extractors: body.custom_extractors.map(toCustomExtractor),
    repository_filter: body.repository_filter && toRepositoryFilter(body.repository_filter),
  });
}

/** Maximum number of IDs in an error. */
const maxListedIds = 20;

/** Changes discovery jobs in the transaction of the caller. */
export const discoveryJobEdits = {
  /** @param jobs at most 1,000 */
  async create(
    tx: Tx,
    context: EditContext,
    jobs: readonly DiscoveryJobValues[],
  ): Promise<DiscoveryJobRow[]> {
    const { organizationId } = context.caller;
    const ruleIds = jobs.flatMap(({ default_rule_id: ruleId }) => (ruleId === null ? [] : [ruleId]));
    await checkRules(tx, organizationId, ruleIds);
    const { ids, now } = await insertDiscoveryJobs(tx, organizationId, jobs);
    const created = jobs.map((values, index) => ({ ...values, id: ids[index]! }));
    await startJobs(tx, discoveryJobs, organizationId, created, now);
    publishChanges(tx, organizationId, 'discovery_job', ids, 'created');
    const rows = await listDiscoveryJobsById(tx, organizationId, ids);
    await recordEdits(
      tx,
      context,
      'discovery_job',
      rows.map((row) => ({ after: toDiscoveryJob(row) })),
    );
    return rows;
  },

  async update(
    tx: Tx,
    context: EditContext,
    id: number,
    { label_rules, custom_extractors, repository_filter, ...body }: Schemas['UpdateDiscoveryJobRequest'],
  ): Promise<DiscoveryJobRow> {
    const { organizationId } = context.caller;
    // The rule is locked before the job, in the same order as deletes of rules, to avoid deadlocks.
    if (body.default_rule_id != null) await checkRules(tx, organizationId, [body.default_rule_id]);
    const { lock, job: before } = await lockToChange(tx, organizationId, id);
    assertIfMatch(context, before);
    const leavesGroup = isMove(before, body);
    if (before.group_job_id !== null && !leavesGroup)
      throw belongsToGroup(
        before.group_job_id,
        before.moved_to === null || before.is_removed
          ? 'Change its options there.'
          : `Set repository_url to ${before.moved_to} to follow the repository.`,
      );
    const changes = {
      ...body,
      repository_filter: repository_filter && toRepositoryFilter(repository_filter),
      label_rules: label_rules?.map(withLabels),
      custom_extractors: custom_extractors?.map(toCustomExtractor),
    };
    const values = changedValues(before, requestFields.createDiscoveryJob, changes);
    const after = await checkDiscoveryJob(values);
    const isReadAgain = hasDifferentSource(before, after);
    const isGroup = before.kind === 'repository_group';
    if (isGroup && isOtherForge(before, after)) await assertNoRepositories(tx, organizationId, id);
    const hasOtherOptions =
      isGroup && groupOptions.some((option) => !isDeepStrictEqual(before[option], after[option]));
    if (leavesGroup) await leaveGroup(tx, organizationId, id);
    await updateDiscoveryJob(tx, organizationId, id, after, {
      readsAgain: isReadAgain,
      isOtherAccess: before.credential_name !== after.credential_name,
    });
    if (hasOtherOptions) {
      const running = isReadAgain ? await listGroupedJobs(tx, organizationId, id, { withOpenRun: true }) : [];
      await lockOpenRuns(tx, discoveryJobs, organizationId, running);
      for (const memberId of running) await cancelRuns(tx, discoveryJobs, organizationId, memberId);
      await updateGroupedJobs(tx, organizationId, id, { readsAgain: isReadAgain });
    }
    // While the job belonged to the group, its own schedule had no effect. Compare as if it had none.
    const former = leavesGroup ? { ...before, cron_expression: null } : before;
    const change = { before: former, after: { ...after, id }, readsElse: isReadAgain || hasOtherOptions };
    await applyJobChange(tx, discoveryJobs, organizationId, change, lock);
    if (!isDeepStrictEqual(before.ignore_rules, after.ignore_rules)) {
      await lockLinkedItems(tx, organizationId);
      await applyIgnoreRules(tx, organizationId, id);
    }
    await reconcileItems(tx, context, { jobId: id });
    publishChanges(tx, organizationId, 'discovery_job', [id], 'updated');
    const changed = (await findDiscoveryJob(tx, organizationId, id))!;
    await recordEdit(tx, context, 'discovery_job', {
      before: toDiscoveryJob(before),
      after: toDiscoveryJob(changed),
    });
    return changed;
  },

  async delete(
    tx: Tx,
    context: EditContext,
    id: number,
    { cascade = false, keep = false } = {},
  ): Promise<void> {
    if (cascade && keep) throw invalidField('keep', "can't be combined with cascade");
    const { organizationId, actor } = context.caller;
    const { job } = await lockToChange(tx, organizationId, id);
    assertIfMatch(context, job);
    if (job.group_job_id !== null && !job.is_removed)
      throw belongsToGroup(job.group_job_id, 'Exclude the repository with its filter there.');
    if (job.kind === 'kubernetes_cluster' || job.kind === 'container_host') {
      await lockLinkedItems(tx, organizationId);
      await clearLiveVersions(tx, organizationId, id);
    }
    const memberIds = await listGroupedJobs(tx, organizationId, id);
    // Lock open runs before reading the scrape jobs that the job feeds, because a running scan could
    // otherwise add more afterward.
    await lockOpenRuns(tx, discoveryJobs, organizationId, memberIds);
    await lockJobs(tx, discoveryJobs, organizationId, memberIds, { holdsReferences: true });
    const ids = [...memberIds, id];
    const fedIds = await lockManagedScrapeJobs(tx, organizationId, ids);
    if (fedIds.length > 0 && !cascade && !keep) throw feedsJobs(fedIds);
    await deleteItemsOfJobs(tx, organizationId, ids);
    let configCount = 0;
    if (keep) await convertToManualScrapeJobs(tx, context, ids);
    else configCount = await deleteManagedScrapeJobs(tx, organizationId, fedIds, actor);
    await deleteDiscoveryJobs(tx, organizationId, ids);
    await recordEdit(tx, context, 'discovery_job', {
      before: toDiscoveryJob(job),
      detail: keep
        ? { kept_scrape_job_count: fedIds.length }
        : { scrape_job_count: fedIds.length, alert_config_count: configCount },
    });
    publishChanges(tx, organizationId, 'discovery_job', ids, 'deleted');
    publishChanges(tx, organizationId, 'scrape_job', fedIds, keep ? 'updated' : 'deleted');
  },

  /**
   * Requests a scan of all files, because a configuration can refer to items that haven't been found yet.
   */
  async readAgain(tx: Tx, { caller: { organizationId } }: EditContext, id: number): Promise<void> {
    const { job } = await lockToChange(tx, organizationId, id);
    await clearValidators(tx, organizationId, id);
    if (job.is_active) await requestRunAfterChange(tx, discoveryJobs, toJobToRun(organizationId, job));
  },

  /**
   * Confirms that missing items were removed. Starts the next scan, which applies its result without the
   * safeguard against lost items.
   */
  async confirmGone(tx: Tx, context: EditContext, id: number): Promise<DiscoveryJobRow> {
    const { organizationId } = context.caller;
    const { job } = await lockToChange(tx, organizationId, id);
    if (!(await confirmItemLoss(tx, organizationId, id))) return job;
    await requestRunAfterChange(tx, discoveryJobs, toJobToRun(organizationId, job));
    const changed = (await findDiscoveryJob(tx, organizationId, id))!;
    await recordEdit(tx, context, 'discovery_job', {
      before: toDiscoveryJob(job),
      after: toDiscoveryJob(changed),
      detail: { confirmed_gone_count: job.gone_held_count },
    });
    return changed;
  },
};

async function lockToChange(tx: Tx, organizationId: number, id: number) {
  const lock = await lockJob(tx, discoveryJobs, organizationId, id, { holdsReferences: true });
  const job = lock && (await findDiscoveryJob(tx, organizationId, id));
  if (!lock || !job) throw notFound();
  return { lock, job };
}

export async function readDiscoveryJob(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<DiscoveryJobRow> {
  const row = await findDiscoveryJob(db, organizationId, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Throws 400 if a rule doesn't exist or belongs to another organization. The error is the same in both cases.
 */
async function checkRules(tx: Tx, organizationId: number, ids: readonly number[]): Promise<void> {
  const known = await lockRules(tx, organizationId, ids);
  if (ids.some((id) => !known.has(id))) throw invalidField('default_rule_id', 'not found');
}

/**
 * True if a change sets the URL of a job to the new URL of its repository, which was moved out of the group.
 */
function isMove(
  { group_job_id, moved_to, is_removed }: DiscoveryJobRow,
  { repository_url }: Schemas['UpdateDiscoveryJobRequest'],
): boolean {
  if (group_job_id === null || moved_to === null || is_removed || typeof repository_url !== 'string')
    return false;
  const given = parseRepositoryUrl(repository_url);
  const known = parseRepositoryUrl(moved_to);
  const withoutSuffix = (url: string) => url.replace(/\.git$/, '').toLowerCase();
  return given.ok && known.ok && withoutSuffix(given.url) === withoutSuffix(known.url);
}

function isOtherForge(before: DiscoveryJobValues, after: DiscoveryJobValues): boolean {
  const hostOf = ({ group_url: url }: DiscoveryJobValues) => url && new URL(url).host;
  return before.forge !== after.forge || hostOf(before) !== hostOf(after);
}

/**
 * Throws 409 if a group whose forge would change has repositories. On another forge, their IDs belong to
 * other repositories, which would take over the jobs with their items and history.
 */
async function assertNoRepositories(tx: Tx, organizationId: number, groupId: number): Promise<void> {
  const { length: count } = await listGroupedJobs(tx, organizationId, groupId);
  if (count > 0)
    throw new ApiError(
      'conflict',
      `This job follows ${count === 1 ? '1 repository' : `${count} repositories`} of its forge. Create another job for the other forge.`,
    );
}

function belongsToGroup(groupId: number, advice: string): ApiError {
  return new ApiError(
    'conflict',
    `This job follows the discovery job ${groupId} of a repository group. ${advice}`,
  );
}

function feedsJobs(ids: readonly number[]): ApiError {
  const jobs = ids.length === 1 ? '1 scrape job' : `${ids.length} scrape jobs`;
  return new ApiError(
    'in_use',
    `This job feeds ${jobs}. Add ?keep=true to keep them as manual jobs, or ?cascade=true to delete them too.`,
    { extra: { scrape_job_ids: ids.slice(0, maxListedIds), scrape_job_count: ids.length } },
  );
}

function withLabels({
  pattern,
  labels = {},
}: Schemas['LabelRule']): DiscoveryJobValues['label_rules'][number] {
  return { pattern, labels };
}

export function toCustomExtractor({
  name,
  path,
  pattern,
  templates = {},
}: Schemas['CustomExtractor']): DiscoveryJobValues['custom_extractors'][number] {
  return { name, path, pattern, templates };
}

export function toDiscoveryJob({
  counts,
  gone_held_at,
  gone_held_count,
  unlisted_since,
  unlisted_reason,
  moved_to,
  removal,
  is_removed,
  ...row
}: DiscoveryJobRow): Schemas['DiscoveryJob'] {
  const { new: resolved = 0, unresolved = 0, accepted = 0, ignored = 0, gone = 0, replaced = 0 } = counts;
  return {
    ...toJob(row),
    item_counts: { new: resolved + unresolved, accepted, ignored, gone, replaced, unresolved },
    unlisted: unlisted_since && {
      since: unlisted_since.toISOString(),
      excluded: unlisted_reason,
      moved_to,
      removal,
      is_confirmed: is_removed,
    },
    gone_held: gone_held_at && { since: gone_held_at.toISOString(), count: gone_held_count ?? 0 },
  };
}
