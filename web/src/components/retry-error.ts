import type { Schemas } from '../../../src/generated/client-api.ts';

/**
 * Returns the error of the last attempt while a job's run waits for a retry, or null if no retry is pending.
 */
export function pendingRetryError({
  status,
  last_run,
}: Pick<Schemas['GatherJob'], 'status' | 'last_run'>): string | null {
  return status === 'pending' && last_run !== null && isRetrying(last_run)
    ? (last_run.error?.message ?? null)
    : null;
}

/**
 * Returns when a job's next attempt starts: the retry, if one is pending, otherwise the next scheduled run. Null if it
 * isn't known, such as while a retry waits for an agent.
 */
export function nextAttemptAt(
  job: Pick<Schemas['GatherJob'], 'status' | 'last_run' | 'waiting_until' | 'next_run_at'>,
): string | null {
  return pendingRetryError(job) === null ? job.next_run_at : job.waiting_until;
}

/** True if a run waits for another attempt after a failed one. */
export function isRetrying({ status, error }: Pick<Schemas['Run'], 'status' | 'error'>): boolean {
  return status === 'queued' && error !== null;
}
