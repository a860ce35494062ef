/**
 * Finds deployed versions in Git repositories and Kubernetes clusters. A *discovery job* reads a repository or a cluster;
 * an *item* is one deployed version that it found there. An accepted item feeds a scrape job. An item of a repository
 * also has the version that runs, if a job reads the cluster that it is deployed to.
 */
export { acceptByKey, checkItemName, type FollowedItem } from './acceptance/accept-by-key.ts';
export { acceptanceHandlers } from './acceptance/acceptance-handlers.ts';
export { startDigestLoop } from './digests/start-digest-loop.ts';
export { checkNewDiscoveryJob, discoveryJobEdits } from './discovery-jobs/discovery-job-edits.ts';
export { discoveryJobHandlers } from './discovery-jobs/discovery-job-handlers.ts';
export { applyDiscoveryRun, applyUnchangedDiscovery } from './intake/apply-discovery-run.ts';
export { markDiscoveryFailing } from './intake/mark-discovery-failing.ts';
export { itemHandlers } from './items/item-handlers.ts';
export { expireLiveVersionsAcrossOrganizations } from './live/live-versions.ts';
export { previewHandlers } from './preview-discovery.ts';
