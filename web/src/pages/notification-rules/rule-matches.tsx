import { useInViewport } from '@mantine/hooks';
import { useApi } from '../../api/use-api.ts';

/**
 * Shows how often a rule recently matched. The count is fetched when the row is scrolled into view, because
 * there can be many rules.
 */
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
