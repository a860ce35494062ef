import { type RawBuilder, type Selectable, sql } from 'kysely';
import { countsDays } from '../../domain/rules/rule-type.ts';
import { ruleTypeIds, ruleTypes, supportRuleTypeIds } from '../../domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { DB } from '../../generated/database.ts';
import {
  containsWords,
  type Database,
  type ListOrder,
  listOrder,
  lookUpColumnSql,
  type Page,
  type PageRequest,
  readPage,
  seekOrScan,
  sortOrder,
  type Tx,
} from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { hasLabel, labelCount, readRowCounts, rowCount } from '../counts/index.ts';
import { type OpenAlertRow, openAlertColumns } from './alert-row.ts';
import type { AlertSubject } from './apply-alert-changes.ts';

type Alert = Schemas['Alert'];
type ActorType = Schemas['Actor']['type'];

export interface AlertRow {
  id: number;
  alert_config_id: number;
  alert_config_name: string;
  rule_id: number;
  rule_name: string;
  rule_type: Alert['rule_type'];
  severity: Alert['severity'];
  status: Alert['status'];
  reason: Alert['reason'];
  discovered_version: string;
  latest_version: string | null;
  behind_by: number | null;
  ends_at: Date | null;
  days_left: number | null;
  crossed_at: Date;
  is_estimate: boolean;
  artifact_name: string;
  repository_url: string | null;
  target_file: string | null;
  release_url: string | null;
  labels: Record<string, string>;
  assignee: Alert['assignee'];
  acknowledged_at: Date | null;
  acknowledged_by_type: ActorType | null;
  acknowledged_by_id: number | null;
  acknowledged_by_name: string | null;
  escalated_at: Date | null;
  snoozed_until: Date | null;
  snoozed_until_version_changes: boolean;
  resolved_at: Date | null;
  resolved_by_type: ActorType | null;
  resolved_by_id: number | null;
  resolved_by_name: string | null;
  resolution: Alert['resolution'];
  created_at: Date;
  updated_at: Date;
}

// Lag of an alert. A lag in days is computed for each query, because it grows until the alert is resolved.
const behindBy = `CASE WHEN a.behind_since IS NULL THEN a.behind_by
  ELSE greatest(0, floor(extract(epoch FROM coalesce(a.resolved_at, pacekeeper_now()) - a.behind_since) / 86400))::int END`;
const severityRank = `array_position(ARRAY['moderate', 'high', 'critical'], a.severity)`;

const sorts = { created_at: 'a.created_at', resolved_at: 'a.resolved_at', severity: severityRank };

/**
 * Order with the most severe alerts first. Of equally severe alerts, those that crossed their threshold
 * earliest come first. Lags aren't compared, because days, majors, and minors are different units.
 */
export const worstFirst: ListOrder = bySeverity(true);
const worstLast = bySeverity(false);

function bySeverity(isWorstFirst: boolean): ListOrder {
  return listOrder([
    { column: severityRank, isDescending: isWorstFirst },
    { column: 'a.crossed_at', isDescending: !isWorstFirst },
    { column: 'a.id', isDescending: !isWorstFirst },
  ]);
}

/**
 * Selects alerts of an organization as the API returns them. The caller adds conditions and the order.
 *
 * @param among Rows of alerts to select from. By default, the whole table.
 */
