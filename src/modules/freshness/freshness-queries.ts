import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ListDoubt } from '../../domain/alerts/config-evaluation.ts';
import type { FreshnessMetric } from '../../domain/freshness/freshness-metrics.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { DB } from '../../generated/database.ts';
import {
  containsWords,
  countSql,
  type Database,
  type Page,
  type PageRequest,
  positionAfter,
  positionOrder,
  readPage,
} from '../../platform/database/index.ts';
import { labelCount } from '../counts/index.ts';
import { configsWithLabel, listDoubtReason } from '../monitoring/index.ts';

export interface FreshnessStateRow {
  today: string;
  known_from: string | null;
  measured_at: Date | null;
  is_complete: boolean;
}

/**
 * Returns the freshness state of an organization. `basis` identifies the inputs that the stored days were
 * computed with.
 */
export async function readFreshnessState(
  db: Database,
  organizationId: number,
): Promise<FreshnessStateRow & { basis: string | null }> {
  const { rows } = await sql<FreshnessStateRow & { basis: string | null }>`
    SELECT to_char(pacekeeper_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today, f.known_from::text AS known_from,
      f.measured_at, f.basis,
      coalesce(f.through_day >= (pacekeeper_now() AT TIME ZONE 'UTC')::date - 1 AND f.requested_seq = f.processed_seq, false)
        AS is_complete
    FROM (SELECT ${organizationId}::bigint AS organization_id) AS o
    LEFT JOIN freshness_states f USING (organization_id)`.execute(db);
  return rows[0]!;
}

/** Identifies the points of one group. */
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

/** Lists the points of a group, sorted by day. */
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

/** Returns the points of all values of a label on one day. */
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

export interface MeasuredPairRow {
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
  list_doubt: ListDoubt['reason'] | null;
  is_within_target: boolean | null;
}

export interface MeasurementFilters {
  q?: string | undefined;
  label?: string | undefined;
  is_within_target?: boolean | undefined;
  sort?: string | undefined;
}

/** Columns by which measurements can be sorted, by measure. An index supports each of these sort orders. */
const measures: Readonly<Record<string, string>> = {
  libyears: 't.libyears',
  majors: 't.majors',
  minors: 't.minors',
  releases: 't.releases',
};

/** Maximum number of configurations with a label for which all measurements are read and then sorted. */
const fewConfigs = 10_000;

/**
 * Lists measurements of alert configurations. With a label filter, the strategy depends on the number of configurations
 * that have the label. If few have it, all their measurements are read and sorted. If many have it, scanning the index
 * of the sort order finds the first rows quickly.
 */
export async function listMeasurements(
  db: Database,
  organizationId: number,
  filters: MeasurementFilters,
  page: PageRequest,
): Promise<Page<MeasuredPairRow>> {
  // After a cursor, all rows are read, because the position of a row depends on the rows before it.
  const rowLimit = page.cursor?.after == null ? sql`LIMIT ${sql.lit(page.limit + page.offset)}` : sql``;
  const { sources, few } = sourcesOf(organizationId, filters);
  const parts = sources.flatMap((source) =>
    partsOf(organizationId, filters.sort ?? '-libyears', source).map(
      ({ from, where, order }) =>
        sql`(SELECT t.* FROM ${from} WHERE ${source.condition} AND ${where} ORDER BY ${order} ${rowLimit})`,
    ),
  );
  const total = countSql(
    sources.map(({ things, condition }) => sql`(SELECT 1 FROM ${things} WHERE ${condition})`),
  );
  // Join only the rows of the page. Parts after the page aren't read.
  const found = sql<Selectable<DB['freshness_things']> & { place: number; total: number }>`(
    WITH ${few} first AS MATERIALIZED (
      SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS parts ${rowLimit}
    ), placed AS (SELECT first.*, row_number() OVER () AS place, ${total} AS total FROM first)
    SELECT * FROM placed WHERE place > ${positionAfter(page.cursor, 'placed', 'alert_config_id')})`;
  // Join each row by key in a lateral join. Otherwise, a query plan from the time when the tables were almost empty
  // would compare all rows with each other.
  const rows = db
    .selectFrom(found.as('t'))
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
          .select(['artifact_name', listDoubtReason.as('list_doubt')])
          .whereRef('organization_id', '=', 'c.gather_organization_id')
          .whereRef('id', '=', 'c.gather_job_id')
          .offset(sql.lit(0))
          .as('g'),
      (join) => join.onTrue(),
    )
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
      'g.list_doubt',
      't.is_within_target',
    ]);
  return readPage(
    db,
    rows,
    page,
    positionOrder('t.alert_config_id', 't.place'),
    sql`t.total`,
    sql`(WITH ${few} counted AS (SELECT ${total} AS total) TABLE counted)`,
  );
}

/** A query for measurements. If there are several, at most one of them returns rows. */
interface Source {
  /** Table expression with the alias `t`. */
  things: RawBuilder<unknown>;
  /**
   * The same rows, joined with the names of their alert configurations. The configurations have the alias
   * `c`.
   */
  named: RawBuilder<unknown>;
  condition: RawBuilder<unknown>;
}

