import { sql } from 'kysely';
import type { LabelMatcher } from '../../../domain/routing/match-rule.ts';
import type { AlertEventType } from '../../../domain/routing/notification-event.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { statusCounts } from '../channels/channel-stats.ts';

type InactiveReason = NonNullable<Schemas['NotificationRule']['inactive_reason']>;

export interface NotificationRuleRow {
  id: number;
  name: string;
  description: string;
  priority: number;
  severities: AlertSeverity[];
  event_types: AlertEventType[];
  label_matchers: LabelMatcher[];
  rule_ids: number[];
  alert_config_ids: number[];
  /** Null for the default channel. Empty if all channels of the rule were deleted. */
  channel_ids: number[] | null;
  route_to_owner: boolean;
  stop_processing: boolean;
  is_active: boolean;
  inactive_reason: InactiveReason | null;
  match_count: number;
  last_matched_at: Date | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** Columns that edits of a rule write. */
export type NotificationRuleValues = Omit<
  NotificationRuleRow,
  'id' | 'match_count' | 'last_matched_at' | 'created_at' | 'updated_at' | 'revision'
>;

const matchesOfRule = sql`
  FROM notification_rule_matches
  WHERE notification_rule_matches.organization_id = notification_rules.organization_id
    AND notification_rule_matches.notification_rule_id = notification_rules.id`;

const columns = [
  'notification_rules.id',
  'notification_rules.name',
  'notification_rules.description',
  'notification_rules.priority',
  sql<AlertSeverity[]>`notification_rules.severities`.as('severities'),
  sql<AlertEventType[]>`notification_rules.event_types`.as('event_types'),
  sql<LabelMatcher[]>`notification_rules.label_matchers`.as('label_matchers'),
  'notification_rules.rule_ids',
  'notification_rules.alert_config_ids',
  'notification_rules.channel_ids',
  'notification_rules.route_to_owner',
  'notification_rules.stop_processing',
  'notification_rules.is_active',
  sql<InactiveReason | null>`notification_rules.inactive_reason`.as('inactive_reason'),
  'notification_rules.created_at',
  'notification_rules.updated_at',
  'notification_rules.revision',
  sql<number>`(SELECT count(*) ${matchesOfRule}) + notification_rules.archived_match_count`.as('match_count'),
  sql<Date | null>`greatest(
    (SELECT max(matched_at) ${matchesOfRule}), notification_rules.last_archived_match_at)`.as(
    'last_matched_at',
  ),
] as const;

function selectRules(db: Database | Tx) {
  return db.selectFrom('notification_rules').select(columns);
}

/** Deleting a rule also deletes its matches, and keeps the deliveries that the rule created. */
export const {
  find: findNotificationRule,
  listById: listNotificationRulesById,
  lock: lockNotificationRule,
  update: updateNotificationRule,
  delete: deleteNotificationRule,
} = defineTable('notification_rules', selectRules, {
  toColumns: ({ label_matchers, ...values }: Partial<NotificationRuleValues>) => ({
    ...values,
    ...(label_matchers !== undefined && { label_matchers: JSON.stringify(label_matchers) }),
  }),
});

const sorts = {
  created_at: 'notification_rules.created_at',
  priority: 'notification_rules.priority',
  name: 'lower(notification_rules.name)',
};

export interface NotificationRuleFilters {
  q?: string | undefined;
  is_active?: boolean | undefined;
  channel_id?: number | undefined;
  sort?: string | undefined;
}

export async function listNotificationRules(
  db: Database,
  organizationId: number,
  filters: NotificationRuleFilters,
  page: PageRequest,
): Promise<Page<NotificationRuleRow>> {
  const { q, is_active, channel_id, sort = '-created_at' } = filters;
  const query = selectRules(db)
    .where('notification_rules.organization_id', '=', organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['notification_rules.name'], q!)))
    .$if(is_active !== undefined, (query) => query.where('notification_rules.is_active', '=', is_active!))
    .$if(channel_id !== undefined, (query) =>
      query.where(sql<boolean>`${channel_id!}::bigint = ANY(notification_rules.channel_ids)`),
    );
  return readPage(db, query, page, sortOrder(sort, sorts, 'notification_rules.id'));
}

