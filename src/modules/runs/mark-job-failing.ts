import { sql } from 'kysely';
import { changeTopic, type Tx, wake } from '../../platform/database/index.ts';
import type { JobTable } from './job-kind.ts';
import { lockJobs } from './lock-job.ts';
import { lastSuccessfulRunSql } from './run-queries.ts';

/**
 * Marks a job as failing when its last success is too long ago and its data is stale. The next success clears
 * the mark.
 *
 * @param lastSuccessAt Time of the last success, or null if the job never succeeded.
 * @returns False if the job was already marked or has just succeeded.
 */
export async function markJobFailing(
  tx: Tx,
  kind: JobTable,
  organizationId: number,
  jobId: number,
  lastSuccessAt: Date | null,
): Promise<boolean> {
  // A transaction that ends a run locks the run or, if the run has no row, the job first. Therefore, either this
  // transaction sees the success, or the other one sees the mark.
  await sql`
    SELECT FROM runs
    WHERE organization_id = ${organizationId} AND kind = ${kind.name} AND job_id = ${jobId} AND status IN ('queued', 'in_progress')
    FOR UPDATE`.execute(tx);
  await lockJobs(tx, kind, organizationId, [jobId], { holdsReferences: false });
  const result = await sql`
    UPDATE ${sql.table(kind.table)} AS jobs SET failing_since = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${jobId} AND failing_since IS NULL
      AND greatest(last_success_at, ${lastSuccessfulRunSql(kind)}) IS NOT DISTINCT FROM
        ${lastSuccessAt?.toISOString() ?? null}::timestamptz`.execute(tx);
  if (result.numAffectedRows !== 1n) return false;
  wake(tx, changeTopic(organizationId, `${kind.name}_job`, jobId));
  return true;
}
