import { type RawBuilder, sql } from 'kysely';
import type { RunFigures } from '../../domain/runs/describe-run-result.ts';
import { type Database, type Tx, withRetries } from '../../platform/database/index.ts';
import { isDueWithinOrganization, organizationsWithDueRows } from '../../platform/due-rows/index.ts';
import { type ClaimedRun, type ClaimingAgent, type ClaimOptions, leaseSecondsOf } from './claim-runs.ts';
import { canHaveClaimed, claimedChecks, isUnclaimed } from './claimed-checks.ts';
import { dueSchedulesTable, type JobKindName, type JobTable } from './job-kind.ts';
import {
  addEarlierCounts,
  countedColumns,
  type HeldRun,
  isWithinLimits,
  type LeaseHolder,
  runsToCount,
  summaryColumns,
} from './lease-runs.ts';
import { nextRunOf, type ScheduledJob } from './next-run.ts';
import { successColumns } from './note-success.ts';
import { canClaim } from './run-queries.ts';

/**
 * A scheduled check that an agent has claimed. Until it ends, it's only an entry in the claim and has no row in `runs`.
 * Most functions require that its job is locked.
 */
export interface HeldCheck extends HeldRun {
  lease_token: string;
  /** Revision of the job. If it's still the same, the schedule and thus `next_due_at` are, too. */
  revision: number;
  next_due_at: Date | null;
}

