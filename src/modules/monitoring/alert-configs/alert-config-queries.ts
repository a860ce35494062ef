import { type RawBuilder, sql } from 'kysely';
import { type AlertSeverity, alertSeverities } from '../../../domain/rules/severity.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  contains,
  type Database,
  lookUp,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
  type WakeUps,
} from '../../../platform/database/index.ts';
import { comparesWith } from '../../alerts/index.ts';
import { type LeftCriteria, removeFromCriteria } from '../../notifications/index.ts';

type AlertConfig = Schemas['AlertConfig'];

export interface AlertConfigRow {
  id: number;
  name: string;
  scrape_job_id: number;
  scrape_job_name: string;
  gather_organization_id: number;
  gather_job_id: number;
  gather_job_name: string;
  rule_id: number;
  rule_name: string;
  labels: Record<string, string>;
  candidate_pattern: string | null;
  ordinal: number;
  ignored_versions: string[];
  counted_versions: string[];
  is_active: boolean;
  state: AlertConfig['state'];
  state_reason: AlertConfig['state_reason'];
  severity: AlertConfig['severity'];
  deployed_version: string | null;
  latest_version: string | null;
  latest_stable_version: string | null;
  behind_by: number | null;
  last_evaluated_at: Date | null;
  behind_since: Date | null;
  crossed_at: Date | null;
  next_evaluation_at: Date | null;
  active_alert_id: number | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** What a configuration is made of, as it is written. */
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
  /** `key=value` */
  label?: string | undefined;
  sort?: string | undefined;
}

const sorts = {
  created_at: 'c.created_at',
  name: 'c.name',
  last_evaluated_at: 'c.last_evaluated_at',
};

// As the index of this order has it; configurations within their thresholds come last.
const severityRank = sql`coalesce(array_position(ARRAY['moderate', 'high', 'critical'], c.severity), 0)`;
const worstFirst = sql`${severityRank} DESC, c.crossed_at ASC, c.id ASC`;
const worstLast = sql`${severityRank} ASC, c.crossed_at DESC, c.id DESC`;

/** Of the alert configuration `c`. Days pass without a write: they are counted when somebody asks. */
export const behindByNow = sql<number | null>`CASE WHEN c.behind_since IS NULL THEN c.behind_by
  ELSE greatest(0, floor(extract(epoch FROM pacekeeper_now() - c.behind_since) / 86400))::int END`;

