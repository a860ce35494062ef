import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { labelCounts } from '../counts/index.ts';
import { configsWithLabel } from '../monitoring/index.ts';

const maxLabels = 1_000;
/** Maximum number of alert configurations read for all labels in total. */
const maxRead = 20_000;
/** Minimum number of alert configurations read for each label. */
const minRead = 20;
const maxUnmonitored = 10_000;

/**
 * Returns the labels of software with the number of scrape jobs that the software list would return for each
 * label, most frequent first. The number of alert configurations with a label is always known. If there are
 * too many to read, the number of scrape jobs is estimated from a part of them.
 */
export async function countLabels(db: Database, organizationId: number): Promise<Schemas['SoftwareLabels']> {
  const { rows } = await sql<{ label: string; count: number; is_exact: boolean }>`
    WITH monitored AS MATERIALIZED (
      SELECT kind AS label, amount AS configs FROM ${labelCounts(organizationId, 'alert_config_labels')} AS counted
      ORDER BY amount DESC, kind LIMIT ${sql.lit(maxLabels + 1)}
    ), share AS MATERIALIZED (
      SELECT greatest(${sql.lit(minRead)}, ${sql.lit(maxRead)} / greatest(count(*), 1)) AS rows FROM monitored
    ), counted AS (
      SELECT label, round(read.jobs::numeric * greatest(monitored.configs, read.configs) / read.configs)::int AS count,
        read.configs >= monitored.configs AS is_exact
      FROM monitored CROSS JOIN LATERAL (
        SELECT count(*) AS configs, count(DISTINCT scrape_job_id) AS jobs FROM (
          SELECT scrape_job_id FROM ${configsWithLabel(organizationId, sql<string>`monitored.label`)} AS config
          LIMIT CASE WHEN monitored.configs > (SELECT rows FROM share) THEN (SELECT rows FROM share) END
        ) AS config
      ) AS read WHERE read.configs > 0
    ), unmonitored AS MATERIALIZED (
      SELECT j.labels FROM software s JOIN scrape_jobs j ON j.organization_id = s.organization_id AND j.id = s.scrape_job_id
      WHERE s.organization_id = ${organizationId} AND s.state = 'unmonitored' AND j.labels <> '{}'
      LIMIT ${sql.lit(maxUnmonitored)}
    ), found AS (
      SELECT * FROM counted
      UNION ALL
      SELECT key || '=' || value, count(*)::int, (SELECT count(*) FROM unmonitored) < ${sql.lit(maxUnmonitored)}
      FROM unmonitored, jsonb_each_text(labels) GROUP BY 1
    )
    SELECT label, sum(count)::int AS count, bool_and(is_exact) AS is_exact FROM found GROUP BY label
    ORDER BY 2 DESC, 1 LIMIT ${sql.lit(maxLabels + 1)}`.execute(db);
  return {
    items: rows.slice(0, maxLabels).map(({ label, count }) => {
      const [key] = label.split('=', 1);
      return { key: key!, value: label.slice(key!.length + 1), count };
    }),
    is_complete: rows.length <= maxLabels && rows.every(({ is_exact }) => is_exact),
  };
}
