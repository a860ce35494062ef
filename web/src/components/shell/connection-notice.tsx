import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';

const askAgainMs = 3_000;
const patienceMs = 5_000;

/**
 * Says when the server does not answer, keeps what is shown, and reads everything anew when it is back. It asks only
 * after a request has failed.
 */
export function ConnectionNotice() {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const look = async () => {
      timer = null;
      const isBack = await fetch('/health/ready', { signal: AbortSignal.timeout(patienceMs) }).then(
        ({ ok }) => ok,
        () => false,
      );
      setAway((was) => {
        if (was && isBack) void queryClient.invalidateQueries();
        return !isBack;
      });
      if (!isBack) timer = setTimeout(look, askAgainMs);
    };
    const stop = queryClient.getQueryCache().subscribe(({ query }) => {
      const { fetchFailureReason } = query.state;
      if (fetchFailureReason && isConnectionLoss(fetchFailureReason)) timer ??= setTimeout(look, 0);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, []);
  if (!isAway) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="outline"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden />}
      title="No connection to the server"
    >
      What you see is what was known last. The page goes on by itself as soon as the server answers again.
    </Alert>
  );
}

function isConnectionLoss(error: Error): boolean {
  return 'code' in error && (error.code === 'no_answer' || error.code === 'unavailable');
}
