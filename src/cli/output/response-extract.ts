import { ownValue } from '../../domain/json/own-value.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';

const maxLength = 200;

/** Returns the beginning of a response body as one line of text, without HTML markup. */
export function responseExtract(body: string): string {
  return cleanLine(/^\s*<(!doctype\s+html|html|head|body)\b/i.test(body) ? textOf(body) : body, maxLength);
}

/**
 * Matches comments and elements without visible text. The closing tag may be missing from a truncated
 * response.
 */
const hidden = /<!--[^]*?(?:-->|$)|<(script|style|svg)\b[^]*?(?:<\/\1\s*>|$)/gi;
const characters: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function textOf(page: string): string {
  const text = page
    .replace(hidden, ' ')
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => ownValue(characters, entity)!)
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? 'A web page without text' : text;
}
