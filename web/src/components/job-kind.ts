import type { LinkProps } from '@tanstack/react-router';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** The kinds of jobs in words, and where each is looked at. */
export const jobKinds: Record<
  Schemas['TaskKind'],
  { label: string; list: LinkProps['to']; detail: LinkProps['to'] }
> = {
  gather: { label: 'Upstream source', list: '/gather-jobs', detail: '/gather-jobs/$id' },
  scrape: { label: 'Version tracker', list: '/scrape-jobs', detail: '/scrape-jobs/$id' },
  helm_sync: { label: 'Helm repository', list: '/helm-sync-jobs', detail: '/helm-sync-jobs/$id' },
};