function hasOpenRun(kind: JobTable): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    SELECT FROM runs
    WHERE runs.organization_id = jobs.organization_id AND runs.kind = ${sql.lit(kind.name)} AND runs.job_id = jobs.id
      AND runs.status IN ('queued', 'in_progress'))`;
}

/**
 * Leases jobs that are due to an agent, without writing their rows. Organizations take turns. Skips jobs with an open
 * run, jobs that another agent has claimed, and jobs whose last run failed. If a run is requested at the same moment, the
 * check and the run are independent.
 */
export async function claimChecksAcrossOrganizations(
  db: Database,
  kinds: readonly JobTable[],
  agent: ClaimingAgent,
  { capabilities, credentialNames = null, max, exceptOrganizations = [] }: ClaimOptions,
): Promise<ClaimedRun[]> {
  const claimable = kinds.filter(({ name }) => canClaimKind(capabilities, name));
  if (claimable.length === 0 || max <= 0) return [];
  const turns = {
    ...(agent.kind === 'remote' && { first: [agent.organizationId], isOnlyFirst: true }),
    except: exceptOrganizations,
  };
  const turnsOf = (kind: JobTable) => sql.ref(`turns_${kind.name}`);
  const canTake = (kind: JobTable) => sql<boolean>`(jobs.is_active AND jobs.last_outcome <> 'failed'
    AND ${kind.capability} = ANY(${[...capabilities]}::text[])
    AND (jobs.credential_name IS NULL OR ${credentialNames === null}
      OR jobs.credential_name = ANY(${[...(credentialNames ?? [])]}::text[]))
    AND ${canClaim(sql`agents`, sql`jobs`)} AND ${isUnclaimed(kind, claimsOf(agent))} AND NOT ${hasOpenRun(kind)})`;
  const isOfAgent = sql<boolean>`(agents.organization_id = ${agent.organizationId} AND agents.id = ${agent.id}
    AND agents.kind = ${agent.kind})`;
  const { rows } = await sql<ClaimedRun>`
    WITH ${sql.join(
      claimable.map((kind) => {
        const where = sql`EXISTS (
          SELECT FROM agents CROSS JOIN LATERAL (SELECT ${sql.table(kind.table)}.*) AS jobs
          WHERE ${isOfAgent} AND ${canTake(kind)})`;
        const schedules = dueSchedulesTable(kind);
        return sql`${turnsOf(kind)} AS MATERIALIZED (
          ${organizationsWithDueRows(schedules, { limit: max, where, turns })})`;
      }),
    )}, due AS MATERIALIZED (
      SELECT * FROM (${sql.join(
        claimable.map(
          (kind) => sql`
          SELECT in_turn.* FROM ${turnsOf(kind)} AS turn CROSS JOIN LATERAL (
            SELECT ${sql.lit(kind.name)}::text AS kind, jobs.organization_id, jobs.id AS job_id, jobs.due_at, jobs.requested_seq
            FROM ${sql.table(kind.table)} AS jobs JOIN agents ON ${isOfAgent}
            WHERE jobs.organization_id = turn.id AND ${isDueWithinOrganization} AND ${canTake(kind)}
            ORDER BY jobs.due_at LIMIT (SELECT ${max}::bigint / greatest(count(*), 1) FROM ${turnsOf(kind)})
          ) AS in_turn`,
        ),
        sql` UNION ALL `,
      )}) AS due LIMIT ${max}
    ), ${sql.join(claimable.map((kind) => claimDue(kind, agent)))}
    ${sql.join(
      claimable.map(
        ({ name }) => sql`
        SELECT checks.organization_id, checks.run_id AS id, claim.kind, checks.id AS job_id, 'schedule' AS trigger,
          1 AS attempt, claim.lease_token, claim.lease_until, pacekeeper_now() AS claimed_at
        FROM ${sql.ref(`checks_${name}`)} AS checks CROSS JOIN ${sql.ref(`claim_${name}`)} AS claim`,
      ),
      sql` UNION ALL `,
    )} ORDER BY id`.execute(db);
  return rows;
}

/** True if an agent with these capabilities can run jobs of this kind. */
function canClaimKind(capabilities: readonly string[], kind: JobKindName): boolean {
  return capabilities.some((capability) => capability.split(':', 1)[0] === kind);
}

/** SQL condition for the claims that can contain jobs that this agent can claim. */
function claimsOf({ kind, organizationId }: ClaimingAgent): RawBuilder<boolean> {
  return kind === 'embedded' ? sql<boolean>`true` : canHaveClaimed(sql`${organizationId}::bigint`);
}

/**
 * Returns CTEs that claim the jobs of one kind in `due`. The other claims are read again after the jobs were locked, and
 * include those that were committed in the meantime: two agents never claim the same check. `min` ensures that all jobs
 * are locked before.
 */
function claimDue({ name, table }: JobTable, agent: ClaimingAgent): RawBuilder<unknown> {
  const locked = sql.ref(`locked_${name}`);
  const checks = sql.ref(`checks_${name}`);
  const claimants = agent.kind === 'embedded' ? null : agent.organizationId;
  return sql`${locked} AS MATERIALIZED (
      SELECT jobs.organization_id, jobs.id, jobs.due_at, jobs.requested_seq
      FROM due JOIN ${sql.table(table)} AS jobs ON jobs.organization_id = due.organization_id AND jobs.id = due.job_id
        AND jobs.due_at = due.due_at AND jobs.requested_seq = due.requested_seq
      WHERE due.kind = ${sql.lit(name)}
      ORDER BY jobs.organization_id, jobs.id FOR NO KEY UPDATE OF jobs SKIP LOCKED
    ), ${checks} AS MATERIALIZED (
      SELECT locked.*, nextval(pg_get_serial_sequence('runs', 'id')) AS run_id FROM ${locked} AS locked
      WHERE (locked.organization_id, locked.id, locked.due_at, locked.requested_seq) NOT IN (
        SELECT * FROM claimed_checks_now((SELECT min(${sql.lit(name)}) FROM ${locked}), ${claimants}::bigint))
    ), ${sql.ref(`claim_${name}`)} AS (
      INSERT INTO check_claims (organization_id, lease_token, kind, agent_id, lease_until, organization_ids, job_ids, run_ids,
        due_ats, requested_seqs)
      SELECT ${agent.organizationId}::bigint, gen_random_uuid(), ${sql.lit(name)}, ${agent.id}::bigint,
        pacekeeper_now() + ${leaseSecondsOf(agent.organizationId)} * interval '1 second',
        array_agg(organization_id ORDER BY run_id), array_agg(id ORDER BY run_id), array_agg(run_id ORDER BY run_id),
        array_agg(due_at ORDER BY run_id), array_agg(requested_seq ORDER BY run_id)
      FROM ${checks} AS checks HAVING count(*) > 0
      RETURNING kind, lease_token, lease_until
    )`;
}

interface Lease {
  runId: number;
  leaseToken: string;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Rows of the leases. A token that an agent sent and that isn't a UUID belongs to no claim. */
function leaseRows(leases: readonly Lease[]): RawBuilder<unknown> {
  const valid = leases.filter(({ leaseToken }) => uuid.test(leaseToken));
  return sql`unnest(${valid.map(({ runId }) => runId)}::bigint[], ${valid.map(({ leaseToken }) => leaseToken)}::uuid[])
    AS lease (run_id, token)`;
}

/** SQL condition: true if the holder has the lease of a claimed check, and its key allows the check. */
function isHeldBy(holder: LeaseHolder, kind: JobTable): RawBuilder<boolean> {
  return sql<boolean>`(claim.organization_id = ${holder.organizationId} AND claim.lease_until > pacekeeper_now()
    AND ${isWithinLimits(holder, sql`(${kind.capability})`, sql`jobs.credential_name`)})`;
}

/** Returns the checks that are held under these leases and have no row in `runs`. Their jobs aren't locked. */
export async function findHeldChecksAcrossOrganizations(
  db: Database | Tx,
  kinds: readonly JobTable[],
  holder: LeaseHolder,
  leases: readonly Lease[],
): Promise<HeldCheck[]> {
  const { rows } = await sql<CheckRow>`${sql.join(
    kinds.map((kind) => selectChecks(kind, isHeldBy(holder, kind), joinLeases(leases))),
    sql` UNION ALL `,
  )}`.execute(db);
  return rows.map(toHeldCheck);
}

type CheckRow = Omit<HeldCheck, 'next_due_at'> & Omit<ScheduledJob, 'id'>;

/** Returns a query for claimed checks of one kind that are in progress and meet a condition. */
function selectChecks(
  kind: JobTable,
  isChosen: RawBuilder<boolean>,
  chosenLeases: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT jobs.organization_id, claimed.run_id AS id, claim.kind, jobs.id AS job_id, 1 AS attempt,
      claimed.run_id = ANY(claim.full_run_ids) AS is_full, claim.lease_token, pacekeeper_now() AS now,
      jobs.revision, jobs.cron_expression, jobs.cron_timezone, jobs.is_active
    ${fromChecks(kind, chosenLeases)}
    WHERE ${canHaveClaimed(sql`jobs.organization_id`)} AND claim.kind = ${kind.name} AND ${isChosen}`;
}

