import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { keptVersionsSince } from './kept-versions-since.ts';

/**
 * Deletes exposures and gaps that ended before the retention period of their organization. The last exposure
 * of a deleted scrape job counts as ended by the deletion. A gap is kept as long as an exposure that began
 * before it, because the exposure would otherwise include the time of the gap.
 *
 * @returns The highest number of deleted rows of one table. If it reaches `limit`, call again.
 */
export async function deleteOldExposuresAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    WITH retention AS (${keptVersionsSince()}), ended AS (
      SELECT e.organization_id, e.id
      FROM retention
      CROSS JOIN LATERAL (
        SELECT e.organization_id, e.id FROM exposures e
        WHERE e.organization_id = retention.organization_id AND e.ended_at < retention.since
        ORDER BY e.ended_at, e.id LIMIT ${limit}
      ) AS e
      LIMIT ${limit}
    ), of_deleted_jobs AS (
      SELECT j.organization_id, j.id
      FROM retention
      CROSS JOIN LATERAL (
        SELECT j.organization_id, j.id FROM deleted_scrape_jobs j
        WHERE j.organization_id = retention.organization_id AND j.deleted_at < retention.since
        ORDER BY j.deleted_at LIMIT ${limit}
      ) AS j
      LIMIT ${limit}
    ), gaps AS (
      SELECT g.organization_id, g.scrape_job_id, g.started_at
      FROM retention
      CROSS JOIN LATERAL (
        SELECT g.organization_id, g.scrape_job_id, g.started_at FROM reading_gaps g
        WHERE g.organization_id = retention.organization_id AND g.ended_at < retention.since
          AND NOT EXISTS (
            SELECT FROM exposures e
            WHERE e.organization_id = g.organization_id AND e.scrape_job_id = g.scrape_job_id
              AND e.first_seen_at <= g.started_at)
        ORDER BY g.ended_at LIMIT ${limit}
      ) AS g
      LIMIT ${limit}
    ), deleted_ended AS (
      DELETE FROM exposures USING ended
      WHERE exposures.organization_id = ended.organization_id AND exposures.id = ended.id
        AND exposures.ended_at IS NOT NULL
      RETURNING 1
    ), deleted_last AS (
      DELETE FROM exposures USING of_deleted_jobs AS j
      WHERE exposures.organization_id = j.organization_id AND exposures.scrape_job_id = j.id AND exposures.ended_at IS NULL
      RETURNING 1
    ), deleted_jobs AS (
      DELETE FROM deleted_scrape_jobs USING of_deleted_jobs AS j
      WHERE deleted_scrape_jobs.organization_id = j.organization_id AND deleted_scrape_jobs.id = j.id
      RETURNING 1
    ), deleted_software AS (
      DELETE FROM former_software USING of_deleted_jobs AS j
      WHERE former_software.organization_id = j.organization_id AND former_software.scrape_job_id = j.id
      RETURNING 1
    ), deleted_gaps AS (
      DELETE FROM reading_gaps USING gaps
      WHERE reading_gaps.organization_id = gaps.organization_id AND reading_gaps.scrape_job_id = gaps.scrape_job_id
        AND reading_gaps.started_at = gaps.started_at
      RETURNING 1
    )
    SELECT greatest(
      (SELECT count(*) FROM deleted_ended), (SELECT count(*) FROM deleted_jobs), (SELECT count(*) FROM deleted_gaps)
    )::integer AS deleted,
    (SELECT count(*) FROM deleted_last) + (SELECT count(*) FROM deleted_software) AS others`.execute(tx);
  return rows[0]?.deleted ?? 0;
}
