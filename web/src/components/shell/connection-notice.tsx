import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { connectionEvents } from '../../api/live-changes.ts';
import { basePath } from '../../api/page-location.ts';
import { queryClient } from '../../api/query-client.ts';
import classes from './shell.module.css';

const pollIntervalMs = 3_000;
const graceMs = 5_000;

/**
 * Notice that appears when the server is unreachable. The visible data stays, and everything is refetched
 * after reconnecting. Polling starts only after a request fails or the event stream breaks.
 */
export function ConnectionNotice() {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const stopping = new AbortController();
    let isPolling = false;
    /** Polls the server until it's ready. Only one poll loop runs at a time. */
    const poll = async () => {
      if (isPolling) return;
      isPolling = true;
      while (!stopping.signal.aborted) {
        const isConnected = await isReady(stopping.signal);
        setAway((was) => {
          if (was && isConnected) void queryClient.invalidateQueries();
          return !isConnected;
        });
        if (isConnected) break;
        await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
      }
      isPolling = false;
    };
    const onDisconnected = () => void poll();
    connectionEvents.addEventListener('doubt', onDisconnected);
    const stop = queryClient.getQueryCache().subscribe(({ query }) => {
      const { fetchFailureReason } = query.state;
      if (fetchFailureReason && isConnectionLoss(fetchFailureReason)) onDisconnected();
    });
    return () => {
      stop();
      connectionEvents.removeEventListener('doubt', onDisconnected);
      stopping.abort();
    };
  }, []);
  if (!isAway) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="outline"
      className={classes.away}
      icon={<IconPlugConnectedX aria-hidden />}
      title="Connection lost"
    >
      You're seeing the last data received. Pacekeeper will reconnect automatically.
    </Alert>
  );
}

async function isReady(stop: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(graceMs)]);
  return fetch(`${basePath}/health/ready`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function isConnectionLoss(error: Error): boolean {
  return 'code' in error && (error.code === 'no_answer' || error.code === 'unavailable');
}
