import { type ChannelIndex, channelsOfOwners } from './channel-index.ts';
import { labelValue, matchRule, type RoutingRule, type RoutingSubject } from './match-rule.ts';
import { eventTypes } from './notification-event.ts';

export interface RoutingDefaults {
  defaultChannelId: number | null;
  /** Whether an alert that no rule wants goes to the default channel. */
  fallbackToDefault: boolean;
  /** The label whose value names the owner of an alert. */
  ownerLabel: string;
}

/** Why a channel is selected only as a fallback: no active channel lists the alert's owner. */
export type FallbackReason = 'no_owner_channel';

export interface RouteTarget {
  channelId: number;
  /** An inactive channel keeps its delivery, which is canceled with `channel_inactive`. */
  isActive: boolean;
  /** The rules that chose the channel, in the order of the walk; empty for the fallback. */
  viaRuleIds: number[];
  /** `null` if a rule also selects the channel in another way. */
  fallbackReason: FallbackReason | null;
}

/**
 * Why an event notifies no channel.
 * - `no_channel`: no rule matched, and no default channel is set.
 * - `fallback_off`: no rule matched, and such alerts aren't sent to the default channel.
 * - `no_default_channel`: a rule that matched sends to the default channel, and none is set.
 * - `no_owner_channel`: a rule that matched routes to the owner, no active channel lists the owner, and the rule's own
 *   channels don't exist.
 * - `channels_deleted`: the rules that matched name only channels that were deleted.
 * - `all_channels_inactive`: there are targets, and all of them are inactive.
 */
export type SkippedReason =
  | 'no_channel'
  | 'fallback_off'
  | 'no_default_channel'
  | 'no_owner_channel'
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
 * matches adds its channels, the default one, or those of the alert's owner; `stopProcessing` ends the walk. When none
 * matches, the default channel receives alerts if the organization has enabled that, and always events about the service.
 *
 * @param channels The channels that exist. A rule may still name one that is gone: it is passed over.
 */
export function routeEvent(
  rules: readonly RoutingRule[],
  subject: RoutingSubject,
  defaults: RoutingDefaults,
  channels: ChannelIndex,
): Route {
  const matched: RoutingRule[] = [];
  const targets = new Map<number, RouteTarget>();
  let stoppedByRuleId: number | null = null;

  const add = (channelId: number | null, ruleId: number | null, fallbackReason: FallbackReason | null) => {
    const channel = channelId === null ? undefined : channels.byId.get(channelId);
    if (channelId === null || channel === undefined) return;
    const { isActive } = channel;
    const target = targets.get(channelId) ?? { channelId, isActive, viaRuleIds: [], fallbackReason };
    if (ruleId !== null && !target.viaRuleIds.includes(ruleId)) target.viaRuleIds.push(ruleId);
    target.fallbackReason &&= fallbackReason;
    targets.set(channelId, target);
  };

  for (const rule of inWalkOrder(rules)) {
    if (!matchRule(rule, subject).matched) continue;
    matched.push(rule);
    const { channelIds, fallbackReason } = channelsOfRule(rule, subject, defaults, channels);
    for (const channelId of channelIds) add(channelId, rule.id, fallbackReason);
    if (rule.stopProcessing) {
      stoppedByRuleId = rule.id;
      break;
    }
  }

  const isServiceEvent = eventTypes[subject.eventType].routing === 'service';
  const fallsBack = matched.length === 0 && (defaults.fallbackToDefault || isServiceEvent);
  if (fallsBack) add(defaults.defaultChannelId, null, null);

  const whySkipped = (): SkippedReason | null => {
    if (targets.size > 0)
      return [...targets.values()].some(({ isActive }) => isActive) ? null : 'all_channels_inactive';
    if (matched.length === 0) return fallsBack ? 'no_channel' : 'fallback_off';
    return whyNoChannels(matched);
  };
  return {
    matchedRuleIds: matched.map(({ id }) => id),
    targets: [...targets.values()],
    skippedReason: whySkipped(),
    stoppedByRuleId,
  };
}

/** The channels that a matching rule selects. Some may not exist. */
export function channelsOfRule(
  rule: RoutingRule,
  subject: RoutingSubject,
  defaults: RoutingDefaults,
  channels: ChannelIndex,
): { channelIds: readonly (number | null)[]; fallbackReason: FallbackReason | null } {
  const own = rule.channelIds ?? [defaults.defaultChannelId];
  if (!rule.routesToOwner) return { channelIds: own, fallbackReason: null };
  const ofOwners = channelsOfOwners(channels, labelValue(subject.labels, defaults.ownerLabel));
  return ofOwners.length > 0
    ? { channelIds: ofOwners, fallbackReason: null }
    : { channelIds: own, fallbackReason: 'no_owner_channel' };
}

/** Why matching rules select no existing channel. */
export function whyNoChannels(
  rules: readonly RoutingRule[],
): Extract<SkippedReason, 'no_owner_channel' | 'no_default_channel' | 'channels_deleted'> {
  if (rules.some(({ routesToOwner }) => routesToOwner)) return 'no_owner_channel';
  return rules.some(({ channelIds }) => channelIds === null) ? 'no_default_channel' : 'channels_deleted';
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
