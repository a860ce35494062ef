import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { triggerDigestFanOuts } from '../digest-fan-outs.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { recordArchived } from '../gather-jobs/record-archived.ts';
import { recordProjects } from '../gather-jobs/record-projects.ts';
import { applyIncoming } from './apply-incoming.ts';
import type { FindVersions } from './find-versions.ts';
import { ingestReleases, type ListedReleases } from './incoming-releases.ts';
import { refreshJobCounters } from './job-counters.ts';
import {
  type JobToRecord,
  listFedJobs,
  lockJobsToRecord,
  writeMixedReadings,
  writeSuccess,
  writeUnchangedAcrossOrganizations,
} from './job-record-queries.ts';
import { recordChangelog, withoutSections } from './record-changelog.ts';

export interface RecordDeps {
  wakeUps: WakeUps;
  findVersions: FindVersions;
}

/** How a source was read. */
export interface ReadOutcome {
  /** The parts hold the whole list: what is missing from it is no longer there. */
  isCompleteList: boolean;
  /** For the next conditional request; null when the source gives none. */
  validators: Schemas['SourceValidators'] | null;
  /** What the agent has left out already; the answer then counts both. */
  skipped?: number | undefined;
  skippedExamples?: readonly Schemas['SkippedItem'][] | undefined;
  /** The repository of the software, as far as the source of a single job names it. */
  project?: Schemas['TaskSummary']['project'];
  /** Whether the repository of a single job is archived. Null: the forge didn't say. Undefined: it wasn't checked. */
  isArchived?: boolean | null | undefined;
}

/** How the sources of several jobs were read. */
export interface ReadOfJobs extends Pick<ReadOutcome, 'isCompleteList'> {
  validatorsOf: (jobId: number) => ReadOutcome['validators'];
}

export interface RecordedReleases {
  /** All that came, left out or not. */
  found: number;
  added: number;
  updated: number;
  withdrawn: number;
  /** Absent when nothing was left out here: then what the agent has counted is all. */
  skipped?: number;
  skipped_examples?: Schemas['SkippedItem'][];
}

/**
 * The one way in for releases: what a source lists becomes what is stored of its job. When that changes the set, the
 * configurations that use the job are evaluated; when it does not, nothing is written.
 */
export async function recordReleases(
  tx: Tx,
  deps: RecordDeps,
  { organizationId, jobId }: { organizationId: number; jobId: number },
  parts: AsyncIterable<readonly (Schemas['GatherResultItem'] | Schemas['ChangelogResultItem'])[]>,
  outcome: ReadOutcome,
): Promise<RecordedReleases> {
  const jobById = await lockJobs(tx, organizationId, [jobId]);
  const sections: Schemas['ChangelogResultItem'][] = [];
  const releases = ofOneJob(jobId, withoutSections(parts, sections));
  const countsOf = await recordOfJobs(tx, deps, organizationId, jobById, releases, {
    isCompleteList: outcome.isCompleteList,
    validatorsOf: () => outcome.validators,
  });
  const job = jobById.get(jobId);
  if (job !== undefined && sections.length > 0) await recordChangelog(tx, organizationId, job, sections);
  await recordRepositories(tx, deps, organizationId, [{ jobId, outcome }]);
  return sumOf([countsOf(jobId)], outcome);
}

/** All that the source of a job lists. */
export interface ShortList {
  jobId: number;
  releases: readonly Schemas['GatherResultItem'][];
  outcome: ReadOutcome;
}

/**
 * The same for the lists of many jobs of one organization, with as many statements as for one.
 *
 * @returns What was recorded of each list, in their order.
 */
