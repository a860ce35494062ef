import type { RawBuilder } from 'kysely';
import {
  completenessOf,
  type ListCompleteness,
  type MissingListPart,
} from '../../../domain/runs/list-completeness.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import type { JobTable } from '../../runs/index.ts';
import { triggerDigestFanOuts } from '../digest-fan-outs.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { recordArchived } from '../gather-jobs/record-archived.ts';
import { recordDeprecated } from '../gather-jobs/record-deprecated.ts';
import { recordProjects } from '../gather-jobs/record-projects.ts';
import { applyIncomingReleases } from './apply-incoming.ts';
import type { FindVersions } from './find-versions.ts';
import { ingestReleases, type ListedReleases } from './incoming-releases.ts';
import { refreshJobCounters } from './job-counters.ts';
import {
  type JobToRecord,
  lockJobsToRecord,
  recordSuccessfulRead,
  scheduleReparse,
  writeUnchangedAcrossOrganizations,
} from './job-record-queries.ts';
import { recordChangelog, separateChangelogSections } from './record-changelog.ts';
import { recordReleaseMoves } from './record-moves.ts';

export interface RecordDeps {
  findVersions: FindVersions;
}

/** Result of reading a source. */
export interface ReadOutcome {
  /**
   * True if the parts contain the complete list. Releases that are missing from it no longer exist upstream.
   */
  isCompleteList: boolean;
  /** Part of the list that couldn't be read. Absent if nothing was cut. */
  listCut?: MissingListPart | undefined;
  /** Validators for the next conditional request. `null` if the source returns none. */
  validators: Schemas['SourceValidators'] | null;
  /**
   * Number of releases that the agent excluded. If the server excludes more, the recorded count includes
   * both.
   */
  skipped?: number | undefined;
  skippedExamples?: readonly Schemas['SkippedItem'][] | undefined;
  /** Repository of the software, if the source of a single job provides it. */
  project?: Schemas['TaskSummary']['project'];
  /**
   * True if the repository of a single job is archived. `null` if the forge didn't report it, `undefined` if
   * it wasn't checked.
   */
  isArchived?: boolean | null | undefined;
  /** True if the chart of a single job is deprecated. `undefined` if the source has no charts, or nothing changed. */
  isDeprecated?: boolean | undefined;
}

export function toReadOutcome(summary: Schemas['TaskSummary']): ReadOutcome {
  return {
    isCompleteList: summary.is_complete_list ?? false,
    listCut: summary.list_cut,
    validators: summary.validators ?? null,
    skipped: summary.skipped,
    skippedExamples: summary.skipped_examples,
    project: summary.project,
    isArchived: summary.is_archived,
    isDeprecated: summary.is_deprecated,
  };
}

/** Results of reading the sources of several jobs. */
export interface JobReadResults extends Pick<ReadOutcome, 'isCompleteList' | 'listCut'> {
  validatorsOf: (jobId: number) => ReadOutcome['validators'];
  /** True if the run requested the complete list of a job. */
  isFull: (jobId: number) => boolean;
}

export interface RecordedReleases {
  /** Number of received releases, including excluded ones. */
  found: number;
  added: number;
  updated: number;
  withdrawn: number;
  /** Absent if the server excluded no releases, because the count of the agent is then complete. */
  skipped?: number;
  skipped_examples?: Schemas['SkippedItem'][];
}

/**
 * Stores the releases that a source lists for a job. All writes to the releases of a source go through this
 * module. If the set of releases changes, the alert configurations that use the job are evaluated. If nothing
 * changes, no releases are written.
 */
export async function recordReleases(
  tx: Tx,
  deps: RecordDeps,
  { organizationId, jobId, isFull = true }: { organizationId: number; jobId: number; isFull?: boolean },
  parts: AsyncIterable<readonly (Schemas['GatherResultItem'] | Schemas['ChangelogResultItem'])[]>,
  outcome: ReadOutcome,
): Promise<RecordedReleases> {
  const jobById = await lockJobs(tx, organizationId, [jobId]);
  const sections: Schemas['ChangelogResultItem'][] = [];
  const releases = ofOneJob(jobId, separateChangelogSections(parts, sections));
  const countsOf = await recordJobReleases(tx, deps, organizationId, jobById, releases, {
    isCompleteList: outcome.isCompleteList,
    listCut: outcome.listCut,
    validatorsOf: () => outcome.validators,
    isFull: () => isFull,
  });
  const job = jobById.get(jobId);
  if (job !== undefined && sections.length > 0) await recordChangelog(tx, organizationId, job, sections);
  await recordRepositories(tx, organizationId, [{ jobId, outcome }]);
  return sumRecordedCounts([countsOf(jobId)], outcome);
}

