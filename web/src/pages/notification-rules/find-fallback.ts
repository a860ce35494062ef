import type { Schemas } from '../../../../src/generated/client-api.ts';
import type { ChannelOutcome } from './evaluate-rules.ts';

/**
 * Returns the outcome of an alert that no rule matches: the default channel, or the reason that it isn't used.
 * @param settings Undefined while the settings load.
 */
export function findFallback(
  settings: Schemas['NotificationSettings'] | undefined,
  channels: readonly Schemas['NotificationChannelDropdownItem'][] | undefined,
): ChannelOutcome | 'no_channel' | 'fallback_off' {
  if (settings?.fallback_to_default === false) return 'fallback_off';
  const channel = channels?.find(({ id }) => id === settings?.default_channel_id);
  if (channel === undefined) return 'no_channel';
  return {
    id: channel.id,
    name: channel.name,
    reason: channel.is_active ? null : 'channel_inactive',
    fallbackReason: null,
    waitsUntil: null,
    waitsForDigest: false,
    via: [],
  };
}
