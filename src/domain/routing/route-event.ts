import { type ChannelIndex, channelsOfOwners } from './channel-index.ts';
import { labelValue, matchRule, type RoutingRule, type RoutingSubject } from './match-rule.ts';
import { eventTypes } from './notification-event.ts';

export interface RoutingDefaults {
  defaultChannelId: number | null;
  /** True if alerts that match no rule are sent to the default channel. */
  fallbackToDefault: boolean;
  /** Name of the label that contains the owner of an alert. */
  ownerLabel: string;
}

/** Reason why a channel is selected only as a fallback: no active channel lists the alert's owner. */
export type FallbackReason = 'no_owner_channel';

export interface RouteTarget {
  channelId: number;
  /**
   * False if the channel is inactive. Its delivery is still created, and then canceled with
   * `channel_inactive`.
   */
  isActive: boolean;
  /**
   * IDs of the rules that selected the channel, in evaluation order. Empty if the channel is the fallback for
   * unmatched events.
   */
  viaRuleIds: number[];
  /** Reason for the fallback, or `null` if a rule also selects the channel directly. */
  fallbackReason: FallbackReason | null;
}

/**
 * Reason why an event notifies no channel.
 * - `no_channel`: no rule matched, and no default channel is set.
 * - `fallback_off`: no rule matched, and such alerts aren't sent to the default channel.
 * - `no_default_channel`: a matching rule sends to the default channel, but no default channel is set.
 * - `no_owner_channel`: a matching rule routes to the owner, no active channel lists the owner, and the
 *   channels of the rule don't exist.
 * - `channels_deleted`: the matching rules list only channels that were deleted.
 * - `all_channels_inactive`: all selected channels are inactive.
 */
export type SkippedReason =
  | 'no_channel'
  | 'fallback_off'
  | 'no_default_channel'
  | 'no_owner_channel'
  | 'channels_deleted'
  | 'all_channels_inactive';

export interface Route {
  /** IDs of the matching rules, in evaluation order. */
  matchedRuleIds: number[];
  /** Selected channels without duplicates, in the order in which they were first selected. */
  targets: RouteTarget[];
  /** Reason why no channel is notified, or `null` if at least one is. */
  skippedReason: SkippedReason | null;
  /**
   * ID of the matching rule whose `stopProcessing` ended the evaluation, or `null` if all rules were
   * evaluated.
   */
  stoppedByRuleId: number | null;
}

/**
 * Returns the channels for an event. Rules are evaluated by ascending priority, then by ID. `rules` can be in
 * any order and can include inactive rules. A matching rule selects its channels, the default channel, or the
 * channels of the alert's owner. `stopProcessing` ends the evaluation. If no rule matches, service events are
 * sent to the default channel, and so are alerts if the organization has enabled that.
 *
 * @param channels The existing channels. Deleted channels that a rule still lists are skipped.
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

  for (const rule of inEvaluationOrder(rules)) {
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
    return noChannelReason(matched);
  };
  return {
    matchedRuleIds: matched.map(({ id }) => id),
    targets: [...targets.values()],
    skippedReason: whySkipped(),
    stoppedByRuleId,
  };
}

/** Returns the channels that a matching rule selects, which can include deleted channels. */
export function channelsOfRule(
  rule: RoutingRule,
  subject: RoutingSubject,
  defaults: RoutingDefaults,
  channels: ChannelIndex,
): { channelIds: readonly (number | null)[]; fallbackReason: FallbackReason | null } {
  const configuredChannelIds = rule.channelIds ?? [defaults.defaultChannelId];
  if (!rule.routesToOwner) return { channelIds: configuredChannelIds, fallbackReason: null };
  const ofOwners = channelsOfOwners(channels, labelValue(subject.labels, defaults.ownerLabel));
  return ofOwners.length > 0
    ? { channelIds: ofOwners, fallbackReason: null }
    : { channelIds: configuredChannelIds, fallbackReason: 'no_owner_channel' };
}

/** Returns the reason why matching rules select no existing channel. */
export function noChannelReason(
  rules: readonly RoutingRule[],
): Extract<SkippedReason, 'no_owner_channel' | 'no_default_channel' | 'channels_deleted'> {
  if (rules.some(({ routesToOwner }) => routesToOwner)) return 'no_owner_channel';
  return rules.some(({ channelIds }) => channelIds === null) ? 'no_default_channel' : 'channels_deleted';
}

/**
 * Returns the rules in evaluation order. A list that is already sorted is returned unchanged, to avoid
 * sorting thousands of rules for every event of a batch.
 */
function inEvaluationOrder(rules: readonly RoutingRule[]): readonly RoutingRule[] {
  const isSorted = rules.every((rule, index) => {
    const previous = rules[index - 1];
    return previous === undefined || compareRules(previous, rule) <= 0;
  });
  return isSorted ? rules : rules.toSorted(compareRules);
}

function compareRules(a: RoutingRule, b: RoutingRule): number {
  return a.priority - b.priority || a.id - b.id;
}
