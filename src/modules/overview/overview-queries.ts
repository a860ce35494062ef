import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { readRowCounts } from '../alerts/index.ts';
import { type JobKind, jobKinds } from '../runs/index.ts';

type Overview = Schemas['Overview'];

/** Alert configurations by state. */
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

type KindRow = Schemas['JobCounts'] & { kind: JobKind };

/**
 * Jobs by kind and by their newest run, the organization's and the global ones; and its own active jobs whose newest run
 * failed, those that failed last first. Of the newest runs only those are looked at that are in progress or failed.
 */
export async function countJobs(
  db: Database,
  organizationId: number,
  failedLimit: number,
): Promise<Pick<Overview, 'jobs' | 'failed_jobs'>> {
  const visible = sql`IN (${organizationId}, ${systemOrganizationId})`;
  const of = (kind: JobKind) => {
    const jobs = sql`${sql.table(jobKinds[kind].table)} AS jobs`;
    const ofState = (status: string) => sql`
      FROM runs JOIN ${jobs} ON jobs.organization_id = runs.organization_id AND jobs.id = runs.job_id
      WHERE runs.organization_id ${visible} AND runs.kind = ${sql.lit(kind)} AND runs.is_newest
        AND runs.status = ${sql.lit(status)}`;
    return {
      counts: sql`
        SELECT ${kind}::text AS kind, total, active, in_progress, failed
        FROM (SELECT count(*) AS total, count(*) FILTER (WHERE is_active) AS active
            FROM ${jobs} WHERE organization_id ${visible}) AS of_all,
          (SELECT count(*) AS in_progress ${ofState('in_progress')}) AS of_working,
          (SELECT count(*) AS failed ${ofState('failed')} AND jobs.is_active) AS of_failed`,
      failed: sql`
        SELECT ${kind}::text AS kind, jobs.id, jobs.name, runs.error_code, runs.error_message, runs.finished_at
        ${ofState('failed')} AND jobs.is_active AND jobs.organization_id = ${organizationId}`,
    };
  };
  const kinds = (['gather', 'scrape', 'helm_sync'] as const).map(of);
  const { rows } = await sql<{ counts: KindRow[] | null; failed: FailedRow[] | null }>`
    WITH counts AS (${sql.join(
      kinds.map((kind) => kind.counts),
      sql` UNION ALL `,
    )}), failed AS (
      SELECT * FROM (${sql.join(
        kinds.map((kind) => kind.failed),
        sql` UNION ALL `,
      )}) AS jobs
      ORDER BY finished_at DESC, kind, id LIMIT ${failedLimit}
    )
    SELECT (SELECT jsonb_agg(counts) FROM counts) AS counts,
      (SELECT jsonb_agg(failed ORDER BY finished_at DESC, kind, id) FROM failed) AS failed`.execute(db);
  const { counts, failed } = rows[0]!;
  const countsOf = (kind: JobKind): Schemas['JobCounts'] => {
    const {
      total = 0,
      active = 0,
      in_progress = 0,
      failed = 0,
    } = counts?.find((row) => row.kind === kind) ?? {};
    return { total, active, in_progress, failed };
  };
  return {
    jobs: { gather: countsOf('gather'), scrape: countsOf('scrape'), helm_sync: countsOf('helm_sync') },
    failed_jobs: (failed ?? []).map(({ error_code, error_message, finished_at, ...job }) => ({
      ...job,
      error: { code: error_code, message: error_message ?? '' },
      failed_at: new Date(finished_at).toISOString(),
    })),
  };
}

interface FailedRow {
  kind: JobKind;
  id: number;
  name: string;
  error_code: Schemas['RunError']['code'];
  error_message: string | null;
  finished_at: string;
}

/** From so many failures in a row on a channel counts as failing, as its own health says. */
const failingFrom = 10;

/** Deliveries of a day, channels, and the agents that work for the organization, in one statement. */
export async function countDeliveries(
  db: Database,
  organizationId: number,
): Promise<Pick<Overview, 'generated_at' | 'deliveries_24h' | 'channels' | 'agents'>> {
  const { rows } = await sql<{
    now: Date;
    deliveries: Partial<Overview['deliveries_24h']>;
    channels: Overview['channels'];
    agents: Overview['agents'];
  }>`
    SELECT pacekeeper_now() AS now,
      (SELECT coalesce(jsonb_object_agg(status, count), '{}') FROM (
        SELECT status, count(*) AS count FROM notification_deliveries
        WHERE organization_id = ${organizationId} AND created_at > pacekeeper_now() - interval '24 hours'
        GROUP BY status
      ) AS by_status) AS deliveries,
      (SELECT jsonb_build_object('total', count(*), 'active', count(*) FILTER (WHERE is_active),
          'failing', count(*) FILTER (WHERE is_active AND consecutive_failures >= ${failingFrom}))
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
