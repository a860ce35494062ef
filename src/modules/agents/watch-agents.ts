import { sql } from 'kysely';
import { changeTopic, type Tx, wake } from '../../platform/database/index.ts';
import { endProblem, isoTime, lockEndedProblems, planServiceEvent } from '../notifications/index.ts';

/**
 * Sends a notification when a remote agent has missed heartbeats for 60 seconds. It isn't repeated until the
 * agent has been online again. Embedded agents are excluded, because they stop with their servers.
 *
 * @returns The number of agents reported as offline. If it reaches `limit`, call again.
 */
export async function notifyOfflineAgentsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{
    organization_id: number;
    id: number;
    name: string;
    hostname: string;
    last_heartbeat_at: Date;
  }>`
    WITH offline AS (
      SELECT organization_id, id FROM agents
      WHERE kind = 'remote' AND offline_notified_at IS NULL AND last_heartbeat_at <= pacekeeper_now() - interval '60 seconds'
      ORDER BY last_heartbeat_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE agents SET offline_notified_at = pacekeeper_now() FROM offline
    WHERE agents.organization_id = offline.organization_id AND agents.id = offline.id
    RETURNING agents.organization_id, agents.id, agents.name, agents.hostname, agents.last_heartbeat_at`.execute(
    tx,
  );
  for (const { organization_id, id, name, hostname, last_heartbeat_at } of rows) {
    const agent = { id, name, hostname, last_heartbeat_at: last_heartbeat_at.toISOString() };
    await planServiceEvent(tx, organization_id, { type: 'agent.offline', data: { agent } });
    wake(tx, changeTopic(organization_id, 'agent', id));
  }
  return rows.length;
}

/**
 * Reports agents that are online again or were deleted after they were reported as offline.
 *
 * @returns The number of reported agents. If it reaches `limit`, call again.
 */
export async function notifyRecoveredAgentsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const ended = await lockEndedProblems(
    tx,
    null,
    {
      type: 'agent.offline',
      subjectKind: 'agent',
      table: 'agents',
      // An agent is online again when a heartbeat has cleared this column.
      isOver: sql<boolean>`s.offline_notified_at IS NULL`,
      changes: sql`jsonb_build_object('hostname', s.hostname, 'last_heartbeat_at', ${isoTime(sql`s.last_heartbeat_at`)})`,
    },
    limit,
  );
  for (const each of ended) await endProblem(tx, each);
  return ended.length;
}

/**
 * Deletes agents that are unlikely to return: embedded agents whose server has been down for a day, because a restarted
 * server registers its agent again, and remote agents that have been offline for two weeks.
 */
export async function deleteDeadAgentsAcrossOrganizations(tx: Tx): Promise<void> {
  await sql`
    DELETE FROM agents
    WHERE last_heartbeat_at < pacekeeper_now() - CASE kind WHEN 'embedded' THEN interval '1 day' ELSE interval '14 days' END`.execute(
    tx,
  );
}
