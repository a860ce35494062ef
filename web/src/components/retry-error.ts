import type { Schemas } from '../../../src/generated/client-api.ts';

/** Why the last attempt of a job's run failed while the run waits to be retried; null while it isn't. */
export function retryError({
  status,
  last_run,
}: Pick<Schemas['GatherJob'], 'status' | 'last_run'>): string | null {
  return status === 'pending' && last_run?.status === 'queued' ? (last_run.error?.message ?? null) : null;
}
