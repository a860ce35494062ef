/**
 * Discovery of deployed versions in Git repositories, Kubernetes clusters, and container hosts. A *discovery
 * job* reads a repository, a cluster, or a host. An *item* is one deployed version that the job found. An
 * accepted item feeds a scrape job. An item of a repository also has the running version, if a job reads the
 * cluster or host that the item is deployed to. Items and jobs follow the organization's *aliases* of mirrors. A
 * *correction* is the upstream that a person chose for an artifact.
 */
export { systemContext } from './acceptance/accept-automatically.ts';
export { acceptByKey, checkItemName, type FollowedItem } from './acceptance/accept-by-key.ts';
export { acceptanceHandlers } from './acceptance/acceptance-handlers.ts';
export { findTakenNames } from './acceptance/acceptance-queries.ts';
export { findUpstream } from './acceptance/find-upstream.ts';
export { aliasEdits, checkAlias } from './aliases/alias-edits.ts';
export { aliasHandlers } from './aliases/alias-handlers.ts';
export { applyAliasesAcrossOrganizations } from './aliases/apply-alias-changes.ts';
export { checkCorrection, correctionEdits } from './corrections/correction-edits.ts';
export { correctionHandlers } from './corrections/correction-handlers.ts';
export { startDigestLoop } from './digests/start-digest-loop.ts';
export { checkNewDiscoveryJob, discoveryJobEdits } from './discovery-jobs/discovery-job-edits.ts';
export { discoveryJobHandlers } from './discovery-jobs/discovery-job-handlers.ts';
export { requestScan } from './discovery-jobs/request-scan.ts';
export { discoveryKind } from './discovery-kind.ts';
export { itemHandlers } from './items/item-handlers.ts';
export { expireLiveVersionsAcrossOrganizations } from './live/live-versions.ts';
export { lockAllJobs } from './model/discovery-job-queries.ts';
export { previewHandlers } from './preview-discovery.ts';
