/** Cleans user-supplied text for use in messages, such as names that anyone can choose. */

/** Control characters and line breaks, which could be used to forge a second line. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** Invisible characters and characters that change the direction of the surrounding text. */
const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Zero-width joiner within an emoji, which must be kept. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;
const joinerPlaceholder = '\ue000';

/** Returns one line of visible text with at most `limit` characters (UTF-16 units). */
export function cleanLine(text: string, limit = 200): string {
  // Truncate before matching. The expressions take linear time, so this bounds their work.
  const start = text.slice(0, limit * 4);
  // Skip the expressions for plain ASCII, because nearly all names are plain and a digest contains thousands.
  const visible = plainAscii.test(start) ? start : withoutHidden(start.toWellFormed());
  return truncate(visible.trim(), limit);
}

const plainAscii = /^[\x20-\x7e]*$/;

/** Control characters except tabs and line breaks. */
const controlsInText = /[^\P{Cc}\t\n]/gu;

/** Returns visible text with its line breaks and indentation, and at most `limit` characters (UTF-16 units). */
export function cleanText(text: string, limit: number): string {
  const start = text.slice(0, limit * 4).toWellFormed();
  return truncate(withoutHidden(start.replace(/\r\n?|[\u2028\u2029]/g, '\n'), controlsInText), limit);
}

function withoutHidden(text: string, replaced = controls): string {
  return text
    .replaceAll(joinerPlaceholder, '')
    .replace(emojiJoiner, joinerPlaceholder)
    .replace(replaced, ' ')
    .replace(invisible, '')
    .replaceAll(joinerPlaceholder, '\u200d');
}

/** Truncates text between code points and appends `…`. The result has at most `limit` UTF-16 units. */
export function truncate(text: string, limit: number): string {
  return text.length <= limit ? text : escapeWithin(text, limit, (character) => character);
}

/**
 * Escapes text character by character, and stops before the escaped text exceeds `limit` UTF-16 units, so
 * that no escape sequence is split.
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

/** Inserts a zero-width space after each `@`, so that the text looks the same but mentions no one. */
export function withoutMentions(text: string): string {
  return text.replace(/@(?=[\p{L}\p{N}_&!])/gu, '@\u200b');
}

/** Normalizes an http or https URL. Characters that end a link in some markup are percent-encoded. */
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
 * Joins lines up to the limit. The last line then states the number of omitted lines, such as `and 7 more`.
 *
 * @param measure Returns the length of a string in the unit of `limit`.
 */
export function joinWithin(
  lines: readonly string[],
  limit: number,
  measure = (text: string) => text.length,
): string {
  const whole = lines.join('\n');
  if (measure(whole) <= limit) return whole;
  const kept: string[] = [];
  let length = measure(omittedCountText(lines.length));
  for (const line of lines) {
    length += measure(line) + 1;
    if (length > limit) break;
    kept.push(line);
  }
  return [...kept, omittedCountText(lines.length - kept.length)].join('\n');
}

export function omittedCountText(count: number): string {
  return `and ${count} more`;
}
