/** Returns the plural of a noun or a phrase, such as `alert configurations`, `deliveries`, or `aliases`. */
export function pluralOf(noun: string): string {
  // The noun has no plural.
  if (noun === 'software') return noun;
  return `${noun.replace(/(?<![aeiou])y$/, 'ie').replace(/s$/, 'se')}s`;
}
