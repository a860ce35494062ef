/**
 * Part of a source's list that couldn't be read. `oldest`: the list is sorted newest first, and only its last
 * entries are missing. `anywhere`: newer entries might be missing, too.
 */
export type MissingListPart = 'oldest' | 'anywhere';

/**
 * Completeness of a job's releases compared with the list of the source. `complete_at_top`: only the oldest releases
 * might be missing. `incomplete`: any release might be missing, so the list can't prove that a release doesn't exist.
 */
export type ListCompleteness = 'complete' | 'complete_at_top' | 'incomplete';

/** Returns how complete the list of releases is after a run, or `null` if the run doesn't show it. */
export function completenessOf(
  isCompleteList: boolean,
  cut: MissingListPart | null,
): ListCompleteness | null {
  if (cut !== null) return cut === 'oldest' ? 'complete_at_top' : 'incomplete';
  return isCompleteList ? 'complete' : null;
}
