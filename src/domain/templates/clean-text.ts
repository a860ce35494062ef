/**
 * Text of users on its way into a message: names of things that anybody may have chosen.
 */

/** Control characters and line breaks, which could forge a second line. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** Invisible characters and those that turn the direction of the text around them. */
const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Joins the parts of one emoji, and is needed there. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;
const joinerPlaceholder = '\ue000';

/** One line of visible text, at most `limit` characters (UTF-16 units) long. */
export function cleanLine(text: string, limit = 200): string {
  // Cut before the expressions run: they are linear, and this bounds what they read.
  const start = text.slice(0, limit * 4);
  // Nearly all names are plain, and a digest has thousands.
  const visible = plainAscii.test(start) ? start : withoutHidden(start.toWellFormed());
  return truncate(visible.trim(), limit);
}

const plainAscii = /^[\x20-\x7e]*$/;

function withoutHidden(text: string): string {
  return text
    .replaceAll(joinerPlaceholder, '')
    .replace(emojiJoiner, joinerPlaceholder)
    .replace(controls, ' ')
    .replace(invisible, '')
    .replaceAll(joinerPlaceholder, '\u200d');
}

/** Cuts between code points and marks the cut with `…`; the result is at most `limit` UTF-16 units long. */
export function truncate(text: string, limit: number): string {
  return text.length <= limit ? text : escapeWithin(text, limit, (character) => character);
}

/**
 * Escapes a text character by character, and ends before the escaped text would be longer than `limit`
 * UTF-16 units: no escape sequence is ever cut in two.
 */
export function escapeWithin(text: string, limit: number, escape: (character: string) => string): string {
  const parts = Array.from(text, escape);
  if (parts.reduce((sum, part) => sum + part.length, 0) <= limit) return parts.join('');
  let result = '';
  for (const part of parts) {
    if (result.length + part.length > limit - 1) break;
    result += part;
  }
  return `${result}…`;
}

/** A zero-width space after the `@`: the text reads the same and mentions nobody. */
export function withoutMentions(text: string): string {
  return text.replace(/@(?=[\p{L}\p{N}_&!])/gu, '@\u200b');
}

/** An http or https URL, normalized; characters that end a link in some markup are percent-encoded. */
export function safeUrl(url: string | null): string | null {
  if (url === null || url.length > 2_000 || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const encoded = href.replace(
    /[()<>"'`|\\^{}*[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.length > 2_000 ? null : encoded;
}

/**
 * Joins lines as long as they fit; what is left off is counted in a last line, `and 7 more`.
 *
 * @param measure The length of a text in the unit of `limit`.
 */
export function joinWithin(
  lines: readonly string[],
  limit: number,
  measure = (text: string) => text.length,
): string {
  const whole = lines.join('\n');
  if (measure(whole) <= limit) return whole;
  const kept: string[] = [];
  let length = measure(moreLine(lines.length));
  for (const line of lines) {
    length += measure(line) + 1;
    if (length > limit) break;
    kept.push(line);
  }
  return [...kept, moreLine(lines.length - kept.length)].join('\n');
}

export function moreLine(count: number): string {
  return `and ${count} more`;
}
