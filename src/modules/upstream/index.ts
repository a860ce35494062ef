/**
 * Upstream sources and their releases.
 *
 * - A *gather job* defines where the releases of one artifact are listed and how their versions are read.
 * - A *release* is one upstream version. All releases are stored by `recordReleases`. A release *moves* if
 *   its commit or digest changes.
 * - A *helm sync job* reads the index of an entire Helm repository: its *charts*, and the releases of the
 *   gather job that it manages for each chart.
 * - An *alias* says that a mirror copies an upstream, so a gather job of the mirror has the identity of the upstream.
 * - A *fan-out* evaluates the alert configurations that use a gather job whose releases changed.
 */
export { dueDigestFanOutsTable } from './digest-fan-outs.ts';
export { dueFanOutsTable, startFanOutLoop } from './fan-out-evaluation.ts';
export {
  applyAliasesToJobs,
  countJobsBelow,
  type LockedJob,
  lockFirstJobsBelow,
  lockJobsBelow,
} from './gather-jobs/apply-aliases-to-jobs.ts';
export { assertNotFollowed } from './gather-jobs/followed-scrape-jobs.ts';
export { checkNewGatherJob, gatherJobEdits, toGatherJob } from './gather-jobs/gather-job-edits.ts';
export { gatherJobHandlers } from './gather-jobs/gather-job-handlers.ts';
export { findGatherJob } from './gather-jobs/gather-job-queries.ts';
export { gatherSourceHandlers, type PreviewGatherSourceDeps } from './gather-jobs/preview-gather-source.ts';
export { type GatherJobSeed, seedGatherJobs } from './gather-jobs/seed-gather-jobs.ts';
export { gatherKind } from './gather-kind.ts';
export { checkHelmSyncJob, helmSyncJobEdits } from './helm-sync-jobs/helm-sync-job-edits.ts';
export { helmSyncJobHandlers } from './helm-sync-jobs/helm-sync-job-handlers.ts';
export { helmSyncKind } from './helm-sync-kind.ts';
export { selectVisibleJobs } from './job-scope.ts';
export { createFindVersions, type FindVersions } from './releases/find-versions.ts';
export { reparseVersionsAcrossOrganizations } from './releases/read-versions-again.ts';
export { recordDeployedVersionsAcrossOrganizations } from './releases/record-deployed-versions.ts';
export { type RecordDeps, recordReleasesOfJobs } from './releases/record-releases.ts';
export { releaseHandlers } from './releases/release-handlers.ts';
export { dueReleaseMovesTable, startMovedReleasesLoop } from './releases/report-moved-releases.ts';
