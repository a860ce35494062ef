import { matchRule, type RoutingRule, type RoutingSubject, type RuleMatch } from './match-rule.ts';
import { routeEvent } from './route-event.ts';

export interface SimulatedChannel {
  channelId: number;
  wouldNotify: boolean;
  /** Why not; `null` when it would. */
  reason: 'rule_does_not_match' | 'channel_inactive' | null;
}

/** What one rule alone would do with an event, asked of the very functions that route real ones. */
export function simulateRule(
  rule: RoutingRule,
  subject: RoutingSubject,
  defaultChannelId: number | null,
  channels: ReadonlyMap<number, { readonly isActive: boolean }>,
): RuleMatch & { channels: SimulatedChannel[] } {
  const match = matchRule(rule, subject);
  const defaults = { defaultChannelId, fallbackToDefault: false };
  // A rule without criteria matches everything, so its route names the channels of a rule that does not match.
  const matchingRule = {
    ...rule,
    isActive: true,
    severities: [],
    eventTypes: [],
    ruleIds: [],
    alertConfigIds: [],
    labelMatchers: [],
  };
  const route = routeEvent([matchingRule], { ...subject, eventType: 'alert.created' }, defaults, channels);
  return {
    ...match,
    channels: route.targets.map(({ channelId, isActive }) => {
      if (!match.matched) return { channelId, wouldNotify: false, reason: 'rule_does_not_match' };
      return { channelId, wouldNotify: isActive, reason: isActive ? null : 'channel_inactive' };
    }),
  };
}