/** Claimed checks in progress, with their jobs as `jobs`. */
function fromChecks(kind: JobTable, chosenLeases: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`FROM ${claimedChecks} ${chosenLeases}
    JOIN ${sql.table(kind.table)} AS jobs ON jobs.organization_id = claimed.organization_id AND jobs.id = claimed.job_id
      AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq`;
}

function toHeldCheck({ cron_expression, cron_timezone, is_active, ...run }: CheckRow): HeldCheck {
  const job = { id: run.job_id, cron_expression, cron_timezone, is_active };
  return { ...run, next_due_at: nextRunOf({ name: run.kind }, job, run.now) };
}

/** Locks the rows of `jobs`, in the order of their IDs. */
const lockingJobs = sql`ORDER BY jobs.organization_id, jobs.id FOR NO KEY UPDATE OF jobs`;

/** Locks the jobs of claimed checks that meet a condition, in the order of their IDs. */
async function lockChecks(
  tx: Tx,
  kind: JobTable,
  isChosen: RawBuilder<boolean>,
  chosenLeases: RawBuilder<unknown> = sql``,
): Promise<HeldCheck[]> {
  const { rows } = await sql<CheckRow>`
    ${selectChecks(kind, isChosen, chosenLeases)} ${lockingJobs}`.execute(tx);
  return rows.map(toHeldCheck);
}

