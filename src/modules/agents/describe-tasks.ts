import type { Schemas } from '../../generated/agent-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { type ClaimedRun, jobKey } from '../runs/index.ts';
import { jobKinds } from './job-kinds.ts';

type Task = Schemas['ClaimTasksResponse']['tasks'][number];

/** Builds the tasks of claimed runs, with one statement for each kind. */
export async function describeTasksAcrossOrganizations(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Task[]> {
  const byKind = new Map(
    await Promise.all(
      [...Map.groupBy(runs, ({ kind }) => kind)].map(
        async ([kind, ofKind]) => [kind, await jobKinds[kind].describe(db, ofKind)] as const,
      ),
    ),
  );
  // Skip runs without a job, because deleting a job also deletes its runs.
  return runs.flatMap((run): Task[] => {
    const body = byKind.get(run.kind)?.get(jobKey(run.organization_id, run.job_id));
    if (!body) return [];
    return [
      {
        task_id: run.id,
        organization_id: run.organization_id,
        lease_token: run.lease_token,
        lease_expires_at: run.lease_until.toISOString(),
        ...body,
      },
    ];
  });
}
