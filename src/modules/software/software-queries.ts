import { type RawBuilder, sql } from 'kysely';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import type { Schemas } from '../../generated/client-api.ts';
import {
  contains,
  type Database,
  type Page,
  type PageRequest,
  readPage,
} from '../../platform/database/index.ts';
import { comparesWith } from '../alerts/index.ts';
import { type AlertConfigJson, alertConfigJson } from '../monitoring/index.ts';

export interface SoftwareRow {
  id: number;
  name: string;
  labels: Record<string, string>;
  is_active: boolean;
  deployed_version: string | null;
  deployed_at: Date | null;
  alert_config_count: number;
  open_alert_count: number;
  worst: AlertConfigJson | null;
}

export interface SoftwareFilters {
  q?: string | undefined;
  state?: Schemas['SoftwareState'] | undefined;
  severity?: AlertSeverity | undefined;
  rule_id?: number | undefined;
  gather_job_id?: number | undefined;
  /** `key=value` */
  label?: string | undefined;
  sort?: string | undefined;
}

/** A part of the list. Parts follow each other, and each is sorted. */
interface Part {
  /** Rows with `job_id`, `config_id`, and `key` where the whole list is sorted by it. */
  rows: RawBuilder<unknown>;
  count: RawBuilder<unknown>;
}

const rankOf = (severity: RawBuilder<unknown>) =>
  sql`coalesce(array_position(ARRAY['moderate', 'high', 'critical'], ${severity}), 0)`;

/** The first is the worst. Between those without a severity, the state decides. An index has the same order. */
const worstOfJob = sql`${rankOf(sql`o.severity`)} DESC,
  array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], o.state) DESC, o.crossed_at, o.id`;

/** Orders of scrape jobs. All others are orders of their worst alert configuration. */
const jobKeys: Readonly<Record<string, RawBuilder<unknown>>> = {
  name: sql`lower(j.name)`,
  created_at: sql`j.created_at`,
};

/**
 * Scrape jobs, each with its worst alert configuration. Filters by rule, gather job, and label restrict the alert
 * configurations that are considered; those by state and severity apply to the worst of them. The worst of all is stored.
 */
export async function listSoftware(
  db: Database,
  organizationId: number,
  filters: SoftwareFilters,
  page: PageRequest,
): Promise<Page<SoftwareRow>> {
  const { sort = 'worst' } = filters;
  const jobKey = jobKeys[sort.replace(/^-/, '')];
  const direction = sort.startsWith('-') ? sql`DESC` : sql`ASC`;
  const list = partsOf(organizationId, filters, sort, page);
  // Parts without a common key follow each other, and one that isn't reached isn't read.
  const order =
    jobKey === undefined || list.length === 1 ? sql`` : sql`ORDER BY key ${direction}, job_id ${direction}`;
  const parts = sql.join(
    list.map(({ rows }) => sql`(${rows})`),
    sql` UNION ALL `,
  );
  // Computed once: a join could ask for it again for each scrape job.
  const found = sql<{ job_id: number; config_id: number | null; place: number }>`(
    WITH first AS MATERIALIZED (
      SELECT * FROM (${parts}) AS parts ${order} LIMIT ${sql.lit(page.limit + page.offset)}
    ) SELECT first.*, row_number() OVER () AS place FROM first)`;
  const query = db
    .selectFrom(found.as('found'))
    .innerJoin(
      sql<{ id: number; name: string; is_active: boolean }>`LATERAL (SELECT * FROM scrape_jobs
        WHERE organization_id = ${organizationId} AND id = found.job_id)`.as('j'),
      (join) => join.onTrue(),
    )
    .select(['j.id', 'j.name', 'j.is_active'])
    .select([
      sql<Record<string, string>>`j.labels`.as('labels'),
      sql<string | null>`j.latest_version`.as('deployed_version'),
      sql<Date | null>`coalesce((
        SELECT v.created_at FROM versions v
        WHERE v.organization_id = ${organizationId} AND v.scrape_job_id = found.job_id AND v.is_change
        ORDER BY v.id DESC LIMIT 1), j.latest_version_at)`.as('deployed_at'),
      sql<number>`(SELECT count(*)::int FROM alert_configs c
        WHERE c.organization_id = ${organizationId} AND c.scrape_job_id = found.job_id)`.as(
        'alert_config_count',
      ),
      sql<number>`(SELECT coalesce(sum((SELECT count(*) FROM alerts a
          WHERE a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL)), 0)::int
        FROM alert_configs c WHERE c.organization_id = ${organizationId} AND c.scrape_job_id = found.job_id)`.as(
        'open_alert_count',
      ),
      alertConfigJson(db, organizationId, sql`found.config_id`).as('worst'),
    ])
    .orderBy('found.place');
  return readPage(
    db,
    query,
    page,
    list.map(({ count }) => sql`(${count})`),
  );
}

