import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatCount } from '../ui/format.ts';

type DiscoveryJob = Schemas['DiscoveryJob'];

/** Fields of a job that show whether a run has succeeded. Each kind of job has only some of them. */
type Job = Pick<Schemas['GatherJob'], 'status'> &
  Partial<
    Pick<Schemas['GatherJob'], 'list_completeness'> &
      Pick<DiscoveryJob, 'cluster_uid' | 'host_uid' | 'coverage'> & {
        item_counts: Pick<DiscoveryJob['item_counts'], 'new' | 'gone' | 'replaced'>;
      }
  >;

/**
 * Returns true if the job shows that a run has succeeded. While a run is queued or in progress, and after one failed,
 * the status doesn't include earlier runs, but their results do. Accepted and ignored items aren't results, because
 * they can be created before the first run.
 */
function hasSucceeded({
  status,
  list_completeness = null,
  cluster_uid = null,
  host_uid = null,
  coverage = null,
  item_counts,
}: Job): boolean {
  if (status === 'completed') return true;
  if ([list_completeness, cluster_uid, host_uid, coverage].some((result) => result !== null)) return true;
  return item_counts !== undefined && item_counts.new + item_counts.gone + item_counts.replaced > 0;
}

/** Returns the text for an empty list whose entries come from the runs of a job. */
export function emptyUntilRun(noun: string, job: Job): string {
  if (job.status === 'completed') return `The last run found no ${noun}.`;
  if (hasSucceeded(job)) return `The last successful run found no ${noun}.`;
  return job.status === 'failed'
    ? `No ${noun} yet, because the last run failed. They appear here after the first successful run.`
    : `No ${noun} yet. They appear here after the first successful run.`;
}

/**
 * Returns a count that the runs of a job determine, or `null` if it isn't known: a count of 0 is known only after a
 * successful run.
 */
export function knownCount(count: number, job: Job): number | null {
  return count === 0 && !hasSucceeded(job) ? null : count;
}

/** Formats a count that the runs of a job determine. An unknown count is shown as a dash. */
export function formatFound(count: number, job: Job): string {
  const known = knownCount(count, job);
  return known === null ? '—' : formatCount(known);
}
