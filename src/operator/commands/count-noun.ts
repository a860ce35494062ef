/** `1 package`, `2 packages`. For nouns with a plural in `s`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
