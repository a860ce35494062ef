import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';

type DiscoveryJob = Schemas['DiscoveryJob'];
type Item = Schemas['DiscoveredItem'];

const perRequest = 200;

/** Selects the items of a discovery job, or those in the repositories of a group. */
export function itemsOf({ id, kind }: Pick<DiscoveryJob, 'id' | 'kind'>) {
  return kind === 'repository_group' ? { group_job_id: id } : { discovery_job_id: id };
}

/** Returns all new and accepted items of a discovery job. They're read again if their number changes. */
export function useFoundItems(job: DiscoveryJob) {
  return useQuery({
    queryKey: ['listDiscoveredItems', 'found', job.id, job.item_counts],
    queryFn: async ({ signal }) => {
      const found: Item[] = [];
      for (const status of ['new', 'accepted'] as const) found.push(...(await readAll(job, status, signal)));
      return found;
    },
    placeholderData: keepPreviousData,
  });
}

async function readAll(job: DiscoveryJob, status: 'new' | 'accepted', signal: AbortSignal): Promise<Item[]> {
  const found: Item[] = [];
  for (;;) {
    const query = { ...itemsOf(job), status, limit: perRequest, offset: found.length };
    const page = await api.call('listDiscoveredItems', { query, signal });
    if (!('items' in page)) return found;
    found.push(...page.items);
    if (page.items.length < perRequest) return found;
  }
}

/** True if an accepted item has a source of releases but no monitor. */
export function isUnmonitored({ alert_config_id, proposal }: Item): boolean {
  return alert_config_id === null && proposal.source_type !== null;
}
