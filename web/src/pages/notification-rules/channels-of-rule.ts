import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { formatCount } from '../../ui/format.ts';

type Channel = Schemas['NotificationChannelDropdownItem'];

/**
 * Returns the channels that a rule sends to. Undefined while they load.
 * @param ids IDs of the channels, or `null` for the default channel.
 */
export function useChannelsOf(ids: readonly number[] | null): Channel[] | undefined {
  const { data } = useApi('listNotificationChannelsDropdown');
  return data?.filter(({ id, is_default }) => (ids === null ? is_default : ids.includes(id)));
}

/**
 * Describes why channels of a rule can't receive messages, such as "1 of 2 channels disabled" or "no default channel".
 * Null if all can.
 * @param channels Result of `useChannelsOf`.
 */
export function describeMissingChannels(
  ids: readonly number[] | null,
  channels: readonly Pick<Channel, 'is_active'>[],
): string | null {
  if (ids === null && channels.length === 0) return 'no default channel';
  const disabled = channels.filter(({ is_active }) => !is_active).length;
  if (disabled === 0) return null;
  if (channels.length === 1) return ids === null ? 'default channel disabled' : 'channel disabled';
  return `${formatCount(disabled)} of ${formatCount(channels.length)} channels disabled`;
}
