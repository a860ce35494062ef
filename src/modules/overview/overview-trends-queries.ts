import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { type JobKind, jobKinds } from '../runs/index.ts';

type Overview = Schemas['Overview'];

/**
 * Alerts opened and resolved on each of the last days, those of UTC, today included. It reads what is open or was
 * resolved in that time, along the indexes of the two lists: what was opened in it is one or the other.
 */
export async function countAlertsByDay(
  db: Database,
  organizationId: number,
  days: number,
): Promise<Overview['alerts_by_day']> {
  const first = sql`date_trunc('day', pacekeeper_now(), 'UTC') - ${days - 1} * interval '24 hours'`;
  const dayOf = (column: string) => sql`(${sql.ref(column)} AT TIME ZONE 'UTC')::date`;
  const { rows } = await sql<Overview['alerts_by_day'][number]>`
    SELECT to_char(day, 'YYYY-MM-DD') AS date, coalesce(sum(opened), 0)::int AS opened, coalesce(sum(resolved), 0)::int AS resolved
    FROM (SELECT ((${first}) AT TIME ZONE 'UTC')::date + n AS day FROM generate_series(0, ${days - 1}::int) AS n) AS days
    LEFT JOIN (
      SELECT ${dayOf('created_at')} AS day, count(*) AS opened, 0 AS resolved FROM alerts
      WHERE organization_id = ${organizationId} AND resolved_at IS NULL AND created_at >= ${first} GROUP BY 1
      UNION ALL
      SELECT ${dayOf('created_at')}, count(*), 0 FROM alerts
      WHERE organization_id = ${organizationId} AND resolved_at >= ${first} AND created_at >= ${first} GROUP BY 1
      UNION ALL
      SELECT ${dayOf('resolved_at')}, 0, count(*) FROM alerts
      WHERE organization_id = ${organizationId} AND resolved_at >= ${first} GROUP BY 1
    ) AS counted USING (day)
    GROUP BY day ORDER BY day`.execute(db);
  return rows;
}

/** The organization's own active jobs that run next, soonest first. */
export async function listNextRuns(
  db: Database,
  organizationId: number,
  limit: number,
): Promise<Overview['next_runs']> {
  // The few of each kind along the index of what is due, or among the jobs of a small organization: as the planner knows.
  const nextOf = (kind: JobKind) => sql`(
    SELECT ${kind}::text AS kind, id, name, due_at AS next_run_at FROM ${sql.table(jobKinds[kind].table)}
    WHERE organization_id = ${organizationId} AND due_at < 'infinity' AND is_active
    ORDER BY due_at, id LIMIT ${limit})`;
  const { rows } = await sql<{ kind: JobKind; id: number; name: string; next_run_at: Date }>`
    ${nextOf('gather')} UNION ALL ${nextOf('scrape')} UNION ALL ${nextOf('helm_sync')}
    ORDER BY next_run_at, kind, id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, next_run_at: row.next_run_at.toISOString() }));
}
