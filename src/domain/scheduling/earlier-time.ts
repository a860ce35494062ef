/** Returns the earlier of two times. `null` means never. */
export function earlierTime(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
