import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { settingDefinitions } from '../settings/index.ts';
import type { JobKindName } from './job-kind.ts';
import { canClaim } from './run-queries.ts';

export interface ClaimedRun {
  organization_id: number;
  id: number;
  kind: JobKindName;
  job_id: number;
  trigger: string;
  attempt: number;
  lease_token: string;
  lease_until: Date;
  claimed_at: Date;
}

/**
 * The agent that claims runs. The embedded agent serves every organization and can't be used with an API key.
 */
export interface ClaimingAgent {
  organizationId: number;
  id: number;
  kind: 'embedded' | 'remote';
}

/** The runs that an agent can claim. */
export interface ClaimOptions {
  capabilities: readonly string[];
  /**
   * Credentials whose runs can be claimed, in addition to runs without a credential. Null for all credentials of the
   * agent.
   */
  credentialNames?: readonly string[] | null;
  max: number;
  exceptOrganizations?: readonly number[];
}

/** Number of agents that can claim at the same time and still find runs that no other agent has locked. */
const maxConcurrentClaims = 4;

/**
 * Leases queued runs to an agent. The agent must be allowed to run them and have the capability.
 * Organizations take turns, each with its longest-waiting run first. Each run is leased to only one agent. An
 * unknown agent gets no runs.
 *
 * The cost depends on the number of organizations with queued runs, not on the number of runs. Runs with the
 * same organization, capability, and credential form a queue, and the index `runs_queued` finds the start of
 * each queue.
 */
export async function claimRunsAcrossOrganizations(
  db: Database,
  agent: ClaimingAgent,
  { capabilities, credentialNames = null, max, exceptOrganizations = [] }: ClaimOptions,
): Promise<ClaimedRun[]> {
  const isVisible = (runs: RawBuilder<unknown>) =>
    agent.kind === 'remote' ? sql`${runs}.organization_id = ${agent.organizationId}::bigint` : sql`true`;
  const candidateLimit = max * maxConcurrentClaims;
  const { rows } = await sql<ClaimedRun>`
    WITH RECURSIVE ${queuesOfRuns(isVisible)}, open_queues AS (
      SELECT queue.* FROM agents CROSS JOIN LATERAL (
        SELECT organization_id, capability, credential, nullif(credential, '') AS credential_name FROM queues
      ) AS queue
      WHERE agents.organization_id = ${agent.organizationId} AND agents.id = ${agent.id} AND agents.kind = ${agent.kind}
        AND queue.capability = ANY(${[...capabilities]}::text[])
        AND (queue.credential_name IS NULL OR ${credentialNames === null}
          OR queue.credential_name = ANY(${[...(credentialNames ?? [])]}::text[]))
        AND NOT queue.organization_id = ANY(${[...exceptOrganizations]}::bigint[]) AND ${canClaim(sql`agents`, sql`queue`)}
    ), in_turn AS (
      -- Numbers the runs of each organization, so that organizations take turns: the first run of each, then
      -- the second, and so on.
      SELECT waiting.organization_id, waiting.id, waiting.status, waiting.due_at,
        row_number() OVER (PARTITION BY waiting.organization_id ORDER BY waiting.due_at, waiting.id) AS turn
      FROM open_queues CROSS JOIN LATERAL (
        SELECT runs.organization_id, runs.id, runs.status, runs.due_at FROM runs
        WHERE runs.status = 'queued' AND runs.due_at <= pacekeeper_now()
          AND runs.organization_id = open_queues.organization_id AND runs.capability = open_queues.capability
          AND coalesce(runs.credential_name, '') = open_queues.credential
        ORDER BY runs.due_at, runs.id
        -- If there are many queues, a few runs of each are enough.
        LIMIT (SELECT least(${candidateLimit}, greatest(8, ${4 * candidateLimit} / count(*))) FROM open_queues)
      ) AS waiting
    ), due AS (
      SELECT * FROM in_turn ORDER BY turn, due_at LIMIT ${candidateLimit}
    ), locked AS (
      -- The join on status excludes runs that another agent has just claimed. As a separate condition, the
      -- status could make PostgreSQL search an index of all open runs of the organization for each run (70 ms
      -- for 200 of 1,000 runs).
      SELECT runs.organization_id, runs.id FROM runs JOIN due USING (organization_id, id, status)
      ORDER BY due.turn, due.due_at LIMIT ${max}
      FOR UPDATE OF runs SKIP LOCKED
    )
    UPDATE runs
    SET status = 'in_progress', attempt = attempt + 1, agent_organization_id = ${agent.organizationId},
        agent_id = ${agent.id}, lease_token = gen_random_uuid(),
        lease_until = pacekeeper_now() + ${leaseSecondsOf(agent.organizationId)} * interval '1 second',
        started_at = pacekeeper_now(), is_full = false, error_code = NULL, error_message = NULL, updated_at = pacekeeper_now()
    FROM locked
    WHERE runs.organization_id = locked.organization_id AND runs.id = locked.id
    RETURNING runs.organization_id, runs.id, runs.kind, runs.trigger, runs.attempt, runs.lease_token, runs.lease_until,
      runs.job_id, pacekeeper_now() AS claimed_at`.execute(db);
  return rows;
}

