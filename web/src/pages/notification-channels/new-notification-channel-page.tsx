import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { type ChannelPlatform, channelPlatforms, platformTexts } from '../../components/channel-platform.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PlatformCards } from './platform-cards.tsx';
import { PlatformForm } from './platform-form.tsx';

export default function NewNotificationChannelPage() {
  const { preset: given } = useSearch({ from: '/shell/notification-channels/new' });
  const chosen = channelPlatforms.find((platform) => platform === given);
  const navigate = useNavigate();
  const choose = (platform: ChannelPlatform | undefined) =>
    void navigate({ to: '/notification-channels/new', search: platform ? { preset: platform } : {} });
  return (
    <>
      <PageHeader
        title={chosen ? `New ${platformNoun(chosen)} channel` : 'New channel'}
        parent={{ to: '/notification-channels', title: 'Channels' }}
        about={chosen ? platformTexts[chosen].about : 'Choose a platform.'}
        actions={
          chosen && (
            <Button variant="default" onClick={() => choose(undefined)}>
              Change platform
            </Button>
          )
        }
      />
      {chosen ? <NewChannel key={chosen} platform={chosen} /> : <PlatformCards onChoose={choose} />}
    </>
  );
}

/** Returns the platform name for use within a sentence. */
function platformNoun(platform: ChannelPlatform): string {
  if (platform === 'email') return 'email';
  return platform === 'generic' ? 'webhook' : platformTexts[platform].label;
}

function NewChannel({ platform }: { platform: ChannelPlatform }) {
  const navigate = useNavigate();
  const create = useAction('createNotificationChannel', {
    quiet: true,
    done: 'Channel created. Send a test to verify it.',
  });
  return (
    <PlatformForm
      platform={platform}
      submit="Create channel"
      save={async ({ headers, ...body }) => {
        const given = Object.entries(headers ?? {}).map(([name, value]) => [name, value ?? ''] as const);
        const channel = await create.mutateAsync({ body: { ...body, headers: Object.fromEntries(given) } });
        await navigate(resourceLink('notification_channel', channel.id));
      }}
      onCancel={() => void navigate({ to: '/notification-channels' })}
    />
  );
}
