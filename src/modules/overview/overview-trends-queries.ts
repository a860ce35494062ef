import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { organizationJobKinds } from '../agents/index.ts';

type Overview = Schemas['Overview'];

/**
 * Returns the number of alerts opened and resolved on each of the last days, in UTC and including today. Sums
 * the counts that triggers maintain.
 */
export async function countAlertsByDay(
  db: Database,
  organizationId: number,
  days: number,
): Promise<Overview['alerts_by_day']> {
  const { rows } = await sql<Overview['alerts_by_day'][number]>`
    WITH days AS (
      SELECT to_char((pacekeeper_now() AT TIME ZONE 'UTC')::date - n, 'YYYY-MM-DD') AS date
      FROM generate_series(0, ${days - 1}::int) AS n
    ), counted AS (
      SELECT kind, sum(amount)::int AS count FROM row_counts
      WHERE organization_id = ${organizationId} AND subject = 'alert_days' AND kind >= (SELECT min(date) FROM days)
      GROUP BY kind
    )
    SELECT date, coalesce(opened.count, 0) AS opened, coalesce(resolved.count, 0) AS resolved FROM days
    LEFT JOIN counted opened ON opened.kind = date || ' opened'
    LEFT JOIN counted resolved ON resolved.kind = date || ' resolved'
    ORDER BY date`.execute(db);
  return rows;
}

/** Lists the organization's active jobs that run next, soonest first. Excludes global jobs. */
export async function listNextRuns(
  db: Database,
  organizationId: number,
  limit: number,
): Promise<Overview['next_runs']> {
  // Apply the limit per kind, so that the planner can choose between the index of due jobs and, in a small
  // organization, reading all its jobs.
  const listed = organizationJobKinds.filter((kind) => kind.ofOrganizations.isListedAsNext);
  const nextRuns = listed.map(
    ({ name, table }) => sql`(
    SELECT ${name}::text AS kind, id, name, due_at AS next_run_at FROM ${sql.table(table)}
    WHERE organization_id = ${organizationId} AND due_at < 'infinity' AND is_active
    ORDER BY due_at, id LIMIT ${limit})`,
  );
  const { rows } = await sql<{ kind: Schemas['TaskKind']; id: number; name: string; next_run_at: Date }>`
    ${sql.join(nextRuns, sql` UNION ALL `)}
    ORDER BY next_run_at, kind, id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, next_run_at: row.next_run_at.toISOString() }));
}
