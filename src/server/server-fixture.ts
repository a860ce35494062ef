import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';

export async function insertOrganization(db: Database, name = 'Acme'): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO organizations (name) VALUES (${name}) RETURNING id`.execute(db);
  return rows[0]!.id;
}

export interface InsertedAlerts {
  alertIds: number[];
  gatherJobId: number;
  scrapeJobId: number;
  ruleId: number;
}

/** Inserts open alerts in the state in which an evaluation creates them, each with a separate configuration. */
export async function insertAlerts(
  db: Database,
  organizationId: number,
  {
    count = 1,
    severity = 'high',
    name = 'payments',
  }: { count?: number; severity?: string; name?: string } = {},
): Promise<InsertedAlerts> {
  const { rows } = await sql<{ id: number; gather_job_id: number; scrape_job_id: number; rule_id: number }>`
    WITH gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      VALUES (${organizationId}, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto') RETURNING id
    ), scrape AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, latest_version)
      VALUES (${organizationId}, 'payments', 'manual', '1.25.3') RETURNING id
    ), rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      VALUES (${organizationId}, 'No older than 30 days', 'days_behind', 30) RETURNING id
    ), config AS (
      INSERT INTO alert_configs
        (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal, state, severity,
         requested_seq, due_at)
      SELECT ${organizationId}, ${name} || ' ' || n, scrape.id, ${organizationId}, gather.id, rule.id, n - 1, 'alerting',
        ${severity}, 0, 'infinity'
      FROM gather, scrape, rule, generate_series(1, ${count}::integer) AS n RETURNING id
    ), inserted AS (
      INSERT INTO alerts
        (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version, latest_version,
         artifact_name)
      SELECT ${organizationId}, config.id, rule.id, 'days_behind', ${severity}, 'behind', '1.25.3', '1.27.1',
        'github.com/nginx/nginx'
      FROM config, rule ORDER BY config.id RETURNING id
    )
    SELECT inserted.id, gather.id AS gather_job_id, scrape.id AS scrape_job_id, rule.id AS rule_id
    FROM inserted, gather, scrape, rule ORDER BY inserted.id`.execute(db);
  const { gather_job_id, scrape_job_id, rule_id } = rows[0]!;
  return {
    alertIds: rows.map((row) => row.id),
    gatherJobId: gather_job_id,
    scrapeJobId: scrape_job_id,
    ruleId: rule_id,
  };
}

/**
 * Inserts deliveries of an event without an alert.
 * @param made Deliveries to insert. `age` is an interval, such as `2 hours`.
 */
export async function insertDeliveries(
  db: Database,
  organizationId: number,
  made: readonly { status: string; age: string; count?: number }[],
): Promise<void> {
  await sql`
    WITH entry AS (
      INSERT INTO audit_entries (organization_id, action, event_type, event_id, actor_type, actor_name, data)
      VALUES (${organizationId}, 'created', 'alert.created', gen_random_uuid(), 'system', 'x', '{}') RETURNING id
    )
    INSERT INTO notification_deliveries
      (organization_id, channel_name, audit_entry_id, event_id, event_type, status, max_attempts, created_at)
    SELECT ${organizationId}, 'x', entry.id, gen_random_uuid(), 'alert.created', status, 12, pacekeeper_now() - age
    FROM entry CROSS JOIN unnest(
      ${made.map(({ status }) => status)}::text[], ${made.map(({ age }) => age)}::interval[],
      ${made.map(({ count = 1 }) => count)}::integer[]
    ) AS made (status, age, count) CROSS JOIN generate_series(1, made.count)`.execute(db);
}
