import { type PresetId, presetIds, presets } from '../../../src/domain/templates/presets.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** Where a channel sends: email, or a platform with webhooks. */
export type ChannelPlatform = PresetId | 'email';

const [genericId, ...otherIds] = presetIds;

/** In the order in which they are offered. */
export const channelPlatforms: readonly ChannelPlatform[] = [genericId!, 'email', ...otherIds];

export const platformTexts: Readonly<Record<ChannelPlatform, { label: string; about: string }>> = {
  ...presets,
  email: { label: 'Email', about: 'Sends an email to people in your organization.' },
};

export function platformOf({
  channel_type,
  preset,
}: Pick<Schemas['NotificationChannel'], 'channel_type' | 'preset'>): ChannelPlatform {
  return channel_type === 'email' ? 'email' : preset;
}
