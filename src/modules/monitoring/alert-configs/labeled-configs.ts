import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

/**
 * Selects the alert configurations with a label in the format `key=value`, and their scrape jobs. An
 * index-only scan is enough.
 */
export function configsWithLabel(
  organizationId: number,
  label: string | RawBuilder<string>,
): RawBuilder<{ alert_config_id: number; scrape_job_id: number }> {
  return sql`(SELECT alert_config_id, scrape_job_id FROM labeled_configs
    WHERE labeled_configs.organization_id = ${organizationId} AND labeled_configs.label = ${label})`;
}

/**
 * Compares the stored labels of an organization's alert configurations with the actual ones in a single
 * statement, and corrects differences.
 *
 * @returns The number of corrected rows, which is normally 0.
 */
export async function repairLabeledConfigRows(tx: Tx, organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH actual AS MATERIALIZED (
      SELECT key || '=' || value AS label, id AS alert_config_id, scrape_job_id
      FROM alert_configs, jsonb_each_text(effective_labels) WHERE organization_id = ${organizationId}
    ), stored AS MATERIALIZED (
      SELECT label, alert_config_id, scrape_job_id FROM labeled_configs WHERE organization_id = ${organizationId}
    ), added AS (
      INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
      SELECT ${organizationId}::bigint, * FROM (SELECT * FROM actual EXCEPT SELECT * FROM stored) AS missing
      ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id
      RETURNING 1
    ), gone AS (
      DELETE FROM labeled_configs
      WHERE organization_id = ${organizationId}
        AND (label, alert_config_id) IN (
          SELECT label, alert_config_id FROM stored EXCEPT SELECT label, alert_config_id FROM actual)
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM added) + (SELECT count(*) FROM gone) AS count`.execute(tx);
  return rows[0]!.count;
}