function joinLeases(leases: readonly Lease[]): RawBuilder<unknown> {
  return sql`JOIN ${leaseRows(leases)} ON lease.run_id = claimed.run_id AND lease.token = claim.lease_token`;
}

/**
 * Locks the jobs of checks that are still held under these leases, in the order of their IDs. A check isn't held any
 * more if it has ended, if it has a row in `runs`, or if its job was deleted.
 */
export function lockHeldChecksAcrossOrganizations(
  tx: Tx,
  kind: JobTable,
  holder: LeaseHolder,
  leases: readonly Lease[],
): Promise<HeldCheck[]> {
  return lockChecks(tx, kind, isHeldBy(holder, kind), joinLeases(leases));
}

/**
 * Gives the checks in progress of jobs that are about to change a row in `runs`. They are then treated like any other
 * run in progress.
 */
export async function giveRowsToChecksOfJobs(
  tx: Tx,
  kind: JobTable,
  jobs: readonly { organizationId: number; jobId: number }[],
): Promise<void> {
  if (!kind.isClaimedWhenDue || jobs.length === 0) return;
  const isOfJobs = sql<boolean>`(jobs.organization_id, jobs.id) IN (SELECT * FROM unnest(
    ${jobs.map((job) => job.organizationId)}::bigint[], ${jobs.map((job) => job.jobId)}::bigint[]))`;
  await giveRowsToChecks(tx, kind, await lockChecks(tx, kind, isOfJobs));
}

/** Returns `given` with the checks, for statements about them. */
function givenChecks(checks: readonly HeldCheck[]): RawBuilder<unknown> {
  return sql`unnest(
    ${checks.map((check) => check.organization_id)}::bigint[], ${checks.map((check) => check.job_id)}::bigint[],
    ${checks.map((check) => check.id)}::bigint[],
    ${checks.map((check) => check.lease_token)}::uuid[],
    ${checks.map((check) => check.revision)}::bigint[],
    ${checks.map((check) => check.next_due_at?.toISOString() ?? 'infinity')}::timestamptz[]
  ) AS given (organization_id, job_id, run_id, lease_token, revision, next_due_at)`;
}

/** The next due time can be the same as before if the clock was set back, so the number changes, too. */
const raiseSeq = sql`requested_seq = jobs.requested_seq + 1, processed_seq = jobs.requested_seq + 1`;

/**
 * Gives checks in progress a row in `runs`, with the ID and the lease that their agent has. They then continue like any
 * other run. Their jobs become due at the next time of their schedule.
 *
 * @returns The runs. Omits checks whose job has another open run.
 */
