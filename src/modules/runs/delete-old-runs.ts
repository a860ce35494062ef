import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { settingDefinitions } from '../settings/index.ts';
import type { JobTable } from './job-kind.ts';

/** Returns the SQL condition that the job of run `r` has a newer run that meets `condition`. */
function newerRunsOf(kinds: readonly JobTable[], condition: RawBuilder<unknown>): RawBuilder<boolean> {
  const ofJob = (column: RawBuilder<unknown>) => sql`EXISTS (
    SELECT FROM runs newer
    WHERE newer.organization_id = r.organization_id AND newer.${column} = r.${column}
      AND newer.id > r.id AND ${condition})`;
  return sql<boolean>`(${sql.join(
    kinds.map(({ runColumn }) => ofJob(sql.ref(runColumn))),
    sql` OR `,
  )})`;
}

/** Returns the end of the last run that only the job of run `r` counts, if it's counted in that run. */
function lastCountedAt(kinds: readonly JobTable[]): RawBuilder<unknown> {
  return sql`coalesce(${sql.join(
    kinds.map(
      ({ table, runColumn }) => sql`(
        SELECT last_counted_at FROM ${sql.table(table)} AS jobs
        WHERE jobs.organization_id = r.organization_id AND jobs.id = r.${sql.ref(runColumn)} AND jobs.counted_in_run_id = r.id)`,
    ),
  )})`;
}

/** Position, in the runs ordered by age, from which the next step continues. */
export interface RunPosition {
  createdAt: string;
  id: number;
}

/**
 * Deletes runs that exceed the retention of their organization, but never the last run or the last successful
 * run of a job. A row that counts several runs, or whose job counts runs for it, is kept as long as the last of them.
 * Each step continues where the previous one ended, so it doesn't read the remaining old runs again.
 *
 * @returns The number of deleted runs, and the position to continue from, which is null at the end.
 */
export async function deleteOldRunsAcrossOrganizations(
  tx: Tx,
  kinds: readonly JobTable[],
  after: RunPosition | null,
  limit: number,
): Promise<{ deleted: number; goOnAfter: RunPosition | null }> {
  const key = 'retention.runs_days';
  const isAfter = after
    ? sql`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::bigint)`
    : sql`true`;
  const { rows } = await sql<{ deleted: number; looked_at: number; created_at: Date; id: number }>`
    WITH retention AS (
      SELECT o.id AS organization_id, coalesce(own.value, global.value, to_jsonb(${settingDefinitions[key].default}::integer))::integer AS days
      FROM organizations o
      LEFT JOIN settings own ON own.organization_id = o.id AND own.key = ${key}
      LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}
    ), looked_at AS MATERIALIZED (
      SELECT organization_id, id, ${sql.join(kinds.map(({ runColumn }) => sql.ref(runColumn)))}, status, created_at, last_finished_at
      FROM runs
      WHERE created_at < pacekeeper_now() - (SELECT min(days) FROM retention) * interval '1 day' AND ${isAfter}
      ORDER BY created_at, id LIMIT ${limit}
    ), deleted AS (
      DELETE FROM runs USING looked_at r, retention
      WHERE runs.organization_id = r.organization_id AND runs.id = r.id AND retention.organization_id = r.organization_id
        AND coalesce(${lastCountedAt(kinds)}, r.last_finished_at, r.created_at) < pacekeeper_now() - retention.days * interval '1 day'
        AND r.status IN ('succeeded', 'failed', 'canceled') AND ${newerRunsOf(kinds, sql`true`)}
        AND (r.status <> 'succeeded' OR ${newerRunsOf(kinds, sql`newer.status = 'succeeded'`)})
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM deleted) AS deleted, (SELECT count(*) FROM looked_at) AS looked_at, created_at, id
    FROM looked_at ORDER BY created_at DESC, id DESC LIMIT 1`.execute(tx);
  const [last] = rows;
  if (!last) return { deleted: 0, goOnAfter: null };
  const isEnd = last.looked_at < limit;
  return {
    deleted: last.deleted,
    goOnAfter: isEnd ? null : { createdAt: last.created_at.toISOString(), id: last.id },
  };
}
