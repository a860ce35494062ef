import type { WakeUps } from '../../src/platform/database/index.ts';

/** Wake-ups that do nothing, for tests in which no worker waits for a transaction's wake-up. */
export const noWakeUps: WakeUps = {
  wakeAfterCommit: () => undefined,
} as Partial<WakeUps> as WakeUps;
