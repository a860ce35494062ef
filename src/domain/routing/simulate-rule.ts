import type { ChannelIndex } from './channel-index.ts';
import { matchRule, type RoutingRule, type RoutingSubject, type RuleMatch } from './match-rule.ts';
import {
  channelsOfRule,
  type FallbackReason,
  noChannelReason,
  type RoutingDefaults,
  routeEvent,
  type SkippedReason,
} from './route-event.ts';

/** Rules, defaults, channels, and silences that affect the routing of an event. */
export interface RoutingContext {
  rules: readonly RoutingRule[];
  defaults: RoutingDefaults;
  channels: ChannelIndex;
  /** Set if the alert is snoozed or silenced and this event isn't sent during that time. */
  silenced: 'snoozed' | 'silenced' | null;
}

export interface SimulatedChannel {
  channelId: number;
  wouldNotify: boolean;
  /** Reason why the channel wouldn't be notified, or `null` if it would be. */
  reason: 'not_matched' | 'stopped_by_earlier_rule' | 'snoozed' | 'silenced' | 'channel_inactive' | null;
  /** Reason why the channel is selected only as a fallback, or `null` if it's selected directly. */
  fallbackReason: FallbackReason | null;
}

export interface RuleSimulation extends RuleMatch {
  /** Reason why the rule notifies no channel, or `null` if it notifies at least one. */
  reason: Exclude<SimulatedChannel['reason'], null> | ReturnType<typeof noChannelReason> | null;
  /** ID of the earlier matching rule that ended the evaluation, or `null` if this rule is reached. */
  stoppedByRuleId: number | null;
  /** Channels that this rule selects. */
  channels: SimulatedChannel[];
  /** Result of all rules together. */
  event: {
    channels: (SimulatedChannel & { viaRuleIds: number[] })[];
    skippedReason: SkippedReason | 'snoozed' | 'silenced' | null;
  };
}

/**
 * Simulates how a rule handles an event in the context of all other rules. Uses the same functions as the
 * routing of real events, so the results are the same.
 *
 * @param rule The rule to simulate. It must be one of `rules`, unless it's inactive.
 */
export function simulateRule(
  rule: RoutingRule,
  subject: RoutingSubject,
  { rules, defaults, channels, silenced }: RoutingContext,
): RuleSimulation {
  const match = matchRule(rule, subject);
  const route = routeEvent(rules, subject, defaults, channels);
  const isReached = route.matchedRuleIds.includes(rule.id);
  const stoppedByRuleId = match.matched && !isReached ? route.stoppedByRuleId : null;

  const simulate = (
    channelId: number,
    ruleReason: SimulatedChannel['reason'],
    fallbackReason: FallbackReason | null,
  ): SimulatedChannel => {
    const reason = ruleReason ?? (channels.byId.get(channelId)?.isActive ? null : 'channel_inactive');
    return { channelId, wouldNotify: reason === null, reason, fallbackReason };
  };
  const reasonOfRule = !match.matched ? 'not_matched' : !isReached ? 'stopped_by_earlier_rule' : silenced;
  const { channelIds, fallbackReason } = channelsOfRule(rule, subject, defaults, channels);
  const ofRule = [...new Set(channelIds)].flatMap((id) =>
    id !== null && channels.byId.has(id) ? [simulate(id, reasonOfRule, fallbackReason)] : [],
  );
  return {
    ...match,
    reason: reasonOfRule ?? whyNone(rule, ofRule),
    stoppedByRuleId,
    channels: ofRule,
    event: {
      channels: route.targets.map((target) => ({
        ...simulate(target.channelId, silenced, target.fallbackReason),
        viaRuleIds: target.viaRuleIds,
      })),
      skippedReason: silenced ?? route.skippedReason,
    },
  };
}

function whyNone(rule: RoutingRule, channels: readonly SimulatedChannel[]): RuleSimulation['reason'] {
  if (channels.length === 0) return noChannelReason([rule]);
  return channels.some(({ wouldNotify }) => wouldNotify) ? null : 'channel_inactive';
}
