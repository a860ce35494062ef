import type { Schemas } from '../../../../src/generated/client-api.ts';
import { type ChannelPlatform, isTrackerPlatform } from '../../components/channel-platform.ts';
import { ChannelForm } from './channel-form.tsx';
import type { ChannelBody } from './channel-values.ts';
import { EmailChannelForm } from './email-channel-form.tsx';
import { TrackerChannelForm } from './tracker-channel-form.tsx';

/** Form for a channel of any platform. */
export function PlatformForm({
  platform,
  ...form
}: {
  platform: ChannelPlatform;
  channel?: Schemas['NotificationChannel'];
  save: (body: ChannelBody) => Promise<unknown>;
  submit: string;
  onCancel?: () => void;
}) {
  if (platform === 'email') return <EmailChannelForm {...form} />;
  if (isTrackerPlatform(platform)) return <TrackerChannelForm type={platform} {...form} />;
  return <ChannelForm preset={platform} {...form} />;
}
