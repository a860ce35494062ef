import { type RawBuilder, sql } from 'kysely';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type EvaluatedDeployed, evaluatedDeployedSql } from '../evaluation/evaluated-deployed.ts';
import type { LifecycleOverride, LifecycleRow } from '../evaluation/support-queries.ts';
import { lifecycleRowSql } from '../evaluation/support-queries.ts';
import { isStillDeployed } from '../still-deployed.ts';

/** Maximum number of alert configurations. The oldest are included first. */
export const maxSupportEndConfigs = 10_000;

export interface SupportFilters {
  readonly label: string | null;
  readonly alertConfigIds: readonly number[] | null;
  readonly scrapeJobIds: readonly number[] | null;
}

/** An enabled alert configuration whose gather job has a lifecycle, with its deployed version. */
export interface SupportedConfig {
  id: number;
  scrape_job_id: number;
  scrape_job_name: string;
  gather_organization_id: number;
  gather_job_id: number;
  gather_job_name: string;
  version_scheme: VersionSchemeId;
  releases_revision: number;
  deployed_version: string;
  /** Result of resolving the deployed version in the last evaluation. `null` before the first one. */
  deployed: EvaluatedDeployed | null;
  lifecycle: LifecycleRow;
  lifecycle_override: LifecycleOverride | null;
}

export interface SupportedConfigs {
  readonly configs: SupportedConfig[];
  /** Number of pairs of a scrape job and a gather job without a lifecycle. */
  readonly withoutLifecycle: number;
  /** True if end-of-support dates have been loaded. */
  readonly isLoaded: boolean;
  /** False if more than `maxSupportEndConfigs` configurations match the filters. */
  readonly isAll: boolean;
  readonly nowMs: number;
}

/** Lists configurations in the order of their IDs. */
export async function listSupportedConfigs(
  db: Database,
  organizationId: number,
  { label, alertConfigIds, scrapeJobIds }: SupportFilters,
): Promise<SupportedConfigs> {
  const conditions: RawBuilder<unknown>[] = [sql`organization_id = ${organizationId} AND is_active`];
  if (alertConfigIds !== null) conditions.push(sql`id = ANY(${[...alertConfigIds]}::bigint[])`);
  if (scrapeJobIds !== null) conditions.push(sql`scrape_job_id = ANY(${[...scrapeJobIds]}::bigint[])`);
  if (label !== null) conditions.push(sql`effective_labels @> ${JSON.stringify(toLabel(label))}::jsonb`);
  const { rows } = await sql<{
    now: Date;
    count: number;
    configs: SupportedConfig[] | null;
    without_lifecycle: number;
    is_loaded: boolean;
  }>`
    WITH c AS MATERIALIZED (
      SELECT id, scrape_job_id, gather_organization_id, gather_job_id, lifecycle_override, organization_id
      FROM alert_configs WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY id LIMIT ${sql.lit(maxSupportEndConfigs + 1)}
    ), jobs AS MATERIALIZED (
      -- Reads each gather job only once, because thousands of configurations can use the same one.
      SELECT g.organization_id, g.id, g.name, g.version_scheme, g.releases_revision, g.lifecycle_product,
        ${lifecycleRowSql()} AS lifecycle
      FROM (SELECT DISTINCT gather_organization_id, gather_job_id FROM c) AS used
      JOIN gather_jobs g ON g.organization_id = used.gather_organization_id AND g.id = used.gather_job_id
      WHERE g.scrape_job_id IS NULL
    ), found AS (
      SELECT c.id, c.scrape_job_id, s.name AS scrape_job_name, c.gather_organization_id, c.gather_job_id,
        jobs.name AS gather_job_name, jobs.version_scheme, jobs.releases_revision, s.latest_version AS deployed_version,
        jobs.lifecycle, c.lifecycle_override, ${evaluatedDeployedSql()} AS deployed
      FROM c
      JOIN jobs ON jobs.organization_id = c.gather_organization_id AND jobs.id = c.gather_job_id AND jobs.lifecycle IS NOT NULL
      JOIN gather_jobs g ON g.organization_id = jobs.organization_id AND g.id = jobs.id
      JOIN scrape_jobs s ON s.organization_id = ${organizationId} AND s.id = c.scrape_job_id
        AND ${isStillDeployed('s')} AND s.latest_version IS NOT NULL
      ORDER BY c.id
    )
    SELECT pacekeeper_now() AS now, (SELECT count(*) FROM c)::integer AS count,
      (SELECT json_agg(found) FROM found) AS configs,
      -- A gather job that someone excluded from lifecycles doesn't count.
      (SELECT count(DISTINCT (c.scrape_job_id, c.gather_organization_id, c.gather_job_id))
        FROM c
        JOIN jobs ON jobs.organization_id = c.gather_organization_id AND jobs.id = c.gather_job_id
          AND jobs.lifecycle IS NULL AND jobs.lifecycle_product IS DISTINCT FROM 'none'
        JOIN scrape_jobs s ON s.organization_id = ${organizationId} AND s.id = c.scrape_job_id
          AND ${isStillDeployed('s')} AND s.latest_version IS NOT NULL)::integer AS without_lifecycle,
      EXISTS (SELECT FROM reference_sources
        WHERE organization_id = 1 AND name = 'end_of_life' AND as_of IS NOT NULL) AS is_loaded`.execute(db);
  const [row] = rows;
  const configs = row!.configs ?? [];
  return {
    configs,
    withoutLifecycle: row!.without_lifecycle,
    isLoaded: row!.is_loaded,
    isAll: row!.count <= maxSupportEndConfigs,
    nowMs: row!.now.getTime(),
  };
}

function toLabel(label: string): Record<string, string> {
  const equals = label.indexOf('=');
  return { [label.slice(0, equals)]: label.slice(equals + 1) };
}
