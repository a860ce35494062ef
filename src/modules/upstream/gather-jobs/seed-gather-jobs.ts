import { sql } from 'kysely';
import {
  changeTopic,
  type Database,
  dueTopic,
  type Tx,
  transaction,
  wake,
} from '../../../platform/database/index.ts';
import { scheduleNewJobs } from '../../runs/index.ts';
import { gatherJobs } from '../source-jobs.ts';
import { checkGatherJob } from './check-gather-job.ts';
import { type GatherJobValues, insertGatherJobs } from './gather-job-queries.ts';

export interface GatherJobSeed {
  values: GatherJobValues;
  /** Delay of the first run, so that many new jobs don't send requests to the same host at the same time. */
  firstRunAfterMs: number;
}

export interface SeedResult {
  seed: GatherJobSeed;
  /**
   * `present`: a job with this source, artifact, and pattern exists. `changed`: a job with this name exists,
   * but someone changed its source, artifact, or pattern.
   */
  outcome: 'created' | 'present' | 'changed';
}

/**
 * Creates the jobs that an organization doesn't have yet, all or none, and doesn't change existing jobs. With
 * `isDryRun`, it only reports the outcomes. Concurrent calls don't create a job twice.
 */
export async function seedGatherJobs(
  db: Database,
  organizationId: number,
  seeds: readonly GatherJobSeed[],
  { isDryRun }: { isDryRun: boolean },
): Promise<SeedResult[]> {
  const checked = seeds.map((seed) => ({ ...seed, values: checkGatherJob(seed.values) }));
  return transaction(db, async (tx) => {
    await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
    const existing = await readExisting(tx, organizationId);
    const results = checked.map((seed): SeedResult => {
      if (existing.sources.has(sourceKey(seed.values))) return { seed, outcome: 'present' };
      return { seed, outcome: existing.names.has(seed.values.name) ? 'changed' : 'created' };
    });
    const missing = results.filter(({ outcome }) => outcome === 'created').map(({ seed }) => seed);
    if (!isDryRun && missing.length > 0) await create(tx, organizationId, missing);
    return results;
  });
}

async function readExisting(tx: Tx, organizationId: number) {
  const rows = await tx
    .selectFrom('gather_jobs')
    .select(['name', 'source_type', 'artifact_name', 'version_pattern'])
    .where('organization_id', '=', organizationId)
    .execute();
  return { names: new Set(rows.map(({ name }) => name)), sources: new Set(rows.map(sourceKey)) };
}

function sourceKey(job: {
  source_type: string;
  artifact_name: string;
  version_pattern: string | null;
}): string {
  return JSON.stringify([job.source_type, job.artifact_name, job.version_pattern]);
}

async function create(tx: Tx, organizationId: number, seeds: readonly GatherJobSeed[]): Promise<void> {
  const rows = await insertGatherJobs(
    tx,
    organizationId,
    seeds.map(({ values }) => values),
  );
  const ids = rows.map(({ id }) => id);
  // The project URLs of these jobs are from the catalog. No user set them.
  await sql`
    UPDATE gather_jobs SET project_url_source = 'catalog'
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::bigint[]) AND project_url_source = 'set'`.execute(
    tx,
  );
  const created = seeds.map((seed, index) => ({ ...seed, id: ids[index]! }));
  const jobs = created.map(({ id, values }) => ({ ...values, id }));
  await scheduleNewJobs(tx, gatherJobs, organizationId, jobs, rows[0]!.created_at);
  await delayFirstRuns(tx, organizationId, created);
  for (const { id } of created) wake(tx, changeTopic(organizationId, 'gather_job', id));
}

/**
 * Sets when the first runs of new jobs are due. The schedule enqueues a first run like any other run, only
 * earlier than the cron expression specifies.
 */
async function delayFirstRuns(
  tx: Tx,
  organizationId: number,
  jobs: readonly { id: number; firstRunAfterMs: number }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    UPDATE gather_jobs AS job SET due_at = job.created_at + first.after_ms * interval '1 millisecond'
    FROM unnest(
      ${jobs.map(({ id }) => id)}::bigint[], ${jobs.map(({ firstRunAfterMs }) => firstRunAfterMs)}::bigint[]
    ) AS first (id, after_ms)
    WHERE job.organization_id = ${organizationId} AND job.id = first.id AND job.due_at < 'infinity'`.execute(
    tx,
  );
  wake(tx, dueTopic(gatherJobs.table));
}