export function selectAlerts(
  db: Database | Tx,
  organizationId: number,
  among: RawBuilder<Selectable<DB['alerts']>> = sql`${sql.table('alerts')}`,
) {
  return db
    .selectFrom(among.as('a'))
    .select(['a.id', 'a.alert_config_id', 'a.rule_id', 'a.discovered_version', 'a.latest_version'])
    .select([configName.as('alert_config_name'), ruleName.as('rule_name')])
    .select(['a.is_estimate', 'a.artifact_name', 'a.repository_url'])
    .select([
      'a.target_file',
      'a.release_url',
      'a.acknowledged_at',
      'a.acknowledged_by_id',
      'a.acknowledged_by_name',
    ])
    .select([
      'a.escalated_at',
      'a.ends_at',
      'a.resolved_at',
      'a.resolved_by_id',
      'a.resolved_by_name',
      'a.created_at',
      'a.updated_at',
    ])
    .select([
      sql<Alert['rule_type']>`a.rule_type`.as('rule_type'),
      sql<Alert['severity']>`a.severity`.as('severity'),
      sql<Alert['reason']>`a.reason`.as('reason'),
      sql<Alert['status']>`CASE WHEN a.resolved_at IS NOT NULL THEN 'resolved'
        WHEN a.acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'unacknowledged' END`.as('status'),
      sql<number | null>`${sql.raw(behindBy)}`.as('behind_by'),
      sql<
        number | null
      >`ceil(extract(epoch FROM a.ends_at - coalesce(a.resolved_at, pacekeeper_now())) / 86400)::int`.as(
        'days_left',
      ),
      // `crossed_at` is null if the time isn't known.
      sql<Date>`coalesce(a.crossed_at, a.escalated_at, a.created_at)`.as('crossed_at'),
      // An expired snooze is over, even if no evaluation has cleared it yet.
      sql<Date | null>`CASE WHEN a.snoozed_until > pacekeeper_now() THEN a.snoozed_until END`.as(
        'snoozed_until',
      ),
      sql<boolean>`a.is_snoozed_until_version_changes AND coalesce(a.snoozed_until > pacekeeper_now(), true)`.as(
        'snoozed_until_version_changes',
      ),
      sql<Record<string, string>>`a.labels`.as('labels'),
      sql<Alert['assignee']>`CASE WHEN a.assignee_member_id IS NOT NULL THEN ${assigneeOf('a')} END`.as(
        'assignee',
      ),
      sql<ActorType | null>`a.acknowledged_by_type`.as('acknowledged_by_type'),
      sql<ActorType | null>`a.resolved_by_type`.as('resolved_by_type'),
      sql<Alert['resolution']>`a.resolution`.as('resolution'),
    ])
    .where('a.organization_id', '=', organizationId);
}

const configName = lookUpColumnSql<string>('alert_configs', 'name', {
  organizationId: 'a.organization_id',
  id: 'a.alert_config_id',
});
/** Selects the ID and name of the assigned member as JSON. */
function assigneeOf(alias: string): RawBuilder<Alert['assignee']> {
  return sql<Alert['assignee']>`(
    SELECT jsonb_build_object('id', m.id, 'name', u.name) FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${sql.ref(`${alias}.organization_id`)} AND m.id = ${sql.ref(`${alias}.assignee_member_id`)})`;
}

const ruleName = lookUpColumnSql<string>('rules', 'name', {
  organizationId: 'a.organization_id',
  id: 'a.rule_id',
});

export interface AlertFilters {
  unacknowledged_only?: boolean | undefined;
  status?: string | undefined;
  severity?: AlertSeverity | undefined;
  rule_id?: number | undefined;
  alert_config_id?: number | undefined;
  scrape_job_id?: number | undefined;
  gather_job_id?: number | undefined;
  assignee_id?: number | undefined;
  label?: string | undefined;
  q?: string | undefined;
  sort?: string | undefined;
}

