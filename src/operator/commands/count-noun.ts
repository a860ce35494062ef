/**
 * Returns a count with its noun, such as `1 package` or `2 packages`. The plural of the noun must end in `s`.
 */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
