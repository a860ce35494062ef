export interface Moment {
  newestId: number;
  /** The transactions that could still add entries, read after the newest ID. */
  writers: readonly string[];
}

export interface Horizon {
  id: number;
  /** Once these have ended, no more entries up to the ID can appear. */
  writers: readonly string[];
}

/**
 * Up to which entry no more can appear: transactions that are still running can add entries with lower IDs than visible
 * ones have, which a cursor would pass over.
 *
 * @param waiting the horizon that an earlier look is waiting for
 */
export function chooseHorizon(
  { newestId, writers }: Moment,
  waiting: Horizon | null,
): { reached: number | null; waiting: Horizon | null } {
  if (writers.length === 0) return { reached: newestId, waiting: null };
  const candidate = { id: newestId, writers };
  if (waiting === null) return { reached: null, waiting: candidate };
  if (waiting.writers.some((writer) => writers.includes(writer))) return { reached: null, waiting };
  return { reached: waiting.id, waiting: candidate };
}
