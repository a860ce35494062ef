import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';

/** Alert configurations and scrape jobs whose labels are counted, each. */
const maxCounted = 10_000;
const maxLabels = 1_000;

/** The labels of software with the number of scrape jobs that have them, most frequent first. */
export async function countLabels(db: Database, organizationId: number): Promise<Schemas['SoftwareLabels']> {
  const first = sql.lit(maxCounted);
  const { rows } = await sql<Schemas['SoftwareLabels']['items'][number] & { is_complete: boolean }>`
    WITH configs AS (
      SELECT scrape_job_id AS job_id, effective_labels AS labels FROM alert_configs
      WHERE organization_id = ${organizationId} ORDER BY id LIMIT ${first}
    ), jobs AS (
      SELECT id AS job_id, labels FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND labels <> '{}' ORDER BY id LIMIT ${first}
    ), labels AS (
      SELECT job_id, key, value FROM configs, jsonb_each_text(configs.labels)
      UNION
      SELECT job_id, key, value FROM jobs, jsonb_each_text(jobs.labels)
    )
    SELECT key, value, count(*)::int AS count,
      (SELECT count(*) FROM configs) < ${first} AND (SELECT count(*) FROM jobs) < ${first} AS is_complete
    FROM labels GROUP BY key, value ORDER BY count(*) DESC, key, value LIMIT ${sql.lit(maxLabels + 1)}`.execute(
    db,
  );
  return {
    items: rows.slice(0, maxLabels).map(({ key, value, count }) => ({ key, value, count })),
    is_complete: rows.length <= maxLabels && rows.every(({ is_complete }) => is_complete),
  };
}