export async function giveRowsToChecks(
  tx: Tx,
  kind: JobTable,
  checks: readonly HeldCheck[],
): Promise<HeldRun[]> {
  if (checks.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    WITH given AS (SELECT * FROM ${givenChecks(checks)}), moved AS (
      UPDATE ${sql.table(kind.table)} AS jobs SET due_at = given.next_due_at, ${raiseSeq} FROM given
      WHERE jobs.organization_id = given.organization_id AND jobs.id = given.job_id
      RETURNING jobs.organization_id, jobs.id, jobs.credential_name, ${kind.capability} AS capability
    )
    INSERT INTO runs (organization_id, id, kind, ${sql.ref(kind.runColumn)}, status, trigger, credential_name, capability,
      due_at, is_full, attempt, agent_id, agent_organization_id, lease_token, lease_until, started_at, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT given.organization_id, given.run_id, claim.kind, given.job_id, 'in_progress', 'schedule', moved.credential_name,
      moved.capability, claimed.due_at, given.run_id = ANY(claim.full_run_ids), 1, claim.agent_id, claim.organization_id,
      claim.lease_token, claim.lease_until, claim.started_at, claimed.due_at
    FROM given
    JOIN moved ON moved.organization_id = given.organization_id AND moved.id = given.job_id
    JOIN (${claimedChecks}) ON claim.lease_token = given.lease_token AND claimed.run_id = given.run_id
    ON CONFLICT DO NOTHING RETURNING id`.execute(tx);
  const ids = new Set(rows.map((row) => row.id));
  return checks.flatMap(({ next_due_at: _nextDueAt, ...run }) => (ids.has(run.id) ? [run] : []));
}

interface EndedCheck {
  check: HeldCheck;
  summary: RunFigures;
}

/**
 * Ends checks of one kind successfully, each with its summary. The jobs become due at the next time of their schedule.
 * A check that changed something, that is the first success of a UTC day, or that follows a failure gets a row in
 * `runs`. Others are counted in the row of the job, which is written anyway.
 */
export async function succeedChecks(tx: Tx, kind: JobTable, ended: readonly EndedCheck[]): Promise<void> {
  await endChecks(
    tx,
    kind,
    ended,
    sql`SELECT jobs.*, given.run_id FROM given
      JOIN ${sql.table(kind.table)} AS jobs ON jobs.organization_id = given.organization_id AND jobs.id = given.job_id`,
  );
}

/**
 * Ends checks whose sources reported no changes, like `succeedChecks`, in one statement that also locks their jobs and
 * records the time of the success. Most checks end this way. Skips checks that aren't held any more, and those whose job is
 * failing or has been changed since the check was found.
 *
 * @returns The IDs of the ended checks.
 */
export async function succeedUnchangedChecks(
  db: Database,
  kind: JobTable,
  holder: LeaseHolder,
  ended: readonly EndedCheck[],
): Promise<Set<number>> {
  const leases = sql`JOIN given ON given.run_id = claimed.run_id AND given.lease_token = claim.lease_token`;
  return withRetries(() =>
    endChecks(
      db,
      kind,
      ended,
      sql`SELECT jobs.*, given.run_id ${fromChecks(kind, leases)}
        WHERE ${canHaveClaimed(sql`jobs.organization_id`)} AND claim.kind = ${kind.name} AND ${isHeldBy(holder, kind)}
          AND jobs.revision = given.revision AND jobs.failing_since IS NULL
        ${lockingJobs}`,
      sql`, last_success_at = pacekeeper_now()`,
    ),
  );
}

/**
 * @param locked Query for the locked jobs of checks in `given`, with `run_id`. Other checks don't end.
 * @param alsoSet Further assignments to the jobs.
 */
async function endChecks(
  db: Database | Tx,
  kind: JobTable,
  ended: readonly EndedCheck[],
  locked: RawBuilder<unknown>,
  alsoSet: RawBuilder<unknown> = sql``,
): Promise<Set<number>> {
  if (ended.length === 0) return new Set();
  const checks = ended.map(({ check }) => check);
  const { rows } = await sql<{ run_id: number }>`
    WITH given AS (SELECT * FROM ${givenChecks(checks)}), locked AS MATERIALIZED (
      ${locked}
    ), ended AS (
      SELECT given.*, summaries.summary, summaries.notices_if_unchanged
      FROM given JOIN locked USING (run_id)
      JOIN unnest(${checks.map(({ id }) => id)}::bigint[], ${summaryColumns(ended)})
        AS summaries (run_id, summary, notices_if_unchanged) USING (run_id)
    ), counted AS MATERIALIZED (
      ${runsToCount(kind, sql`locked`, sql<boolean>`true`)}
    ), turned AS (
      UPDATE ${sql.table(kind.table)} AS jobs
      SET due_at = ended.next_due_at, ${raiseSeq}, ${successColumns(sql`jobs`)}, ${countedColumns} ${alsoSet}
      FROM ended LEFT JOIN counted USING (organization_id, run_id)
      WHERE jobs.organization_id = ended.organization_id AND jobs.id = ended.job_id
      RETURNING jobs.organization_id, jobs.id, jobs.credential_name, ${kind.capability} AS capability
    ), added AS (
      ${addEarlierCounts}
    ), finished AS (
      -- Many claims have a single check. Others are deleted after the end of their lease.
      DELETE FROM check_claims
      WHERE lease_token = ANY(${[...new Set(checks.map((check) => check.lease_token))]}::uuid[])
        AND run_ids <@ (SELECT array_agg(run_id) FROM ended)
    ), inserted AS (
      INSERT INTO runs (organization_id, id, kind, ${sql.ref(kind.runColumn)}, status, trigger, credential_name, capability,
        due_at, is_full, attempt, agent_id, agent_organization_id, started_at, finished_at, summary, created_at)
      OVERRIDING SYSTEM VALUE
      SELECT ended.organization_id, ended.run_id, ${kind.name}, ended.job_id, 'succeeded', 'schedule', turned.credential_name,
        turned.capability, claimed.due_at, ended.run_id = ANY(claim.full_run_ids), 1, claim.agent_id, claim.organization_id,
        claim.started_at, pacekeeper_now(), ended.summary, claimed.due_at
      FROM ended
      JOIN turned ON turned.organization_id = ended.organization_id AND turned.id = ended.job_id
      JOIN (${claimedChecks}) ON claim.lease_token = ended.lease_token AND claimed.run_id = ended.run_id
      WHERE NOT EXISTS (SELECT FROM counted WHERE counted.run_id = ended.run_id)
    )
    SELECT run_id FROM ended`.execute(db);
  return new Set(rows.map((row) => row.run_id));
}

/**
 * Gives the checks of expired claims a row in `runs` whose lease has expired, and deletes the claims. The runs are then
 * queued again like those of any lost agent.
 *
 * @returns The number of claims. If it reaches `limit`, there can be more.
 */
export async function endExpiredClaimsAcrossOrganizations(
  tx: Tx,
  kinds: readonly JobTable[],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ kind: JobKindName; lease_token: string; run_ids: number[] }>`
    SELECT kind, lease_token, run_ids FROM check_claims WHERE lease_until <= pacekeeper_now()
    ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx);
  for (const kind of kinds) {
    const leases = rows
      .filter((claim) => claim.kind === kind.name)
      .flatMap(({ lease_token: leaseToken, run_ids }) => run_ids.map((runId) => ({ runId, leaseToken })));
    if (leases.length > 0)
      await giveRowsToChecks(tx, kind, await lockChecks(tx, kind, sql`true`, joinLeases(leases)));
  }
  if (rows.length > 0)
    await sql`
      DELETE FROM check_claims WHERE lease_token = ANY(${rows.map((row) => row.lease_token)}::uuid[])`.execute(
      tx,
    );
  return rows.length;
}

/**
 * Returns the milliseconds until the next job that this agent can claim is due, by the database's clock, or null if none
 * is scheduled.
 */
export async function nextCheckInMsAcrossOrganizations(
  db: Database,
  kinds: readonly JobTable[],
  { kind: agentKind, organizationId }: Pick<ClaimingAgent, 'kind' | 'organizationId'>,
  capabilities: readonly string[],
): Promise<number | null> {
  const isOfAgent = agentKind === 'embedded' ? sql`true` : sql`organization_id = ${organizationId}`;
  const next = kinds
    .filter(({ name }) => canClaimKind(capabilities, name))
    .map(
      ({ table }) => sql`(
        SELECT due_at FROM ${sql.table(table)}
        WHERE ${isOfAgent} AND due_at > pacekeeper_now() AND due_at < 'infinity' ORDER BY due_at LIMIT 1)`,
    );
  if (next.length === 0) return null;
  const { rows } = await sql<{ due_in_ms: number | null }>`
    SELECT extract(epoch FROM min(due_at) - pacekeeper_now())::float8 * 1000 AS due_in_ms
    FROM (${sql.join(next, sql` UNION ALL `)}) AS next`.execute(db);
  return rows[0]?.due_in_ms ?? null;
}
