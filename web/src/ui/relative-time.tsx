import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatTime } from './format.ts';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "3 hours ago", "in 5 minutes". */
export function formatRelativeTime(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return Math.abs(seconds) < 5 ? 'now' : relative.format(Math.round(seconds), 'second');
  return relative.format(Math.trunc(seconds / step[1]), step[0]);
}

/** A time as people say it, the exact one on hover. @param at RFC 3339; null or undefined: `none`. */
export function RelativeTime({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at)
    return (
      <Text component="span" inherit c="var(--text-muted)">
        {none}
      </Text>
    );
  return (
    <Tooltip label={formatTime(new Date(at))}>
      <time dateTime={at}>{formatRelativeTime(at, now)}</time>
    </Tooltip>
  );
}

const listeners = new Set<(now: number) => void>();
let ticking: ReturnType<typeof setInterval> | null = null;

/** The time of the page, which moves on every ten seconds for all that show it at once. */
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
