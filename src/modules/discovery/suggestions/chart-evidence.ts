import { sql } from 'kysely';
import type { ChartEvidence } from '../../../domain/discovery/suggest-chart-source.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';

/** Maximum number of repositories of each kind that are compared for a chart. */
const maxRepositories = 20;

/** Maximum length of the text that identifies an item, in characters. */
const maxItemTextLength = 200;

interface EvidenceRow
  extends Pick<ChartEvidence, 'source_type' | 'artifact_name' | 'source_options' | 'by' | 'item'> {
  chart: string;
  versions: Record<string, string>;
  is_certain: boolean;
  project_url: string | null;
}

/**
 * Finds evidence for the repositories of charts: items that name the source of their charts, gather jobs of
 * the organization and global ones, and charts listed by Helm repositories. Runs one statement, regardless of
 * the number of charts.
 *
 * @returns The evidence by chart name.
 */
export async function findChartEvidence(
  db: Database | Tx,
  organizationId: number,
  wanted: readonly { chart: string; version: string | null }[],
): Promise<Map<string, ChartEvidence[]>> {
  if (wanted.length === 0) return new Map();
  const organizations = sql`ANY(${[organizationId, systemOrganizationId]}::bigint[])`;
  const { rows } = await sql<EvidenceRow>`
    WITH wanted AS MATERIALIZED (
      SELECT DISTINCT chart, version FROM unnest(
        ${wanted.map(({ chart }) => chart)}::text[], ${wanted.map(({ version }) => version)}::text[]
      ) AS given (chart, version)
    ), charts AS MATERIALIZED (
      SELECT DISTINCT chart FROM wanted
    ), used AS (
      -- A person's choice for the place or the artifact takes precedence over the file.
      SELECT charts.chart, source.source_type, source.artifact_name, source.source_options,
        wanted.version,
        left(min(coalesce(items.kind || ' ' || coalesce(items.namespace || '/', '') || items.name, items.path)), ${sql.lit(maxItemTextLength)}) AS item,
        -- Anyone who can write to a scanned repository can name any source there, so an item of a repository
        -- is certain only after a person has confirmed it.
        bool_or(items.confidence = 'certain' AND (items.status = 'accepted' OR items.set_source IS NOT NULL
          OR choice.artifact_key IS NOT NULL OR job.kind = 'kubernetes_cluster')) AS is_certain
      FROM charts
      JOIN discovered_items AS items ON items.organization_id = ${organizationId} AND items.artifact_name = charts.chart
        AND items.artifact_kind = 'chart' AND items.proposal IS NOT NULL
        AND items.status NOT IN ('gone', 'ignored') AND items.missing_since IS NULL
      JOIN discovery_jobs AS job
        ON job.organization_id = items.organization_id AND job.id = items.discovery_job_id
      LEFT JOIN artifact_corrections AS choice
        ON choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key
      LEFT JOIN wanted ON wanted.chart = items.artifact_name AND wanted.version = items.version
      CROSS JOIN LATERAL jsonb_to_record(CASE WHEN items.set_source IS NOT NULL THEN items.set_source
        WHEN choice.artifact_key IS NOT NULL THEN to_jsonb(choice) ELSE items.proposal END
      ) AS source (source_type text, artifact_name text, source_options jsonb)
      WHERE source.source_type IN ('helm_repository', 'oci_registry')
      GROUP BY charts.chart, source.source_type, source.artifact_name, source.source_options, wanted.version
    ), addresses AS (
      -- Limits the number of addresses, because each one is compared with each release, and the files of a
      -- repository can name any number. Certain addresses come first, so that files can't displace them.
      SELECT * FROM (
        SELECT chart, source_type, lower(artifact_name) AS address, min(artifact_name) AS artifact_name,
          (array_agg(source_options ORDER BY artifact_name, source_options))[1] AS source_options, min(item) AS item,
          coalesce(jsonb_object_agg(version, item) FILTER (WHERE version IS NOT NULL), '{}') AS versions,
          bool_or(is_certain) AS is_certain,
          row_number() OVER (PARTITION BY chart
            ORDER BY bool_or(is_certain) DESC, count(DISTINCT version) DESC, source_type, lower(artifact_name)) AS place
        FROM used GROUP BY chart, source_type, lower(artifact_name)
      ) AS placed WHERE place <= ${sql.lit(maxRepositories)}
    ), jobs AS MATERIALIZED (
      SELECT * FROM (
        SELECT charts.chart, jobs.organization_id, jobs.id, jobs.artifact_name, jobs.project_url,
          row_number() OVER (PARTITION BY charts.chart ORDER BY jobs.organization_id <> ${organizationId}, jobs.id) AS place
        FROM charts
        JOIN gather_jobs AS jobs ON jobs.organization_id = ${organizations} AND jobs.source_type = 'helm_repository'
          AND split_part(jobs.artifact_name, '/', -1) = charts.chart AND jobs.is_active AND jobs.source_options = '{}'
      ) AS placed WHERE place <= ${sql.lit(maxRepositories)}
    )
    SELECT chart, source_type, artifact_name, source_options, 'item' AS by, item, versions, is_certain, NULL AS project_url
    FROM addresses
    UNION ALL
    SELECT jobs.chart, 'helm_repository', jobs.artifact_name, '{}', 'job', NULL, coalesce(listed.versions, '{}'), false,
      jobs.project_url
    FROM jobs LEFT JOIN (
      -- Look up each version, because a repository can list very many.
      SELECT jobs.organization_id, jobs.id, jsonb_object_agg(wanted.version, '') AS versions
      FROM jobs JOIN wanted USING (chart)
      CROSS JOIN LATERAL (
        SELECT FROM releases
        WHERE releases.organization_id = jobs.organization_id AND releases.gather_job_id = jobs.id
          AND releases.tag = wanted.version
        LIMIT 1
      ) AS release
      GROUP BY jobs.organization_id, jobs.id
    ) AS listed USING (organization_id, id)
    UNION ALL
    -- A Helm repository stores the versions of its charts only if it creates gather jobs.
    SELECT chart, 'helm_repository', repository || '/' || chart, '{}', 'job', NULL,
      jsonb_build_object(latest_version, ''), false, NULL
    FROM (
      SELECT charts.chart, listed.latest_version, regexp_replace(syncs.repository_url, '^https?://', '') AS repository,
        row_number() OVER (PARTITION BY charts.chart ORDER BY syncs.organization_id <> ${organizationId}, syncs.id) AS place
      FROM charts
      JOIN helm_charts AS listed ON listed.organization_id = ${organizations} AND listed.name = charts.chart
        AND listed.gather_job_id IS NULL
      JOIN helm_sync_jobs AS syncs ON syncs.organization_id = listed.organization_id
        AND syncs.id = listed.helm_sync_job_id AND syncs.is_active
    ) AS listed WHERE place <= ${sql.lit(maxRepositories)}`.execute(db);
  const byChart = Map.groupBy(rows, ({ chart }) => chart);
  return new Map([...byChart].map(([chart, list]) => [chart, list.map(toEvidence)]));
}

function toEvidence({ versions, is_certain, project_url, ...row }: EvidenceRow): ChartEvidence {
  const { source_type, artifact_name, source_options, by, item } = row;
  return {
    source_type,
    artifact_name,
    source_options,
    by,
    item,
    versions: new Map(Object.entries(versions)),
    isCertain: is_certain,
    projectUrl: project_url,
  };
}
