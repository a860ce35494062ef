import type { DueTable } from '../../platform/due-rows/index.ts';

/** Runs of kind `reference` have a reference source instead of a job. */
export type JobKind = 'gather' | 'scrape' | 'helm_sync' | 'discovery' | 'reference';

/**
 * Table of the jobs of each kind, and the column in `runs` that refers to this table. The due rows of the table are the
 * schedules.
 */
export const jobKinds = {
  gather: { table: 'gather_jobs', runColumn: 'gather_job_id' },
  scrape: { table: 'scrape_jobs', runColumn: 'scrape_job_id' },
  helm_sync: { table: 'helm_sync_jobs', runColumn: 'helm_sync_job_id' },
  discovery: { table: 'discovery_jobs', runColumn: 'discovery_job_id' },
  reference: { table: 'reference_sources', runColumn: 'reference_source_id' },
} as const satisfies Record<JobKind, { table: string; runColumn: string }>;

/**
 * Outcome of an attempt at a run: it found data (`succeeded`) or no changes (`unchanged`), failed permanently
 * (`failed`), will be retried later (`put_off`), or its lease expired (`lost`).
 */
export type RunOutcome = 'succeeded' | 'unchanged' | 'failed' | 'put_off' | 'lost';

/** Counts an attempt. Called after the end of the attempt is committed. */
export type RunAttemptListener = (kind: JobKind, outcome: RunOutcome) => void;

/** Returns the due table of a kind of jobs, which become due according to their schedules. */
export function schedulesDue(kind: JobKind) {
  return {
    name: jobKinds[kind].table,
    keys: { organization_id: 'bigint', id: 'bigint' },
    turnOf: 'organization_id',
  } as const satisfies DueTable;
}

/**
 * Wake-up topic for runs that can be claimed. The detail contains the organization and kind if they are
 * known.
 */
export const runsTopic = 'runs';

/** Returns the topic that wakes agents waiting for runs of one kind. */
export function runsTopicOf(organizationId: number, kind: JobKind): string {
  return `${runsTopic}:${organizationId}/${kind}`;
}

/**
 * True if a wake-up can be relevant to an agent. Without this check, each new run would cause a query for
 * every waiting agent.
 *
 * @param detail Organization and kind, or `undefined` if they are unknown.
 * @param organizationId Organization of a remote agent, or `null` for the embedded agent, which serves all
 * organizations.
 */
export function isRelevant(
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
