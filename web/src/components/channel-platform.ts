import { type PresetId, presetIds, presets } from '../../../src/domain/templates/presets.ts';
import { isTracker, type TrackerType, trackers, trackerTypes } from '../../../src/domain/tickets/trackers.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** Platform that a channel sends to: email, an issue tracker, or a platform with webhooks. */
export type ChannelPlatform = PresetId | TrackerType | 'email';

const [genericId, ...otherIds] = presetIds;

/** Platforms in display order. */
export const channelPlatforms: readonly ChannelPlatform[] = [
  genericId!,
  'email',
  ...otherIds,
  ...trackerTypes,
];

export const platformTexts: Readonly<Record<ChannelPlatform, { label: string; about: string }>> = {
  ...presets,
  ...trackers,
  email: { label: 'Email', about: 'Sends an email to people in your organization.' },
};

export function platformOf({
  channel_type,
  preset,
}: Pick<Schemas['NotificationChannel'], 'channel_type' | 'preset'>): ChannelPlatform {
  return channel_type === 'email' || isTracker(channel_type) ? channel_type : preset;
}

export function isTrackerPlatform(platform: ChannelPlatform): platform is TrackerType {
  return Object.hasOwn(trackers, platform);
}