function partsOf(
  organizationId: number,
  filters: SoftwareFilters,
  sort: string,
  { limit, offset }: PageRequest,
): Part[] {
  const { q, state, severity, rule_id, gather_job_id, label } = filters;
  const isDescending = sort.startsWith('-');
  const [up, down] = isDescending ? [sql`DESC`, sql`ASC`] : [sql`ASC`, sql`DESC`];
  const name = sort.replace(/^-/, '');
  const jobKey = jobKeys[name];
  const most = sql.lit(limit + offset);
  const isNamed =
    q === undefined ? sql`true` : contains(`j.name || ' ' || coalesce(j.latest_version, '')`, q);
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
      WHERE ${isStored} ORDER BY ${jobKey} ${up}, j.id ${up} LIMIT ${most}`;
    return [{ rows, count: countOfStored }];
  }

  /** Of the alert configuration with this alias: whether it is considered at all. */
  const isConsidered = (alias: 'c' | 'o') => {
    const conditions = [sql`true`];
    if (rule_id !== undefined) conditions.push(sql`${sql.ref(`${alias}.rule_id`)} = ${rule_id}`);
    if (gather_job_id !== undefined)
      conditions.push(
        alias === 'c'
          ? comparesWith(organizationId, gather_job_id)
          : sql`o.gather_organization_id IN (${organizationId}, 1) AND o.gather_job_id = ${gather_job_id}`,
      );
    if (label !== undefined)
      conditions.push(sql`${sql.ref(`${alias}.effective_labels`)} @> ${labelJson(label)}::jsonb`);
    return sql`${sql.join(conditions, sql` AND `)}`;
  };
  // Of those considered, by an index in this order, which PostgreSQL also chooses while it believes the table to be empty.
  const worst = considersAll
    ? sql`(SELECT s.alert_config_id FROM software s
        WHERE s.organization_id = ${organizationId} AND s.scrape_job_id = c.scrape_job_id)`
    : sql`(SELECT o.id FROM alert_configs o
        WHERE o.organization_id = ${organizationId} AND o.scrape_job_id = c.scrape_job_id AND ${isConsidered('o')}
        ORDER BY ${worstOfJob} LIMIT 1)`;
  const conditions = [sql`c.organization_id = ${organizationId}`, isConsidered('c')];
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
  if (severity !== undefined) conditions.push(sql`c.severity = ${severity}`);
  // As the index of the order has it.
  if (rank !== null && name === 'worst') conditions.push(sql`${rankOf(sql`c.severity`)} = ${rank}`);
  if (q !== undefined)
    conditions.push(sql`EXISTS (SELECT FROM scrape_jobs j
      WHERE j.organization_id = ${organizationId} AND j.id = c.scrape_job_id AND ${isNamed})`);
  // PostgreSQL takes an equation with a subquery for rare. Most are the worst of their job, so it should follow the order.
  conditions.push(sql`coalesce(c.id = ${worst}, false)`);
  const isWorst = sql`${sql.join(conditions, sql` AND `)}`;
  const configs = (where: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`SELECT c.scrape_job_id AS job_id, c.id AS config_id, NULL AS key FROM alert_configs c
      WHERE ${isWorst} AND ${where} ORDER BY ${order} LIMIT ${most}`;
  const noRows = sql`SELECT 1 WHERE false`;
  const count = considersAll ? countOfStored : sql`SELECT 1 FROM alert_configs c WHERE ${isWorst}`;

  const parts: Part[] = [];
  if (state === 'unmonitored') {
    // Only those without alert configurations.
  } else if (jobKey !== undefined) {
    const rows = sql`SELECT j.id AS job_id, c.id AS config_id, ${jobKey} AS key
      FROM alert_configs c JOIN scrape_jobs j ON j.organization_id = c.organization_id AND j.id = c.scrape_job_id
      WHERE ${isWorst} ORDER BY ${jobKey} ${up}, j.id ${up} LIMIT ${most}`;
    parts.push({ rows, count });
  } else if (name === 'worst' && considersAll) {
    const rows = sql`SELECT s.scrape_job_id AS job_id, s.alert_config_id AS config_id, NULL AS key ${stored}
      WHERE ${isStored} AND s.alert_config_id IS NOT NULL
      ORDER BY s.severity_rank ${down}, s.crossed_at ${up}, s.alert_config_id ${up} LIMIT ${most}`;
    parts.push({ rows, count });
  } else if (name === 'worst') {
    // Without a severity, and so without a crossing, the oldest comes first, as the index by state has it.
    const order =
      state === undefined || state === 'alerting'
        ? sql`${rankOf(sql`c.severity`)} ${down}, c.crossed_at ${up}, c.id ${up}`
        : sql`c.created_at ${up}, c.id ${up}`;
    parts.push({ rows: configs(sql`true`, order), count });
  } else {
    // Those without a date come last in both directions.
    const column = sql.ref(`c.${name}`);
    parts.push(
      { rows: configs(sql`${column} IS NOT NULL`, sql`${column} ${up}, c.id ${up}`), count },
      { rows: configs(sql`${column} IS NULL`, sql`c.id`), count: noRows },
    );
  }
  const canBeUnmonitored =
    severity === undefined && rule_id === undefined && gather_job_id === undefined && state === undefined;
  if (canBeUnmonitored || state === 'unmonitored') {
    const hasLabel =
      label === undefined ? sql`true` : sql`j.labels @> ${labelJson(label)}::jsonb AND j.labels <> '{}'`;
    const unmonitored = sql`${withJobs} WHERE ${isStored} AND s.state = 'unmonitored' AND ${hasLabel}`;
    const key = jobKey ?? sql`lower(j.name)`;
    const direction = jobKey === undefined ? sql`ASC` : up;
    parts.push({
      rows: sql`SELECT j.id AS job_id, NULL::bigint AS config_id, ${jobKey ?? sql`NULL`} AS key ${unmonitored}
        ORDER BY ${key} ${direction}, j.id ${direction} LIMIT ${most}`,
      // Without a filter, they are already counted.
      count: considersAll && parts.length > 0 ? noRows : sql`SELECT 1 ${unmonitored}`,
    });
  }
  return parts;
}

function labelJson(label: string): string {
  const equals = label.indexOf('=');
  return JSON.stringify({ [label.slice(0, equals)]: label.slice(equals + 1) });
}
