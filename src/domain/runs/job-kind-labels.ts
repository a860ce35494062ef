/** Names of the kinds of jobs that organizations have, as in the web UI and in messages. */
export const jobKindLabels = {
  gather: 'Upstream source',
  scrape: 'Version tracker',
  helm_sync: 'Helm repository',
  discovery: 'Discovery job',
} as const;
