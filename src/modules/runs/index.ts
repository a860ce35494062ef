/**
 * A *run* is one execution of a job. A run is queued by a schedule or manually, leased to an agent, and
 * succeeds or fails; a job has at most one open run. A *part* is a portion of a run's results that an agent
 * has sent but that isn't applied yet. A *kind* of jobs implements `JobKind` in the module that owns the jobs.
 */

export {
  type ClaimedRun,
  type ClaimingAgent,
  claimRunsAcrossOrganizations,
  isJobOfRuns,
  longestQueuedSinceAcrossOrganizations,
  markFullRunsAcrossOrganizations,
} from './claim-runs.ts';
export { checksInProgress, hasClaimedCheck, isUnclaimed } from './claimed-checks.ts';
export { deleteOldRunsAcrossOrganizations, type RunPosition } from './delete-old-runs.ts';
export {
  type AppliedResults,
  type CompletedTask,
  dueSchedulesTable,
  type JobKind,
  type JobKindName,
  type JobTable,
  jobKey,
  type OrganizationJobs,
  type RunAttemptListener,
  type SubmittedParts,
  type TaskBody,
} from './job-kind.ts';
export { changedValues, type JobRow, jobColumns, jobStateColumns, toJob } from './job-rows.ts';
export {
  checkParts,
  failRun,
  findOrganizationOfRunAcrossOrganizations,
  type HeldRun,
  type LeaseHolder,
  lockHeldRun,
  lockHeldRunsAcrossOrganizations,
  lostLeaseError,
  type RunFailure,
  readParts,
  renewRunLease,
  requeueExpiredRunsAcrossOrganizations,
  stagedItems,
  stagePart,
  succeedRuns,
} from './lease-runs.ts';
export { type JobLock, lockJob, lockJobs, lockOpenRuns } from './lock-job.ts';
export { markJobFailing } from './mark-job-failing.ts';
export { shouldRecordSuccess, successColumns } from './note-success.ts';
export { recoverRunsAcrossOrganizations } from './recover-runs.ts';
export { cancelRuns, isRetrying, requestRunAfterChange, requestRuns, toJobToRun } from './request-run.ts';
export {
  hasJobStatus,
  jobStatusConditions,
  lastRunSql,
  lastSuccessfulRunSql,
  listRuns,
  type RunJson,
  waitingForSql,
} from './run-queries.ts';
export { isRelevantWakeUp } from './run-topics.ts';
export { checkSchedule, isSameSchedule, scheduleJobs, scheduleNewJobs } from './schedule-jobs.ts';
export {
  claimChecksAcrossOrganizations,
  endExpiredClaimsAcrossOrganizations,
  findHeldChecksAcrossOrganizations,
  giveRowsToChecks,
  type HeldCheck,
  lockHeldChecksAcrossOrganizations,
  nextCheckInMsAcrossOrganizations,
  succeedChecks,
  succeedUnchangedChecks,
} from './scheduled-checks.ts';
export { applyJobChange, startJobs } from './start-jobs.ts';
export { startScheduleLoop } from './start-schedule-loop.ts';