/** @returns The IDs, in the order of `rules`. */
export async function insertNotificationRules(
  tx: Tx,
  organizationId: number,
  rules: readonly NotificationRuleValues[],
): Promise<number[]> {
  const rows = await tx
    .insertInto('notification_rules')
    .values(
      rules.map(({ label_matchers, ...values }) => ({
        organization_id: organizationId,
        label_matchers: JSON.stringify(label_matchers),
        ...values,
      })),
    )
    .returning('id')
    .execute();
  // A single statement assigns IDs in the order of its values.
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

export interface RuleReferences {
  rule_ids?: readonly number[] | undefined;
  alert_config_ids?: readonly number[] | undefined;
  channel_ids?: readonly number[] | null | undefined;
}

/**
 * Returns the referenced IDs that don't exist in the organization. The existing ones are locked against
 * deletion until the transaction ends. To avoid deadlocks, call this before locking the notification rule:
 * deletes lock alert configurations, then monitoring rules, then notification rules.
 */
export async function findMissingReferences(
  tx: Tx,
  organizationId: number,
  { rule_ids, alert_config_ids, channel_ids }: RuleReferences,
): Promise<{ field: keyof RuleReferences; id: number }[]> {
  const { rows } = await sql<{ field: keyof RuleReferences; id: number }>`
    WITH own_channels AS (
      SELECT id FROM notification_channels
      WHERE organization_id = ${organizationId} AND id = ANY(${channel_ids ?? []}::bigint[])
      ORDER BY id FOR KEY SHARE
    ), own_configs AS (
      SELECT id FROM alert_configs
      WHERE organization_id = ${organizationId} AND id = ANY(${alert_config_ids ?? []}::bigint[])
      ORDER BY id FOR KEY SHARE
    ), own_rules AS (
      SELECT id FROM rules
      WHERE organization_id = ${organizationId} AND id = ANY(${rule_ids ?? []}::bigint[])
      -- Locks monitoring rules after the configurations.
        AND (SELECT count(*) FROM own_configs) >= 0
      ORDER BY id FOR KEY SHARE
    )
    SELECT 'rule_ids' AS field, id FROM unnest(${rule_ids ?? []}::bigint[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM own_rules WHERE own_rules.id = given.id)
    UNION ALL
    SELECT 'alert_config_ids', id FROM unnest(${alert_config_ids ?? []}::bigint[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM own_configs WHERE own_configs.id = given.id)
    UNION ALL
    SELECT 'channel_ids', id FROM unnest(${channel_ids ?? []}::bigint[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM own_channels WHERE own_channels.id = given.id)`.execute(tx);
  return rows;
}

export interface RuleMatchStats {
  matches_24h: number;
  matches_7d: number;
}

export async function readMatchStats(
  db: Database,
  organizationId: number,
  id: number,
): Promise<RuleMatchStats> {
  const { rows } = await sql<RuleMatchStats>`
    SELECT count(*) FILTER (WHERE matched_at > pacekeeper_now() - interval '24 hours') AS matches_24h,
      count(*) AS matches_7d
    FROM notification_rule_matches
    WHERE organization_id = ${organizationId} AND notification_rule_id = ${id}
      AND matched_at > pacekeeper_now() - interval '7 days'`.execute(db);
  return rows[0]!;
}

/** Counts the deliveries, to all channels, of events that the rule matched in the last seven days. */
export async function countDeliveriesOfRule(
  db: Database,
  organizationId: number,
  id: number,
): Promise<Schemas['DeliveryStatusCounts']> {
  const { rows } = await sql<Schemas['DeliveryStatusCounts']>`
    SELECT ${statusCounts} FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND event_id IN (
      SELECT event_id FROM notification_rule_matches
      WHERE organization_id = ${organizationId} AND notification_rule_id = ${id}
        AND matched_at > pacekeeper_now() - interval '7 days')`.execute(db);
  return rows[0]!;
}

export interface AlertConfigTraits {
  rule_id: number;
  labels: Record<string, string>;
  /** End of the snooze of the open alert. */
  snoozed_until: Date | null;
  is_snoozed_until_version_changes: boolean;
  /** True if the open alert will first be reported when its silences end. */
  is_opening_deferred: boolean;
  now: Date;
}

/** Returns the attributes of a configuration and its open alert that a simulation needs. */
export async function findAlertConfigTraits(
  db: Database,
  organizationId: number,
  id: number,
): Promise<AlertConfigTraits | undefined> {
  return db
    .selectFrom('alert_configs as c')
    .leftJoin('alerts as a', (join) =>
      join
        .onRef('a.organization_id', '=', 'c.organization_id')
        .onRef('a.alert_config_id', '=', 'c.id')
        .on('a.resolved_at', 'is', null),
    )
    .select([
      'c.rule_id',
      sql<Record<string, string>>`c.effective_labels`.as('labels'),
      'a.snoozed_until',
      sql<boolean>`coalesce(a.is_snoozed_until_version_changes, false)`.as(
        'is_snoozed_until_version_changes',
      ),
      sql<boolean>`EXISTS (
        SELECT FROM silenced_alerts s
        WHERE s.organization_id = a.organization_id AND s.alert_id = a.id AND s.reported_severity IS NULL)`.as(
        'is_opening_deferred',
      ),
      sql<Date>`pacekeeper_now()`.as('now'),
    ])
    .where('c.organization_id', '=', organizationId)
    .where('c.id', '=', id)
    .executeTakeFirst();
}

export interface ChannelTraits {
  id: number;
  name: string;
}

export async function listChannelTraits(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<ChannelTraits[]> {
  return db
    .selectFrom('notification_channels')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = ANY(${ids}::bigint[])`)
    .execute();
}

export async function findNotificationRuleName(
  db: Database,
  organizationId: number,
  id: number,
): Promise<{ id: number; name: string } | undefined> {
  return db
    .selectFrom('notification_rules')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Serializes requests that can exceed a limit. Must be called before a rule is locked. */
export async function lockNotificationLimits(tx: Tx, organizationId: number): Promise<void> {
  await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
}

/** Counts the different patterns in the label conditions of enabled rules. */
export async function countPatterns(tx: Tx, organizationId: number): Promise<number> {
  const { rows } = await sql<{ patterns: number }>`
    SELECT count(DISTINCT matcher ->> 'value') AS patterns
    FROM notification_rules, jsonb_array_elements(label_matchers) AS matcher
    WHERE organization_id = ${organizationId} AND is_active AND matcher ->> 'operator' IN ('=~', '!~')`.execute(
    tx,
  );
  return rows[0]!.patterns;
}
