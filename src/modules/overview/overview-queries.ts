import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { checkedJobKinds, organizationJobKinds } from '../agents/index.ts';
import { readRowCounts } from '../counts/index.ts';
import { checksInProgress } from '../runs/index.ts';

type Overview = Schemas['Overview'];

/** Counts alert configurations by state. */
export async function countAlertConfigs(
  db: Database,
  organizationId: number,
): Promise<Overview['alert_configs']> {
  const counts = await readRowCounts(db, organizationId, 'alert_configs');
  const of = (kind: string) => counts.get(kind) ?? 0;
  const warnings = of('warning');
  const byState = {
    ok: of('ok') + warnings,
    alerting: of('alerting'),
    no_data: of('no_data'),
    stale: of('stale'),
    inactive: of('inactive'),
  };
  return {
    total: Object.values(byState).reduce((total, count) => total + count, 0),
    warnings,
    by_state: byState,
  };
}

/**
 * Counts the jobs of the organization and the global jobs, by kind and by the status of their newest run.
 * Also lists the organization's active jobs whose newest run failed, most recent failure first. Triggers
 * maintain the counts of jobs and failures.
 */
export async function countJobs(
  db: Database,
  organizationId: number,
  failedLimit: number,
): Promise<Pick<Overview, 'jobs' | 'failed_jobs'>> {
  const visible = sql`IN (${organizationId}, ${systemOrganizationId})`;
  const failed = organizationJobKinds.map(
    ({ name, table, runColumn }) => sql`(
      SELECT ${name}::text AS kind, jobs.id, jobs.name, jobs.last_outcome_at AS failed_at, error_code, error_message
      FROM ${sql.table(table)} AS jobs CROSS JOIN LATERAL (
        SELECT error_code, error_message FROM runs
        WHERE runs.organization_id = jobs.organization_id AND runs.${sql.ref(runColumn)} = jobs.id
        ORDER BY runs.id DESC LIMIT 1
      ) AS newest
      WHERE jobs.organization_id = ${organizationId} AND jobs.last_outcome = 'failed' AND jobs.is_active
      ORDER BY jobs.last_outcome_at DESC, jobs.id LIMIT ${failedLimit})`,
  );
  const { rows } = await sql<{ counts: Record<string, number>; failed: FailedRow[] | null }>`
    SELECT
      (SELECT coalesce(jsonb_object_agg(kind, count), '{}') FROM (
        SELECT CASE subject WHEN 'failed_jobs' THEN 'failed ' || kind ELSE kind END AS kind, sum(amount) AS count
        FROM row_counts WHERE organization_id ${visible} AND subject IN ('jobs', 'failed_jobs') GROUP BY subject, row_counts.kind
        UNION ALL
        SELECT 'in_progress ' || kind, sum(count) FROM (
          SELECT kind, count(*) FROM runs WHERE organization_id ${visible} AND status = 'in_progress' GROUP BY kind
          UNION ALL
          SELECT kind, count(*) FROM (${checksInProgress(checkedJobKinds, sql`claim.organization_id ${visible}`)}) AS checks
          WHERE organization_id ${visible} GROUP BY kind
        ) AS running GROUP BY kind
      ) AS counts) AS counts,
      (SELECT jsonb_agg(jobs ORDER BY failed_at DESC, kind, id) FROM (
        SELECT * FROM (${sql.join(failed, sql` UNION ALL `)}) AS jobs
        ORDER BY failed_at DESC, kind, id LIMIT ${failedLimit}
      ) AS jobs) AS failed`.execute(db);
  const row = rows[0]!;
  const countsOf = (kind: Schemas['TaskKind']): Schemas['JobCounts'] => {
    const of = (what: string) => row.counts[`${what} ${kind}`] ?? 0;
    return {
      total: of('active') + of('inactive'),
      active: of('active'),
      in_progress: of('in_progress'),
      failed: of('failed'),
    };
  };
  return {
    jobs: Object.fromEntries(
      organizationJobKinds.map(({ name }) => [name, countsOf(name)]),
    ) as Overview['jobs'],
    failed_jobs: (row.failed ?? []).map(({ error_code, error_message, failed_at, ...job }) => ({
      ...job,
      error: { code: error_code, message: error_message ?? '' },
      failed_at: new Date(failed_at).toISOString(),
    })),
  };
}

interface FailedRow {
  kind: Schemas['TaskKind'];
  id: number;
  name: string;
  error_code: Schemas['RunError']['code'];
  error_message: string | null;
  failed_at: string;
}

/**
 * Number of consecutive failures after which a channel counts as failing. The health of a channel uses the
 * same number.
 */
const minFailures = 10;

/**
 * Counts the deliveries of the last 24 hours, the channels, and the agents available to the organization, in
 * one statement. Triggers count the finished deliveries of each hour. Deliveries of the hour in which the
 * period begins are counted directly.
 */
export async function countDeliveries(
  db: Database | Tx,
  organizationId: number,
): Promise<Pick<Overview, 'generated_at' | 'deliveries_24h' | 'channels' | 'agents'>> {
  const { rows } = await sql<{
    now: Date;
    deliveries: Partial<Overview['deliveries_24h']>;
    channels: Overview['channels'];
    agents: Overview['agents'];
  }>`
    WITH day AS MATERIALIZED (
      SELECT since, date_trunc('hour', since, 'UTC') + interval '1 hour' AS whole_hours_from
      FROM (SELECT pacekeeper_now() - interval '24 hours' AS since) AS day
    )
    SELECT pacekeeper_now() AS now,
      (SELECT coalesce(jsonb_object_agg(status, count), '{}') FROM (
        SELECT status, sum(count) AS count FROM (
          SELECT status, count(*) AS count FROM notification_deliveries
          WHERE organization_id = ${organizationId} AND created_at > (SELECT since FROM day)
            AND created_at < (SELECT whole_hours_from FROM day)
          GROUP BY status
          UNION ALL
          SELECT status, count(*) FROM notification_deliveries
          WHERE organization_id = ${organizationId} AND status IN ('pending', 'in_progress', 'failed')
            AND created_at >= (SELECT whole_hours_from FROM day)
          GROUP BY status
          UNION ALL
          -- The finished deliveries: \`kind\` is the hour and the status.
          SELECT split_part(kind, ' ', 2), sum(amount) FROM row_counts
          WHERE organization_id = ${organizationId} AND subject = 'delivery_hours'
            AND kind >= (SELECT to_char(whole_hours_from AT TIME ZONE 'UTC', 'YYYYMMDDHH24') FROM day)
          GROUP BY 1
        ) AS parts GROUP BY status
      ) AS by_status) AS deliveries,
      (SELECT jsonb_build_object('total', count(*), 'active', count(*) FILTER (WHERE is_active),
          'failing', count(*) FILTER (WHERE is_active AND consecutive_failures >= ${minFailures}))
        FROM notification_channels WHERE organization_id = ${organizationId}) AS channels,
      (SELECT jsonb_build_object('online', count(*) FILTER (WHERE is_online), 'offline', count(*) FILTER (WHERE NOT is_online))
        FROM (
          SELECT last_heartbeat_at > pacekeeper_now() - interval '60 seconds' AS is_online
          FROM agents WHERE organization_id = ${organizationId} OR kind = 'embedded'
        ) AS known) AS agents`.execute(db);
  const { now, deliveries, channels, agents } = rows[0]!;
  const none = { pending: 0, in_progress: 0, succeeded: 0, failed: 0, dead_letter: 0, canceled: 0 };
  return { generated_at: now.toISOString(), deliveries_24h: { ...none, ...deliveries }, channels, agents };
}
