import type { Schemas } from '../../../src/generated/client-api.ts';

/**
 * Returns the error of the last attempt while a job's run waits for a retry, or null if no retry is pending.
 */
export function pendingRetryError({
  status,
  last_run,
}: Pick<Schemas['GatherJob'], 'status' | 'last_run'>): string | null {
  return status === 'pending' && last_run?.status === 'queued' ? (last_run.error?.message ?? null) : null;
}
