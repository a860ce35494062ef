import { ActionIcon, Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';

/**
 * Retries a dead letter or a canceled delivery. Renders nothing for other deliveries.
 * @param isInRow True for an icon button, which fits in a table row.
 * @param isSecondary True if something else must be done first.
 */
export function RetryButton({
  delivery: { id, status, channel_id, event_type, channel_name },
  isInRow = false,
  isSecondary = false,
}: {
  delivery: Schemas['NotificationDelivery'];
  isInRow?: boolean;
  isSecondary?: boolean;
}) {
  const retry = useAction('retryNotificationDelivery', {
    done: ({ waiting_for }) =>
      waiting_for === null ? 'Delivery queued for retry' : 'Delivery queued until its channel is enabled',
  });
  if ((status !== 'dead_letter' && status !== 'canceled') || channel_id === null) return null;
  const onClick = () => retry.mutate({ path: { id } });
  if (!isInRow)
    return (
      <Button variant={isSecondary ? 'default' : 'filled'} loading={retry.isPending} onClick={onClick}>
        Retry
      </Button>
    );
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      title="Retry"
      aria-label={`Retry ${event_type} to ${channel_name}`}
      loading={retry.isPending}
      onClick={onClick}
    >
      <IconRefresh size={16} aria-hidden />
    </ActionIcon>
  );
}
