import { type RawBuilder, sql } from 'kysely';
import { ownValue } from '../../domain/json/own-value.ts';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import type { Schemas } from '../../generated/client-api.ts';
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
import { usesGatherJob } from '../alerts/index.ts';
import { hasLabel, labelCount, rowCount } from '../counts/index.ts';
import {
  type AlertConfigRow,
  alertConfigOf,
  configsWithLabel,
  type UnconfirmedRow,
  unconfirmedColumns,
} from '../monitoring/index.ts';

/**
 * A scrape job with its worst alert configuration, whose columns are null if the job has no alert
 * configurations.
 */
export type SoftwareRow = SoftwareJob & (AlertConfigRow | { [Column in keyof AlertConfigRow]: null });

interface SoftwareJob extends UnconfirmedRow {
  job_id: number;
  job_name: string;
  job_labels: Record<string, string>;
  is_job_active: boolean;
  job_version: string | null;
  deployed_at: Date | null;
  alert_config_count: number;
  open_alert_count: number;
}

export interface SoftwareFilters {
  q?: string | undefined;
  state?: Schemas['SoftwareState'] | undefined;
  severity?: AlertSeverity | undefined;
  rule_id?: number | undefined;
  gather_job_id?: number | undefined;
  /** Label in the format `key=value`. */
  label?: string | undefined;
  sort?: string | undefined;
}

/** Maximum number of alert configurations that are read and sorted in one step. */
const maxMaterializedConfigs = 10_000;

/** A sorted part of the list. The list is the concatenation of its parts. */
interface Part {
  /** Rows with `job_id`, `config_id`, and `key`. `key` is null unless the whole list is sorted by it. */
  rows: RawBuilder<unknown>;
  count: RawBuilder<unknown>;
}

const rankOf = (severity: RawBuilder<unknown>) =>
  sql`coalesce(array_position(ARRAY['moderate', 'high', 'critical'], ${severity}), 0)`;

/**
 * Sort order in which the worst alert configuration is first. If none has a severity, the state decides. An
 * index has the same order.
 */
const worstFirst = sql`${rankOf(sql`o.severity`)} DESC,
  array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], o.state) DESC, o.crossed_at, o.id`;

/** Sort keys of scrape jobs. All other sort keys belong to their worst alert configuration. */
const jobKeys: Readonly<Record<string, RawBuilder<unknown>>> = {
  name: sql`lower(j.name)`,
  created_at: sql`j.created_at`,
};

/**
 * Lists scrape jobs, each with its worst alert configuration. Filters by rule, gather job, and label restrict
 * the alert configurations that are considered; filters by state and severity apply to the worst one of each
 * job. The worst of all alert configurations of a job is stored. If few configurations are considered, they
 * are all read once to find the worst one of each scrape job. Otherwise, the worst one is searched separately
 * for each scrape job. This costs several times as much per job, but rarely requires reading all
 * configurations.
 */
