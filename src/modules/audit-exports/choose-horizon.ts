export interface WriterSnapshot {
  newestId: number;
  /** Transactions that can still add entries. The list was read after the newest ID. */
  writers: readonly string[];
}

export interface Horizon {
  id: number;
  /** Transactions to wait for. After they have ended, no more entries up to the ID can appear. */
  writers: readonly string[];
}

/**
 * Returns an ID up to which all entries are visible (`reached`), or null, and the next horizon to wait for.
 * Above the reached ID, running transactions can still add entries with lower IDs than those already visible,
 * and a cursor would skip them.
 *
 * @param waiting the pending horizon that an earlier call returned
 */
export function nextVisibleHorizon(
  { newestId, writers }: WriterSnapshot,
  waiting: Horizon | null,
): { reached: number | null; waiting: Horizon | null } {
  if (writers.length === 0) return { reached: newestId, waiting: null };
  const candidate = { id: newestId, writers };
  if (waiting === null) return { reached: null, waiting: candidate };
  if (waiting.writers.some((writer) => writers.includes(writer))) return { reached: null, waiting };
  return { reached: waiting.id, waiting: candidate };
}
