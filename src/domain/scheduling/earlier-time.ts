/** The earlier of two times; `null` is never. */
export function earlierTime(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
