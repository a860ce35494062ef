import { sql } from 'kysely';
import type { VersionChange } from '../../../domain/replay/replay.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { TimeSlices } from '../../../platform/time-slices.ts';

/** Number of scrape jobs per statement. */
const jobsAtOnce = 100;
/** Maximum number of changes of each job, newest first. Earlier versions are unknown. */
const maxChangesOfJob = 2_000;
/** Maximum number of changes of all jobs together, about 50 MB. */
const maxChanges = 300_000;

/**
 * Returns the versions deployed since `fromMs`: the version changes since then, and the last change before
 * that time. Each scrape job is read once, regardless of how many configurations use it.
 *
 * @returns The changes of each job, oldest first. Jobs beyond the limits of time and memory are missing.
 */
export async function readVersionChanges(
  db: Database,
  organizationId: number,
  scrapeJobIds: readonly number[],
  fromMs: number,
  slices: TimeSlices,
  most = maxChanges,
): Promise<Map<number, readonly VersionChange[]>> {
  const changes = new Map<number, readonly VersionChange[]>();
  const ids = [...new Set(scrapeJobIds)];
  let count = 0;
  for (let at = 0; at < ids.length && count < most && slices.isTimeLeft; at += jobsAtOnce) {
    const { rows } = await sql<{ id: number; versions: string[]; times_ms: number[] }>`
      SELECT j.id, coalesce(v.versions, '[]') AS versions, coalesce(v.times_ms, '[]') AS times_ms
      FROM unnest(${ids.slice(at, at + jobsAtOnce)}::bigint[]) AS j (id)
      CROSS JOIN LATERAL (
        SELECT json_agg(newest.version ORDER BY newest.id) AS versions,
          json_agg((extract(epoch FROM newest.created_at) * 1000)::bigint ORDER BY newest.id) AS times_ms
        FROM (
          SELECT changed.id, changed.version, changed.created_at FROM versions changed
          WHERE changed.organization_id = ${organizationId} AND changed.scrape_job_id = j.id AND changed.is_change
            AND changed.id >= coalesce((
              SELECT before.id FROM versions before
              WHERE before.organization_id = ${organizationId} AND before.scrape_job_id = j.id
                AND before.is_change AND before.created_at <= to_timestamp(${fromMs}::float8 / 1000)
              ORDER BY before.id DESC LIMIT 1), 0)
          ORDER BY changed.id DESC LIMIT ${sql.lit(maxChangesOfJob)}
        ) AS newest
      ) AS v`.execute(db);
    for (const { id, versions, times_ms } of rows) {
      count += versions.length;
      if (count > most) break;
      changes.set(
        id,
        versions.map((version, index) => ({ version, atMs: times_ms[index]! })),
      );
    }
    await slices.pause();
  }
  return changes;
}
