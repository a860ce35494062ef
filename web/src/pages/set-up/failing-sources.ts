import type { Schemas } from '../../../../src/generated/client-api.ts';
import { pendingRetryError } from '../../components/retry-error.ts';

type GatherJob = Pick<Schemas['GatherJob'], 'id' | 'name' | 'status' | 'last_run'>;

/** An upstream source whose releases can't be read, and the reason. */
export interface FailingSource {
  id: number;
  name: string;
  message: string;
}

/** Returns the gather jobs with these IDs that failed or wait for a retry. */
export function findFailingSources(jobs: readonly GatherJob[], ids: ReadonlySet<number>): FailingSource[] {
  return jobs.flatMap((job) => {
    const message = job.status === 'failed' ? failureOf(job) : pendingRetryError(job);
    return message === null || !ids.has(job.id) ? [] : [{ id: job.id, name: job.name, message }];
  });
}

function failureOf({ last_run }: GatherJob): string {
  return last_run?.error?.message ?? "The error isn't known.";
}