export async function listAlerts(
  db: Database,
  organizationId: number,
  of: 'open' | 'resolved',
  filters: AlertFilters,
  page: PageRequest,
): Promise<Page<AlertRow>> {
  const { sort = of === 'open' ? '-created_at' : '-resolved_at' } = filters;
  const isOf = sql<boolean>`a.organization_id = ${organizationId} AND a.resolved_at IS ${of === 'open' ? sql`NULL` : sql`NOT NULL`}`;
  const isWanted = sql<boolean>`${isOf} AND ${matches(organizationId, filters)}`;
  const isByLag = sort.endsWith('behind_by');
  if (!isByLabelAlone(filters)) {
    const query = isByLag
      ? byLag(db, organizationId, isWanted, sort.startsWith('-'), page)
      : selectAlerts(db, organizationId).where(isWanted);
    return readPage(db, query, page, orderOf(sort), [sql`(SELECT 1 FROM alerts a WHERE ${isWanted})`]);
  }
  const { label } = filters;
  const matching = labelCount(organizationId, `${of}_alert_labels`, label);
  const order = orderOf(sort);
  if (isByLag)
    return readPage(
      db,
      byLag(db, organizationId, isWanted, sort.startsWith('-'), page),
      page,
      order,
      matching,
    );
  const resolved = rowCount(organizationId, 'alerts', 'resolved');
  const found = seekOrScan<Selectable<DB['alerts']>>({
    table: 'alerts',
    alias: 'a',
    condition: page.cursor?.after == null ? isOf : sql<boolean>`${isOf} AND ${order.after(page.cursor)}`,
    filter: hasLabel('a.labels', label),
    order: order.sql,
    matching,
    all: of === 'resolved' ? resolved : sql`${rowCount(organizationId, 'alerts')} - ${resolved}`,
    maxRows: page.limit + page.offset,
  });
  return readPage(db, selectAlerts(db, organizationId, found), page, order, matching);
}

/**
 * True if the label is the only filter. In this case, the number of matching alerts is already stored:
 * triggers maintain it for each label, but not for combinations with other filters.
 */
function isByLabelAlone(filters: AlertFilters): filters is AlertFilters & { label: string } {
  const { label, unacknowledged_only, status, severity, assignee_id, q } = filters;
  const { rule_id, alert_config_id, scrape_job_id, gather_job_id } = filters;
  const others = [status, severity, assignee_id, q, rule_id, alert_config_id, scrape_job_id, gather_job_id];
  return label !== undefined && !unacknowledged_only && others.every((filter) => filter === undefined);
}

function orderOf(sort: string): ListOrder {
  if (sort.endsWith('behind_by')) {
    const isDescending = sort.startsWith('-');
    return listOrder([
      { column: 'a.unit', isDescending: false },
      { column: 'a.amount', isDescending },
      { column: 'a.id', isDescending },
    ]);
  }
  if (sort === 'worst') return worstFirst;
  return sort === '-worst' ? worstLast : sortOrder(sort, sorts, 'a.id');
}

/** Position of the unit `days` in the order of the units. */
const daysOrder = ruleTypeIds.findIndex((id) => countsDays(ruleTypes[id]));
/** Sort value of an unknown lag, which is sorted as the largest lag in each unit. */
const unknownCount = 2_147_483_647;

/**
 * Sorts by lag within each unit, one unit after the other, because 3 majors can't be compared with 40 days.
 * Days are sorted by `behind_since`, and ends of support by `ends_at`. Each of the other units has its own
 * index. The first rows of each unit are selected and concatenated. With a cursor, all rows are selected,
 * because a position within one unit isn't a position within the others.
 */
function byLag(
  db: Database,
  organizationId: number,
  isWanted: RawBuilder<boolean>,
  isDescending: boolean,
  { limit, offset, cursor }: PageRequest,
) {
  const [up, down] = isDescending ? [sql`DESC`, sql`ASC`] : [sql`ASC`, sql`DESC`];
  const count = sql`coalesce(a.behind_by, ${sql.lit(unknownCount)})`;
  const first = (
    unit: number,
    amount: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
    order: RawBuilder<unknown>,
  ) => sql`(
    SELECT a.*, ${sql.lit(unit)} AS unit, ${amount} AS amount FROM alerts a
    WHERE ${isWanted} AND a.resolved_at IS NULL AND ${condition}
    ORDER BY ${order}, a.id ${up} ${cursor?.after == null ? sql`LIMIT ${sql.lit(limit + offset)}` : sql``})`;
  // The value for days doesn't depend on the current time, so it's the same on every page.
  const days = sql`-extract(epoch FROM a.behind_since)`;
  // If the date isn't known, the end of support has already passed, so sort it before all known dates.
  const end = sql`coalesce(a.ends_at, '-infinity')`;
  const counted = ruleTypeIds.map((id, unit) => {
    const isOfUnit = sql`a.rule_type = ${sql.lit(id)} AND a.behind_since IS NULL`;
    return supportRuleTypeIds.includes(id)
      ? first(unit, sql`-extract(epoch FROM ${end})`, isOfUnit, sql`${end} ${down}`)
      : first(unit, count, isOfUnit, sql`${count} ${up}`);
  });
  const found = sql<Selectable<DB['alerts']> & { unit: number; amount: number }>`(
    ${first(daysOrder, days, sql`a.behind_since IS NOT NULL`, sql`a.behind_since ${down}`)}
    UNION ALL ${sql.join(counted, sql` UNION ALL `)})`;
  return selectAlerts(db, organizationId, found);
}

