import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/**
 * Compares the stored worst alert configuration of each scrape job of an organization with the actual one in
 * a single statement, and corrects differences.
 *
 * @returns The scrape jobs whose stored configuration was wrong or missing, and the deleted scrape jobs that
 * still had one. Normally empty.
 */
export async function repairSoftwareRows(tx: Tx, organizationId: number): Promise<number[]> {
  const differing = sql`
    SELECT j.organization_id, j.id AS scrape_job_id, worst.alert_config_id, coalesce(worst.state, 'unmonitored') AS state,
      coalesce(worst.severity_rank, 0) AS severity_rank, worst.crossed_at
    FROM scrape_jobs j
    LEFT JOIN LATERAL worst_of_job(j.organization_id, j.id) AS worst ON true
    LEFT JOIN software s ON s.organization_id = j.organization_id AND s.scrape_job_id = j.id
    WHERE j.organization_id = ${organizationId}
      AND (s.alert_config_id, s.state, s.severity_rank, s.crossed_at) IS DISTINCT FROM
        (worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at)`;
  const isOrphaned = sql`software.organization_id = ${organizationId} AND NOT EXISTS (
    SELECT FROM scrape_jobs j WHERE j.organization_id = software.organization_id AND j.id = software.scrape_job_id)`;
  const { rows } = await sql`
    SELECT FROM (${differing}) AS differing UNION ALL SELECT FROM software WHERE ${isOrphaned} LIMIT 1`.execute(
    tx,
  );
  if (rows.length === 0) return [];
  await sql`SELECT lock_software(${organizationId})`.execute(tx);
  // Jobs that are being deleted are skipped, because no foreign key would reject their rows.
  const { rows: corrected } = await sql<{ scrape_job_id: number }>`
    INSERT INTO software (organization_id, scrape_job_id, alert_config_id, state, severity_rank, crossed_at)
    ${differing} FOR KEY SHARE OF j SKIP LOCKED
    ON CONFLICT (organization_id, scrape_job_id) DO UPDATE SET alert_config_id = EXCLUDED.alert_config_id,
      state = EXCLUDED.state, severity_rank = EXCLUDED.severity_rank, crossed_at = EXCLUDED.crossed_at
    RETURNING scrape_job_id`.execute(tx);
  const { rows: deleted } = await sql<{ scrape_job_id: number }>`
    DELETE FROM software WHERE ${isOrphaned} RETURNING scrape_job_id`.execute(tx);
  return [...corrected, ...deleted].map(({ scrape_job_id }) => scrape_job_id);
}
