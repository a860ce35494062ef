import { type RawBuilder, sql } from 'kysely';
import { systemOrganizationId } from '../accounts/index.ts';
import type { JobTable } from './job-kind.ts';

/** The checks of all claims. */
export const claimedChecks = sql`check_claims AS claim
  CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.run_ids, claim.due_ats, claim.requested_seqs)
    AS claimed (organization_id, job_id, run_id, due_at, requested_seq)`;

/** SQL condition: true for claims of the agents that can claim jobs of an organization: its own, and those of the system. */
export function canHaveClaimed(organizationId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`claim.organization_id IN (${organizationId}, ${sql.lit(systemOrganizationId)})`;
}

/**
 * SQL condition: true if a job, whose table has the alias `jobs`, has a claimed check. Expired claims count too, until
 * their checks are queued again.
 */
export function hasClaimedCheck(kind: JobTable, jobs: RawBuilder<unknown> = sql`jobs`): RawBuilder<boolean> {
  if (!kind.isClaimedWhenDue) return sql<boolean>`false`;
  return sql<boolean>`EXISTS (
    SELECT FROM ${claimedChecks}
    WHERE ${canHaveClaimed(sql`${jobs}.organization_id`)} AND claim.kind = ${sql.lit(kind.name)} AND ${jobs}.id = ANY(claim.job_ids)
      AND claimed.organization_id = ${jobs}.organization_id AND claimed.job_id = ${jobs}.id
      AND claimed.due_at = ${jobs}.due_at AND claimed.requested_seq = ${jobs}.requested_seq)`;
}

/**
 * SQL condition: true if a due job, as `jobs`, has no claimed check. The claimed checks are read once for all rows of a
 * statement.
 *
 * @param isChosen Condition for the claims that can contain the jobs.
 */
export function isUnclaimed(
  kind: JobTable,
  isChosen: RawBuilder<boolean> = sql`true`,
  jobs: RawBuilder<unknown> = sql`jobs`,
): RawBuilder<boolean> {
  if (!kind.isClaimedWhenDue) return sql<boolean>`true`;
  return sql<boolean>`((${jobs}.organization_id, ${jobs}.id, ${jobs}.due_at, ${jobs}.requested_seq) NOT IN (
    SELECT claimed.organization_id, claimed.job_id, claimed.due_at, claimed.requested_seq FROM ${claimedChecks}
    WHERE claim.kind = ${sql.lit(kind.name)} AND ${isChosen}))`;
}

/** Selects the check in progress of a job, whose table has the given alias, as a run in JSON. `null` if it has none. */
export function checkInProgressSql<Run>(kind: JobTable, jobs: string): RawBuilder<Run | null> {
  if (!kind.isClaimedWhenDue) return sql<null>`NULL::json`;
  const columns = ['organization_id', 'id', 'due_at', 'requested_seq'].map((column) =>
    sql.raw(`${jobs}.${column}`),
  );
  return sql<Run | null>`check_in_progress(${sql.lit(kind.name)}, ${sql.join(columns)})`;
}

/**
 * Returns a query for the checks in progress of jobs of these kinds in the chosen claims, with the columns `organization_id`, `kind`, `job_id`,
 * `run_id`, `agent_organization_id`, `agent_id`, and `started_at`.
 */
export function checksInProgress(
  kinds: readonly JobTable[],
  isChosen: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql.join(
    kinds.map(
      (kind) => sql`
    SELECT jobs.organization_id, claim.kind, jobs.id AS job_id, claimed.run_id, claim.organization_id AS agent_organization_id,
      claim.agent_id, claim.started_at
    FROM ${claimedChecks}
    JOIN ${sql.table(kind.table)} AS jobs ON jobs.organization_id = claimed.organization_id AND jobs.id = claimed.job_id
      AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq
    WHERE ${isChosen} AND claim.kind = ${sql.lit(kind.name)}`,
    ),
    sql` UNION ALL `,
  );
}
