/**
 * Returns the text without the given character at its end. A regular expression such as `/\/+$/` can take
 * quadratic time, because it tries every position of a run of slashes that isn't at the end.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Returns the text without the given character at its start and end, in linear time. */
export function withoutSurrounding(text: string, character: string): string {
  const rest = withoutTrailing(text, character);
  let start = 0;
  while (rest[start] === character) start += 1;
  return rest.slice(start);
}
