/**
 * What an edit sends of a list that is derived unless it was set: `null` has it derived. A list that was set to nothing stays
 * so while it's empty.
 *
 * @param before the list that was set, or `null` if it was derived
 */
export function listOrDerived(now: string[], before: readonly string[] | null): string[] | null {
  return now.length > 0 || before?.length === 0 ? now : null;
}
