/**
 * Work as state: a *due row* is a row that must be handled now. Triggers make rows due. Loops claim them
 * under a *lease* (or lock them in the transaction of the work), handle them, and finish them. All state is
 * in the rows, so nothing is lost when a process ends.
 */
export { Alarm } from './alarm.ts';
export { BatchSize } from './batch-size.ts';
export {
  type DueLoop,
  type DueLoopOptions,
  handleIndividually,
  isDueBeforeNextPoll,
  retryDelayMs,
  startDueLoop,
} from './due-loop.ts';
export {
  type Claim,
  claimDueRows,
  type DueTable,
  finishDueRows,
  finishLockedRows,
  isDue,
  isDueWithinOrganization,
  organizationsWithDueRows,
  releaseDueRows,
  triggerDueRows,
  triggerSharedRows,
  withDeferredTriggers,
} from './due-table.ts';
export { recoverDueRows } from './recover-due-rows.ts';
