import { type RawBuilder, sql } from 'kysely';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
} from '../../../platform/database/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { settingDefinitions, storedSettingSql } from '../../settings/index.ts';

interface ExposureFilters {
  /** Null: exposures of any software. Empty: none. */
  software: readonly SelectedSoftware[] | null;
  /** A version as it was read. Used without `software`. */
  version?: string | undefined;
  scrape_job_id?: number | undefined;
  is_current?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export interface SelectedSoftware {
  gatherJobId: number;
  /** Null: all versions. */
  versions: readonly string[] | null;
}

export interface ExposureRow {
  id: number;
  scrape_job_id: number;
  version: string;
  commit_sha: string | null;
  source: Schemas['ExposureSource'];
  first_seen_at: Date;
  ended_at: Date | null;
  /** Null if the scrape job was deleted. */
  job: (ExposedJob & { confirmed_at: string | null }) | null;
  deleted_job: ExposedJob | null;
  gaps: EndedGaps;
}

interface ExposedJob {
  name: string;
  labels: Record<string, string>;
  /** Start of the open gap, and its reason. */
  gap_since: string | null;
  gap_reason: Schemas['ReadingGapReason'] | null;
}

interface EndedGaps {
  count: number;
  /** Duration of all gaps within the range of the request. */
  seconds: number;
  /** The last gaps, newest first. */
  last: { since: string; until: string; reason: Schemas['ReadingGapReason'] }[];
}

/** Maximum number of gaps of an exposure in a response. */
export const maxGaps = 100;

/** Reads the current time of the data, and the label whose values are owners. */
export async function readExposureContext(
  db: Database,
  organizationId: number,
): Promise<{ now: Date; ownerLabel: string }> {
  const key = 'notification.owner_label';
  const { rows } = await sql<{ now: Date; ownerLabel: string | null }>`
    SELECT pacekeeper_now() AS now, ${storedSettingSql(organizationId, key)} #>> '{}' AS "ownerLabel"`.execute(
    db,
  );
  const { now, ownerLabel } = rows[0]!;
  return { now, ownerLabel: ownerLabel ?? settingDefinitions[key].default };
}

/** Lists exposures, most recent first. */
export async function listExposures(
  db: Database,
  organizationId: number,
  filters: ExposureFilters,
  now: Date,
  page: PageRequest,
): Promise<Page<ExposureRow>> {
  const selected = selectExposures(organizationId, filters);
  const order = listOrder([
    { column: 'e.first_seen_at', isDescending: true },
    { column: 'e.id', isDescending: true },
  ]);
  // All exposures of a software must be found to order them, so they are counted in the same pass.
  const found = await (filters.software === null
    ? readPage(db, db.selectFrom(selected.as('e')).select('e.id'), page, order, [selected])
    : readPage(
        db,
        db
          .with(
            (cte) => cte('e').materialized(),
            () => selected,
          )
          .selectFrom('e')
          .select('e.id'),
        page,
        order,
        [sql`e`],
        [selected],
      ));
  const ids = found.items.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await readExposures(db, organizationId, filters, now, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { ...found, items: ids.flatMap((id) => byId.get(id) ?? []) };
}

async function readExposures(
  db: Database,
  organizationId: number,
  range: Pick<ExposureFilters, 'since' | 'until'>,
  now: Date,
  ids: readonly number[],
): Promise<ExposureRow[]> {
  const { rows } = await sql<ExposureRow>`
    SELECT e.id, e.scrape_job_id, e.version, e.commit_sha, e.source, e.first_seen_at, e.ended_at,
      ${jobOf(organizationId, now)} AS job, ${gapsOf(organizationId, range)} AS gaps,
      (SELECT jsonb_build_object('name', d.name, 'labels', d.labels, 'gap_since', d.gap_since, 'gap_reason', d.gap_reason)
        FROM deleted_scrape_jobs d
        WHERE d.organization_id = ${organizationId} AND d.id = e.scrape_job_id) AS deleted_job
    FROM exposures e WHERE e.organization_id = ${organizationId} AND e.id = ANY(${[...ids]}::bigint[])`.execute(
    db,
  );
  return rows;
}

/**
 * Selects the scrape job of the exposure `e`, and the time until which the job confirms its current version.
 * A version that was set manually counts as deployed until now, and scans that find no change confirm the
 * version of an item.
 */
function jobOf(organizationId: number, now: Date): RawBuilder<ExposureRow['job']> {
  return sql<ExposureRow['job']>`(
    SELECT jsonb_build_object('name', s.name, 'labels', s.labels, 'gap_since', s.gap_since, 'gap_reason', s.gap_reason,
      'confirmed_at', CASE s.parser_type
        WHEN 'manual' THEN greatest(s.last_read_at, ${now.toISOString()}::timestamptz) ELSE ${lastReadingOf('s')} END)
    FROM scrape_jobs s WHERE s.organization_id = ${organizationId} AND s.id = e.scrape_job_id)`;
}

/**
 * SQL of the time at which the version of a scrape job was last read or set. Scans that find no change confirm the
 * version of an item.
 */
export function lastReadingOf(job: string): RawBuilder<Date | null> {
  const column = (name: string) => sql.ref(`${job}.${name}`);
  return sql<Date | null>`CASE WHEN ${column('parser_type')} = 'discovered' THEN greatest(${column('last_read_at')}, (
    SELECT reader.last_success_at FROM discovery_jobs reader
    WHERE reader.organization_id = ${column('organization_id')} AND reader.id = coalesce((
      SELECT live.live_job_id FROM discovered_items live
      WHERE live.organization_id = ${column('organization_id')} AND live.scrape_job_id = ${column('id')}),
      ${column('discovery_job_id')}))) ELSE ${column('last_read_at')} END`;
}

/** Selects the ended gaps of the exposure `e`, and their duration within the range. */
function gapsOf(
  organizationId: number,
  { since, until }: Pick<ExposureFilters, 'since' | 'until'>,
): RawBuilder<EndedGaps> {
  const from = since === undefined ? sql`started_at` : sql`greatest(started_at, ${since}::timestamptz)`;
  const to = until === undefined ? sql`ended_at` : sql`least(ended_at, ${until}::timestamptz)`;
  return sql<EndedGaps>`(
    SELECT jsonb_build_object('count', count(*), 'seconds', coalesce(sum(seconds), 0),
      'last', coalesce(jsonb_agg(jsonb_build_object('since', started_at, 'until', ended_at, 'reason', reason)
        ORDER BY started_at DESC) FILTER (WHERE place <= ${sql.lit(maxGaps)}), '[]'))
    FROM (
      SELECT started_at, ended_at, reason, row_number() OVER (ORDER BY started_at DESC) AS place,
        greatest(0, extract(epoch FROM ${to} - ${from})) AS seconds
      FROM reading_gaps
      WHERE organization_id = ${organizationId} AND scrape_job_id = e.scrape_job_id
        AND started_at >= e.first_seen_at AND started_at < coalesce(e.ended_at, 'infinity')
    ) AS gap)`;
}

/** The columns by which exposures are selected and ordered. An index has all of them. */
interface SelectedExposure {
  id: number;
  first_seen_at: Date;
}

function selectExposures(
  organizationId: number,
  { software, version, scrape_job_id, is_current, since, until }: ExposureFilters,
): RawBuilder<SelectedExposure> {
  const conditions: RawBuilder<unknown>[] = [sql`x.organization_id = ${organizationId}`];
  if (scrape_job_id !== undefined) conditions.push(sql`x.scrape_job_id = ${scrape_job_id}`);
  if (version !== undefined) conditions.push(sql`x.version = ${version}`);
  if (is_current !== undefined)
    conditions.push(is_current ? sql`x.ended_at IS NULL` : sql`x.ended_at IS NOT NULL`);
  if (since !== undefined) conditions.push(sql`(x.ended_at IS NULL OR x.ended_at > ${since}::timestamptz)`);
  if (until !== undefined) conditions.push(sql`x.first_seen_at < ${until}::timestamptz`);
  const matches = sql.join(conditions, sql` AND `);
  const columns = sql`x.id, x.first_seen_at`;
  if (software === null) return sql`(SELECT ${columns} FROM exposures x WHERE ${matches})`;
  if (software.length === 0) return sql`(SELECT ${columns} FROM exposures x WHERE false)`;
  // `UNION` removes duplicates, because a scrape job can be compared with several gather jobs.
  return sql`(${sql.join(
    software.map((each) => exposuresOfSoftware(organizationId, each, matches)),
    sql` UNION `,
  )})`;
}

function exposuresOfSoftware(
  organizationId: number,
  { gatherJobId, versions }: SelectedSoftware,
  matches: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isSelected = versions === null ? sql`` : sql`AND x.version = ANY(${[...versions]}::text[])`;
  // The offset makes PostgreSQL search the exposures of each scrape job. Otherwise, if it expected many
  // matches, it would read all exposures of the organization in the order of the list.
  return sql`
    SELECT found.* FROM (${scrapeJobsOf(organizationId, sql`${gatherJobId}`)}) AS place
    CROSS JOIN LATERAL (
      SELECT x.id, x.first_seen_at FROM exposures x
      WHERE x.scrape_job_id = place.scrape_job_id AND ${matches} ${isSelected} OFFSET 0
    ) AS found`;
}

/** Selects the scrape jobs with the software of a gather job, including deleted ones. */
function scrapeJobsOf(organizationId: number, gatherJobId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT scrape_job_id FROM alert_configs
    WHERE gather_organization_id IN (${organizationId}, ${sql.lit(systemOrganizationId)}) AND gather_job_id = ${gatherJobId}
      AND organization_id = ${organizationId}
    UNION
    SELECT scrape_job_id FROM former_software
    WHERE organization_id = ${organizationId} AND gather_job_id = ${gatherJobId}`;
}

/** Maximum number of different versions of one software that are compared with a filter. */
export const maxVersions = 20_000;

/**
 * Selects all versions that scrape jobs with the software of a gather job have had, up to `maxVersions + 1`,
 * so that the caller can detect that there are too many to filter.
 */
export function versionsOf(organizationId: number, gatherJobId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`ARRAY(
    SELECT DISTINCT found.version FROM (${scrapeJobsOf(organizationId, gatherJobId)}) AS place
    CROSS JOIN LATERAL (
      SELECT x.version FROM exposures x
      WHERE x.organization_id = ${organizationId} AND x.scrape_job_id = place.scrape_job_id OFFSET 0
    ) AS found LIMIT ${sql.lit(maxVersions + 1)})`;
}

interface SoftwareVersions {
  scheme: VersionSchemeId;
  platformWords: string;
  /** All versions that scrape jobs with this software have had. */
  versions: string[];
  /** Versions and tags of the releases with the digest. */
  releasesWithDigest: string[];
}

/** @returns `undefined` if the organization can't see the gather job. */
export async function readSoftwareVersions(
  db: Database,
  organizationId: number,
  gatherJobId: number,
  digest: string | null,
): Promise<SoftwareVersions | undefined> {
  const { rows } = await sql<SoftwareVersions>`
    SELECT g.version_scheme AS scheme,
      CASE WHEN g.version_scheme = 'semver' THEN '' ELSE g.platform_words END AS "platformWords",
      ${versionsOf(organizationId, sql`g.id`)} AS versions,
      ARRAY(
        SELECT text FROM releases r CROSS JOIN LATERAL (VALUES (r.version), (r.tag)) AS names (text)
        WHERE r.organization_id = g.organization_id AND r.gather_job_id = g.id AND r.digest = ${digest}
      ) AS "releasesWithDigest"
    FROM gather_jobs g
    WHERE g.organization_id IN (${organizationId}, ${sql.lit(systemOrganizationId)}) AND g.id = ${gatherJobId}`.execute(
    db,
  );
  return rows[0];
}