/** All releases that were read from the source of a job. */
export interface ListedJobReleases {
  jobId: number;
  /** True if the run requested the complete list. */
  isFull: boolean;
  releases: readonly Schemas['GatherResultItem'][];
  outcome: ReadOutcome;
}

/**
 * Stores the lists of many jobs of one organization, with the same number of statements as for one job.
 *
 * @returns The recorded counts of each list, in the order of `lists`.
 */
export async function recordReleasesOfJobs(
  tx: Tx,
  deps: RecordDeps,
  organizationId: number,
  lists: readonly ListedJobReleases[],
): Promise<RecordedReleases[]> {
  const jobById = await lockJobs(
    tx,
    organizationId,
    lists.map(({ jobId }) => jobId),
  );
  const listById = new Map(lists.map((list) => [list.jobId, list]));
  const recorded = new Map<number, RecordedReleases>();
  const extentOf = ({ outcome }: ListedJobReleases) => `${outcome.isCompleteList} ${outcome.listCut}`;
  for (const alike of Map.groupBy(lists, extentOf).values()) {
    const { isCompleteList, listCut } = alike[0]!.outcome;
    const ownJobs = new Map(alike.map(({ jobId }) => [jobId, jobById.get(jobId)!]));
    const countsOf = await recordJobReleases(tx, deps, organizationId, ownJobs, onePart(alike), {
      isCompleteList,
      listCut,
      validatorsOf: (jobId) => listById.get(jobId)!.outcome.validators,
      isFull: (jobId) => listById.get(jobId)!.isFull,
    });
    for (const { jobId, outcome } of alike)
      recorded.set(jobId, sumRecordedCounts([countsOf(jobId)], outcome));
  }
  await recordRepositories(tx, organizationId, lists);
  return lists.map(({ jobId }) => recorded.get(jobId)!);
}

async function lockJobs(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
): Promise<Map<number, JobToRecord>> {
  const jobs = await lockJobsToRecord(tx, organizationId, { jobIds });
  return new Map(jobs.map((job) => [job.jobId, job]));
}

/** Stores the project URLs, archived states, and deprecations that the sources of jobs reported. */
async function recordRepositories(
  tx: Tx,
  organizationId: number,
  read: readonly { jobId: number; outcome: ReadOutcome }[],
): Promise<void> {
  const projects = read.flatMap(({ jobId, outcome }) =>
    outcome.project ? [{ jobId, ...outcome.project }] : [],
  );
  await recordProjects(tx, organizationId, projects);
  const archived = read.flatMap(({ jobId, outcome: { isArchived } }) =>
    isArchived === undefined ? [] : [{ jobId, isArchived }],
  );
  await triggerFanOuts(tx, organizationId, await recordArchived(tx, organizationId, archived));
  const deprecated = read.flatMap(({ jobId, outcome: { isDeprecated } }) =>
    isDeprecated === undefined ? [] : [{ jobId, isDeprecated }],
  );
  await recordDeprecated(tx, organizationId, deprecated);
}

/** Counts of the releases received for one job and of the changes written. */
export interface RecordedCounts {
  found: number;
  added: number;
  updated: number;
  withdrawn: number;
  skipped: number;
  skippedExamples: readonly Schemas['SkippedItem'][];
}

/**
 * Stores the releases of many jobs of one organization. The caller must have locked the jobs. While the parts
 * arrive, the caller can add jobs whose releases are in the next parts. A job without releases in the parts
 * has an empty list.
 */
