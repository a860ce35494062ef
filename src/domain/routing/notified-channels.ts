import type { RoutingRule } from './match-rule.ts';
import type { AlertEventType } from './notification-event.ts';
import type { RoutingDefaults } from './route-event.ts';

/** A channel that was notified about an open alert. */
export interface NotifiedChannel {
  channelId: number;
  /** The rules that matched these events, as far as that is still known. */
  ruleIds: readonly number[];
}

/** The events about an open alert. */
export const openAlertEvents = [
  'alert.created',
  'alert.escalated',
  'alert.reminder',
] as const satisfies AlertEventType[];

/**
 * Whether a channel that was notified about an alert is notified of its end, wherever the alert is routed by now: its
 * severity may be lower, and its labels and the rules may have changed. Otherwise, an incident would stay open. It isn't if
 * the rules that selected the channel exclude resolutions or were disabled.
 *
 * @param rules The active ones.
 */
export function isNotifiedOfEnd(
  { channelId, ruleIds }: NotifiedChannel,
  rules: readonly RoutingRule[],
  { defaultChannelId }: Pick<RoutingDefaults, 'defaultChannelId'>,
): boolean {
  // Matches are deleted after a while. Then the rules that name the channel now decide.
  const active = ruleIds.length === 0 ? rules : rules.filter(({ id }) => ruleIds.includes(id));
  const choosing = active.filter(
    ({ channelIds, routesToOwner }) =>
      routesToOwner ||
      (channelIds === null ? defaultChannelId === channelId : channelIds.includes(channelId)),
  );
  if (choosing.length > 0)
    return choosing.some(
      ({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes('alert.resolved'),
    );
  return ruleIds.length === 0 || active.length === ruleIds.length;
}
