import type { Schemas } from '../../../../src/generated/client-api.ts';
import type { ChannelPlatform } from '../../components/channel-platform.ts';
import { ChannelForm } from './channel-form.tsx';
import type { ChannelBody } from './channel-values.ts';
import { EmailChannelForm } from './email-channel-form.tsx';

/** The form of a channel of any type. */
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
  return platform === 'email' ? <EmailChannelForm {...form} /> : <ChannelForm preset={platform} {...form} />;
}
