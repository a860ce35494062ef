import { sql } from 'kysely';
import type { Schemas as AgentSchemas } from '../../../generated/agent-api.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../../platform/database/index.ts';

/**
 * Lists the charts of a sync by name. While the repository reports no changes, the `last_seen_at` of the charts in the
 * latest list continues to advance. A chart that is missing from the latest list keeps the time of the last list that
 * contained it.
 */
export async function listCharts(
  db: Database,
  organizationId: number,
  helmSyncJobId: number,
  { q }: { q?: string | undefined },
  page: PageRequest,
): Promise<Page<Schemas['HelmChart']>> {
  const query = db
    .selectFrom('helm_charts as charts')
    .innerJoin('helm_sync_jobs as jobs', (join) =>
      join
        .onRef('jobs.organization_id', '=', 'charts.organization_id')
        .onRef('jobs.id', '=', 'charts.helm_sync_job_id'),
    )
    .select(['charts.name', 'charts.latest_version', 'charts.app_version', 'charts.description'])
    .select(['charts.deprecated', 'charts.version_count', 'charts.gather_job_id'])
    .select(
      sql<Date>`CASE WHEN charts.last_seen_at = jobs.charts_listed_at
        THEN greatest(charts.last_seen_at, jobs.last_success_at) ELSE charts.last_seen_at END`.as(
        'last_seen_at',
      ),
    )
    .where('charts.organization_id', '=', organizationId)
    .where('charts.helm_sync_job_id', '=', helmSyncJobId)
    .$if(q !== undefined, (query) => query.where(containsWords(['charts.name'], q!)));
  const { items, ...rest } = await readPage(
    db,
    query,
    page,
    listOrder([
      { column: 'charts.name', isDescending: false },
      { column: 'charts.id', isDescending: false },
    ]),
  );
  return { ...rest, items: items.map((row) => ({ ...row, last_seen_at: row.last_seen_at.toISOString() })) };
}

/**
 * Stores the charts of an index. Each name must occur only once.
 * @returns The name of each chart and the ID of its gather job, if it has one.
 */
export async function upsertCharts(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
  charts: readonly AgentSchemas['HelmChartResult'][],
  seenAt: Date,
): Promise<{ name: string; gather_job_id: number | null }[]> {
  const { rows } = await sql<{ name: string; gather_job_id: number | null }>`
    INSERT INTO helm_charts AS chart (organization_id, helm_sync_job_id, name, latest_version, app_version, description,
      deprecated, version_count, last_seen_at)
    SELECT ${organizationId}, ${helmSyncJobId}, name, latest_version, app_version, description, deprecated, version_count,
      ${seenAt.toISOString()}::timestamptz
    FROM json_to_recordset(${JSON.stringify(charts)}::json) AS listed (
      name text, latest_version text, app_version text, description text, deprecated boolean, version_count integer)
    ON CONFLICT (organization_id, helm_sync_job_id, name) DO UPDATE
    SET latest_version = EXCLUDED.latest_version, app_version = EXCLUDED.app_version,
        description = EXCLUDED.description, deprecated = EXCLUDED.deprecated,
        version_count = EXCLUDED.version_count, last_seen_at = EXCLUDED.last_seen_at,
        updated_at = CASE WHEN (chart.latest_version, chart.app_version, chart.description, chart.deprecated,
            chart.version_count) IS DISTINCT FROM (EXCLUDED.latest_version, EXCLUDED.app_version,
            EXCLUDED.description, EXCLUDED.deprecated, EXCLUDED.version_count)
          THEN pacekeeper_now() ELSE chart.updated_at END
    RETURNING name, gather_job_id`.execute(tx);
  return rows;
}

export async function listChartNames(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('helm_charts')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('helm_sync_job_id', '=', helmSyncJobId)
    .execute();
  return rows.map((row) => row.name);
}

/**
 * Deletes charts that belong to a previous repository URL or that the chart filter now excludes. Their gather
 * jobs don't change.
 */
export async function deleteCharts(
  tx: Tx,
  organizationId: number,
  helmSyncJobId: number,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await sql`
    DELETE FROM helm_charts
    WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${helmSyncJobId} AND name = ANY(${[...names]}::text[])
  `.execute(tx);
  await sql`
    UPDATE helm_sync_jobs SET chart_count = (
      SELECT count(*) FROM helm_charts WHERE organization_id = ${organizationId} AND helm_sync_job_id = ${helmSyncJobId})
    WHERE organization_id = ${organizationId} AND id = ${helmSyncJobId}`.execute(tx);
}
