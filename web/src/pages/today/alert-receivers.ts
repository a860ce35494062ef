import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useRulesInOrder } from '../notification-rules/use-rules-in-order.ts';

type Channel = Pick<Schemas['NotificationChannelDropdownItem'], 'id' | 'is_active' | 'is_default'>;
type Rule = Pick<Schemas['NotificationRule'], 'is_active' | 'channel_ids' | 'route_to_owner'>;

/**
 * Returns the reason that alerts can't reach anyone. Returns `null` if at least some can, or if the data is
 * still loading.
 * @param canAlert True if there are channels and monitors. Otherwise, nothing is fetched.
 */
export function useUnreachableReason(canAlert: boolean): string | null {
  const channels = useApi('listNotificationChannelsDropdown', undefined, { enabled: canAlert }).data;
  const settings = useApi('getNotificationSettings', undefined, { enabled: canAlert }).data;
  const needsRules = channels !== undefined && settings !== undefined && !reachesAll(channels, settings);
  const found = useRulesInOrder({ enabled: canAlert && needsRules }).data;
  if (!canAlert || !channels || !settings || !needsRules || !found?.isComplete) return null;
  return unreachableReason(channels, settings, found.rules);
}

type Settings = Pick<Schemas['NotificationSettings'], 'fallback_to_default'>;

const reachesAll = (channels: readonly Channel[], { fallback_to_default }: Settings) =>
  fallback_to_default && channels.some(({ is_default, is_active }) => is_default && is_active);

/** Returns the reason that alerts can't reach anyone, or `null` if at least some can. */
export function unreachableReason(
  channels: readonly Channel[],
  settings: Settings,
  rules: readonly Rule[],
): string | null {
  const enabled = channels.filter(({ is_active }) => is_active);
  const reaches = ({ is_active, channel_ids, route_to_owner }: Rule) =>
    is_active &&
    (route_to_owner
      ? enabled.length > 0
      : enabled.some(({ id, is_default }) => (channel_ids === null ? is_default : channel_ids.includes(id))));
  if (reachesAll(channels, settings) || rules.some(reaches)) return null;
  const standard = channels.find(({ is_default }) => is_default);
  const reason =
    standard === undefined
      ? 'No default channel is set'
      : standard.is_active
        ? "Unmatched alerts aren't sent to the default channel"
        : 'The default channel is disabled';
  return `${reason}, and no notification rule sends to an enabled channel.`;
}
