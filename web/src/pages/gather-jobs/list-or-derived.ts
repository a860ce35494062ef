/**
 * Returns the value to send for a list that Pacekeeper derives unless a user sets it. `null` means derived. An empty
 * list is sent as `null`, unless the list was already set to an empty one.
 *
 * @param before The list that was set, or `null` if it was derived.
 */
export function listOrDerived(now: string[], before: readonly string[] | null): string[] | null {
  return now.length > 0 || before?.length === 0 ? now : null;
}
