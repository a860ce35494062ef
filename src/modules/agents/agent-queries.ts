import { type RawBuilder, sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import {
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
} from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { keyIsUsable } from '../accounts/index.ts';
import { type ClaimingAgent, checksInProgress } from '../runs/index.ts';
import { limitValueSql } from '../settings/index.ts';
import { checkedJobKinds, organizationJobKinds } from './job-kinds.ts';

export interface HeartbeatValues {
  name: string;
  kind: 'embedded' | 'remote';
  /** Null for the embedded agent. */
  apiKeyId: number | null;
  /** Limits of the API key. */
  limits: Caller['agentLimits'] | null;
  hostname: string;
  version: string;
  capabilities: string[];
  credentialNames: string[];
  credentialNamesByOrganization: Record<string, string[]>;
}

/**
 * Registers an agent by its name within its organization, or refreshes it. If the organization already has
 * the maximum number of agents, a new agent replaces the one that has been offline the longest, provided that
 * it has been offline for at least an hour.
 *
 * A limited key can't take over an agent whose key has more permissions, because that would hide the
 * capabilities of that agent. So that keys can be replaced, a limited key can take over an agent whose key is
 * unusable or has at most the same permissions.
 *
 * @returns `undefined` if the agent can't be registered: a remote agent has the name of an embedded agent, a
 * limited key can't take over the agent, or the organization has too many agents.
 */
export async function recordHeartbeat(
  db: Database,
  organizationId: number,
  agent: HeartbeatValues,
): Promise<{ id: number; now: Date } | undefined> {
  const { rows } = await sql<{ id: number; now: Date }>`
    WITH allowed AS MATERIALIZED (
      SELECT ${limitValueSql('limits.agents')} AS agents
    ), registered AS (
      SELECT count(*) FILTER (WHERE kind = 'remote') AS remotes, coalesce(bool_or(name = ${agent.name}), false) AS is_known
      FROM agents WHERE organization_id = ${organizationId}
    ), replaced AS (
      DELETE FROM agents USING (
        SELECT id FROM agents
        WHERE organization_id = ${organizationId} AND kind = 'remote'
          AND last_heartbeat_at < pacekeeper_now() - interval '1 hour'
        ORDER BY last_heartbeat_at LIMIT 1
      ) AS oldest, registered, allowed
      WHERE agents.organization_id = ${organizationId} AND agents.id = oldest.id
        AND remotes >= allowed.agents AND NOT is_known
      RETURNING 1
    )
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names,
      credential_names_by_organization, api_key_id, last_heartbeat_at)
    SELECT ${organizationId}::bigint, ${agent.name}, ${agent.kind}, ${agent.hostname}, ${agent.version},
      ${agent.capabilities}::text[], ${agent.credentialNames}::text[],
      ${JSON.stringify(agent.credentialNamesByOrganization)}::jsonb, ${agent.apiKeyId}::bigint, pacekeeper_now()
    FROM registered, allowed
    WHERE is_known OR ${agent.kind} = 'embedded' OR remotes - (SELECT count(*) FROM replaced) < allowed.agents
    ON CONFLICT (organization_id, name) DO UPDATE
    SET kind = EXCLUDED.kind, hostname = EXCLUDED.hostname, version = EXCLUDED.version,
        capabilities = EXCLUDED.capabilities, credential_names = EXCLUDED.credential_names,
        credential_names_by_organization = EXCLUDED.credential_names_by_organization,
        api_key_id = EXCLUDED.api_key_id, last_heartbeat_at = EXCLUDED.last_heartbeat_at, offline_notified_at = NULL,
        updated_at = CASE WHEN agents.version = EXCLUDED.version AND agents.capabilities = EXCLUDED.capabilities
          THEN agents.updated_at ELSE pacekeeper_now() END
    WHERE (agents.kind = 'remote' OR EXCLUDED.kind = 'embedded') AND ${canTakeOver(agent)}
    RETURNING id, pacekeeper_now() AS now`.execute(db);
  return rows[0];
}

/** SQL condition for a row of `agents`: true if the key can take over this agent, even if another key registered it. */
function canTakeOver({ apiKeyId, limits }: HeartbeatValues): RawBuilder<boolean> {
  const { capabilities = null, credentialNames = null } = limits ?? {};
  if (capabilities === null && credentialNames === null) return sql<boolean>`true`;
  const isWithin = (column: string, limit: readonly string[] | null) =>
    limit === null ? sql`true` : sql`coalesce(${sql.ref(column)} <@ ${[...limit]}::text[], false)`;
  return sql<boolean>`NOT EXISTS (
    SELECT FROM api_keys
    WHERE api_keys.organization_id = agents.organization_id AND api_keys.id = agents.api_key_id
      AND api_keys.id <> ${apiKeyId}::bigint AND ${sql.raw(keyIsUsable)}
      AND NOT (${isWithin('api_keys.agent_capabilities', capabilities)}
        AND ${isWithin('api_keys.agent_credential_names', credentialNames)}))`;
}

/** Returns the kind of the agent with this name, or undefined if no agent has the name. */
export async function findKindOfAgent(
  db: Database,
  organizationId: number,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('kind')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.kind;
}

/** Returns true if the agent is registered. */
export async function hasAgent(db: Database, { organizationId, id, kind }: ClaimingAgent): Promise<boolean> {
  const row = await db
    .selectFrom('agents')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row !== undefined;
}

type Agent = Schemas['Agent'];

/**
 * Lists the agents that work for an organization: its own agents and the embedded ones. For embedded agents, includes
 * only the tasks and credential names of this organization.
 */
export async function listAgents(
  db: Database,
  organizationId: number,
  page: PageRequest,
): Promise<Page<Agent>> {
  const query = db
    .selectFrom('agents as a')
    .select([
      'a.id',
      'a.name',
      'a.hostname',
      'a.version',
      'a.capabilities',
      'a.last_heartbeat_at',
      'a.created_at',
      'a.updated_at',
    ])
    .select([
      sql<Agent['kind']>`a.kind`.as('kind'),
      sql<Agent['status']>`CASE WHEN a.last_heartbeat_at > pacekeeper_now() - interval '60 seconds'
        THEN 'online' ELSE 'offline' END`.as('status'),
      sql<string[]>`CASE WHEN a.kind = 'embedded' THEN coalesce((
          SELECT array_agg(value ORDER BY value)
          FROM jsonb_array_elements_text(a.credential_names_by_organization -> ${String(organizationId)})
        ), '{}') ELSE a.credential_names END`.as('credential_names'),
      sql<Agent['running']>`coalesce((
        SELECT jsonb_agg(jsonb_build_object(
          'task_id', runs.id, 'kind', runs.kind,
          'job_id', runs.job_id, 'job_name', coalesce(${sql.join(organizationJobKinds.map(({ table }) => sql.ref(`${table}.name`)))}),
          'started_at', runs.started_at) ORDER BY runs.id)
        FROM (
          SELECT organization_id, kind, job_id, id, agent_organization_id, agent_id, started_at FROM runs
          WHERE status = 'in_progress'
          UNION ALL
          SELECT organization_id, kind, job_id, run_id, agent_organization_id, agent_id, started_at
          FROM (${checksInProgress(checkedJobKinds, sql`claim.organization_id = a.organization_id AND claim.agent_id = a.id`)}) AS checks
        ) AS runs ${sql.join(
          organizationJobKinds.map(
            ({ name, table }) => sql`
        LEFT JOIN ${sql.table(table)} ON ${sql.ref(`${table}.organization_id`)} = runs.organization_id
          AND runs.kind = ${sql.lit(name)} AND ${sql.ref(`${table}.id`)} = runs.job_id`,
          ),
          sql``,
        )}
        WHERE runs.organization_id = ${organizationId}
          AND runs.kind = ANY(${organizationJobKinds.map(({ name }) => name)}::text[])
          AND runs.agent_organization_id = a.organization_id AND runs.agent_id = a.id
      ), '[]'::jsonb)`.as('running'),
    ])
    .where(sql<boolean>`(a.organization_id = ${organizationId} OR a.kind = 'embedded')`);
  const { items, ...rest } = await readPage(
    db,
    query,
    page,
    listOrder([
      { column: 'a.created_at', isDescending: true },
      { column: 'a.id', isDescending: true },
    ]),
  );
  return {
    ...rest,
    items: items.map((agent) => ({
      ...agent,
      running: agent.running.map((task) => ({
        ...task,
        started_at: new Date(task.started_at).toISOString(),
      })),
      last_heartbeat_at: agent.last_heartbeat_at.toISOString(),
      created_at: agent.created_at.toISOString(),
      updated_at: agent.updated_at.toISOString(),
    })),
  };
}