export async function recordShortLists(
  tx: Tx,
  deps: RecordDeps,
  organizationId: number,
  lists: readonly ShortList[],
): Promise<RecordedReleases[]> {
  const jobById = await lockJobs(
    tx,
    organizationId,
    lists.map(({ jobId }) => jobId),
  );
  const outcomeById = new Map(lists.map(({ jobId, outcome }) => [jobId, outcome]));
  const recorded = new Map<number, RecordedReleases>();
  for (const [isCompleteList, alike] of Map.groupBy(lists, ({ outcome }) => outcome.isCompleteList)) {
    const ownJobs = new Map(alike.map(({ jobId }) => [jobId, jobById.get(jobId)!]));
    const countsOf = await recordOfJobs(tx, deps, organizationId, ownJobs, onePart(alike), {
      isCompleteList,
      validatorsOf: (jobId) => outcomeById.get(jobId)!.validators,
    });
    for (const { jobId, outcome } of alike) recorded.set(jobId, sumOf([countsOf(jobId)], outcome));
  }
  await recordRepositories(tx, deps, organizationId, lists);
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

/** Stores what their sources said about the repositories of jobs. */
async function recordRepositories(
  tx: Tx,
  { wakeUps }: RecordDeps,
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
  await triggerFanOuts(tx, wakeUps, organizationId, await recordArchived(tx, organizationId, archived));
}

/** What came of one job, and what was written of it. */
export interface RecordedCounts {
  found: number;
  added: number;
  updated: number;
  withdrawn: number;
  skipped: number;
  skippedExamples: readonly Schemas['SkippedItem'][];
}

/**
 * The same for many jobs of one organization, which the caller has locked. While the parts come, jobs may be added
 * whose releases they bring. A job without any releases in the parts is one whose list is empty.
 */
export async function recordOfJobs(
  tx: Tx,
  { wakeUps, findVersions }: RecordDeps,
  organizationId: number,
  jobById: ReadonlyMap<number, JobToRecord>,
  parts: AsyncIterable<readonly ListedReleases[]>,
  { isCompleteList, validatorsOf }: ReadOfJobs,
): Promise<(jobId: number) => RecordedCounts> {
  const jobOf = (jobId: number) => jobById.get(jobId)!;
  const incoming = await ingestReleases(tx, parts, jobOf, (tags) => findVersions(organizationId, tags));
  const jobs = [...jobById.values()];
  const changes = await applyIncoming(tx, organizationId, jobs, incoming, { isCompleteList });
  const changed = changes.filter((change) => change.isSetChanged).map((change) => jobOf(change.jobId));
  await refreshJobCounters(
    tx,
    organizationId,
    changed.map((job) => job.jobId),
    (jobId) => jobOf(jobId).releaseCount + incoming.countsOf(jobId).taken,
  );
  const mixed = changed.filter((job) => !job.isOfThisReading);
  await writeMixedReadings(
    tx,
    organizationId,
    mixed.map((job) => job.jobId),
  );
  await writeSuccess(
    tx,
    organizationId,
    jobs.map((job) => job.jobId),
    isCompleteList,
    validatorsOf,
  );
  const recovered = jobs.filter((job) => job.isFailing);
  const toEvaluate = [...new Set([...changed, ...recovered].map((job) => job.jobId))];
  await triggerFanOuts(tx, wakeUps, organizationId, toEvaluate);
  const identified = changes.filter((change) => change.hasNewDigests).map((change) => change.jobId);
  await triggerDigestFanOuts(tx, wakeUps, organizationId, identified);
  for (const jobId of toEvaluate)
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/gather_job/${jobId}`);
  const changesById = new Map(changes.map((change) => [change.jobId, change]));
  return (jobId) => {
    const { found, skipped, skippedExamples } = incoming.countsOf(jobId);
    const { added = 0, updated = 0, withdrawn = 0 } = changesById.get(jobId) ?? {};
    return { found, skipped, skippedExamples, added, updated, withdrawn };
  };
}

/** Adds up what was recorded of the jobs of one run. */
export function sumOf(
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

/** Jobs whose sources said that nothing changed: few writes, and none of releases. */
export async function recordUnchanged(
  tx: Tx,
  wakeUps: WakeUps,
  kind: 'gather' | 'helm_sync',
  jobs: readonly { organizationId: number; jobId: number }[],
): Promise<void> {
  const recovered = await writeUnchangedAcrossOrganizations(tx, kind, jobs);
  for (const [organizationId, ofOne] of Map.groupBy(recovered, (job) => job.organizationId)) {
    const ids = ofOne.map((job) => job.jobId);
    await triggerFanOuts(
      tx,
      wakeUps,
      organizationId,
      kind === 'gather' ? ids : await listFedJobs(tx, organizationId, ids),
    );
  }
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
