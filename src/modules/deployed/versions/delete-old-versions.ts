import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { keptVersionsSince } from '../exposures/kept-versions-since.ts';

/**
 * Deletes changes of deployed versions that were followed by another change before the retention period of their
 * organization. The last change of each scrape job is always kept.
 *
 * @returns The number of deleted changes. If it reaches `limit`, call again.
 */
export async function deleteOldVersionsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const result = await sql`
    WITH retention AS (${keptVersionsSince()}), old AS (
      SELECT v.organization_id, v.id
      FROM retention
      CROSS JOIN LATERAL (
        SELECT v.organization_id, v.id FROM versions v
        WHERE v.organization_id = retention.organization_id AND v.is_change AND v.created_at < retention.since
          AND (
            SELECT later.created_at FROM versions later
            WHERE later.organization_id = v.organization_id AND later.scrape_job_id = v.scrape_job_id
              AND later.is_change AND later.id > v.id
            ORDER BY later.id LIMIT 1) < retention.since
        ORDER BY v.created_at, v.id LIMIT ${limit}
      ) AS v
      LIMIT ${limit}
    )
    DELETE FROM versions USING old
    WHERE versions.organization_id = old.organization_id AND versions.id = old.id`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
