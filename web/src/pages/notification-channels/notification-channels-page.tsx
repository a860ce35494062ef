import { Badge } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { platformOf, platformTexts } from '../../components/channel-platform.ts';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ChannelHealth, formatHealth } from './channel-health.tsx';

type Channel = Schemas['NotificationChannel'];

/** Returns the URL or the recipients of a channel. */
function receiverOf({ url, recipients }: Channel): string {
  return url ?? recipients.join(', ');
}

const columns: readonly Column<Channel>[] = [
  {
    header: 'Name',
    cell: ({ name }) => name,
    sort: 'name',
    csv: ({ name }) => name,
    width: 'minmax(0, 1.5fr)',
  },
  {
    header: 'Platform',
    cell: (channel) => platformTexts[platformOf(channel)].label,
    csv: platformOf,
    width: '9.5rem',
  },
  {
    header: 'Health',
    cell: (channel) => <ChannelHealth channel={channel} />,
    csv: formatHealth,
    width: 'minmax(0, 1.8fr)',
  },
  {
    header: 'Receiver',
    cell: receiverOf,
    csv: receiverOf,
    width: 'minmax(0, 1.4fr)',
    secondary: true,
  },
  {
    header: 'State',
    cell: ({ is_active, is_default }) => (
      <>
        {is_active ? <Mark tone="ok">Enabled</Mark> : <Mark tone="muted">Disabled</Mark>}{' '}
        {is_default && (
          <Badge size="sm" variant="default" title="Receives alerts that match no notification rule">
            Default
          </Badge>
        )}
      </>
    ),
    csv: ({ is_active, is_default }) =>
      `${is_active ? 'enabled' : 'disabled'}${is_default ? ', default' : ''}`,
    width: '9.5rem',
  },
];

export default function NotificationChannelsPage() {
  const list = useList('listNotificationChannels', {
    from: '/shell/notification-channels',
    filters: ['q', 'is_active'],
    sort: '-created_at',
  });
  const create = useHasRole('member') && (
    <ButtonLink to="/notification-channels/new" leftSection={<IconPlus size={16} />}>
      New channel
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Channels"
        about="Where notifications go: email, Slack, PagerDuty, or your own webhook. Notification rules route alerts to channels."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          {
            name: 'is_active',
            label: 'State',
            options: [
              { value: 'true', label: 'Enabled' },
              { value: 'false', label: 'Disabled' },
            ],
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="channels"
        rowLink={({ id }) => resourceLink('notification_channel', id)}
        empty={
          <EmptyState title="No channels yet" action={create}>
            Add a channel to get notified by email, in Slack, Teams, PagerDuty, or any webhook. The default
            channel receives every alert that no notification rule routes elsewhere.
          </EmptyState>
        }
      />
    </>
  );
}