function sourcesOf(
  organizationId: number,
  filters: MeasurementFilters,
): { sources: Source[]; few: RawBuilder<unknown> } {
  const { label } = filters;
  const fromConfigThings = sql`FROM freshness_things WHERE organization_id = ${organizationId} AND alert_config_id = c.id`;
  const matching = sql`t.organization_id = ${organizationId} AND ${matches(organizationId, filters)}`;
  const all: Source = {
    things: sql`freshness_things t`,
    // Start with the configurations, so that their names are read in the order of the index.
    named: sql`(SELECT id, name FROM alert_configs WHERE organization_id = ${organizationId}) AS c
      CROSS JOIN LATERAL (SELECT * ${fromConfigThings} OFFSET 0) AS t`,
    condition: matching,
  };
  if (label === undefined) return { sources: [all], few: sql`` };
  const labeled = configsWithLabel(organizationId, label);
  const isBelowLimit = sql`(SELECT matching <= ${sql.lit(fewConfigs)} FROM sizes)`;
  const few = sql`sizes AS MATERIALIZED (
      SELECT ${labelCount(organizationId, 'alert_config_labels', label)} AS matching
    ), few_things AS MATERIALIZED (
      SELECT t.* FROM freshness_things t
      WHERE ${matching} AND t.alert_config_id = ANY(ARRAY(SELECT alert_config_id FROM ${labeled} AS c WHERE ${isBelowLimit}))
    ),`;
  // Check the label with a subquery for each row. With a join, PostgreSQL could choose to read every
  // configuration with the label.
  const isLabeled = sql`(SELECT true FROM ${labeled} AS c WHERE c.alert_config_id = t.alert_config_id)`;
  const sources = [
    {
      things: sql`few_things t`,
      named: sql`few_things t CROSS JOIN LATERAL (
        SELECT id, name FROM alert_configs WHERE organization_id = ${organizationId} AND id = t.alert_config_id OFFSET 0) AS c`,
      condition: sql`true`,
    },
    { ...all, condition: sql`${matching} AND ${isLabeled} AND NOT ${isBelowLimit}` },
  ];
  return { sources, few };
}

/** Returns the condition for all filters except the label. */
function matches(organizationId: number, { q, is_within_target }: MeasurementFilters): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (is_within_target !== undefined) {
    conditions.push(is_within_target ? sql`t.is_within_target` : sql`NOT t.is_within_target`);
    // Repeat the condition of the partial index, so that PostgreSQL uses it.
    conditions.push(sql`t.is_within_target IS NOT NULL`);
  }
  // Read the matching names once and hash them. `IS TRUE` keeps PostgreSQL from converting the subquery to a
  // join.
  if (q !== undefined)
    conditions.push(sql`(t.alert_config_id IN (
      SELECT c.id FROM alert_configs c WHERE c.organization_id = ${organizationId} AND ${containsWords(['c.name'], q)})) IS TRUE`);
  return sql.join(conditions, sql` AND `);
}

/** A part of the sorted list. The list is the concatenation of its parts, and each part has a separate sort order. */
interface Part {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/**
 * Returns the parts of the sorted list. Unknown values are last in both directions. For each part, an index has the
 * same order.
 */
function partsOf(organizationId: number, sort: string, { things: from, named }: Source): Part[] {
  const isDescending = sort.startsWith('-');
  const name = isDescending ? sort.slice(1) : sort;
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  if (name === 'name') {
    // Skip the scan of all names if the organization has no measurements.
    const isAny = sql`(SELECT true FROM freshness_things WHERE organization_id = ${organizationId} LIMIT 1)`;
    return [{ from: named, where: isAny, order: sql`lower(c.name) ${direction}, c.id ${direction}` }];
  }
  // Rows without a newer release come first or last, depending on the direction. Rows that can't be compared always
  // come after all others.
  if (name === 'exposure_days') {
    const order = isDescending ? sql`t.alert_config_id` : sql`t.alert_config_id DESC`;
    const exposed = isDescending
      ? sql`t.exposed_since, t.alert_config_id`
      : sql`t.exposed_since DESC, t.alert_config_id DESC`;
    const parts = [
      { from, where: sql`t.exposed_since IS NOT NULL`, order: exposed },
      { from, where: sql`t.exposed_since IS NULL AND t.is_known`, order },
    ];
    const unknown = { from, where: sql`t.exposed_since IS NULL AND NOT t.is_known`, order };
    return [...(isDescending ? parts : parts.toReversed()), unknown];
  }
  const column = sql.ref(ownValue(measures, name)!);
  return [
    {
      from,
      where: sql`${column} IS NOT NULL`,
      // Specify the position of nulls like the index, so that PostgreSQL can use it, although this part contains no
      // nulls.
      order: isDescending
        ? sql`${column} DESC NULLS LAST, t.alert_config_id DESC`
        : sql`${column} ASC NULLS FIRST, t.alert_config_id`,
    },
    { from, where: sql`${column} IS NULL`, order: sql`t.alert_config_id ${direction}` },
  ];
}
