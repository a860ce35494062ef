import type { Schemas } from '../../../../src/generated/client-api.ts';

type Job = Pick<Schemas['DiscoveryJob'], 'last_run'> & {
  item_counts: Pick<Schemas['DiscoveryJob']['item_counts'], 'new' | 'accepted' | 'ignored'>;
};

/**
 * Returns true if someone can continue the setup of a discovery job: nothing is accepted yet, and there's something to
 * accept or no scan has succeeded.
 */
export function isUnfinished({ last_run, item_counts: { new: found, accepted, ignored } }: Job): boolean {
  if (accepted > 0) return false;
  return found > 0 || (ignored === 0 && last_run?.status !== 'succeeded');
}
