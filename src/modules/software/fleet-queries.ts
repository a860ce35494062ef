import { type RawBuilder, sql } from 'kysely';
import { imageSourceTypeIds } from '../../domain/source-types/source-types.ts';
import type { IgnoreRecord, StoredIgnore } from '../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { hasLabel } from '../counts/index.ts';
import { lastReadingOf } from '../deployed/index.ts';
import { isStillDeployed, type UnconfirmedRow, unconfirmedColumns } from '../monitoring/index.ts';

/** Maximum number of deployed versions, and of ignored vulnerabilities, in one document. */
export const maxExported = 10_000;

export interface ExportContext {
  now: Date;
  organizationName: string;
}

export async function readExportContext(db: Database, organizationId: number): Promise<ExportContext> {
  const { rows } = await sql<ExportContext>`
    SELECT pacekeeper_now() AS now, name AS "organizationName" FROM organizations WHERE id = ${organizationId}`.execute(
    db,
  );
  return rows[0]!;
}

export interface FleetRow extends UnconfirmedRow {
  id: number;
  name: string;
  labels: Record<string, string>;
  version: string | null;
  is_manual: boolean;
  is_image: boolean;
  artifacts: string[];
  /** Time of the last reading, or of the deployment according to the last report. */
  last_seen_at: Date | null;
  gap_since: Date | null;
  gap_reason: Schemas['ReadingGapReason'] | null;
}

/**
 * Lists the deployed software of an organization. Returns at most one more row than `maxExported`, which
 * shows that there are too many.
 */
export async function listFleet(
  db: Database,
  organizationId: number,
  label: string | undefined,
): Promise<FleetRow[]> {
  return db
    .selectFrom('scrape_jobs as s')
    .leftJoin('discovered_items as item', (join) =>
      join
        .onRef('item.organization_id', '=', 's.organization_id')
        .onRef('item.scrape_job_id', '=', 's.id')
        .on('item.status', '=', 'accepted'),
    )
    .leftJoinLateral(comparedWith(organizationId, sql`s.id`).as('compared'), (join) => join.onTrue())
    .select(['s.id', 's.name', 's.gap_since', 's.latest_version as version'])
    .select(unconfirmedColumns)
    .select([
      sql<Record<string, string>>`s.labels`.as('labels'),
      sql<boolean>`s.parser_type = 'manual'`.as('is_manual'),
      sql<FleetRow['gap_reason']>`s.gap_reason`.as('gap_reason'),
      sql<boolean>`coalesce(item.artifact_kind = 'image', compared.is_image, false)`.as('is_image'),
      artifactsOf(organizationId, sql`s.id`).as('artifacts'),
      sql<Date | null>`CASE WHEN s.parser_type = 'manual' THEN coalesce(s.latest_deployed_at, s.last_read_at)
        ELSE ${lastReadingOf('s')} END`.as('last_seen_at'),
    ])
    .where('s.organization_id', '=', organizationId)
    .where(isStillDeployed('s'))
    .where(label === undefined ? sql<boolean>`true` : hasLabel('s.labels', label))
    .orderBy('s.id')
    .limit(maxExported + 1)
    .execute();
}

/** Selects the package URL of the gather job that the oldest alert configuration of a scrape job uses. */
function comparedWith(
  organizationId: number,
  scrapeJobId: RawBuilder<unknown>,
): RawBuilder<{ purl: string; is_image: boolean }> {
  // If the versions of an application are compared, the package URL of its chart isn't selected, because the
  // chart has versions of its own.
  return sql`(
    SELECT g.purls[1] AS purl, g.source_type = ANY(${imageSourceTypeIds}) AS is_image
    FROM alert_configs c JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    WHERE c.organization_id = ${organizationId} AND c.scrape_job_id = ${scrapeJobId} AND g.version_of = 'artifact'
      AND g.purls <> '{}'
    ORDER BY c.id LIMIT 1)`;
}

/**
 * Selects the names of a scrape job's artifact (table alias `s`): from a scan (`item`), from the last report, and from
 * the gather job that its version is compared with (`compared`).
 */
function artifactsOf(organizationId: number, scrapeJobId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array_remove(ARRAY[item.artifact_purl, (
      -- The digest in the report of another version belongs to that version.
      SELECT CASE WHEN d.version = s.latest_version THEN d.artifact
        ELSE regexp_replace(d.artifact, '@sha(256|512)(:|%3A)[0-9a-f]+', '', 'i') END
      FROM deployments d
      WHERE d.organization_id = ${organizationId} AND d.scrape_job_id = ${scrapeJobId} AND NOT d.is_late
      ORDER BY d.deployed_at DESC, d.id DESC LIMIT 1
    ), compared.purl], NULL)`;
}

export interface IgnoredVulnerabilityRow {
  scrape_job_id: number;
  name: string;
  version: string | null;
  artifacts: string[];
  ignore: StoredIgnore & IgnoreRecord;
}

/**
 * Lists the vulnerabilities that are ignored now. Returns at most one more row than `maxExported`, which
 * shows that there are too many.
 */
export async function listIgnoredVulnerabilities(
  db: Database,
  organizationId: number,
  label: string | undefined,
): Promise<IgnoredVulnerabilityRow[]> {
  const { rows } = await sql<IgnoredVulnerabilityRow>`
    SELECT s.id AS scrape_job_id, s.name, s.latest_version AS version, ignored.value AS ignore,
      ${artifactsOf(organizationId, sql`s.id`)} AS artifacts
    FROM alert_configs c
    CROSS JOIN LATERAL jsonb_array_elements(c.ignored_vulnerabilities) WITH ORDINALITY AS ignored (value, place)
    JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
    LEFT JOIN discovered_items item
      ON item.organization_id = s.organization_id AND item.scrape_job_id = s.id AND item.status = 'accepted'
    -- The vulnerabilities of a configuration are those of its own gather job.
    LEFT JOIN LATERAL (
      SELECT g.purls[1] AS purl FROM gather_jobs g
      WHERE g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id AND g.version_of = 'artifact'
    ) AS compared ON true
    WHERE c.organization_id = ${organizationId} AND c.is_active AND c.ignored_vulnerabilities <> '[]' AND ${isStillDeployed('s')}
      AND coalesce((ignored.value ->> 'until')::timestamptz > pacekeeper_now(), true)
      AND ${label === undefined ? sql`true` : hasLabel('c.effective_labels', label)}
    ORDER BY c.id, ignored.place LIMIT ${sql.lit(maxExported + 1)}`.execute(db);
  return rows;
}
