import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatCount } from '../ui/format.ts';

type Job = Pick<Schemas['GatherJob'], 'status'>;

/** Returns the text for an empty list whose entries come from the runs of a job. */
export function emptyUntilRun(noun: string, { status }: Job): string {
  return status === 'failed'
    ? `No ${noun} yet, because the last run failed. They appear here after the first successful run.`
    : `No ${noun} yet. They appear here after the first successful run.`;
}

/**
 * Formats a count that the runs of a job determine. Without a successful last run, 0 is shown as a dash, because
 * the count isn't known.
 */
export function formatFound(count: number, { status }: Job): string {
  return count === 0 && status !== 'completed' ? '—' : formatCount(count);
}
