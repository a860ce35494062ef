import { matchRule, type RoutingRule, type RoutingSubject } from './match-rule.ts';
import { eventTypes } from './notification-event.ts';

export interface RoutingDefaults {
  defaultChannelId: number | null;
  /** Whether an alert that no rule wants goes to the default channel. */
  fallbackToDefault: boolean;
}

export interface RouteTarget {
  channelId: number;
  /** An inactive channel keeps its delivery, which is canceled with `channel_inactive`. */
  isActive: boolean;
  /** The rules that chose the channel, in the order of the walk; empty for the fallback. */
  viaRuleIds: number[];
}

/**
 * Why an event notifies no channel.
 * - `no_channel`: no rule matched, and no default channel is set.
 * - `fallback_off`: no rule matched, and such alerts aren't sent to the default channel.
 * - `no_default_channel`: a rule that matched sends to the default channel, and none is set.
 * - `channels_deleted`: the rules that matched name only channels that were deleted.
 * - `all_channels_inactive`: there are targets, and all of them are inactive.
 */
export type SkippedReason =
  | 'no_channel'
  | 'fallback_off'
  | 'no_default_channel'
  | 'channels_deleted'
  | 'all_channels_inactive';

export interface Route {
  /** The rules that matched, in the order of the walk. */
  matchedRuleIds: number[];
  /** Each channel once, in the order in which it was first chosen. */
  targets: RouteTarget[];
  /** Why no channel is notified; `null` when one is. */
  skippedReason: SkippedReason | null;
  /** The matching rule whose `stopProcessing` ended the walk; `null` when every rule was asked. */
  stoppedByRuleId: number | null;
}

/**
 * The channels that an event goes to.
 * Rules are asked in ascending priority, then id; `rules` may come in any order, active or not. A rule that
 * matches adds its channels, or the default one; `stopProcessing` ends the walk. When none matches, the
 * default channel hears of an alert if the organization wants that, and always of an event about the service.
 *
 * @param channels The channels that exist. A rule may still name one that is gone: it is passed over.
 */
export function routeEvent(
  rules: readonly RoutingRule[],
  subject: RoutingSubject,
  defaults: RoutingDefaults,
  channels: ReadonlyMap<number, { readonly isActive: boolean }>,
): Route {
  const matched: RoutingRule[] = [];
  const targets = new Map<number, RouteTarget>();
  let stoppedByRuleId: number | null = null;

  const add = (channelId: number | null, ruleId: number | null) => {
    const channel = channelId === null ? undefined : channels.get(channelId);
    if (channelId === null || channel === undefined) return;
    const target = targets.get(channelId) ?? { channelId, isActive: channel.isActive, viaRuleIds: [] };
    if (ruleId !== null && !target.viaRuleIds.includes(ruleId)) target.viaRuleIds.push(ruleId);
    targets.set(channelId, target);
  };

  for (const rule of inWalkOrder(rules)) {
    if (!matchRule(rule, subject).matched) continue;
    matched.push(rule);
    for (const channelId of rule.channelIds ?? [defaults.defaultChannelId]) add(channelId, rule.id);
    if (rule.stopProcessing) {
      stoppedByRuleId = rule.id;
      break;
    }
  }

  const isServiceEvent = eventTypes[subject.eventType].routing === 'service';
  const fallsBack = matched.length === 0 && (defaults.fallbackToDefault || isServiceEvent);
  if (fallsBack) add(defaults.defaultChannelId, null);

  const whySkipped = (): SkippedReason | null => {
    if (targets.size > 0)
      return [...targets.values()].some(({ isActive }) => isActive) ? null : 'all_channels_inactive';
    if (matched.length === 0) return fallsBack ? 'no_channel' : 'fallback_off';
    return matched.some(usesDefaultChannel) ? 'no_default_channel' : 'channels_deleted';
  };
  return {
    matchedRuleIds: matched.map(({ id }) => id),
    targets: [...targets.values()],
    skippedReason: whySkipped(),
    stoppedByRuleId,
  };
}

/** Whether a rule sends to the default channel. */
export function usesDefaultChannel({ channelIds }: RoutingRule): boolean {
  return channelIds === null;
}

/** Sorting thousands of rules for every event of a batch would be waste: a sorted list is taken as it is. */
function inWalkOrder(rules: readonly RoutingRule[]): readonly RoutingRule[] {
  const isSorted = rules.every((rule, index) => {
    const previous = rules[index - 1];
    return previous === undefined || compareRules(previous, rule) <= 0;
  });
  return isSorted ? rules : rules.toSorted(compareRules);
}

function compareRules(a: RoutingRule, b: RoutingRule): number {
  return a.priority - b.priority || a.id - b.id;
}
