/** Words of at least this length get places to break. Shorter ones, such as most versions, fit on a line. */
const longWord = /\S{14}/;

/** Splits a text after `/`, `.`, `-`, and `@` if it contains a long word, such as a URL or the name of an image. */
export function breakableParts(text: string): string[] {
  return longWord.test(text) ? text.split(/(?<=[/.@-])(?=[^/.@\s-])/u) : [text];
}
