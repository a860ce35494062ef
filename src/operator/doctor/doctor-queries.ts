import { sql } from 'kysely';
import type { ReferenceSourceName } from '../../domain/rules/reference-age.ts';
import { jobKinds } from '../../modules/agents/index.ts';
import { usesReferenceSourceSql } from '../../modules/reference/index.ts';
import { isUnclaimed, type JobTable } from '../../modules/runs/index.ts';
import type { Database } from '../../platform/database/index.ts';

/** Counts the connected servers. Every server keeps a connection with this application name. */
export async function countServers(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups'`.execute(db);
  return rows[0]!.count;
}

export interface AgentSeen {
  name: string;
  kind: 'embedded' | 'remote';
  silentSeconds: number;
}

export async function listAgentsAcrossOrganizations(db: Database): Promise<AgentSeen[]> {
  const { rows } = await sql<AgentSeen>`
    SELECT name, kind, extract(epoch FROM pacekeeper_now() - last_heartbeat_at)::float8 AS "silentSeconds"
    FROM agents ORDER BY last_heartbeat_at DESC`.execute(db);
  return rows;
}

/**
 * Returns how long the oldest due row of each kind of work has been waiting. Leased rows are excluded,
 * because they are being processed.
 */
export async function readQueueAgesAcrossOrganizations(
  db: Database,
): Promise<{ kind: string; ageSeconds: number }[]> {
  const dueRows: readonly (readonly [string, string, JobTable?])[] = [
    ...Object.values(jobKinds).map(
      (kind) => [`${kind.name.replace('_', ' ')} job schedule`, kind.table, kind] as const,
    ),
    ['release evaluation', 'release_fan_outs'],
    ['versions by digest', 'digest_fan_outs'],
    ['moved releases', 'release_moves'],
    ['evaluation', 'alert_configs'],
    ['delivery', 'notification_channels'],
    ['report after silences', 'silenced_alerts'],
    ['housekeeping', 'housekeeping_tasks'],
  ];
  const isFree = sql`(lease_until IS NULL OR lease_until < pacekeeper_now())`;
  // A job that an agent has claimed stays due until its check ends.
  const isWaiting = (job: JobTable | undefined) =>
    job ? sql`due_at < pacekeeper_now() AND ${isUnclaimed(job, undefined, sql.id(job.table))}` : sql`true`;
  const parts = dueRows.map(
    ([kind, table, job]) => sql`
      SELECT ${kind}::text AS kind, min(due_at) AS oldest FROM ${sql.id(table)}
      WHERE due_at < 'infinity' AND ${isFree} AND ${isWaiting(job)}`,
  );
  const { rows } = await sql<{ kind: string; ageSeconds: number }>`
    SELECT kind, extract(epoch FROM pacekeeper_now() - oldest)::float8 AS "ageSeconds" FROM (
      ${sql.join(parts, sql` UNION ALL `)}
      UNION ALL SELECT 'runs for agents', min(due_at) FROM runs WHERE status = 'queued'
    ) AS queues WHERE oldest < pacekeeper_now() ORDER BY oldest`.execute(db);
  return rows;
}

/** Counts the dead letters of the last 24 hours by channel. */
export async function countDeadLettersAcrossOrganizations(
  db: Database,
): Promise<{ channel: string; count: number }[]> {
  const { rows } = await sql<{ channel: string; count: number }>`
    SELECT dead.channel_name AS channel, count(*) AS count
    FROM organizations o JOIN notification_deliveries dead ON dead.organization_id = o.id
      AND dead.status = 'dead_letter' AND dead.created_at > pacekeeper_now() - interval '1 day'
    GROUP BY dead.channel_name ORDER BY count(*) DESC, dead.channel_name`.execute(db);
  return rows;
}

export interface ChannelState {
  name: string;
  /** URL of the form `scheme://host/…`. */
  urlMasked: string;
  isActive: boolean;
  inactiveReason: string | null;
  failures: number;
}

/** Lists the enabled channels, and the channels that were disabled because of failures. */
export async function listChannelsAcrossOrganizations(db: Database): Promise<ChannelState[]> {
  const { rows } = await sql<ChannelState>`
    SELECT name, url_masked AS "urlMasked", is_active AS "isActive", inactive_reason AS "inactiveReason",
      consecutive_failures AS failures
    FROM notification_channels WHERE is_active OR inactive_reason IS NOT NULL
    ORDER BY consecutive_failures DESC, organization_id, id`.execute(db);
  return rows;
}

export interface ReferenceSeen {
  name: ReferenceSourceName;
  asOf: Date | null;
  now: Date;
  /** True if an enabled rule of any organization uses the source. */
  isUsed: boolean;
  isFetched: boolean;
  /** Error message of the last fetch. `null` if it succeeded. */
  fetchError: string | null;
  /** Packages that the last successful fetch skipped. */
  skipped: { count: number; example: { name: string; reason: string } | null; warnings: string[] } | null;
  /**
   * Number of results that unconfirmed data would change, and number of affected organizations. `null` if no
   * data waits for a confirmation.
   */
  waiting: { changed: number; organizations: number } | null;
}

export async function readReferenceAgesAcrossOrganizations(db: Database): Promise<ReferenceSeen[]> {
  const { rows } = await sql<ReferenceSeen>`
    SELECT name, as_of AS "asOf", pacekeeper_now() AS now,
      EXISTS (SELECT FROM rules WHERE is_active AND ${usesReferenceSourceSql(sql`source.name`)}) AS "isUsed",
      url IS NOT NULL AS "isFetched",
      CASE WHEN url IS NOT NULL THEN (
        SELECT error_message FROM runs WHERE runs.organization_id = 1 AND runs.reference_source_id = source.id
        ORDER BY runs.id DESC LIMIT 1) END AS "fetchError",
      CASE WHEN url IS NOT NULL THEN (
        SELECT jsonb_build_object('count', coalesce((summary ->> 'skipped')::integer, 0),
          'example', summary -> 'skipped_examples' -> 0, 'warnings', coalesce(summary -> 'warnings', '[]'))
        FROM runs WHERE runs.organization_id = 1 AND runs.reference_source_id = source.id AND status = 'succeeded'
        ORDER BY runs.id DESC LIMIT 1) END AS skipped,
      (SELECT jsonb_build_object('changed', coalesce(sum((change ->> 'changed')::integer), 0), 'organizations', count(change))
        FROM waiting_reference_loads load LEFT JOIN jsonb_array_elements(load.changes) AS change ON true
        WHERE load.organization_id = 1 AND load.source_name = source.name
        GROUP BY load.source_name) AS waiting
    FROM reference_sources source WHERE organization_id = 1 ORDER BY name`.execute(db);
  return rows;
}
