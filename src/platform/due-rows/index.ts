/**
 * Work as state: a *due row* is a row that wants handling at or before now. Triggers make rows due, loops
 * claim them under a *lease* (or lock them in the transaction of the work), handle them and finish them. Nothing but the
 * rows exists, so nothing is lost with a process.
 */
export {
  type DueLoop,
  type DueLoopOptions,
  handleIndividually,
  isDueBeforeNextLook,
  startDueLoop,
} from './due-loop.ts';
export {
  type Claim,
  claimDueRows,
  type DueTable,
  finishDueRows,
  finishLockedRows,
  releaseDueRows,
  triggerDueRows,
  triggeringLast,
  triggerSharedRows,
} from './due-table.ts';
export { recoverDueRows } from './recover-due-rows.ts';
