/**
 * Part of a source's list that couldn't be read. `oldest`: the list is sorted newest first, and only its end is
 * missing. `anywhere`: newer releases can be missing, too.
 */
export type ListCut = 'oldest' | 'anywhere';

/**
 * Part of its source's list that a job has. With `complete_at_top`, no newer release is missing. `incomplete`
 * proves which releases exist, but not that no others do.
 */
export type ListCompleteness = 'complete' | 'complete_at_top' | 'incomplete';

/** Returns the completeness after a read, or `null` if the read doesn't show it. */
export function completenessOf(isCompleteList: boolean, cut: ListCut | null): ListCompleteness | null {
  if (cut !== null) return cut === 'oldest' ? 'complete_at_top' : 'incomplete';
  return isCompleteList ? 'complete' : null;
}
