import { Button } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import type { List } from '../../components/list/use-list.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { countOf } from '../../ui/format.ts';

type Delivery = Schemas['NotificationDelivery'];

const maxPerRequest = 1_000;

/** Retries all deliveries in the list, after a confirmation with their number. */
export function RetryMany({ list }: { list: List<Delivery> }) {
  const confirm = useConfirm();
  const retry = useAction('retryNotificationDeliveries', {
    done: ({ retried, remaining }) =>
      `${countOf(retried, 'delivery', 'deliveries')} queued for retry.${
        remaining > 0 ? ` ${remaining.toLocaleString('en')} remaining. Retry again to continue.` : ''
      }`,
  });
  const { status, channel_id, event_type, since, alert_id } = list.search;
  // The server can't retry by alert. An alert has only a few deliveries, which can be retried individually.
  if ((status !== 'dead_letter' && status !== 'canceled') || alert_id || !list.total) return null;
  const count = `${list.totalIsExact ? '' : 'more than '}${list.total.toLocaleString('en')}`;
  const isOne = list.total === 1;
  const what =
    status === 'dead_letter' ? `dead letter${isOne ? '' : 's'}` : `canceled deliver${isOne ? 'y' : 'ies'}`;
  const onClick = async () => {
    const isSure = await confirm({
      title: `Retry ${count} ${what}?`,
      body: `Retries all deliveries in this list, oldest first${
        list.total && list.total > maxPerRequest
          ? `, up to ${maxPerRequest.toLocaleString('en')} at a time`
          : ''
      }. Receivers can detect duplicates by webhook-id. Deliveries to disabled channels wait until their channel is enabled. Deliveries to deleted channels are skipped.`,
      confirm: 'Retry',
    });
    if (!isSure) return;
    const body = {
      status,
      ...(channel_id && { channel_id: Number(channel_id) }),
      ...(event_type && { event_type }),
      ...(since && { since }),
    } as Schemas['RetryNotificationDeliveriesRequest'];
    retry.mutate({ body });
  };
  return (
    <Button loading={retry.isPending} onClick={() => void onClick()}>
      {isOne ? 'Retry delivery' : `Retry ${count} deliveries`}
    </Button>
  );
}
