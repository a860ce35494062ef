import type { ChannelIndex } from './channel-index.ts';
import { matchRule, type RoutingRule, type RoutingSubject, type RuleMatch } from './match-rule.ts';
import {
  channelsOfRule,
  type FallbackReason,
  type RoutingDefaults,
  routeEvent,
  type SkippedReason,
  whyNoChannels,
} from './route-event.ts';

/** What an event meets when it is routed. */
export interface RoutingWorld {
  rules: readonly RoutingRule[];
  defaults: RoutingDefaults;
  channels: ChannelIndex;
  /** The alert is snoozed or silenced, and this event isn't sent while it is. */
  silenced: 'snoozed' | 'silenced' | null;
}

export interface SimulatedChannel {
  channelId: number;
  wouldNotify: boolean;
  /** Why not; `null` when it would. */
  reason: 'not_matched' | 'stopped_by_earlier_rule' | 'snoozed' | 'silenced' | 'channel_inactive' | null;
  /** Why it is selected only as a fallback. */
  fallbackReason: FallbackReason | null;
}

export interface RuleSimulation extends RuleMatch {
  /** Why the rule notifies no channel; `null` when it notifies at least one. */
  reason: Exclude<SimulatedChannel['reason'], null> | ReturnType<typeof whyNoChannels> | null;
  /** The rule that matched earlier and ended the evaluation; `null` when this one is reached. */
  stoppedByRuleId: number | null;
  /** The channels of the rule. */
  channels: SimulatedChannel[];
  /** The outcome of all rules together. */
  event: {
    channels: (SimulatedChannel & { viaRuleIds: number[] })[];
    skippedReason: SkippedReason | 'snoozed' | 'silenced' | null;
  };
}

/**
 * What a rule does with an event among all the other rules. Uses the functions that route real events, so a
 * simulation can't differ from them.
 *
 * @param rule One of `rules`, unless it is inactive.
 */
export function simulateRule(
  rule: RoutingRule,
  subject: RoutingSubject,
  { rules, defaults, channels, silenced }: RoutingWorld,
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
  if (channels.length === 0) return whyNoChannels([rule]);
  return channels.some(({ wouldNotify }) => wouldNotify) ? null : 'channel_inactive';
}
