import { Button, List, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isTracker } from '../../../../src/domain/tickets/trackers.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { showError, useAction } from '../../api/use-action.ts';
import { apiQuery } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { useConfirm } from '../../ui/confirm.tsx';

type Channel = Schemas['NotificationChannel'];

/** Shows the actions for a channel. */
export function ChannelActions({
  channel,
  onEdit,
  test,
}: {
  channel: Channel;
  onEdit: () => void;
  test: { isPending: boolean; run: () => void };
}) {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toggle = useAction('toggleNotificationChannel');
  const remove = useAction('deleteNotificationChannel', {
    done: 'Channel deleted',
    leave: () => navigate({ to: '/notification-channels' }),
  });
  const settings = useAction('updateNotificationSettings', { done: 'Default channel updated' });
  const isAdmin = useHasRole('admin');
  if (!useHasRole('member')) return null;
  const path = { id: channel.id };

  const onToggle = async () => {
    const isSure =
      !channel.is_active ||
      (await confirm({
        title: `Disable "${channel.name}"?`,
        body: 'Pacekeeper stops sending to this channel. Pending deliveries are canceled; you can retry them later.',
        confirm: 'Disable',
      }));
    if (isSure) toggle.mutate({ path });
  };
  const onDelete = async () => {
    const rules = await rulesThatName(channel.id).catch(showError);
    if (!rules) return;
    const isSure = await confirm({
      title: `Delete "${channel.name}"?`,
      body: <WhatFollows channel={channel} rules={rules} />,
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path });
  };

  return (
    <>
      <Button loading={test.isPending} onClick={test.run}>
        Send test
      </Button>
      <Button variant="default" onClick={onEdit}>
        Edit
      </Button>
      {isAdmin && !channel.is_default && !isTracker(channel.channel_type) && (
        <Button
          variant="default"
          loading={settings.isPending}
          onClick={() => settings.mutate({ body: { default_channel_id: channel.id } })}
        >
          Set as default
        </Button>
      )}
      <Button variant="default" loading={toggle.isPending} onClick={() => void onToggle()}>
        {channel.is_active ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" c="var(--severity-critical)" onClick={() => void onDelete()}>
        Delete
      </Button>
    </>
  );
}

async function rulesThatName(channelId: number) {
  const input = { query: { channel_id: channelId, sort: 'priority', limit: 200 } } as const;
  const { items } = await queryClient.fetchQuery({
    ...apiQuery('listNotificationRules', input),
    staleTime: 0,
  });
  return items;
}

function WhatFollows({
  channel,
  rules,
}: {
  channel: Channel;
  rules: readonly Schemas['NotificationRule'][];
}) {
  return (
    <>
      <Text size="sm">
        This can't be undone. Pending deliveries are canceled.
        {channel.is_default && ' Your organization will have no default channel.'}
      </Text>
      {rules.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            These notification rules will no longer use it:
          </Text>
          <List size="sm">
            {rules.map(({ id, name, channel_ids, route_to_owner }) => (
              <List.Item key={id}>
                {name}
                {channel_ids?.length === 1 &&
                  (route_to_owner
                    ? ' (will use the default channel if no channel lists the owner)'
                    : ' (will be disabled: no other channel)')}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}
