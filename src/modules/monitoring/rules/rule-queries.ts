import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DaysBasis } from '../../../domain/rules/rule-type.ts';
import type { RuleTypeId } from '../../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import type { SupportPhase } from '../../../domain/support/support-phases.ts';
import type { DB } from '../../../generated/database.ts';
import {
  containsWords,
  type Database,
  defineTable,
  maxChoices,
  type Page,
  type PageRequest,
  precompileQuery,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import type { Insertion } from '../../audit/index.ts';
import { rowCount } from '../../counts/index.ts';

export interface RuleRow {
  id: number;
  name: string;
  description: string;
  rule_type: RuleTypeId;
  threshold_moderate: number | null;
  threshold_high: number | null;
  threshold_critical: number | null;
  stable_only: boolean;
  days_basis: DaysBasis | null;
  min_release_age_days: number;
  /** Set only for rules about support. */
  support_phase: SupportPhase | null;
  /** Set only for rules about the age of vulnerabilities. */
  known_exploited_days: number | null;
  /** Set only for rules about the age of vulnerabilities. */
  min_epss: number | null;
  is_active: boolean;
  alert_config_count: number;
  open_alert_count: number;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

export type Thresholds = Partial<Record<AlertSeverity, number>>;

/** Writable values of a rule. */
export type RuleValues = Omit<
  RuleRow,
  'id' | 'alert_config_count' | 'open_alert_count' | 'created_at' | 'updated_at' | 'revision'
>;

const columns = [
  'rules.id',
  'rules.name',
  'rules.description',
  sql<RuleRow['rule_type']>`rules.rule_type`.as('rule_type'),
  'rules.threshold_moderate',
  'rules.threshold_high',
  'rules.threshold_critical',
  'rules.stable_only',
  sql<RuleRow['days_basis']>`rules.days_basis`.as('days_basis'),
  'rules.min_release_age_days',
  sql<RuleRow['support_phase']>`rules.support_phase`.as('support_phase'),
  'rules.known_exploited_days',
  'rules.min_epss',
  'rules.is_active',
  'rules.created_at',
  'rules.updated_at',
  'rules.revision',
  // Triggers maintain this count, because any number of configurations can use a rule.
  rowCount(sql`rules.organization_id`, 'rule_uses', sql`rules.id::text`).as('alert_config_count'),
  sql<number>`(SELECT count(*) FROM alerts
    WHERE alerts.organization_id = rules.organization_id AND alerts.rule_id = rules.id AND alerts.resolved_at IS NULL)`.as(
    'open_alert_count',
  ),
] as const;

function selectRules(db: Database | Tx, among: RawBuilder<Selectable<DB['rules']>> = sql`rules`) {
  return db.selectFrom(among.as('rules')).select(columns);
}

const rules = defineTable('rules', (db) => selectRules(db));
export const { find: findRule, update: updateRule } = rules;

const sorts = { created_at: 'rules.created_at', updated_at: 'rules.updated_at', name: 'lower(rules.name)' };

export interface RuleFilters {
  q?: string | undefined;
  rule_type?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

export async function listRules(
  db: Database,
  organizationId: number,
  filters: RuleFilters,
  page: PageRequest,
): Promise<Page<RuleRow>> {
  const { q, rule_type, is_active, sort = '-created_at' } = filters;
  const query = selectRules(db)
    .where('rules.organization_id', '=', organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['rules.name'], q!)))
    .$if(rule_type !== undefined, (query) => query.where('rules.rule_type', '=', rule_type!))
    .$if(is_active !== undefined, (query) => query.where('rules.is_active', '=', is_active!));
  return readPage(db, query, page, sortOrder(sort, sorts, 'rules.id'));
}

export async function listRuleChoices(
  db: Database,
  organizationId: number,
): Promise<Pick<RuleRow, 'id' | 'name' | 'rule_type' | 'is_active'>[]> {
  return db
    .selectFrom('rules')
    .select(['id', 'name', sql<RuleRow['rule_type']>`rule_type`.as('rule_type'), 'is_active'])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(sql.lit(maxChoices))
    .execute();
}

/**
 * Locks a rule against other changes until this transaction ends. Unless `toDelete` is set, other
 * transactions can still insert alerts of the rule. They already hold the locks of their configurations.
 * Changing the rule requires the same configuration locks next, so a stricter lock would cause deadlocks with
 * those transactions.
 */
export async function lockRule(
  tx: Tx,
  organizationId: number,
  id: number,
  { toDelete = false } = {},
): Promise<RuleRow | undefined> {
  const rule = selectRules(tx).where('rules.organization_id', '=', organizationId).where('rules.id', '=', id);
  return (toDelete ? rule.forUpdate() : rule.forNoKeyUpdate()).executeTakeFirst();
}

const readCreated = precompileQuery((db) => selectRules(db, sql`created`).orderBy('rules.id'));

export function ruleInsertion(
  tx: Tx,
  organizationId: number,
  rules: readonly RuleValues[],
): Insertion<RuleRow> {
  return {
    insert: tx
      .insertInto('rules')
      .values(rules.map((values) => ({ organization_id: organizationId, ...values })))
      .returningAll(),
    read: readCreated(),
  };
}

export async function deleteRule(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE discovery_jobs SET default_rule_id = NULL
    WHERE organization_id = ${organizationId} AND default_rule_id = ${id}`.execute(tx);
  await rules.delete(tx, organizationId, id);
}
