import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { requestRuns, toJobToRun } from '../../runs/index.ts';
import { discoveryJobs } from '../model/discovery-job-queries.ts';

/** Runs the discovery job that feeds a scrape job, because the scrape job has no runs. */
export async function requestScan(tx: Tx, organizationId: number, discoveryJobId: number): Promise<void> {
  const { rows } = await sql<{ id: number; credential_name: string | null }>`
    SELECT id, credential_name FROM discovery_jobs
    WHERE organization_id = ${organizationId} AND id = ${discoveryJobId}`.execute(tx);
  const jobs = rows.map((job) => toJobToRun(organizationId, job));
  await requestRuns(tx, discoveryJobs, jobs, 'manual');
}
