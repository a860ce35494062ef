import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useCan } from '../../api/use-me.ts';
import { presetNames } from '../../components/preset-name.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../ui/list/index.ts';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ChannelHealth, healthInWords } from './channel-health.tsx';

type Channel = Schemas['NotificationChannel'];

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
    cell: ({ preset }) => presetNames[preset],
    csv: ({ preset }) => preset,
    width: '9.5rem',
  },
  {
    header: 'Health',
    cell: ({ health }) => <ChannelHealth health={health} />,
    csv: ({ health }) => healthInWords(health),
    width: 'minmax(0, 1.8fr)',
  },
  {
    header: 'Address',
    cell: ({ url }) => url,
    csv: ({ url }) => url,
    width: 'minmax(0, 1.2fr)',
    wideOnly: true,
  },
  {
    header: 'State',
    cell: ({ is_active, is_default }) => (
      <>
        {is_active ? <Mark tone="ok">Active</Mark> : <Mark tone="muted">Off</Mark>}{' '}
        {is_default && (
          <Badge size="sm" variant="default" title="Hears what no notification rule routes">
            default
          </Badge>
        )}
      </>
    ),
    csv: ({ is_active, is_default }) => `${is_active ? 'active' : 'off'}${is_default ? ', default' : ''}`,
    width: '9.5rem',
  },
];

export default function NotificationChannelsPage() {
  const list = useList('listNotificationChannels', { filters: ['q', 'is_active'], sort: '-created_at' });
  const create = useCan('member') && (
    <Button component={Link} to="/notification-channels/new" leftSection={<IconPlus size={16} />}>
      New channel
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Channels"
        about="Where messages go: chats, pagers, programs. Notification rules choose among them."
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
              { value: 'true', label: 'Active' },
              { value: 'false', label: 'Off' },
            ],
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="channels"
        rowLink={({ id }) => ({ to: '/notification-channels/$id', params: { id: String(id) } })}
        empty={
          <EmptyState title="Nobody is told of alerts yet" action={create}>
            A channel is a place that messages go to: Slack, Teams, PagerDuty, your own program. The default
            channel hears of every alert that no notification rule routes elsewhere.
          </EmptyState>
        }
      />
    </>
  );
}
