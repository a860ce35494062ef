/** What the database says, one after the other: the newest visible entry, a new transaction, and the oldest running one. */
export interface Moment {
  newestId: number;
  /** Every entry up to the newest one belongs to an earlier transaction. */
  transaction: bigint;
  /** All transactions before this one have ended. */
  oldestRunning: bigint;
}

export interface Horizon {
  id: number;
  /** Once all transactions before this one have ended, no more entries up to the ID can appear. */
  transaction: bigint;
}

/**
 * Up to which entry no more can appear: transactions that are still running can add entries with lower IDs than visible
 * ones have, which a cursor would pass over.
 *
 * @param waiting the horizon that an earlier look is waiting for
 */
export function chooseHorizon(
  { newestId, transaction, oldestRunning }: Moment,
  waiting: Horizon | null,
): { reached: number | null; waiting: Horizon | null } {
  if (oldestRunning >= transaction) return { reached: newestId, waiting: null };
  const candidate = { id: newestId, transaction };
  // A restored database numbers its transactions from the start again.
  if (waiting === null || waiting.transaction > transaction) return { reached: null, waiting: candidate };
  if (waiting.transaction > oldestRunning) return { reached: null, waiting };
  return { reached: waiting.id, waiting: candidate };
}
