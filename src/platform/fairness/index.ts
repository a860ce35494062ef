/**
 * Limits that keys share fairly, such as organizations: none can use the whole limit, and those that wait take turns.
 */

export { Counts } from './counts.ts';
export {
  createFairLimit,
  createLimit,
  type FairLimit,
  NoCapacityError,
} from './fair-limit.ts';
export { FairQueue } from './fair-queue.ts';
export { createTurnScheduler, type TurnScheduler } from './turn-scheduler.ts';
