import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type Search = Readonly<Record<string, string | undefined>>;

/** Returns the filters from the URL. The list is loaded completely, so the filters are applied in the browser. */
export function useRuleFilters() {
  const search = useSearch({ from: '/shell/notification-rules' });
  const navigate = useNavigate();
  const { q, channel_id, is_active } = search;
  return {
    search,
    filters: ['q', 'channel_id', 'is_active'],
    isFiltered: Boolean(q || channel_id || is_active),
    setSearch(changes: Search) {
      const next = Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value));
      void navigate({ to: '.', search: next, replace: true, resetScroll: false });
    },
    wants(rule: Schemas['NotificationRule']): boolean {
      return (
        (!q || rule.name.toLowerCase().includes(q.toLowerCase())) &&
        (!channel_id || (rule.channel_ids ?? []).includes(Number(channel_id))) &&
        (!is_active || String(rule.is_active) === is_active)
      );
    },
  };
}
