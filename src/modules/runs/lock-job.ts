import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { hasClaimedCheck } from './claimed-checks.ts';
import type { JobTable } from './job-kind.ts';

export interface JobLock {
  isInProgress: boolean;
  hasSucceeded: boolean;
  now: Date;
}

/**
 * Locks a job for a change: first its open run, in the same order as applying a run, then the job. Unless
 * `holdsReferences` is set, other transactions can still insert rows that refer to the job.
 *
 * @returns `undefined` if the job was deleted.
 */
export async function lockJob(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  id: number,
  { holdsReferences }: { holdsReferences: boolean },
): Promise<JobLock | undefined> {
  const { rows: runs } = await sql<{ status: string }>`
    SELECT status FROM runs
    WHERE organization_id = ${organizationId} AND kind = ${kind.name} AND job_id = ${id} AND status IN ('queued', 'in_progress')
    FOR UPDATE`.execute(tx);
  const { rows } = await sql<Omit<JobLock, 'isInProgress'> & { isChecked: boolean }>`
    SELECT last_success_at IS NOT NULL AS "hasSucceeded", pacekeeper_now() AS now,
      ${hasClaimedCheck(kind)} AS "isChecked"
    FROM ${sql.table(kind.table)} AS jobs
    WHERE organization_id = ${organizationId} AND id = ${id}
    ${holdsReferences ? sql`FOR UPDATE` : sql`FOR NO KEY UPDATE`}`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const { isChecked, ...lock } = row;
  return { ...lock, isInProgress: isChecked || runs.some((run) => run.status === 'in_progress') };
}

/** Locks jobs by ascending ID, as `lockJob` does. The caller must first lock the open runs that it changes. */
export async function lockJobs(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  ids: readonly number[],
  { holdsReferences }: { holdsReferences: boolean },
): Promise<void> {
  await sql`
    SELECT FROM ${sql.table(kind.table)}
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])
    ORDER BY id ${holdsReferences ? sql`FOR UPDATE` : sql`FOR NO KEY UPDATE`}`.execute(tx);
}

/** Locks the open runs of jobs that will be changed, because runs are always locked before jobs. */
export async function lockOpenRuns(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  jobIds: readonly number[],
): Promise<void> {
  await sql`
    SELECT FROM runs
    WHERE organization_id = ${organizationId} AND kind = ${kind.name} AND job_id = ANY(${[...jobIds]}::bigint[])
      AND status IN ('queued', 'in_progress')
    ORDER BY id FOR UPDATE`.execute(tx);
}