export async function listSoftware(
  db: Database,
  organizationId: number,
  filters: SoftwareFilters,
  page: PageRequest,
): Promise<Page<SoftwareRow>> {
  const { sort = 'worst' } = filters;
  const jobKey = ownValue(jobKeys, sort.replace(/^-/, ''));
  const direction = sort.startsWith('-') ? sql`DESC` : sql`ASC`;
  const rowLimit = limitOf(page);
  const { parts, few } = partsOf(organizationId, filters, sort, rowLimit);
  // Parts without a common key are concatenated, and a part beyond the limit isn't read.
  const order =
    jobKey === undefined || parts.length === 1 ? sql`` : sql`ORDER BY key ${direction}, job_id ${direction}`;
  const rows = sql.join(
    parts.map((part) => sql`(${part.rows})`),
    sql` UNION ALL `,
  );
  const total = countSql(parts.map(({ count }) => sql`(${count})`));
  // Materialize the subquery, because a join could otherwise compute it again for each scrape job.
  const found = sql<{ job_id: number; config_id: number | null; place: number; total: number }>`(
    WITH ${few} first AS MATERIALIZED (
      SELECT * FROM (${rows}) AS parts ${order} ${rowLimit}
    ), placed AS (SELECT first.*, row_number() OVER () AS place, ${total} AS total FROM first)
    SELECT * FROM placed WHERE place > ${positionAfter(page.cursor, 'placed', 'job_id')})`;
  const query = db
    .selectFrom(found.as('found'))
    .innerJoin(
      sql<{ id: number; name: string; is_active: boolean }>`LATERAL (SELECT * FROM scrape_jobs
        WHERE organization_id = ${organizationId} AND id = found.job_id)`.as('j'),
      (join) => join.onTrue(),
    )
    .innerJoin(
      sql<{ alert_config_count: number; open_alert_count: number }>`LATERAL (
        SELECT count(*)::int AS alert_config_count, coalesce(sum((SELECT count(*) FROM alerts a
          WHERE a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL)), 0)::int
          AS open_alert_count
        FROM alert_configs c WHERE c.organization_id = ${organizationId} AND c.scrape_job_id = found.job_id)`.as(
        'used',
      ),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(alertConfigOf(db, organizationId, sql`found.config_id`).as('worst'), (join) =>
      join.onTrue(),
    )
    .leftJoin('discovered_items as item', (join) =>
      join
        .on('item.organization_id', '=', organizationId)
        .onRef('item.scrape_job_id', '=', 'found.job_id')
        .on('item.status', '=', 'accepted'),
    )
    .selectAll('worst')
    .select(unconfirmedColumns)
    .select(['j.id as job_id', 'j.name as job_name', 'j.is_active as is_job_active'])
    .select(['used.alert_config_count', 'used.open_alert_count'])
    .select([
      sql<Record<string, string>>`j.labels`.as('job_labels'),
      sql<string | null>`j.latest_version`.as('job_version'),
      sql<Date | null>`coalesce((
        SELECT v.created_at FROM versions v
        WHERE v.organization_id = ${organizationId} AND v.scrape_job_id = found.job_id AND v.is_change
        ORDER BY v.id DESC LIMIT 1), j.latest_version_at)`.as('deployed_at'),
    ])
    // The columns of the alert configuration are either all null or all set.
    .$castTo<SoftwareRow>();
  return readPage(
    db,
    query,
    page,
    positionOrder('found.job_id', 'found.place'),
    sql`found.total`,
    sql`(WITH ${few} counted AS (SELECT ${total} AS total) TABLE counted)`,
  );
}

/**
 * Limits the rows that are read from each part. After a cursor, all rows are read, because the position of a
 * row depends on the rows before it.
 */
function limitOf({ limit, offset, cursor }: PageRequest): RawBuilder<unknown> {
  return cursor?.after == null ? sql`LIMIT ${sql.lit(limit + offset)}` : sql``;
}

function partsOf(
  organizationId: number,
  filters: SoftwareFilters,
  sort: string,
  rowLimit: RawBuilder<unknown>,
): { parts: Part[]; few: RawBuilder<unknown> } {
  const { q, state, severity, rule_id, gather_job_id, label } = filters;
  const isDescending = sort.startsWith('-');
  const [up, down] = isDescending ? [sql`DESC`, sql`ASC`] : [sql`ASC`, sql`DESC`];
  const name = sort.replace(/^-/, '');
  const jobKey = ownValue(jobKeys, name);
  const isNamed =
    q === undefined ? sql`true` : containsWords(['j.name', `coalesce(j.latest_version, '')`], q);
  const rank = severity === undefined ? null : sql.lit(alertSeverities.indexOf(severity) + 1);
  const considersAll = [rule_id, gather_job_id, label].every((filter) => filter === undefined);

  const storedConditions = [sql`s.organization_id = ${organizationId}`, isNamed];
  if (state !== undefined) storedConditions.push(sql`s.state = ${sql.lit(state)}`);
  if (rank !== null) storedConditions.push(sql`s.severity_rank = ${rank}`);
  const isStored = sql`${sql.join(storedConditions, sql` AND `)}`;
  const withJobs = sql`FROM software s JOIN scrape_jobs j ON j.organization_id = s.organization_id AND j.id = s.scrape_job_id`;
  const stored = q === undefined ? sql`FROM software s` : withJobs;
  const countOfStored = sql`SELECT 1 ${stored} WHERE ${isStored}`;

  if (considersAll && jobKey !== undefined) {
    const rows = sql`SELECT j.id AS job_id, s.alert_config_id AS config_id, NULL AS key ${withJobs}
      WHERE ${isStored} ORDER BY ${jobKey} ${up}, j.id ${up} ${rowLimit}`;
    return { parts: [{ rows, count: countOfStored }], few: sql`` };
  }

  const isOwn = sql`c.organization_id = ${organizationId}`;
  // PostgreSQL estimates that few rows are equal to the result of a subquery. `coalesce` avoids this
  // estimate, because most configurations are the worst of their job and should be read in sort order.
  const isSame = (worst: RawBuilder<unknown>) => sql`coalesce(c.id = ${worst}, false)`;
  /** Returns the condition that the alert configuration with this alias matches the filters. */
  const isConsidered = (alias: 'c' | 'o') => {
    const conditions = [sql`true`];
    if (rule_id !== undefined) conditions.push(sql`${sql.ref(`${alias}.rule_id`)} = ${rule_id}`);
    if (gather_job_id !== undefined)
      conditions.push(
        alias === 'c'
          ? usesGatherJob(organizationId, gather_job_id)
          : sql`o.gather_organization_id IN (${organizationId}, 1) AND o.gather_job_id = ${gather_job_id}`,
      );
    // If many configurations have the label, reading the configurations in sort order finds the first matches
    // quickly. Without `IS TRUE`, PostgreSQL would expect few matches, and would therefore find and sort all
    // of them.
    if (label !== undefined)
      conditions.push(
        alias === 'c'
          ? sql`(${hasLabel('c.effective_labels', label)}) IS TRUE`
          : hasLabel('o.effective_labels', label),
      );
    return sql`${sql.join(conditions, sql` AND `)}`;
  };
  const noRows = sql`SELECT 1 WHERE false`;
  /**
   * Returns the parts for the alert configurations in a table. Rows that meet `conditions` are the worst of
   * their job.
   */
  const partsFrom = (
    table: RawBuilder<unknown>,
    conditions: readonly RawBuilder<unknown>[],
    countOfAll = considersAll ? countOfStored : undefined,
  ): Part[] => {
    const allConditions = [...conditions];
    if (state !== undefined) allConditions.push(sql`c.state = ${state}`);
    if (severity !== undefined) allConditions.push(sql`c.severity = ${severity}`);
    // This is the same expression as in the index for this order.
    if (rank !== null && name === 'worst') allConditions.push(sql`${rankOf(sql`c.severity`)} = ${rank}`);
    if (q !== undefined)
      allConditions.push(sql`EXISTS (SELECT FROM scrape_jobs j
        WHERE j.organization_id = ${organizationId} AND j.id = c.scrape_job_id AND ${isNamed})`);
    const isWorst = sql`${sql.join(allConditions, sql` AND `)}`;
    const configs = (where: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`SELECT c.scrape_job_id AS job_id, c.id AS config_id, NULL AS key FROM ${table} c
        WHERE ${isWorst} AND ${where} ORDER BY ${order} ${rowLimit}`;
    const count = countOfAll ?? sql`SELECT 1 FROM ${table} c WHERE ${isWorst}`;
    if (jobKey !== undefined) {
      const rows = sql`SELECT j.id AS job_id, c.id AS config_id, ${jobKey} AS key
        FROM ${table} c JOIN scrape_jobs j ON j.organization_id = ${organizationId} AND j.id = c.scrape_job_id
        WHERE ${isWorst} ORDER BY ${jobKey} ${up}, j.id ${up} ${rowLimit}`;
      return [{ rows, count }];
    }
    if (name === 'worst') {
      // Configurations without a severity have no `crossed_at`. The oldest one comes first, as in the index
      // by state.
      const order =
        state === undefined || state === 'alerting'
          ? sql`${rankOf(sql`c.severity`)} ${down}, c.crossed_at ${up}, c.id ${up}`
          : sql`c.created_at ${up}, c.id ${up}`;
      return [{ rows: configs(sql`true`, order), count }];
    }
    // Configurations without a date come last in both directions.
    const column = sql.ref(`c.${name}`);
    return [
      { rows: configs(sql`${column} IS NOT NULL`, sql`${column} ${up}, c.id ${up}`), count },
      { rows: configs(sql`${column} IS NULL`, sql`c.id`), count: noRows },
    ];
  };

  const parts: Part[] = [];
  let few = sql``;
  if (state === 'unmonitored') {
    // The list contains only scrape jobs without alert configurations, which are added below.
  } else if (considersAll && name === 'worst') {
    const rows = sql`SELECT s.scrape_job_id AS job_id, s.alert_config_id AS config_id, NULL AS key ${stored}
      WHERE ${isStored} AND s.alert_config_id IS NOT NULL
      ORDER BY s.severity_rank ${down}, s.crossed_at ${up}, s.alert_config_id ${up} ${rowLimit}`;
    parts.push({ rows, count: countOfStored });
  } else if (considersAll) {
    const worst = sql`(SELECT s.alert_config_id FROM software s
      WHERE s.organization_id = ${organizationId} AND s.scrape_job_id = c.scrape_job_id)`;
    parts.push(...partsFrom(sql`alert_configs`, [isOwn, isSame(worst)]));
  } else {
    const areFew = sql`${maxConsideredConfigs(organizationId, filters)} <= ${sql.lit(maxMaterializedConfigs)}`;
    const isByLabel = rule_id === undefined && gather_job_id === undefined;
    few =
      label !== undefined && isByLabel
        ? worstWithLabel(organizationId, label, areFew)
        : sql`worst_of_few AS MATERIALIZED (
      SELECT DISTINCT ON (o.scrape_job_id) o.* FROM (
        SELECT o.scrape_job_id, o.id, o.state, o.severity, o.crossed_at, o.behind_since, o.ends_at, o.created_at
        FROM alert_configs o WHERE o.organization_id = ${organizationId} AND ${isConsidered('o')} AND ${areFew} OFFSET 0
      ) AS o ORDER BY o.scrape_job_id, ${worstFirst}),`;
    // The order of this subquery matches an index, so PostgreSQL uses the index even while its statistics say that the
    // table is empty.
    const worst = sql`(SELECT o.id FROM alert_configs o
      WHERE o.organization_id = ${organizationId} AND o.scrape_job_id = c.scrape_job_id AND ${isConsidered('o')}
      ORDER BY ${worstFirst} LIMIT 1)`;
    const isByLabelAlone = isByLabel && [q, state, severity].every((filter) => filter === undefined);
    const countOfMany =
      label !== undefined && isByLabelAlone
        ? sql`SELECT DISTINCT scrape_job_id FROM ${configsWithLabel(organizationId, label)} AS c WHERE NOT (${areFew})`
        : undefined;
    parts.push(
      ...partsFrom(sql`worst_of_few`, [sql`true`]),
      ...partsFrom(
        sql`alert_configs`,
        [isOwn, isConsidered('c'), isSame(worst), sql`NOT (${areFew})`],
        countOfMany,
      ),
    );
  }
  const canBeUnmonitored =
    severity === undefined && rule_id === undefined && gather_job_id === undefined && state === undefined;
  if (canBeUnmonitored || state === 'unmonitored') {
    const isLabeled =
      label === undefined ? sql`true` : sql`${hasLabel('j.labels', label)} AND j.labels <> '{}'`;
    const unmonitored = sql`${withJobs} WHERE ${isStored} AND s.state = 'unmonitored' AND ${isLabeled}`;
    const key = jobKey ?? sql`lower(j.name)`;
    const direction = jobKey === undefined ? sql`ASC` : up;
    parts.push({
      rows: sql`SELECT j.id AS job_id, NULL::bigint AS config_id, ${jobKey ?? sql`NULL`} AS key ${unmonitored}
        ORDER BY ${key} ${direction}, j.id ${direction} ${rowLimit}`,
      // Without a filter, the count of the first part already includes the unmonitored jobs.
      count: considersAll && parts.length > 0 ? noRows : sql`SELECT 1 ${unmonitored}`,
    });
  }
  return { parts, few };
}

/**
 * Returns the worst alert configuration with a label for each scrape job that has one. In most cases, this is
 * the job's stored worst configuration, so only narrow rows are read.
 */
function worstWithLabel(
  organizationId: number,
  label: string,
  areFew: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`labeled AS MATERIALIZED (
      SELECT * FROM ${configsWithLabel(organizationId, label)} AS c WHERE ${areFew}
    ), labeled_jobs AS MATERIALIZED (
      SELECT s.*, (s.alert_config_id IN (SELECT alert_config_id FROM labeled)) IS TRUE AS is_worst_labeled FROM software s
      WHERE s.organization_id = ${organizationId} AND s.scrape_job_id = ANY(ARRAY(SELECT scrape_job_id FROM labeled))
    ), worst_of_label AS MATERIALIZED (
      SELECT scrape_job_id, alert_config_id AS id, state,
        (ARRAY['moderate', 'high', 'critical'])[severity_rank] AS severity, crossed_at
      FROM labeled_jobs WHERE is_worst_labeled
      UNION ALL
      SELECT j.scrape_job_id, worst.* FROM labeled_jobs j CROSS JOIN LATERAL (
        SELECT o.id, o.state, o.severity, o.crossed_at FROM alert_configs o
        WHERE o.organization_id = ${organizationId} AND o.scrape_job_id = j.scrape_job_id
          AND ${hasLabel('o.effective_labels', label)}
        ORDER BY ${worstFirst} LIMIT 1
      ) AS worst WHERE NOT j.is_worst_labeled
    ), worst_of_few AS NOT MATERIALIZED (
      -- Not materialized, so that the join runs only where these columns are used.
      SELECT worst.*, o.behind_since, o.ends_at, o.created_at FROM worst_of_label worst
      LEFT JOIN alert_configs o ON o.organization_id = ${organizationId} AND o.id = worst.id
        AND o.id = ANY(ARRAY(SELECT id FROM worst_of_label))
    ),`;
}

/**
 * Returns an upper bound on the number of considered alert configurations if filters restrict them. The bound
 * comes from stored sums or from a count with an index.
 */
function maxConsideredConfigs(
  organizationId: number,
  { rule_id, gather_job_id, label }: SoftwareFilters,
): RawBuilder<number> {
  const counts: RawBuilder<unknown>[] = [];
  if (rule_id !== undefined) counts.push(rowCount(organizationId, 'rule_uses', String(rule_id)));
  if (label !== undefined) counts.push(labelCount(organizationId, 'alert_config_labels', label));
  if (gather_job_id !== undefined)
    counts.push(
      countSql([
        sql`(SELECT 1 FROM alert_configs c WHERE c.organization_id = ${organizationId}
          AND ${usesGatherJob(organizationId, gather_job_id)})`,
      ]),
    );
  return sql<number>`least(${sql.join(counts)})`;
}
