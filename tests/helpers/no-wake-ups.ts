import type { WakeUps } from '../../src/platform/database/index.ts';

/** For tests in which nobody waits for what a transaction wakes. */
export const noWakeUps: WakeUps = {
  wakeAfterCommit: () => undefined,
} as Partial<WakeUps> as WakeUps;
