import type { Mismatch } from '../../../domain/routing/match-rule.ts';
import { simulateRule } from '../../../domain/routing/simulate-rule.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { readSettings } from '../../settings/index.ts';
import {
  findAlertConfigTraits,
  listChannelsById,
  type NotificationRuleRow,
} from './notification-rule-queries.ts';

/** What a rule would do with an alert, asked of the matcher that real events go through. Writes nothing. */
export async function simulateStoredRule(
  db: Database,
  organizationId: number,
  row: NotificationRuleRow,
  { severity, event_type, alert_config_id, labels }: Schemas['SimulateNotificationRuleRequest'],
): Promise<Schemas['NotificationRuleSimulationResult']> {
  const config =
    alert_config_id === undefined ? null : await findAlertConfigTraits(db, organizationId, alert_config_id);
  if (config === undefined)
    throw invalidField('alert_config_id', `there is no alert configuration ${alert_config_id}`);
  const defaultChannelId =
    row.channel_ids === null
      ? (await readSettings(db, organizationId)).default_notification_channel_id
      : null;
  const channelIds = row.channel_ids ?? [defaultChannelId].filter((id) => id !== null);
  const channels = await listChannelsById(db, organizationId, channelIds);

  const simulation = simulateRule(
    {
      id: row.id,
      priority: row.priority,
      isActive: row.is_active,
      severities: row.severities,
      eventTypes: row.event_types,
      ruleIds: row.rule_ids,
      alertConfigIds: row.alert_config_ids,
      labelMatchers: row.label_matchers,
      channelIds: row.channel_ids,
      stopProcessing: row.stop_processing,
    },
    {
      eventType: event_type,
      severity,
      ruleId: config?.rule_id ?? null,
      alertConfigId: alert_config_id ?? null,
      labels: labels ?? config?.labels ?? {},
    },
    defaultChannelId,
    new Map(channels.map(({ id, is_active }) => [id, { isActive: is_active }])),
  );
  const nameById = new Map(channels.map(({ id, name }) => [id, name]));
  return {
    matched: simulation.matched,
    mismatches: simulation.mismatches.map(toMismatch),
    channels: simulation.channels.map(({ channelId, wouldNotify, reason }) => ({
      id: channelId,
      name: nameById.get(channelId) ?? '',
      would_notify: wouldNotify,
      reason: reason === 'rule_does_not_match' ? 'not_matched' : reason,
    })),
  };
}

function toMismatch({ criterion, expected, actual }: Mismatch): Schemas['NotificationRuleMismatch'] {
  return {
    criterion: isLabelMatcher(criterion) ? 'label_matchers' : criterion,
    expected: (Array.isArray(expected) ? expected : [expected]).map(String).join(', '),
    actual: actual === null ? 'none' : String(actual),
  };
}

function isLabelMatcher(criterion: Mismatch['criterion']): criterion is `label_matchers.${number}` {
  return criterion.startsWith('label_matchers.');
}
