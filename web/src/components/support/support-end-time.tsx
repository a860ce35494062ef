import { daysLeft } from '../../../../src/domain/support/support-phases.ts';
import { formatTime } from '../../ui/format.ts';
import { RelativeTime, useNow } from '../../ui/relative-time.tsx';
import { describeDaysLeft } from './describe-support.ts';

/**
 * Shows when support ends, such as "10 days left" or "in 4 months", with the exact time on hover.
 * @param at First instant after the support, as an RFC 3339 time.
 */
export function SupportEndTime({ at }: { at: string }) {
  const now = useNow();
  const endsAtMs = Date.parse(at);
  const left = describeDaysLeft({ days_left: daysLeft(endsAtMs, now), has_ended: endsAtMs <= now });
  if (left === null) return <RelativeTime at={at} />;
  return (
    <time dateTime={at} title={formatTime(new Date(at))}>
      {left}
    </time>
  );
}
