import type { RoutingRule } from './match-rule.ts';
import type { AlertEventType } from './notification-event.ts';
import type { RoutingDefaults } from './route-event.ts';

/** A channel that was notified about an open alert. */
export interface NotifiedChannel {
  channelId: number;
  /** IDs of the rules that matched the events sent to the channel. Matches that are no longer stored are missing. */
  ruleIds: readonly number[];
}

/** Event types that concern an open alert. */
export const openAlertEvents = [
  'alert.created',
  'alert.escalated',
  'alert.reminder',
] as const satisfies AlertEventType[];

/**
 * True if a channel that was notified about an alert also receives its resolution. The current routing of the
 * alert doesn't matter: its severity, its labels, or the rules may have changed since the notification, but
 * an incident in the receiver must not stay open. Returns `false` if the rules that selected the channel
 * exclude resolutions or were disabled.
 *
 * @param rules The active rules.
 */
export function receivesResolution(
  { channelId, ruleIds }: NotifiedChannel,
  rules: readonly RoutingRule[],
  { defaultChannelId }: Pick<RoutingDefaults, 'defaultChannelId'>,
): boolean {
  // Matches are deleted after a while. Without them, the rules that currently select the channel are used
  // instead.
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
