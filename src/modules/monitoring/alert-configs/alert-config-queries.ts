import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { RuleTypeId } from '../../../domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../../domain/rules/severity.ts';
import type { IgnoreRecord, StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { DB } from '../../../generated/database.ts';
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
} from '../../../platform/database/index.ts';
import { usesGatherJob } from '../../alerts/index.ts';
import { hasLabel, labelCount, rowCount } from '../../counts/index.ts';
import { type RemovedCriteria, removeFromCriteria } from '../../notifications/index.ts';
import { type MirrorRow, mirrorColumns } from '../mirror-row.ts';
import { openingCauseColumns } from '../trigger-evaluation.ts';
import { type UnconfirmedRow, unconfirmedColumns } from '../unconfirmed-version.ts';

type AlertConfig = Schemas['AlertConfig'];

export interface AlertConfigRow {
  id: number;
  name: string;
  scrape_job_id: number;
  scrape_job_name: string;
  gather_organization_id: number;
  gather_job_id: number;
  gather_job_name: string;
  mirror_of: string | null;
  mirror: MirrorRow | null;
  rule_id: number;
  rule_name: string;
  rule_type: RuleTypeId;
  labels: Record<string, string>;
  effective_labels: Record<string, string>;
  candidate_pattern: string | null;
  ordinal: number;
  ignored_versions: string[];
  counted_versions: string[];
  lifecycle_override: AlertConfig['lifecycle_override'];
  ignored_vulnerabilities: (StoredIgnore & IgnoreRecord)[];
  is_active: boolean;
  state: AlertConfig['state'];
  state_reason: AlertConfig['state_reason'];
  severity: AlertConfig['severity'];
  deployed_version: string | null;
  latest_version: string | null;
  latest_stable_version: string | null;
  unaffected_version: string | null;
  behind_by: number | null;
  last_evaluated_at: Date | null;
  behind_since: Date | null;
  ends_at: Date | null;
  days_left: number | null;
  crossed_at: Date | null;
  next_evaluation_at: Date | null;
  active_alert_id: number | null;
  managed_by: AlertConfig['managed_by'];
  edited_fields: AlertConfig['edited_fields'];
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** Writable values of an alert configuration. */
export interface AlertConfigValues {
  name: string;
  scrape_job_id: number;
  gather_organization_id: number;
  gather_job_id: number;
  rule_id: number;
  labels: Record<string, string>;
  candidate_pattern: string | null;
  /** Distinguishes configurations with the same comparison. */
  ordinal: number;
  ignored_versions: string[];
  counted_versions: string[];
  lifecycle_override: AlertConfig['lifecycle_override'];
  ignored_vulnerabilities: readonly (StoredIgnore & IgnoreRecord)[];
  is_active: boolean;
}

export interface AlertConfigFilters {
  q?: string | undefined;
  state?: string | undefined;
  severity?: AlertSeverity | undefined;
  is_active?: boolean | undefined;
  rule_id?: number | undefined;
  scrape_job_id?: number | undefined;
  gather_job_id?: number | undefined;
  /** Label in the format `key=value`. */
  label?: string | undefined;
  sort?: string | undefined;
}

const sorts = {
  created_at: 'c.created_at',
  name: 'lower(c.name)',
  last_evaluated_at: { nullable: 'c.last_evaluated_at' },
};

// This expression must match the index for this sort order. Configurations within their thresholds come last.
const severityRank = `coalesce(array_position(ARRAY['moderate', 'high', 'critical'], c.severity), 0)`;

function bySeverity(isWorstFirst: boolean): ListOrder {
  return listOrder([
    { column: severityRank, isDescending: isWorstFirst },
    { column: 'c.crossed_at', isDescending: !isWorstFirst, nulls: isWorstFirst ? 'last' : 'first' },
    { column: 'c.id', isDescending: !isWorstFirst },
  ]);
}

/**
 * Current value of `behind_by` for the alert configuration `c`. Days pass without a write, so they are
 * computed when read.
 */
export const behindByNow = sql<number | null>`CASE WHEN c.behind_since IS NULL THEN c.behind_by
  ELSE greatest(0, floor(extract(epoch FROM pacekeeper_now() - c.behind_since) / 86400))::int END`;

/** Number of days left for the alert configuration `c`, computed in the same way as in `daysLeft`. */
export const daysLeftNow = sql<
  number | null
>`ceil(extract(epoch FROM c.ends_at - pacekeeper_now()) / 86400)::int`;

/** @param among rows of alert configurations to select from. The default is the table. */
function selectConfigs(
  db: Database | Tx,
  organizationId: number,
  among: RawBuilder<Selectable<DB['alert_configs']>> = sql`${sql.table('alert_configs')}`,
) {
  return db
    .selectFrom(among.as('c'))
    .select(['c.id', 'c.name', 'c.scrape_job_id', 'c.gather_organization_id', 'c.gather_job_id', 'c.rule_id'])
    .select([
      lookUpColumnSql<string>('scrape_jobs', 'name', {
        organizationId: 'c.organization_id',
        id: 'c.scrape_job_id',
      }).as('scrape_job_name'),
      lookUpColumnSql<string>('gather_jobs', 'name', {
        organizationId: 'c.gather_organization_id',
        id: 'c.gather_job_id',
      }).as('gather_job_name'),
      lookUpColumnSql<string | null>('gather_jobs', 'mirror_of', {
        organizationId: 'c.gather_organization_id',
        id: 'c.gather_job_id',
      }).as('mirror_of'),
      sql<MirrorRow | null>`(
        SELECT ${mirrorColumns(sql`c.mirror_version`)} FROM gather_jobs AS m
        WHERE m.organization_id = c.organization_id AND m.id = c.mirror_job_id AND m.mirror_of IS NOT NULL)`.as(
        'mirror',
      ),
      lookUpColumnSql<string>('rules', 'name', { organizationId: 'c.organization_id', id: 'c.rule_id' }).as(
        'rule_name',
      ),
      lookUpColumnSql<RuleTypeId>('rules', 'rule_type', {
        organizationId: 'c.organization_id',
        id: 'c.rule_id',
      }).as('rule_type'),
    ])
    .select([
      'c.candidate_pattern',
      'c.ordinal',
      'c.ignored_versions',
      'c.counted_versions',
      'c.is_active',
      'c.deployed_version',
      'c.latest_version',
    ])
    .select([
      'c.latest_stable_version',
      'c.behind_since',
      'c.ends_at',
      'c.crossed_at',
      'c.last_evaluated_at',
      'c.created_at',
      'c.updated_at',
      'c.revision',
    ])
    .select([
      sql<number | null>`(SELECT a.id FROM alerts a
        WHERE a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL)`.as(
        'active_alert_id',
      ),
      sql<Record<string, string>>`c.labels`.as('labels'),
      sql<Record<string, string>>`c.effective_labels`.as('effective_labels'),
      sql<AlertConfig['state']>`c.state`.as('state'),
      sql<AlertConfig['state_reason']>`c.state_reason`.as('state_reason'),
      sql<AlertConfig['severity']>`c.severity`.as('severity'),
      behindByNow.as('behind_by'),
      daysLeftNow.as('days_left'),
      // Read only this field of the stored explanation. It's set only for rules about vulnerabilities.
      sql<string | null>`CASE WHEN c.behind_by > 0 AND c.vulnerability_ids IS NOT NULL THEN (
        SELECT e.explanation #>> '{vulnerabilities,lowest_without}' FROM alert_config_explanations e
        WHERE e.organization_id = c.organization_id AND e.alert_config_id = c.id) END`.as(
        'unaffected_version',
      ),
      sql<AlertConfig['lifecycle_override']>`c.lifecycle_override`.as('lifecycle_override'),
      sql<AlertConfigRow['ignored_vulnerabilities']>`c.ignored_vulnerabilities`.as('ignored_vulnerabilities'),
      sql<Date | null>`nullif(c.due_at, 'infinity')`.as('next_evaluation_at'),
      sql<AlertConfig['managed_by']>`(
        SELECT jsonb_build_object('id', managers.id, 'name', managers.name)
        FROM discovered_items AS items JOIN discovery_jobs AS managers
          ON managers.organization_id = items.organization_id AND managers.id = items.discovery_job_id
        WHERE items.organization_id = c.organization_id AND items.alert_config_id = c.id)`.as('managed_by'),
      sql<AlertConfig['edited_fields']>`ARRAY(
        SELECT current.field FROM discovered_items AS items, (VALUES ('name', to_jsonb(c.name)), ('rule_id', to_jsonb(c.rule_id)),
          ('gather_job_id', to_jsonb(c.gather_job_id)), ('is_active', to_jsonb(c.is_active))) AS current (field, value)
        WHERE items.organization_id = c.organization_id AND items.alert_config_id = c.id
          AND items.derived #> ARRAY['config', current.field] <> current.value)`.as('edited_fields'),
    ])
    .where('c.organization_id', '=', organizationId);
}

export async function listAlertConfigs(
  db: Database,
  organizationId: number,
  filters: AlertConfigFilters,
  page: PageRequest,
): Promise<Page<AlertConfigRow>> {
  const { sort = '-created_at' } = filters;
  const order =
    sort === 'worst' || sort === '-worst' ? bySeverity(sort === 'worst') : sortOrder(sort, sorts, 'c.id');
  const isOwn = sql<boolean>`c.organization_id = ${organizationId}`;
  if (!isByLabelAlone(filters)) {
    const isWanted = sql<boolean>`${isOwn} AND ${matches(organizationId, filters)}`;
    const query = selectConfigs(db, organizationId).where(isWanted);
    return readPage(db, query, page, order, [sql`(SELECT 1 FROM alert_configs AS c WHERE ${isWanted})`]);
  }
  const { label } = filters;
  const matching = labelCount(organizationId, 'alert_config_labels', label);
  const found = seekOrScan<Selectable<DB['alert_configs']>>({
    table: 'alert_configs',
    alias: 'c',
    condition: page.cursor?.after == null ? isOwn : sql<boolean>`${isOwn} AND ${order.after(page.cursor)}`,
    order: order.sql,
    matching,
    filter: hasLabel('c.effective_labels', label),
    all: rowCount(organizationId, 'alert_configs'),
    maxRows: page.limit + page.offset,
  });
  return readPage(db, selectConfigs(db, organizationId, found), page, order, matching);
}

/**
 * True if the label is the only filter. Triggers maintain the count for each label, but not in combination
 * with other filters.
 */
function isByLabelAlone(filters: AlertConfigFilters): filters is AlertConfigFilters & { label: string } {
  const { label, q, state, severity, is_active, rule_id, scrape_job_id, gather_job_id } = filters;
  const others = [q, state, severity, is_active, rule_id, scrape_job_id, gather_job_id];
  return label !== undefined && others.every((filter) => filter === undefined);
}

function matches(organizationId: number, filters: AlertConfigFilters): RawBuilder<boolean> {
  const { q, state, severity, is_active, rule_id, scrape_job_id, gather_job_id, label, sort } = filters;
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(containsWords(['c.name', `coalesce(c.deployed_version, '')`], q));
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
  if (severity !== undefined) conditions.push(sql`c.severity = ${severity}`);
  // Filter by the same expression as in the index of this sort order, so that PostgreSQL uses it.
  if (severity !== undefined && sort?.endsWith('worst'))
    conditions.push(sql`${severityRank} = ${sql.lit(alertSeverities.indexOf(severity) + 1)}`);
  if (is_active !== undefined) conditions.push(is_active ? sql`c.is_active` : sql`NOT c.is_active`);
  if (rule_id !== undefined) conditions.push(sql`c.rule_id = ${rule_id}`);
  if (scrape_job_id !== undefined) conditions.push(sql`c.scrape_job_id = ${scrape_job_id}`);
  if (gather_job_id !== undefined) conditions.push(usesGatherJob(organizationId, gather_job_id));
  if (label !== undefined) conditions.push(hasLabel('c.effective_labels', label));
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

export async function findAlertConfig(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<AlertConfigRow | undefined> {
  return selectConfigs(db, organizationId).where('c.id', '=', id).executeTakeFirst();
}

/**
 * Returns a query for the alert configuration whose ID is in another row of the enclosing query. Use it in a
 * lateral join, so that PostgreSQL looks up the configuration for each of those rows. Returning the columns
 * as JSON would take three times as long.
 */
export function alertConfigOf(db: Database, organizationId: number, id: RawBuilder<unknown>) {
  return selectConfigs(db, organizationId).where(sql<boolean>`c.id = ${id}`).offset(sql.lit(0));
}

/**
 * Locks the configurations of a rule before it's deleted, so that no server evaluates them until the
 * transaction ends.
 */
export async function lockAlertConfigsOfRule(tx: Tx, organizationId: number, ruleId: number): Promise<void> {
  await sql`
    SELECT id FROM alert_configs WHERE organization_id = ${organizationId} AND rule_id = ${ruleId}
    ORDER BY id FOR UPDATE`.execute(tx);
}

/**
 * Locks a configuration. Call it before any change to the configuration and before any action on its alert.
 */
export async function lockAlertConfig(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<Pick<AlertConfigRow, 'state' | 'state_reason'> | undefined> {
  return tx
    .selectFrom('alert_configs')
    .select([
      sql<AlertConfig['state']>`state`.as('state'),
      sql<AlertConfig['state_reason']>`state_reason`.as('state_reason'),
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export interface StoredExplanationRow extends UnconfirmedRow {
  explanation: unknown;
  last_evaluated_at: Date | null;
  lifecycles_as_of: Date | null;
  vulnerabilities_as_of: Date | null;
}

/** Returns the stored explanation, or undefined if the configuration doesn't exist. */
export async function findExplanation(
  db: Database,
  organizationId: number,
  id: number,
): Promise<StoredExplanationRow | undefined> {
  return (
    db
      .selectFrom('alert_configs as c')
      .leftJoin('alert_config_explanations as e', (join) =>
        join.onRef('e.organization_id', '=', 'c.organization_id').onRef('e.alert_config_id', '=', 'c.id'),
      )
      .select(['e.explanation', 'c.last_evaluated_at'])
      // The age of the data isn't stored in the explanation, because it changes each time the data is loaded.
      .select([
        sql<Date | null>`(SELECT as_of FROM reference_sources WHERE organization_id = 1 AND name = 'end_of_life')`.as(
          'lifecycles_as_of',
        ),
        sql<Date | null>`(SELECT min(p.as_of) FROM vulnerability_packages p
          WHERE p.organization_id = 1 AND p.key IN (
            SELECT jsonb_array_elements_text(e.explanation #> '{vulnerabilities,packages}')))`.as(
          'vulnerabilities_as_of',
        ),
      ])
      .leftJoin('discovered_items as item', (join) =>
        join
          .onRef('item.organization_id', '=', 'c.organization_id')
          .onRef('item.scrape_job_id', '=', 'c.scrape_job_id')
          .on('item.status', '=', 'accepted'),
      )
      .select(unconfirmedColumns)
      .where('c.organization_id', '=', organizationId)
      .where('c.id', '=', id)
      .executeTakeFirst()
  );
}

/** References of a configuration to other resources. */
export interface References {
  scrape_job_id: number;
  gather_job_id: number;
  rule_id: number;
}

/**
 * Checks which of the referenced resources the organization can use. Returns their IDs, and the organization of each
 * gather job, which can be the global one. Locks the resources, so that they exist until the transaction ends.
 */
export async function lockReferences(
  tx: Tx,
  organizationId: number,
  ids: Record<'scrapeJobIds' | 'gatherJobIds' | 'ruleIds', readonly number[]>,
): Promise<{
  scrapeJobIds: ReadonlySet<number>;
  ruleIds: ReadonlySet<number>;
  gatherOrganizations: ReadonlyMap<number, number>;
}> {
  const { rows } = await sql<{ kind: 'scrape' | 'gather' | 'rule'; organization_id: number; id: number }>`
    WITH scrape AS (
      SELECT organization_id, id FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND id = ANY(${ids.scrapeJobIds}::bigint[]) ORDER BY id FOR KEY SHARE
    ), gather AS (
      SELECT organization_id, id FROM gather_jobs
      WHERE organization_id IN (${organizationId}, 1) AND id = ANY(${ids.gatherJobIds}::bigint[])
      ORDER BY id FOR KEY SHARE
    ), rule AS (
      SELECT organization_id, id FROM rules
      WHERE organization_id = ${organizationId} AND id = ANY(${ids.ruleIds}::bigint[]) ORDER BY id FOR KEY SHARE
    )
    SELECT 'scrape' AS kind, * FROM scrape UNION ALL SELECT 'gather', * FROM gather
    UNION ALL SELECT 'rule', * FROM rule`.execute(tx);
  const found = Map.groupBy(rows, ({ kind }) => kind);
  return {
    scrapeJobIds: new Set(found.get('scrape')?.map(({ id }) => id)),
    ruleIds: new Set(found.get('rule')?.map(({ id }) => id)),
    gatherOrganizations: new Map(found.get('gather')?.map((job) => [job.id, job.organization_id])),
  };
}

/**
 * Locks these scrape jobs and rules against changes until the transaction ends.
 *
 * Recording a version or changing a rule marks the configurations that use the job or the rule for
 * evaluation, but it can't see the configurations of this uncommitted transaction. Without the lock, a new
 * configuration could be evaluated just before the change is committed, and the change would never trigger
 * another evaluation. Gather jobs need no lock, because their changes are marked after their commit.
 */
export async function lockReferencesAgainstChanges(
  tx: Tx,
  organizationId: number,
  ids: Record<'scrapeJobIds' | 'ruleIds', readonly number[]>,
): Promise<void> {
  await sql`
    WITH scrape AS (
      SELECT id FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND id = ANY(${ids.scrapeJobIds}::bigint[]) ORDER BY id FOR SHARE
    ), rule AS (
      SELECT id FROM rules
      WHERE organization_id = ${organizationId} AND id = ANY(${ids.ruleIds}::bigint[]) ORDER BY id FOR SHARE
    )
    SELECT (SELECT count(*) FROM scrape), (SELECT count(*) FROM rule)`.execute(tx);
}

/** Values that identify the comparison of a configuration. */
export type ComparisonParts = Pick<AlertConfigValues, keyof References | 'candidate_pattern'>;

/**
 * A comparison to check for conflicts. If `ordinal` is given, only a configuration with this ordinal
 * conflicts. `otherThan` is the ID of a configuration to ignore.
 */
export interface ComparisonToCheck {
  parts: ComparisonParts;
  ordinal: number | undefined;
  otherThan?: number;
}

/** Returns the first configuration that conflicts with one of these comparisons. */
export async function findConflictingConfig(
  tx: Tx,
  organizationId: number,
  compared: readonly ComparisonToCheck[],
): Promise<{ id: number; name: string } | undefined> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT same.id, same.name
    FROM unnest(
      ${compared.map(({ parts }) => parts.scrape_job_id)}::bigint[],
      ${compared.map(({ parts }) => parts.gather_job_id)}::bigint[],
      ${compared.map(({ parts }) => parts.rule_id)}::bigint[],
      ${compared.map(({ parts }) => parts.candidate_pattern ?? '')}::text[],
      ${compared.map(({ ordinal }) => ordinal ?? null)}::integer[],
      ${compared.map(({ otherThan }) => otherThan ?? 0)}::bigint[]
    ) WITH ORDINALITY AS given (scrape_job_id, gather_job_id, rule_id, pattern, ordinal, other_than, place)
    CROSS JOIN LATERAL (
      SELECT id, name FROM alert_configs
      WHERE organization_id = ${organizationId} AND scrape_job_id = given.scrape_job_id
        AND gather_job_id = given.gather_job_id AND rule_id = given.rule_id
        AND md5(coalesce(candidate_pattern, '')) = md5(given.pattern)
        AND ordinal = coalesce(given.ordinal, ordinal) AND id <> given.other_than
      ORDER BY ordinal LIMIT 1
    ) AS same
    ORDER BY given.place LIMIT 1`.execute(tx);
  return rows[0];
}

/** Returns the rows with these IDs in ascending order. */
export async function listAlertConfigsById(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<AlertConfigRow[]> {
  return selectConfigs(tx, organizationId)
    .where(sql<boolean>`c.id = ANY(${ids}::bigint[])`)
    .orderBy('c.id')
    .execute();
}

/**
 * Fails with SQL state 23505 if another configuration has the same comparison and ordinal. Updates fail in
 * the same way.
 *
 * @returns The IDs, in the same order.
 */
export async function insertAlertConfigs(
  tx: Tx,
  organizationId: number,
  configs: readonly AlertConfigValues[],
): Promise<number[]> {
  const rows = await tx
    .insertInto('alert_configs')
    .values(
      configs.map((values) => ({
        organization_id: organizationId,
        ...values,
        ...openingCauseColumns(tx),
        labels: JSON.stringify(values.labels),
        lifecycle_override: toJson(values.lifecycle_override),
        ignored_vulnerabilities: JSON.stringify(values.ignored_vulnerabilities),
        counted_since: sql<
          Date[]
        >`array_fill(pacekeeper_now(), ARRAY[${values.counted_versions.length}::integer])`,
      })),
    )
    .returning('id')
    .execute();
  // A single statement assigns IDs in the order of its values.
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Changes of a configuration that was derived from a discovered item. */
export interface DerivedConfigUpdate {
  id: number;
  changes: Partial<
    Pick<AlertConfigValues, 'name' | 'rule_id' | 'gather_job_id' | 'gather_organization_id' | 'is_active'>
  >;
}

/**
 * Updates configurations in one statement. A configuration that would duplicate the comparison of another one gets a
 * different ordinal.
 */
export async function updateDerivedConfigs(
  tx: Tx,
  organizationId: number,
  configs: readonly DerivedConfigUpdate[],
): Promise<void> {
  const rows = configs.map(({ id, changes }) => ({ id, ...changes }));
  await sql`
    UPDATE alert_configs AS c
    SET name = coalesce(followed.name, c.name), rule_id = coalesce(followed.rule_id, c.rule_id),
        gather_job_id = coalesce(followed.gather_job_id, c.gather_job_id),
        gather_organization_id = coalesce(followed.gather_organization_id, c.gather_organization_id),
        is_active = coalesce(followed.is_active, c.is_active),
        ordinal = CASE WHEN followed.rule_id IS NULL AND followed.gather_job_id IS NULL THEN c.ordinal ELSE coalesce((
          SELECT max(other.ordinal) + 1 FROM alert_configs AS other
          WHERE other.organization_id = c.organization_id AND other.scrape_job_id = c.scrape_job_id
            AND other.gather_job_id = coalesce(followed.gather_job_id, c.gather_job_id)
            AND other.rule_id = coalesce(followed.rule_id, c.rule_id)
            AND md5(coalesce(other.candidate_pattern, '')) = md5(coalesce(c.candidate_pattern, ''))
            AND other.id <> c.id), 0) END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS followed (id bigint, name text, rule_id bigint, gather_job_id bigint, gather_organization_id bigint, is_active boolean)
    WHERE c.organization_id = ${organizationId} AND c.id = followed.id`.execute(tx);
}

/** Locks configurations in the order of their IDs. */
export async function lockAlertConfigs(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    SELECT FROM alert_configs WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])
    ORDER BY id FOR UPDATE`.execute(tx);
}

/**
 * Marks discovered items as not monitored if a person deletes their last configuration. Otherwise, Pacekeeper
 * would create another one. Call it before locking configurations and jobs, because all code locks items
 * first.
 *
 * @param deleted the configurations that will be deleted, as a condition on `c`
 */
export async function markNotMonitored(
  tx: Tx,
  organizationId: number,
  deleted: RawBuilder<boolean>,
): Promise<void> {
  await sql`
    WITH item AS MATERIALIZED (
      SELECT items.id FROM discovered_items AS items
      WHERE items.organization_id = ${organizationId} AND NOT items.not_monitored AND items.id IN (
          SELECT compared.id FROM alert_configs AS c JOIN discovered_items AS compared
            ON compared.organization_id = c.organization_id AND compared.scrape_job_id = c.scrape_job_id
          WHERE c.organization_id = ${organizationId} AND ${deleted}
          UNION
          -- Also the items from which these configurations were derived, because a person can have changed
          -- the compared scrape job.
          SELECT own.id FROM alert_configs AS c JOIN discovered_items AS own
            ON own.organization_id = c.organization_id AND own.alert_config_id = c.id
          WHERE c.organization_id = ${organizationId} AND ${deleted})
        AND NOT EXISTS (
          SELECT FROM alert_configs AS c
          WHERE c.organization_id = ${organizationId} AND c.scrape_job_id = items.scrape_job_id AND NOT (${deleted}))
      ORDER BY items.id FOR NO KEY UPDATE
    )
    UPDATE discovered_items SET not_monitored = true, updated_at = pacekeeper_now()
    FROM item WHERE discovered_items.organization_id = ${organizationId} AND discovered_items.id = item.id`.execute(
    tx,
  );
}

export async function updateAlertConfig(
  tx: Tx,
  organizationId: number,
  id: number,
  { labels, lifecycle_override, ignored_vulnerabilities, ...values }: Partial<AlertConfigValues>,
): Promise<void> {
  await tx
    .updateTable('alert_configs')
    .set({
      ...values,
      ...(labels && { labels: JSON.stringify(labels) }),
      ...(lifecycle_override !== undefined && { lifecycle_override: toJson(lifecycle_override) }),
      ...(ignored_vulnerabilities && { ignored_vulnerabilities: JSON.stringify(ignored_vulnerabilities) }),
      ...(values.counted_versions && { counted_since: countedSinceSql(values.counted_versions) }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Returns SQL NULL instead of JSON null. */
function toJson(value: AlertConfig['lifecycle_override']): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * Computes `counted_since` for new `counted_versions` of the same row. Versions that are already counted keep
 * their times.
 */
export function countedSinceSql(versions: readonly string[]): RawBuilder<Date[]> {
  return sql`ARRAY(
    SELECT coalesce(
      (SELECT min(since) FROM unnest(counted_versions, counted_since) AS known (version, since)
       WHERE known.version = listed.version),
      pacekeeper_now())
    FROM unnest(${versions}::text[]) WITH ORDINALITY AS listed (version, place)
    ORDER BY place)`;
}

/**
 * Deletes alert configurations. The caller must have deleted their alerts. Also removes the configurations,
 * and the rule if `ruleId` is given, from notification rules.
 */
export async function deleteAlertConfigs(
  tx: Tx,
  organizationId: number,
  of: { ruleId: number } | { ids: readonly number[] },
): Promise<RemovedCriteria> {
  const deleted = await tx
    .deleteFrom('alert_configs')
    .where('organization_id', '=', organizationId)
    .where(
      'ruleId' in of ? sql<boolean>`rule_id = ${of.ruleId}` : sql<boolean>`id = ANY(${of.ids}::bigint[])`,
    )
    .returning('id')
    .execute();
  const alertConfigIds = deleted.map(({ id }) => id);
  const ruleIds = 'ruleId' in of ? [of.ruleId] : [];
  return removeFromCriteria(tx, organizationId, { ruleIds, alertConfigIds });
}
