import type { Schemas } from '../../generated/client-api.ts';
import { scrapeKind } from '../deployed/index.ts';
import { discoveryKind } from '../discovery/index.ts';
import { referenceKind } from '../reference/index.ts';
import type { JobKind, JobKindName, OrganizationJobs } from '../runs/index.ts';
import { gatherKind, helmSyncKind, type RecordDeps } from '../upstream/index.ts';

type AppliedKind = JobKind<RecordDeps>;

/**
 * All kinds of jobs. Results of several kinds are applied in this order. It's the order in which other
 * transactions take locks: alert configurations before gather jobs and their fan-outs.
 */
export const jobKinds: Readonly<Record<JobKindName, AppliedKind>> = {
  scrape: scrapeKind,
  gather: gatherKind,
  helm_sync: helmSyncKind,
  discovery: discoveryKind,
  reference: referenceKind,
};

export type OrganizationJobKind = AppliedKind & {
  name: Schemas['TaskKind'];
  ofOrganizations: OrganizationJobs;
};

/** Kinds of jobs that are resources of organizations. */
export const organizationJobKinds = Object.values(jobKinds).filter(
  (kind): kind is OrganizationJobKind => kind.ofOrganizations !== null,
);

/** Kinds of jobs that agents claim directly when they are due. */
export const checkedJobKinds = Object.values(jobKinds).filter(({ isClaimedWhenDue }) => isClaimedWhenDue);
