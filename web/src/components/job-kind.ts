import type { Schemas } from '../../../src/generated/client-api.ts';

/** Labels, list pages, and resources of the job kinds. */
export const jobKinds = {
  gather: { label: 'Upstream source', list: '/gather-jobs', resource: 'gather_job' },
  scrape: { label: 'Version tracker', list: '/scrape-jobs', resource: 'scrape_job' },
  helm_sync: { label: 'Helm repository', list: '/helm-sync-jobs', resource: 'helm_sync_job' },
  discovery: { label: 'Discovery job', list: '/discovery', resource: 'discovery_job' },
} as const satisfies Record<Schemas['TaskKind'], object>;
