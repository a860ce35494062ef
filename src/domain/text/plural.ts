/** Returns the plural of a noun as in `alert configurations`, `deliveries`, and `aliases`. */
export function pluralOf(noun: string): string {
  // The noun has no plural.
  if (noun === 'software') return noun;
  return `${noun.replace(/(?<![aeiou])y$/, 'ie').replace(/s$/, 'se')}s`;
}
