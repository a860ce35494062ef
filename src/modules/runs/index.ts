/**
 * A *run* is one execution of a job. It is queued by a schedule or by hand, leased to an agent, and ends well or not;
 * a job has at most one open run. A *part* is what an agent has sent of a run that is not applied yet.
 */

export { deleteOldRunsAcrossOrganizations, type RunPosition } from './delete-old-runs.ts';
export { type JobKind, jobKinds, runsTopic, schedulesDue } from './job-kinds.ts';
export {
  type ClaimedRun,
  claimRunsAcrossOrganizations,
  failRun,
  type HeldRun,
  lockHeldRun,
  type RunFailure,
  readParts,
  renewRunLease,
  stagePart,
  succeedRun,
  takeBackLostRunsAcrossOrganizations,
} from './lease-runs.ts';
export { recoverRunsAcrossOrganizations } from './recover-runs.ts';
export { cancelRuns, requestRunAfterChange, requestRuns } from './request-run.ts';
export {
  jobStatusOf,
  lastRunOf,
  listRuns,
  type RunJson,
  toJobStatus,
  toRun,
  waitingForOf,
} from './run-queries.ts';
export { isSameSchedule, type Schedule, scheduleJob } from './schedule-jobs.ts';
export { nextRunOf, startScheduleLoop } from './start-schedule-loop.ts';
