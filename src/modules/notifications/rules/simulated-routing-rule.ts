import type { RoutingRule } from '../../../domain/routing/match-rule.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction } from '../../../platform/database/index.ts';
import { checkLabelMatchers, checkReferences } from './notification-rule-edits.ts';
import type { NotificationRuleRow } from './notification-rule-queries.ts';

/** ID of a new rule. It sorts after all stored rules with the same priority. */
const idOfNewRule = Number.MAX_SAFE_INTEGER;

/**
 * Converts a simulated rule for routing without storing it. The simulated rule is a new one, or a stored one
 * with changed values.
 */
export async function toSimulatedRoutingRule(
  db: Database,
  organizationId: number,
  rule: Schemas['SimulatedNotificationRule'],
  stored: NotificationRuleRow | null,
): Promise<RoutingRule> {
  await checkLabelMatchers(rule);
  await transaction(db, (tx) => checkReferences(tx, organizationId, rule));
  return {
    id: stored?.id ?? idOfNewRule,
    priority: rule.priority ?? stored?.priority ?? 100,
    isActive: rule.is_active ?? stored?.is_active ?? true,
    severities: rule.severities ?? stored?.severities ?? [],
    eventTypes: rule.event_types ?? stored?.event_types ?? [],
    ruleIds: rule.rule_ids ?? stored?.rule_ids ?? [],
    alertConfigIds: rule.alert_config_ids ?? stored?.alert_config_ids ?? [],
    labelMatchers: rule.label_matchers ?? stored?.label_matchers ?? [],
    channelIds: rule.channel_ids === undefined ? (stored?.channel_ids ?? null) : rule.channel_ids,
    routesToOwner: rule.route_to_owner ?? stored?.route_to_owner ?? false,
    stopProcessing: rule.stop_processing ?? stored?.stop_processing ?? false,
  };
}
