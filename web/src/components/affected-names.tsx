import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/session.ts';
import { formatCount } from '../ui/format.ts';

const maxNames = 5;

const readers = {
  alerts: async (id: number) => (await api.call('getAlert', { path: { id } })).alert_config_name,
  software: async (id: number) => (await api.call('getScrapeJob', { path: { id } })).name,
};

/**
 * Names of the first resources that an action affects, shown before the user confirms an action that can't be
 * undone.
 */
export function AffectedNames({ ids, of }: { ids: readonly number[]; of: keyof typeof readers }) {
  const first = ids.slice(0, maxNames);
  const names = useQuery({
    queryKey: ['firstNames', of, first],
    queryFn: () => Promise.all(first.map(readers[of])),
    // Don't refetch the names after the action has deleted the resources.
    staleTime: 'static',
  });
  if (!names.data || names.data.length === 0) return null;
  const others = ids.length - names.data.length;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {names.data.join(', ')}
      {others > 0 && `, and ${formatCount(others)} more`}
    </Text>
  );
}
