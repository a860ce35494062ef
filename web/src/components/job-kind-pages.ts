import { jobKindLabels } from '../../../src/domain/runs/job-kind-labels.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** Labels, list pages, and resources of the job kinds. */
export const jobKinds = {
  gather: { label: jobKindLabels.gather, list: '/gather-jobs', resource: 'gather_job' },
  scrape: { label: jobKindLabels.scrape, list: '/scrape-jobs', resource: 'scrape_job' },
  helm_sync: { label: jobKindLabels.helm_sync, list: '/helm-sync-jobs', resource: 'helm_sync_job' },
  discovery: { label: jobKindLabels.discovery, list: '/discovery', resource: 'discovery_job' },
} as const satisfies Record<Schemas['TaskKind'], object>;
