import type { RoutingRule } from './match-rule.ts';
import type { AlertEventType } from './notification-event.ts';
import type { RoutingDefaults } from './route-event.ts';

/** A channel that has heard of an alert. */
export interface ToldChannel {
  channelId: number;
  /** The rules that matched the events that it heard of, as far as that is still known. */
  ruleIds: readonly number[];
}

/** The events that tell of an open alert. */
export const tellingEvents = [
  'alert.created',
  'alert.escalated',
  'alert.reminder',
] as const satisfies AlertEventType[];

/**
 * Whether a channel that has heard of an alert hears of its end, wherever the alert is routed by now: its severity may have
 * fallen, its labels may have changed, and so may the rules. Otherwise an incident would stay open. Not if the rules that
 * chose the channel don't want to hear of an end, or were disabled.
 *
 * @param rules The active ones.
 */
export function hearsOfEnd(
  { channelId, ruleIds }: ToldChannel,
  rules: readonly RoutingRule[],
  { defaultChannelId }: Pick<RoutingDefaults, 'defaultChannelId'>,
): boolean {
  // Matches are forgotten after a while. Then the rules that would choose the channel now have to answer.
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
