import { capitalized } from '../text/capitalized.ts';

/** Names of the kinds of jobs that organizations have, as in sentences of the web UI. */
export const jobKindNames = {
  gather: 'upstream source',
  scrape: 'version tracker',
  helm_sync: 'Helm repository',
  // Not "repository", because clusters and hosts have discovery jobs, too.
  discovery: 'discovery job',
} as const;

/** The same names as headings and titles of messages. */
export const jobKindLabels = {
  gather: capitalized(jobKindNames.gather),
  scrape: capitalized(jobKindNames.scrape),
  helm_sync: capitalized(jobKindNames.helm_sync),
  discovery: capitalized(jobKindNames.discovery),
} as const;
