/** Control characters, which move the cursor of a terminal, and those that turn the direction of the text around them. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const allControls = new RegExp(controls, 'gu');

/** Whether a text has one of these characters, which no version has. */
export function hasControls(text: string): boolean {
  return controls.test(text);
}

/**
 * A text in which control characters are written as `\u001b`: what somebody typed into a name neither moves a cursor
 * nor changes how the text beside it is read.
 * @param kept characters that stay
 */
export function visibleControls(text: string, kept = '\n'): string {
  return text.replace(allControls, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
