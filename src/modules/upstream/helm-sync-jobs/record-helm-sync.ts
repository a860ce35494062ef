import { sql } from 'kysely';
import { chartArtifactName } from '../../../domain/artifacts/chart-names.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { recordDeprecated } from '../gather-jobs/record-deprecated.ts';
import { type FoundProject, recordProjects } from '../gather-jobs/record-projects.ts';
import type { ListedReleases } from '../releases/incoming-releases.ts';
import { type JobToRecord, listManagedGatherJobs, lockJobsToRecord } from '../releases/job-record-queries.ts';
import {
  type ReadOutcome,
  type RecordDeps,
  type RecordedReleases,
  recordJobReleases,
  sumRecordedCounts,
} from '../releases/record-releases.ts';
import { upsertCharts } from './helm-chart-queries.ts';
import { createManagedJobs } from './managed-job-queries.ts';

type HelmSyncResultItem = Schemas['HelmSyncResultItem'];

export interface RecordedHelmSync extends Omit<RecordedReleases, 'found'> {
  charts: number;
  gather_jobs_created: number;
}

/**
 * Stores the index of a repository as charts, and as releases of the gather jobs that follow these charts. The index is
 * read only once. A chart that is missing from a complete list keeps its last state, and the releases of its job are
 * marked as withdrawn.
 */
export async function recordHelmSync(
  tx: Tx,
  deps: RecordDeps,
  { organizationId, jobId }: { organizationId: number; jobId: number },
  parts: AsyncIterable<readonly HelmSyncResultItem[]>,
  outcome: ReadOutcome,
): Promise<RecordedHelmSync> {
  const sync = await lockSync(tx, organizationId, jobId);
  const managedJobs = sync.create_gather_jobs
    ? await lockJobsToRecord(tx, organizationId, { helmSyncJobId: jobId })
    : [];
  const jobById = new Map(managedJobs.map((job) => [job.jobId, job]));
  const charts = createChartRecorder(tx, organizationId, sync, jobById);
  // Don't store validators for the managed gather jobs. The validators of the index belong to a different URL
  // than the one that a gather job reads.
  const countsOf = await recordJobReleases(tx, deps, organizationId, jobById, charts.feed(parts), {
    isCompleteList: outcome.isCompleteList,
    validatorsOf: () => null,
    // A sync always reads the complete index.
    isFull: () => true,
  });
  const { found: _, ...recorded } = sumRecordedCounts([...jobById.keys()].map(countsOf), outcome);
  await finishSync(tx, organizationId, jobId, sync.now, outcome);
  if (sync.is_failing)
    await triggerFanOuts(tx, organizationId, await listManagedGatherJobs(tx, organizationId, [jobId]));
  return { ...recorded, charts: charts.count(), gather_jobs_created: charts.created() };
}

interface Sync {
  id: number;
  repository_url: string;
  create_gather_jobs: boolean;
  is_failing: boolean;
  now: Date;
}

async function lockSync(tx: Tx, organizationId: number, id: number): Promise<Sync> {
  const { rows } = await sql<Sync>`
    SELECT id, repository_url, create_gather_jobs, failing_since IS NOT NULL AS is_failing, pacekeeper_now() AS now
    FROM helm_sync_jobs WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`.execute(
    tx,
  );
  // The caller has locked a run of this job, so the job can't have been deleted.
  return rows[0]!;
}

async function finishSync(
  tx: Tx,
  organizationId: number,
  id: number,
  now: Date,
  outcome: ReadOutcome,
): Promise<void> {
  await sql`
    UPDATE helm_sync_jobs
    SET chart_count = (
          SELECT count(*) FROM helm_charts WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${id}),
        charts_listed_at = CASE WHEN ${outcome.isCompleteList} THEN ${now.toISOString()}::timestamptz ELSE charts_listed_at END,
        validators = ${outcome.validators && JSON.stringify(outcome.validators)}::jsonb,
        last_success_at = pacekeeper_now(), failing_since = NULL
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}

/**
 * Creates the recorder for one sync. Its `feed` stores the charts of each part, creates missing gather jobs,
 * and yields the releases of each job.
 */
function createChartRecorder(tx: Tx, organizationId: number, sync: Sync, jobById: Map<number, JobToRecord>) {
  const seen = new Set<string>();
  let created = 0;

  async function* feed(
    parts: AsyncIterable<readonly HelmSyncResultItem[]>,
  ): AsyncGenerator<ListedReleases[]> {
    for await (const part of parts) {
      const jobOf = await writeCharts(part);
      yield part.flatMap(({ chart, releases }) => {
        const jobId = jobOf.get(chart.name);
        // Disabled gather jobs get no releases.
        return jobId === undefined || !jobById.has(jobId) ? [] : [{ jobId, releases }];
      });
    }
  }

  async function writeCharts(part: readonly HelmSyncResultItem[]): Promise<Map<string, number>> {
    // A chart with many releases is split into several items.
    const distinct = [...new Map(part.map(({ chart }) => [chart.name, chart])).values()];
    const rows = await upsertCharts(tx, organizationId, sync.id, distinct, sync.now);
    for (const { name } of rows) seen.add(name);
    const jobOf = new Map(
      rows.flatMap((row) => (row.gather_job_id === null ? [] : [[row.name, row.gather_job_id] as const])),
    );
    if (!sync.create_gather_jobs) return jobOf;
    const toFollow = rows.flatMap(({ name, gather_job_id }) => {
      const artifact = gather_job_id === null ? chartArtifactName(sync.repository_url, name) : null;
      return artifact?.ok ? [{ chart: name, artifactName: artifact.artifactName }] : [];
    });
    const fedJobs = await createManagedJobs(tx, organizationId, sync.id, toFollow);
    created += fedJobs.newIds.length;
    const added =
      fedJobs.newIds.length > 0 ? await lockJobsToRecord(tx, organizationId, { jobIds: fedJobs.newIds }) : [];
    for (const job of added) jobById.set(job.jobId, job);
    for (const [name, jobId] of fedJobs.jobIds) jobOf.set(name, jobId);
    await recordProjects(tx, organizationId, projectsOf(distinct, jobOf));
    const deprecated = distinct.flatMap(({ name, deprecated: isDeprecated }) => {
      const jobId = jobOf.get(name);
      return jobId === undefined ? [] : [{ jobId, isDeprecated }];
    });
    await recordDeprecated(tx, organizationId, deprecated);
    return jobOf;
  }

  return { feed, count: () => seen.size, created: () => created };
}

function projectsOf(
  charts: readonly HelmSyncResultItem['chart'][],
  jobOf: ReadonlyMap<string, number>,
): FoundProject[] {
  return charts.flatMap(({ name, project_url: url }) => {
    const jobId = jobOf.get(name);
    return url == null || jobId === undefined ? [] : [{ jobId, url, source: 'chart' }];
  });
}
