import { Button, type ButtonProps } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';

/** Tries a delivery again that was given up or canceled; for others there is no button. */
export function RetryButton({
  delivery: { id, status, channel_id },
  ...props
}: { delivery: Schemas['NotificationDelivery'] } & ButtonProps) {
  const retry = useAction('retryNotificationDelivery', { done: 'It waits to be sent again.' });
  if ((status !== 'dead_letter' && status !== 'canceled') || channel_id === null) return null;
  return (
    <Button
      variant="default"
      {...props}
      loading={retry.isPending}
      onClick={() => retry.mutate({ path: { id } })}
    >
      Retry
    </Button>
  );
}
