/**
 * Returns the value to send for a list that is derived unless it's set. `null` means derived. A list that was
 * set to an empty list stays set while it's empty.
 *
 * @param before The list that was set, or `null` if it was derived.
 */
export function listOrDerived(now: string[], before: readonly string[] | null): string[] | null {
  return now.length > 0 || before?.length === 0 ? now : null;
}
