import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type PresetId, presetIds, presets } from '../../../../src/domain/templates/presets.ts';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ChannelForm } from './channel-form.tsx';
import { PresetCards } from './preset-cards.tsx';

export default function NewNotificationChannelPage() {
  const { preset } = useSearch({ from: '/shell/notification-channels/new' });
  const chosen = presetIds.find((name) => name === preset);
  const navigate = useNavigate();
  const choose = (name: PresetId | undefined) =>
    void navigate({ to: '/notification-channels/new', search: name ? { preset: name } : {} });
  return (
    <>
      <PageHeader
        title={chosen ? `New ${presets[chosen].label} channel` : 'New channel'}
        parent={{ to: '/notification-channels', title: 'Channels' }}
        about={chosen ? presets[chosen].about : 'Choose a platform.'}
        actions={
          chosen && (
            <Button variant="default" onClick={() => choose(undefined)}>
              Change platform
            </Button>
          )
        }
      />
      {chosen ? <NewChannel key={chosen} preset={chosen} /> : <PresetCards onChoose={choose} />}
    </>
  );
}

function NewChannel({ preset }: { preset: PresetId }) {
  const navigate = useNavigate();
  const create = useAction('createNotificationChannel', {
    quiet: true,
    done: 'Channel created. Send a test to verify it.',
  });
  return (
    <ChannelForm
      preset={preset}
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
