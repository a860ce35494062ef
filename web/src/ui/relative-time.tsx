import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatTime } from './format.ts';
import { formatElapsedTime, formatRelativeTime } from './format-relative-time.ts';

/**
 * Shows a relative time, with the exact time on hover.
 * @param at RFC 3339 time. If it's missing, `none` is shown.
 */
export function RelativeTime({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at)
    return (
      <Text component="span" inherit c="var(--text-muted)">
        {none}
      </Text>
    );
  return (
    <time dateTime={at} title={formatTime(new Date(at))}>
      {formatRelativeTime(at, now)}
    </time>
  );
}

/** Shows elapsed time, such as "3 days" after "for", with the exact time on hover. */
export function ElapsedTime({ since }: { since: string }) {
  const now = useNow();
  return (
    <time dateTime={since} title={formatTime(new Date(since))}>
      {formatElapsedTime(since, now)}
    </time>
  );
}

const listeners = new Set<(now: number) => void>();
let ticking: ReturnType<typeof setInterval> | null = null;

/** Returns the current time. All components share one timer and update together every 10 seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    listeners.add(setNow);
    ticking ??= setInterval(() => {
      const at = Date.now();
      for (const listener of listeners) listener(at);
    }, 10_000);
    return () => {
      listeners.delete(setNow);
      if (listeners.size > 0 || ticking === null) return;
      clearInterval(ticking);
      ticking = null;
    };
  }, []);
  return now;
}
