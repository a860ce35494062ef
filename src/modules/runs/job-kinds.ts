import type { DueTable } from '../../platform/due-rows/index.ts';

/** Runs of kind `reference` have a reference source instead of a job. */
export type JobKind = 'gather' | 'scrape' | 'helm_sync' | 'discovery' | 'reference';

/** Where the jobs of each kind are: their table, whose due rows are their schedule, and their column in `runs`. */
export const jobKinds = {
  gather: { table: 'gather_jobs', runColumn: 'gather_job_id' },
  scrape: { table: 'scrape_jobs', runColumn: 'scrape_job_id' },
  helm_sync: { table: 'helm_sync_jobs', runColumn: 'helm_sync_job_id' },
  discovery: { table: 'discovery_jobs', runColumn: 'discovery_job_id' },
  reference: { table: 'reference_sources', runColumn: 'reference_source_id' },
} as const satisfies Record<JobKind, { table: string; runColumn: string }>;

/**
 * What became of an agent's try at a run: it found something, or that nothing changed; it failed for good, or is tried
 * again later; or the lease ran out.
 */
export type RunOutcome = 'succeeded' | 'unchanged' | 'failed' | 'put_off' | 'lost';

/** Told of each try when its end is committed, to be counted. */
export type OnRun = (kind: JobKind, outcome: RunOutcome) => void;

/** Jobs of a kind, due when their schedule says so. */
export function schedulesDue(kind: JobKind) {
  return {
    name: jobKinds[kind].table,
    keys: { organization_id: 'bigint', id: 'bigint' },
  } as const satisfies DueTable;
}

/** Woken when runs may be claimed, with the organization and kind as detail if they are known. */
export const runsTopic = 'runs';

/** What wakes those who wait for runs of one kind. */
export function runsOf(organizationId: number, kind: JobKind): string {
  return `${runsTopic}:${organizationId}/${kind}`;
}

/**
 * Whether a wake-up may be about runs for an agent. Without this, each new run would make every agent that waits look.
 *
 * @param detail `undefined` if it's unknown what it is about
 * @param organizationId of a remote agent; `null` for the embedded one, which works for all
 */
export function mayConcern(
  detail: string | undefined,
  { organizationId, capabilities }: { organizationId: number | null; capabilities: readonly string[] },
): boolean {
  if (detail === undefined) return true;
  const [organization, kind] = detail.split('/');
  return (
    (organizationId === null || organization === String(organizationId)) &&
    capabilities.some((capability) => capability.split(':', 1)[0] === kind)
  );
}
