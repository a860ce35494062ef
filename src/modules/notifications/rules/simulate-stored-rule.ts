import { isSnoozed } from '../../../domain/alerts/open-alert.ts';
import { nextDigestAt } from '../../../domain/channels/sending-times.ts';
import type { Mismatch, RoutingRule } from '../../../domain/routing/match-rule.ts';
import { isSentWhileSnoozed } from '../../../domain/routing/notification-event.ts';
import { silencedOutcome } from '../../../domain/routing/silence.ts';
import { type SimulatedChannel, simulateRule } from '../../../domain/routing/simulate-rule.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { nextOpening } from '../../../domain/scheduling/sending-hours.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { readActiveSilences } from '../deliveries/model/active-silences.ts';
import { deliverySettings } from '../deliveries/model/delivery-settings.ts';
import { type RoutingTable, readRoutingTable } from '../deliveries/plan/routing-queries.ts';
import {
  type AlertConfigTraits,
  type ChannelTraits,
  findAlertConfigTraits,
  findNotificationRuleName,
  listChannelTraits,
  type NotificationRuleRow,
} from './notification-rule-queries.ts';

/** Simulates a rule for an alert, with the same routing as a real event. Writes nothing. */
export async function simulateStoredRule(
  db: Database,
  organizationId: number,
  row: NotificationRuleRow,
  { severity, event_type, alert_config_id, labels }: Schemas['SimulateNotificationRuleRequest'],
): Promise<Schemas['NotificationRuleSimulationResult']> {
  const config =
    alert_config_id === undefined ? null : await findAlertConfigTraits(db, organizationId, alert_config_id);
  if (config === undefined)
    throw invalidField('alert_config_id', `alert configuration ${alert_config_id} not found`);
  const routing = await readRoutingTable(db, organizationId);
  const { rules, channels } = routing;
  const defaults = await deliverySettings(db, organizationId);
  const subject = {
    eventType: event_type,
    severity,
    ruleId: config?.rule_id ?? null,
    alertConfigId: alert_config_id ?? null,
    labels: labels ?? config?.labels ?? {},
  };
  const { findSilence } = await readActiveSilences(db, organizationId);
  const isSnoozed = config !== null && hasSnoozedAlert(config) && !isSentWhileSnoozed(event_type);
  const isSilenced = findSilence(subject) !== null;
  const isOpeningDeferred = config?.is_opening_deferred ?? false;
  const isSent = silencedOutcome(event_type, { isSilenced, isOpeningDeferred }) === 'send';

  const simulation = simulateRule(rules.find(({ id }) => id === row.id) ?? inactiveRule(row), subject, {
    rules,
    defaults,
    channels,
    silenced: isSnoozed ? 'snoozed' : isSent ? null : 'silenced',
  });

  const named = [...simulation.channels, ...simulation.event.channels].map(({ channelId }) => channelId);
  const traits = await listChannelTraits(db, organizationId, [...new Set(named)]);
  const toChannel = describeChannels(traits, severity, routing);
  const { stoppedByRuleId } = simulation;
  const stoppedBy =
    stoppedByRuleId === null ? null : await findNotificationRuleName(db, organizationId, stoppedByRuleId);
  return {
    matched: simulation.matched,
    mismatches: simulation.mismatches.map(toMismatch),
    channels: simulation.channels.flatMap(toChannel),
    reason: simulation.reason,
    stopped_by: stoppedBy ?? null,
    event: {
      channels: simulation.event.channels.flatMap((channel) =>
        toChannel(channel).map((described) => ({
          ...described,
          notification_rule_ids: channel.viaRuleIds,
        })),
      ),
      skipped_reason: simulation.event.skippedReason,
    },
  };
}

/** Converts a disabled rule for routing. The routing table contains only enabled rules. */
function inactiveRule(row: NotificationRuleRow): RoutingRule {
  return {
    id: row.id,
    priority: row.priority,
    isActive: false,
    severities: row.severities,
    eventTypes: row.event_types,
    ruleIds: row.rule_ids,
    alertConfigIds: row.alert_config_ids,
    labelMatchers: row.label_matchers,
    channelIds: row.channel_ids,
    routesToOwner: row.route_to_owner,
    stopProcessing: row.stop_processing,
  };
}

function hasSnoozedAlert(config: AlertConfigTraits): boolean {
  return isSnoozed(
    {
      snoozedUntilMs: config.snoozed_until?.getTime() ?? null,
      isSnoozedUntilVersionChanges: config.is_snoozed_until_version_changes,
    },
    config.now.getTime(),
  );
}

/**
 * Returns a function that describes the channels of a simulation. It omits channels that were deleted after
 * the routing table was read.
 */
function describeChannels(
  traits: readonly ChannelTraits[],
  severity: AlertSeverity,
  { channels, now }: Pick<RoutingTable, 'channels' | 'now'>,
) {
  const names = new Map(traits.map(({ id, name }) => [id, name]));
  return ({
    channelId,
    wouldNotify,
    reason,
    fallbackReason,
  }: SimulatedChannel): Schemas['SimulatedChannel'][] => {
    const name = names.get(channelId);
    const times = channels.byId.get(channelId);
    if (name === undefined || times === undefined) return [];
    const digestAt = nextDigestAt(times, now);
    const { sendingHours, timezone, alwaysFor } = times;
    const opensAt = alwaysFor.includes(severity)
      ? null
      : nextOpening(sendingHours, timezone, digestAt ?? now);
    return [
      {
        id: channelId,
        name,
        would_notify: wouldNotify,
        reason,
        fallback_reason: fallbackReason,
        waits_for_digest: wouldNotify && digestAt !== null,
        waits_until: wouldNotify ? (opensAt?.toISOString() ?? null) : null,
      },
    ];
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
