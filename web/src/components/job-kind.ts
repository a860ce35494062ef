import type { Schemas } from '../../../src/generated/client-api.ts';

/** The kinds of jobs in words, where they are listed, and what resource each is. */
export const jobKinds = {
  gather: { label: 'Upstream source', list: '/gather-jobs', resource: 'gather_job' },
  scrape: { label: 'Version tracker', list: '/scrape-jobs', resource: 'scrape_job' },
  helm_sync: { label: 'Helm repository', list: '/helm-sync-jobs', resource: 'helm_sync_job' },
} as const satisfies Record<Schemas['TaskKind'], object>;