/** SQL condition: true if the job in a row has one of these runs. */
export function isJobOfRuns(runs: readonly ClaimedRun[]): RawBuilder<boolean> {
  return sql<boolean>`(organization_id, id) IN (SELECT * FROM unnest(
    ${runs.map((run) => run.organization_id)}::bigint[], ${runs.map((run) => run.job_id)}::bigint[]))`;
}

/** Records that these runs request the full list from the agent. */
export async function markFullRunsAcrossOrganizations(
  db: Database,
  runs: readonly Pick<ClaimedRun, 'organization_id' | 'id' | 'lease_token'>[],
): Promise<void> {
  if (runs.length === 0) return;
  await sql`
    WITH described AS (
      SELECT * FROM unnest(
        ${runs.map((run) => run.organization_id)}::bigint[], ${runs.map((run) => run.id)}::bigint[],
        ${runs.map((run) => run.lease_token)}::uuid[]
      ) AS described (organization_id, id, lease_token)
    ), of_claims AS (
      UPDATE check_claims SET full_run_ids = of_token.run_ids
      FROM (SELECT lease_token, array_agg(id) AS run_ids FROM described GROUP BY lease_token) AS of_token
      WHERE check_claims.lease_token = of_token.lease_token
    )
    UPDATE runs SET is_full = true FROM described
    WHERE runs.organization_id = described.organization_id AND runs.id = described.id
      AND runs.lease_token = described.lease_token`.execute(db);
}

/**
 * Returns `queues` for `WITH RECURSIVE`, each with the time since which its first run can be claimed. The
 * query jumps from one queue to the next without reading the other runs of a queue.
 */
function queuesOfRuns(isVisible: (runs: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  const queueOfRun = sql`runs.organization_id, runs.capability, coalesce(runs.credential_name, '')`;
  const first = (where: RawBuilder<unknown>) => sql`
    SELECT ${queueOfRun}, runs.due_at FROM runs
    WHERE runs.status = 'queued' AND ${where} ORDER BY ${queueOfRun}, runs.due_at LIMIT 1`;
  return sql`queues (organization_id, capability, credential, first_due_at) AS (
      (${first(isVisible(sql`runs`))})
      UNION ALL
      SELECT next.* FROM queues CROSS JOIN LATERAL (
        ${first(sql`(${queueOfRun}) > (queues.organization_id, queues.capability, queues.credential)`)}
      ) AS next
      WHERE ${isVisible(sql`next`)}
    )`;
}

/** Time at which the longest-waiting queued run became claimable, or null if no run is queued. */
export const longestQueuedSinceAcrossOrganizations = sql<Date | null>`(
  WITH RECURSIVE ${queuesOfRuns(() => sql`true`)} SELECT min(first_due_at) FROM queues)`;

/** Returns the lease duration of an organization as an SQL expression, with the same value as in `readSettings`. */
export function leaseSecondsOf(organizationId: number): RawBuilder<number> {
  const key = 'task.lease_seconds';
  return sql<number>`coalesce((
    SELECT value FROM settings
    WHERE key = ${key} AND organization_id IN (${organizationId}, ${systemOrganizationId})
    ORDER BY organization_id <> ${organizationId} LIMIT 1
  ), to_jsonb(${settingDefinitions[key].default}::integer))::integer`;
}
