import { matchRule, type RoutingRule, type RoutingSubject, type RuleMatch } from './match-rule.ts';
import { type RoutingDefaults, routeEvent, type SkippedReason, usesDefaultChannel } from './route-event.ts';

/** What an event meets when it is routed. */
export interface RoutingWorld {
  rules: readonly RoutingRule[];
  defaults: RoutingDefaults;
  channels: ReadonlyMap<number, { readonly isActive: boolean }>;
  /** The alert is snoozed or silenced, and this event isn't sent while it is. */
  silenced: 'snoozed' | 'silenced' | null;
}

export interface SimulatedChannel {
  channelId: number;
  wouldNotify: boolean;
  /** Why not; `null` when it would. */
  reason: 'not_matched' | 'stopped_by_earlier_rule' | 'snoozed' | 'silenced' | 'channel_inactive' | null;
}

export interface RuleSimulation extends RuleMatch {
  /** Why the rule notifies no channel; `null` when it notifies at least one. */
  reason: Exclude<SimulatedChannel['reason'], null> | 'no_default_channel' | 'channels_deleted' | null;
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

  const simulate = (channelId: number, ruleReason: SimulatedChannel['reason']): SimulatedChannel => {
    const reason = ruleReason ?? (channels.get(channelId)?.isActive ? null : 'channel_inactive');
    return { channelId, wouldNotify: reason === null, reason };
  };
  const reasonOfRule = !match.matched ? 'not_matched' : !isReached ? 'stopped_by_earlier_rule' : silenced;
  const ofRule = [...new Set(rule.channelIds ?? [defaults.defaultChannelId])].flatMap((id) =>
    id !== null && channels.has(id) ? [simulate(id, reasonOfRule)] : [],
  );
  return {
    ...match,
    reason: reasonOfRule ?? whyNone(rule, ofRule),
    stoppedByRuleId,
    channels: ofRule,
    event: {
      channels: route.targets.map(({ channelId, viaRuleIds }) => ({
        ...simulate(channelId, silenced),
        viaRuleIds,
      })),
      skippedReason: silenced ?? route.skippedReason,
    },
  };
}

function whyNone(rule: RoutingRule, channels: readonly SimulatedChannel[]): RuleSimulation['reason'] {
  if (channels.length === 0) return usesDefaultChannel(rule) ? 'no_default_channel' : 'channels_deleted';
  return channels.some(({ wouldNotify }) => wouldNotify) ? null : 'channel_inactive';
}
