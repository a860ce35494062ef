import { Button, Select, Tabs } from '@mantine/core';
import { useHasRole } from '../../api/use-me.ts';
import { useChannelOptions } from '../../components/channel-picker.tsx';
import { deliveryColumns } from '../../components/delivery-columns.tsx';
import { deliveryStatusOptions } from '../../components/delivery-status.tsx';
import { eventTypeOptions } from '../../components/event-type.ts';
import { ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SinceFilter } from '../../components/since-filter.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RetryButton } from './retry-button.tsx';
import { RetryMany } from './retry-many.tsx';

const columns = deliveryColumns();

export default function NotificationDeliveriesPage() {
  const list = useList('listNotificationDeliveries', {
    from: '/shell/notification-deliveries',
    filters: ['channel_id', 'status', 'event_type', 'since', 'alert_id'],
    sort: '-created_at',
  });
  const channels = useChannelOptions();
  const mayRetry = useHasRole('member');
  const { search, setSearch } = list;
  const isDead = search.status === 'dead_letter';
  const isAllDead = isDead && !search.channel_id && !search.event_type && !search.since && !search.alert_id;
  return (
    <>
      <PageHeader
        title="Deliveries"
        about="One delivery per event and channel, retried until it succeeds or runs out of attempts."
        actions={mayRetry && <RetryMany list={list} />}
      />
      <Tabs
        value={isDead ? 'dead' : 'all'}
        onChange={(tab) => setSearch({ status: tab === 'dead' ? 'dead_letter' : undefined })}
        mb="sm"
      >
        <Tabs.List>
          <Tabs.Tab value="all">All</Tabs.Tab>
          <Tabs.Tab value="dead">Dead letters</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <ListFilters
        list={list}
        filters={[
          ...(isDead ? [] : [{ name: 'status', label: 'Status', options: deliveryStatusOptions }]),
          { name: 'event_type', label: 'Event', options: eventTypeOptions },
        ]}
      >
        <Select
          aria-label="Channel"
          placeholder="Channel"
          data={channels}
          value={search.channel_id ?? null}
          onChange={(id) => setSearch({ channel_id: id ?? undefined })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear Channel' }}
          w={190}
        />
        <SinceFilter list={list} label="Created" />
        {search.alert_id && (
          <Button variant="default" size="xs" onClick={() => setSearch({ alert_id: undefined })}>
            Alert {search.alert_id} ✕
          </Button>
        )}
      </ListFilters>
      {isAllDead && list.total === 0 ? (
        <EmptyState title="No dead letters">Deliveries that fail after every retry appear here.</EmptyState>
      ) : (
        <ResourceList
          list={list}
          columns={columns}
          name="deliveries"
          rowLink={({ id }) => resourceLink('notification_delivery', id)}
          rowActions={mayRetry ? (delivery) => <RetryButton delivery={delivery} isInRow /> : undefined}
          empty={
            <EmptyState title="No deliveries yet">
              When an alert opens, escalates, or resolves, notification rules decide which channels receive
              it. Each delivery appears here with its attempts.
            </EmptyState>
          }
        />
      )}
    </>
  );
}
