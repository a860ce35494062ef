import type { Schemas } from '../../../../src/generated/client-api.ts';

type Job = Pick<Schemas['DiscoveryJob'], 'last_run'> & {
  item_counts: Pick<Schemas['DiscoveryJob']['item_counts'], 'new' | 'accepted' | 'ignored'>;
};

const shownCount = 10;

/**
 * Returns the newest jobs whose setup someone can continue: nothing is accepted yet, and there's something to accept or
 * no scan has succeeded.
 *
 * @param newestFirst Discovery jobs.
 */
export function findUnfinishedJobs<J extends Job>(newestFirst: readonly J[]): J[] {
  return newestFirst.filter(isUnfinished).slice(0, shownCount);
}

function isUnfinished({ last_run, item_counts: { new: found, accepted, ignored } }: Job): boolean {
  if (accepted > 0) return false;
  return found > 0 || (ignored === 0 && last_run?.status !== 'succeeded');
}