function matches(organizationId: number, filters: AlertFilters): RawBuilder<boolean> {
  const { severity, rule_id, alert_config_id, scrape_job_id, gather_job_id, label, q, sort } = filters;
  const conditions = [sql`true`];
  if (filters.unacknowledged_only || filters.status === 'unacknowledged')
    conditions.push(sql`a.acknowledged_at IS NULL`);
  if (filters.status === 'acknowledged') conditions.push(sql`a.acknowledged_at IS NOT NULL`);
  if (severity !== undefined) conditions.push(sql`a.severity = ${severity}`);
  // Repeat the severity condition with the expression of the index, so that PostgreSQL uses the index.
  if (severity !== undefined && sort?.endsWith('worst'))
    conditions.push(sql`${sql.raw(severityRank)} = ${sql.lit(alertSeverities.indexOf(severity) + 1)}`);
  if (rule_id !== undefined) conditions.push(sql`a.rule_id = ${rule_id}`);
  if (alert_config_id !== undefined) conditions.push(sql`a.alert_config_id = ${alert_config_id}`);
  // Use a subquery, because a join can read the configurations again for each alert.
  const isOfConfigs = (condition: RawBuilder<unknown>) => sql`a.alert_config_id = ANY(ARRAY(
    SELECT c.id FROM alert_configs c WHERE c.organization_id = ${organizationId} AND ${condition}))`;
  if (scrape_job_id !== undefined) conditions.push(isOfConfigs(sql`c.scrape_job_id = ${scrape_job_id}`));
  if (gather_job_id !== undefined) conditions.push(isOfConfigs(usesGatherJob(organizationId, gather_job_id)));
  if (filters.assignee_id !== undefined) conditions.push(sql`a.assignee_member_id = ${filters.assignee_id}`);
  if (label !== undefined) conditions.push(hasLabel('a.labels', label));
  if (q !== undefined) conditions.push(isNamed(q));
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

/** SQL condition: true if the configuration, artifact, or deployed version of alert `a` contains the words of `q`. */
function isNamed(q: string): RawBuilder<boolean> {
  const isMatch = containsWords(['config.name', 'a.artifact_name', 'a.discovered_version'], q);
  // With OFFSET 0, PostgreSQL looks up the name once for each alert. Otherwise, it replaces each use of the name with the
  // lookup.
  return sql<boolean>`(SELECT ${isMatch} FROM (SELECT ${configName} AS name OFFSET 0) AS config)`;
}

/**
 * SQL condition: true if configuration `c` uses this gather job, which belongs to the organization or is global. The
 * condition can use the index.
 */
export function usesGatherJob(organizationId: number, gatherJobId: number): RawBuilder<boolean> {
  return sql<boolean>`c.gather_organization_id IN (${organizationId}, ${systemOrganizationId})
    AND c.gather_job_id = ${gatherJobId}`;
}

export async function findAlert(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<AlertRow | undefined> {
  return selectAlerts(db, organizationId).where('a.id', '=', id).executeTakeFirst();
}

/** Returns the alerts with these IDs, in any order. */
export async function listAlertsById(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<AlertRow[]> {
  if (ids.length === 0) return [];
  return selectAlerts(db, organizationId)
    .where('a.id', 'in', [...ids])
    .execute();
}

/** Returns the alerts among `ids`, each with the configuration that must be locked before it. */
export async function findAlertsById(
  db: Database | Tx,
  organizationId: number,
  ids: readonly number[],
  { isOpen }: { isOpen: true | undefined },
): Promise<{ id: number; alert_config_id: number }[]> {
  return db
    .selectFrom('alerts')
    .select(['id', 'alert_config_id'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .$if(isOpen === true, (query) => query.where('resolved_at', 'is', null))
    .execute();
}

export interface LockedAlert {
  alert: OpenAlertRow;
  alert_config_id: number;
  config_name: string;
  rule_id: number;
  rule_name: string;
  rule_type: Alert['rule_type'];
  artifact_name: string;
  repository_url: string | null;
  target_file: string | null;
  labels: Record<string, string>;
  assignee: Alert['assignee'];
  now: Date;
}

/** Locks alerts for an action. Their configurations must already be locked. */
export async function lockAlerts(
  tx: Tx,
  organizationId: number,
  where: RawBuilder<unknown>,
  limit?: number,
): Promise<LockedAlert[]> {
  const { rows } = await sql<LockedAlert>`
    SELECT ${openAlertColumns('a')} AS alert, a.alert_config_id, c.name AS config_name, a.rule_id, r.name AS rule_name,
      a.rule_type, a.artifact_name, a.repository_url, a.target_file, a.labels,
      ${assigneeOf('a')} AS assignee, pacekeeper_now() AS now
    FROM alerts a
    JOIN alert_configs c ON c.organization_id = a.organization_id AND c.id = a.alert_config_id
    JOIN rules r ON r.organization_id = a.organization_id AND r.id = a.rule_id
    WHERE a.organization_id = ${organizationId} AND ${where}
    ORDER BY a.id ${limit === undefined ? sql`` : sql`LIMIT ${limit}`} FOR UPDATE OF a`.execute(tx);
  return rows;
}

/** Stores the assignee in a separate update, because the assignee isn't part of the alert state. */
export async function setAssignee(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  memberId: number | null,
): Promise<void> {
  await sql`
    UPDATE alerts SET assignee_member_id = ${memberId}
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

export function toSubject(locked: LockedAlert): AlertSubject {
  return {
    alertConfigId: locked.alert_config_id,
    configName: locked.config_name,
    ruleId: locked.rule_id,
    ruleName: locked.rule_name,
    ruleType: locked.rule_type,
    artifactName: locked.artifact_name,
    repositoryUrl: locked.repository_url,
    targetFile: locked.target_file,
    labels: locked.labels,
  };
}

/** Returns the subjects of alerts by alert ID. Locks the alerts like `lockAlerts`. */
export async function readSubjectsLocked(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<Map<number, AlertSubject>> {
  if (alertIds.length === 0) return new Map();
  const locked = await lockAlerts(tx, organizationId, sql`a.id = ANY(${[...alertIds]}::bigint[])`);
  return new Map(locked.map((row) => [row.alert.id, toSubject(row)]));
}

export async function summarizeAlerts(
  db: Database,
  organizationId: number,
): Promise<Schemas['AlertSummary']> {
  const counts = await readRowCounts(db, organizationId, 'alerts');
  const bySeverity = { moderate: 0, high: 0, critical: 0 };
  const unacknowledgedBySeverity = { moderate: 0, high: 0, critical: 0 };
  for (const severity of alertSeverities) {
    unacknowledgedBySeverity[severity] = counts.get(`unacknowledged ${severity}`) ?? 0;
    bySeverity[severity] = unacknowledgedBySeverity[severity] + (counts.get(`acknowledged ${severity}`) ?? 0);
  }
  const open = sum(bySeverity);
  const unacknowledged = sum(unacknowledgedBySeverity);
  return {
    open,
    unacknowledged,
    acknowledged: open - unacknowledged,
    resolved: counts.get('resolved') ?? 0,
    by_severity: bySeverity,
    unacknowledged_by_severity: unacknowledgedBySeverity,
  };
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
