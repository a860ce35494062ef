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
  const jobs = await lockJobsToRecord(tx, organizationId, { jobIds: [jobId] });
  const jobById = new Map(jobs.map((job) => [job.jobId, job]));
  const sections: Schemas['ChangelogResultItem'][] = [];
  const releases = ofOneJob(jobId, withoutSections(parts, sections));
  const recorded = await recordOfJobs(tx, deps, organizationId, jobById, releases, outcome);
  const job = jobById.get(jobId);
  if (job !== undefined && sections.length > 0) await recordChangelog(tx, organizationId, job, sections);
  if (outcome.project) await recordProjects(tx, organizationId, [{ jobId, ...outcome.project }]);
  if (
    outcome.isArchived !== undefined &&
    (await recordArchived(tx, organizationId, jobId, outcome.isArchived))
  )
    await triggerFanOuts(tx, deps.wakeUps, organizationId, [jobId]);
  return recorded;
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
  outcome: ReadOutcome,
): Promise<RecordedReleases> {
  const jobOf = (jobId: number) => jobById.get(jobId)!;
  const incoming = await ingestReleases(tx, parts, jobOf, (tags) => findVersions(organizationId, tags));
  const jobs = [...jobById.values()];
  const changes = await applyIncoming(tx, organizationId, jobs, incoming, outcome);
  const changed = changes.filter((change) => change.isSetChanged).map((change) => jobOf(change.jobId));
  await refreshJobCounters(
    tx,
    organizationId,
    changed.map((job) => job.jobId),
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
    outcome,
  );
  const recovered = jobs.filter((job) => job.isFailing);
  const toEvaluate = [...new Set([...changed, ...recovered].map((job) => job.jobId))];
  await triggerFanOuts(tx, wakeUps, organizationId, toEvaluate);
  const identified = changes.filter((change) => change.hasNewDigests).map((change) => change.jobId);
  await triggerDigestFanOuts(tx, wakeUps, organizationId, identified);
  for (const jobId of toEvaluate)
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/gather_job/${jobId}`);
  const total = (count: 'added' | 'updated' | 'withdrawn') =>
    changes.reduce((sum, change) => sum + change[count], 0);
  return {
    found: incoming.found,
    added: total('added'),
    updated: total('updated'),
    withdrawn: total('withdrawn'),
    ...(incoming.skipped > 0 && {
      skipped: incoming.skipped + (outcome.skipped ?? 0),
      skipped_examples: [...(outcome.skippedExamples ?? []), ...incoming.skippedExamples].slice(0, 10),
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