export async function recordJobReleases(
  tx: Tx,
  { findVersions }: RecordDeps,
  organizationId: number,
  jobById: ReadonlyMap<number, JobToRecord>,
  parts: AsyncIterable<readonly ListedReleases[]>,
  { isCompleteList, listCut, validatorsOf, isFull }: JobReadResults,
): Promise<(jobId: number) => RecordedCounts> {
  const jobOf = (jobId: number) => jobById.get(jobId)!;
  const incoming = await ingestReleases(tx, parts, jobOf, (tags) => findVersions(organizationId, tags));
  const jobs = [...jobById.values()];
  const changes = await applyIncomingReleases(tx, organizationId, jobs, incoming, { isCompleteList });
  const movedIds = new Set<number>();
  for (const { jobId, moved } of changes)
    if (moved !== null && (await recordReleaseMoves(tx, organizationId, jobOf(jobId), moved)))
      movedIds.add(jobId);
  const changed = changes
    .filter(({ isSetChanged, jobId }) => isSetChanged || movedIds.has(jobId))
    .map(({ jobId }) => jobOf(jobId));
  await refreshJobCounters(
    tx,
    organizationId,
    changed.map((job) => job.jobId),
    (jobId) => jobOf(jobId).releaseCount + incoming.countsOf(jobId).taken,
  );
  const mixed = changed.filter((job) => !job.isOfThisReading);
  await scheduleReparse(
    tx,
    organizationId,
    mixed.map((job) => job.jobId),
  );
  const completeness = completenessOf(isCompleteList, listCut ?? null);
  const updatedIds = new Set(changes.flatMap(({ jobId, updated }) => (updated > 0 ? [jobId] : [])));
  await recordSuccessfulRead(
    tx,
    organizationId,
    jobs.map((job) => job.jobId),
    { isCompleteList, completeness, validatorsOf, isFull, hasUpdates: (jobId) => updatedIds.has(jobId) },
  );
  const isIncomplete = (state: ListCompleteness | null) => state === 'incomplete';
  const recovered = jobs.filter(
    (job) =>
      job.isFailing ||
      isIncomplete(completeness ?? job.listCompleteness) !== isIncomplete(job.listCompleteness),
  );
  const toEvaluate = [...new Set([...changed, ...recovered].map((job) => job.jobId))];
  await triggerFanOuts(tx, organizationId, toEvaluate);
  // Discovered items without a version are looked up by digest. Only container images have such items, so
  // jobs of other source types are skipped.
  const identified = changes
    .filter(({ jobId, hasNewDigests }) => hasNewDigests && jobOf(jobId).sourceType === 'oci_registry')
    .map(({ jobId }) => jobId);
  await triggerDigestFanOuts(tx, organizationId, identified);
  for (const jobId of toEvaluate) wake(tx, changeTopic(organizationId, 'gather_job', jobId));
  const changesById = new Map(changes.map((change) => [change.jobId, change]));
  return (jobId) => {
    const { found, skipped, skippedExamples } = incoming.countsOf(jobId);
    const { added = 0, updated = 0, withdrawn = 0 } = changesById.get(jobId) ?? {};
    return { found, skipped, skippedExamples, added, updated, withdrawn };
  };
}

/** Returns the total of the recorded counts of all jobs of one run. */
export function sumRecordedCounts(
  jobs: readonly RecordedCounts[],
  outcome: Pick<ReadOutcome, 'skipped' | 'skippedExamples'>,
): RecordedReleases {
  const total = (count: 'found' | 'added' | 'updated' | 'withdrawn' | 'skipped') =>
    jobs.reduce((sum, job) => sum + job[count], 0);
  const skipped = total('skipped');
  const examples = jobs.flatMap((job) => job.skippedExamples);
  return {
    found: total('found'),
    added: total('added'),
    updated: total('updated'),
    withdrawn: total('withdrawn'),
    ...(skipped > 0 && {
      skipped: skipped + (outcome.skipped ?? 0),
      skipped_examples: [...(outcome.skippedExamples ?? []), ...examples].slice(0, 10),
    }),
  };
}

/**
 * Records that the sources of jobs reported no changes. This requires few writes, and none to releases.
 *
 * @param isNoted True if the time of the last success of a job is updated.
 * @returns The IDs of the jobs that were failing until now, by organization.
 */
export async function recordUnchanged(
  tx: Tx,
  kind: JobTable,
  isNoted: RawBuilder<boolean>,
  jobs: readonly { organization_id: number; job_id: number }[],
): Promise<[organizationId: number, jobIds: number[]][]> {
  if (jobs.length === 0) return [];
  const recovered = await writeUnchangedAcrossOrganizations(tx, kind, isNoted, jobs);
  return [...Map.groupBy(recovered, (job) => job.organizationId)].map(([organizationId, ofOne]) => [
    organizationId,
    ofOne.map(({ jobId }) => jobId),
  ]);
}

async function* ofOneJob(
  jobId: number,
  parts: AsyncIterable<readonly Schemas['GatherResultItem'][]>,
): AsyncGenerator<ListedReleases[]> {
  for await (const releases of parts) yield [{ jobId, releases }];
}

async function* onePart(lists: readonly ListedReleases[]): AsyncGenerator<readonly ListedReleases[]> {
  yield lists;
}
