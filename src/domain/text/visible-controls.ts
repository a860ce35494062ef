/**
 * Control characters, which can move the cursor of a terminal, and characters that change the direction of
 * the surrounding text.
 */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const allControls = new RegExp(controls, 'gu');

/**
 * True if the text contains a control character or a bidirectional formatting character. Valid versions contain
 * neither.
 */
export function hasControlCharacters(text: string): boolean {
  return controls.test(text);
}

/**
 * Replaces control characters with escapes such as `\u001b`, so that user-supplied names can't move the
 * cursor or change how the surrounding text is displayed.
 * @param kept Characters to keep.
 */
export function escapeControls(text: string, kept = '\n'): string {
  return text.replace(allControls, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