function selectConfigs(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('alert_configs as c')
    .select(['c.id', 'c.name', 'c.scrape_job_id', 'c.gather_organization_id', 'c.gather_job_id', 'c.rule_id'])
    .select([
      lookUp<string>('scrape_jobs', 'name', {
        organizationId: 'c.organization_id',
        id: 'c.scrape_job_id',
      }).as('scrape_job_name'),
      lookUp<string>('gather_jobs', 'name', {
        organizationId: 'c.gather_organization_id',
        id: 'c.gather_job_id',
      }).as('gather_job_name'),
      lookUp<string>('rules', 'name', { organizationId: 'c.organization_id', id: 'c.rule_id' }).as(
        'rule_name',
      ),
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
      sql<AlertConfig['state']>`c.state`.as('state'),
      sql<AlertConfig['state_reason']>`c.state_reason`.as('state_reason'),
      sql<AlertConfig['severity']>`c.severity`.as('severity'),
      behindByNow.as('behind_by'),
      sql<Date | null>`nullif(c.due_at, 'infinity')`.as('next_evaluation_at'),
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
  const query = selectConfigs(db, organizationId)
    .where(matches(organizationId, filters))
    .orderBy(sort === 'worst' ? worstFirst : sort === '-worst' ? worstLast : sortOrder(sort, sorts, 'c.id'));
  const count = db
    .selectFrom('alert_configs as c')
    .select(sql`1`.as('one'))
    .where('c.organization_id', '=', organizationId)
    .where(matches(organizationId, filters));
  return readPage(db, query, page, count);
}

function matches(organizationId: number, filters: AlertConfigFilters): RawBuilder<boolean> {
  const { q, state, severity, is_active, rule_id, scrape_job_id, gather_job_id, label, sort } = filters;
  const conditions = [sql`true`];
  if (q !== undefined) conditions.push(contains(`c.name || ' ' || coalesce(c.deployed_version, '')`, q));
  if (state !== undefined) conditions.push(sql`c.state = ${state}`);
  if (severity !== undefined) conditions.push(sql`c.severity = ${severity}`);
  // The same once more, as the index of that order has it.
  if (severity !== undefined && sort?.endsWith('worst'))
    conditions.push(sql`${severityRank} = ${sql.lit(alertSeverities.indexOf(severity) + 1)}`);
  if (is_active !== undefined) conditions.push(is_active ? sql`c.is_active` : sql`NOT c.is_active`);
  if (rule_id !== undefined) conditions.push(sql`c.rule_id = ${rule_id}`);
  if (scrape_job_id !== undefined) conditions.push(sql`c.scrape_job_id = ${scrape_job_id}`);
  if (gather_job_id !== undefined) conditions.push(comparesWith(organizationId, gather_job_id));
  if (label !== undefined) {
    const equals = label.indexOf('=');
    const wanted = JSON.stringify({ [label.slice(0, equals)]: label.slice(equals + 1) });
    conditions.push(sql`c.labels @> ${wanted}::jsonb`);
  }
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

export async function findAlertConfig(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<AlertConfigRow | undefined> {
  return selectConfigs(db, organizationId).where('c.id', '=', id).executeTakeFirst();
}

/** Before a rule is deleted: nobody evaluates these configurations until the transaction ends. */
export async function lockAlertConfigsOfRule(tx: Tx, organizationId: number, ruleId: number): Promise<void> {
  await sql`
    SELECT id FROM alert_configs WHERE organization_id = ${organizationId} AND rule_id = ${ruleId}
    ORDER BY id FOR UPDATE`.execute(tx);
}

/** For a change or an action on its alert: whoever does either has to come here first. */
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

/** The stored explanation; undefined when the configuration does not exist. */
export async function findExplanation(
  db: Database,
  organizationId: number,
  id: number,
): Promise<{ explanation: unknown; last_evaluated_at: Date | null } | undefined> {
  return db
    .selectFrom('alert_configs as c')
    .leftJoin('alert_config_explanations as e', (join) =>
      join.onRef('e.organization_id', '=', 'c.organization_id').onRef('e.alert_config_id', '=', 'c.id'),
    )
    .select(['e.explanation', 'c.last_evaluated_at'])
    .where('c.organization_id', '=', organizationId)
    .where('c.id', '=', id)
    .executeTakeFirst();
}

/** What a configuration links. */
export interface References {
  scrape_job_id: number;
  gather_job_id: number;
  rule_id: number;
}

/**
 * Which of these things the organization may use, and where its gather job stands: its own, or a global one; null when
 * there is none. They stay until the transaction ends.
 */
export async function lockReferences(
  tx: Tx,
  organizationId: number,
  ids: { [Name in keyof References]?: number | undefined },
): Promise<{ has_scrape_job: boolean; has_rule: boolean; gather_organization_id: number | null }> {
  const { rows } = await sql<{
    has_scrape_job: boolean;
    has_rule: boolean;
    gather_organization_id: number | null;
  }>`
    WITH scrape AS (
      SELECT id FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND id = ${ids.scrape_job_id ?? null}::bigint FOR KEY SHARE
    ), gather AS (
      SELECT organization_id FROM gather_jobs
      WHERE organization_id IN (${organizationId}, 1) AND id = ${ids.gather_job_id ?? null}::bigint FOR KEY SHARE
    ), rule AS (
      SELECT id FROM rules WHERE organization_id = ${organizationId} AND id = ${ids.rule_id ?? null}::bigint FOR KEY SHARE
    )
    SELECT EXISTS (SELECT FROM scrape) AS has_scrape_job, EXISTS (SELECT FROM rule) AS has_rule,
      (SELECT organization_id FROM gather) AS gather_organization_id`.execute(tx);
  return rows[0]!;
}

/** The comparison of a configuration. */
export type ComparedParts = Pick<AlertConfigValues, keyof References | 'candidate_pattern'>;

/**
 * The first configuration with the same comparison.
 *
 * @param ordinal If given, only a configuration with this ordinal. @param otherThan The ID of a configuration to ignore.
 */
export async function findSameParts(
  tx: Tx,
  organizationId: number,
  { scrape_job_id, gather_job_id, rule_id, candidate_pattern }: ComparedParts,
  { ordinal, otherThan }: { ordinal?: number | undefined; otherThan?: number } = {},
): Promise<{ id: number; name: string } | undefined> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM alert_configs
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrape_job_id} AND gather_job_id = ${gather_job_id}
      AND rule_id = ${rule_id} AND md5(coalesce(candidate_pattern, '')) = md5(${candidate_pattern ?? ''})
      AND ordinal = coalesce(${ordinal ?? null}::integer, ordinal) AND id <> ${otherThan ?? 0}
    ORDER BY ordinal LIMIT 1`.execute(tx);
  return rows[0];
}

/** Fails with SQL state 23505 if another configuration has the same comparison and ordinal. Updates do too. */
export async function insertAlertConfig(
  tx: Tx,
  organizationId: number,
  values: AlertConfigValues,
): Promise<number> {
  const row = await tx
    .insertInto('alert_configs')
    .values({
      organization_id: organizationId,
      ...values,
      labels: JSON.stringify(values.labels),
      counted_since: sql`array_fill(pacekeeper_now(), ARRAY[${values.counted_versions.length}::integer])`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateAlertConfig(
  tx: Tx,
  organizationId: number,
  id: number,
  { labels, ...values }: Partial<AlertConfigValues>,
): Promise<void> {
  await tx
    .updateTable('alert_configs')
    .set({
      ...values,
      ...(labels && { labels: JSON.stringify(labels) }),
      ...(values.counted_versions && { counted_since: countedSince(values.counted_versions) }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** One that was counted before is counted since then. */
function countedSince(versions: readonly string[]): RawBuilder<Date[]> {
  return sql`ARRAY(
    SELECT coalesce(
      (SELECT min(since) FROM unnest(counted_versions, counted_since) AS known (version, since)
       WHERE known.version = listed.version),
      pacekeeper_now())
    FROM unnest(${versions}::text[]) WITH ORDINALITY AS listed (version, place)
    ORDER BY place)`;
}

/** Their alerts must have been deleted. They leave the notification rules, and so does a rule that is deleted with them. */
export async function deleteAlertConfigs(
  tx: Tx,
  organizationId: number,
  of: { ruleId: number } | { ids: readonly number[] },
  wakeUps: WakeUps,
): Promise<LeftCriteria> {
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
  return removeFromCriteria(tx, organizationId, { ruleIds, alertConfigIds }, wakeUps);
}
