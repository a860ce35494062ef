import { sql } from 'kysely';
import type { FreshnessMetric } from '../../domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../generated/client-api.ts';
import {
  contains,
  type Database,
  type Page,
  type PageRequest,
  readPage,
} from '../../platform/database/index.ts';

export interface FreshnessStateRow {
  today: string;
  known_from: string | null;
  measured_at: Date | null;
  is_complete: boolean;
}

/** @param basis What days would be computed with now. */
export async function readFreshnessState(
  db: Database,
  organizationId: number,
): Promise<FreshnessStateRow & { basis: string | null }> {
  const { rows } = await sql<FreshnessStateRow & { basis: string | null }>`
    SELECT to_char(pacekeeper_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today, f.known_from::text AS known_from,
      f.measured_at, f.basis,
      coalesce(f.through_day >= (pacekeeper_now() AT TIME ZONE 'UTC')::date - 1 AND f.wanted = f.done, false)
        AS is_complete
    FROM (SELECT ${organizationId}::bigint AS organization_id) AS o
    LEFT JOIN freshness_states f USING (organization_id)`.execute(db);
  return rows[0]!;
}

/** The points of one group. */
export interface PointGroup {
  readonly grouping: 'all' | 'label' | 'target';
  readonly key: string;
  readonly value: string;
}

type Point = Schemas['FreshnessPoint'];

interface PointRow extends Omit<Point, 'known' | 'sum' | 'median' | 'p90'> {
  group_value: string;
  summary: [known: number, sum: number, median: number, p90: number];
}

const pointColumns = (metric: FreshnessMetric) =>
  sql`group_value, day::text AS date, things, unknown, estimated, targeted, within_target, ${sql.ref(metric)} AS summary`;

/** In the order of days. */
export async function listPoints(
  db: Database,
  organizationId: number,
  metric: FreshnessMetric,
  { grouping, key, value }: PointGroup,
  { since, until }: { since: string; until: string },
): Promise<Point[]> {
  const { rows } = await sql<PointRow>`
    SELECT ${pointColumns(metric)} FROM freshness_points
    WHERE organization_id = ${organizationId} AND grouping = ${grouping} AND group_key = ${key}
      AND group_value = ${value} AND day BETWEEN ${since}::date AND ${until}::date
    ORDER BY day`.execute(db);
  return rows.map(toPoint);
}

/** The points of all values of a label on one day. */
export async function listPointsOfLabel(
  db: Database,
  organizationId: number,
  metric: FreshnessMetric,
  key: string,
  date: string,
): Promise<Map<string, Point>> {
  const { rows } = await sql<PointRow>`
    SELECT ${pointColumns(metric)} FROM freshness_points
    WHERE organization_id = ${organizationId} AND day = ${date}::date AND grouping = 'label' AND group_key = ${key}
    LIMIT 100`.execute(db);
  return new Map(rows.map((row) => [row.group_value, toPoint(row)]));
}

function toPoint({ summary, group_value: _value, ...counts }: PointRow): Point {
  const [known, sum, median, p90] = summary;
  return { ...counts, known, sum, median, p90 };
}

export interface ThingRow {
  alert_config_id: number;
  name: string;
  artifact_name: string;
  labels: Record<string, string>;
  deployed_version: string;
  latest_version: string | null;
  libyears: number | null;
  exposure_days: number | null;
  exposed_since: Date | null;
  majors: number | null;
  minors: number | null;
  releases: number | null;
  is_estimate: boolean;
  is_within_target: boolean | null;
}

export interface ThingFilters {
  q?: string | undefined;
  label?: string | undefined;
  is_within_target?: boolean | undefined;
  sort?: string | undefined;
}

const sorts: Readonly<Record<string, string>> = {
  name: 'c.name',
  libyears: 't.libyears',
  majors: 't.majors',
  minors: 't.minors',
  releases: 't.releases',
};

export async function listThings(
  db: Database,
  organizationId: number,
  { q, label, is_within_target, sort = '-libyears' }: ThingFilters,
  page: PageRequest,
): Promise<Page<ThingRow>> {
  // Look up rows by key, one at a time: a plan made while the tables were almost empty would compare all rows with each
  // other.
  const query = db
    .selectFrom('freshness_things as t')
    .innerJoinLateral(
      (join) =>
        join
          .selectFrom('alert_configs')
          .select(['name', 'effective_labels', 'gather_organization_id', 'gather_job_id'])
          .whereRef('organization_id', '=', 't.organization_id')
          .whereRef('id', '=', 't.alert_config_id')
          .offset(sql.lit(0))
          .as('c'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (join) =>
        join
          .selectFrom('gather_jobs')
          .select('artifact_name')
          .whereRef('organization_id', '=', 'c.gather_organization_id')
          .whereRef('id', '=', 'c.gather_job_id')
          .offset(sql.lit(0))
          .as('g'),
      (join) => join.onTrue(),
    )
    .where('t.organization_id', '=', organizationId)
    .$if(q !== undefined, (rest) => rest.where(contains('c.name', q!)))
    .$if(label !== undefined, (rest) => {
      const equals = label!.indexOf('=');
      const wanted = JSON.stringify({ [label!.slice(0, equals)]: label!.slice(equals + 1) });
      return rest.where(sql<boolean>`c.effective_labels @> ${wanted}::jsonb`);
    })
    .$if(is_within_target !== undefined, (rest) => rest.where('t.is_within_target', '=', is_within_target!));
  const rows = query
    .select([
      't.alert_config_id',
      'c.name',
      'g.artifact_name',
      sql<Record<string, string>>`c.effective_labels`.as('labels'),
      't.deployed_version',
      't.latest_version',
      't.libyears',
      sql<number | null>`CASE WHEN NOT t.is_known THEN NULL WHEN t.exposed_since IS NULL THEN 0
        ELSE greatest(0, floor(extract(epoch FROM pacekeeper_now() - t.exposed_since) / 86400))::integer END`.as(
        'exposure_days',
      ),
      't.exposed_since',
      't.majors',
      't.minors',
      't.releases',
      't.is_estimate',
      't.is_within_target',
    ])
    .orderBy(thingOrder(sort));
  return readPage(db, rows, page);
}

/** Unknown values are last in both directions. */
function thingOrder(sort: string) {
  const isDescending = sort.startsWith('-');
  const name = isDescending ? sort.slice(1) : sort;
  // Those without a newer release come before or after all others, and those that can't be compared last.
  if (name === 'exposure_days') {
    return isDescending
      ? sql`t.exposed_since ASC NULLS LAST, t.alert_config_id`
      : sql`t.is_known DESC, t.exposed_since DESC NULLS FIRST, t.alert_config_id DESC`;
  }
  const column = sql.ref(sorts[name]!);
  return isDescending
    ? sql`${column} DESC NULLS LAST, t.alert_config_id DESC`
    : sql`${column} ASC NULLS LAST, t.alert_config_id`;
}
