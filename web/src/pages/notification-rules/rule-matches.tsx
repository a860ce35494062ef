import { useInViewport } from '@mantine/hooks';
import { useApi } from '../../api/use-api.ts';

/** How often a rule matched lately. Read when it comes into sight: there may be many rules. */
export function RuleMatches({ id }: { id: number }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const { data } = useApi('getNotificationRuleStats', { path: { id } }, { enabled: inViewport });
  const count = (matches: number | undefined) => matches?.toLocaleString('en') ?? '…';
  return (
    <span ref={ref}>
      Matches: {count(data?.matches_24h)} (24 h), {count(data?.matches_7d)} (7 d)
    </span>
  );
}
