const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const plainAscii = /^[\x20-\x7e]*$/;
/** What terminals draw two cells wide: East Asian scripts, full-width forms, and emoji. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\u30fb-\u30ff\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

/** How many cells of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  return graphemes(text).reduce((width, grapheme) => width + cellsOf(grapheme), 0);
}

/** Cuts to so many cells at most, and marks the cut. */
export function fitWidth(text: string, cells: number): string {
  if (displayWidth(text) <= cells) return text;
  let result = '';
  let left = cells - 1;
  for (const grapheme of graphemes(text)) {
    left -= cellsOf(grapheme);
    if (left < 0) break;
    result += grapheme;
  }
  return `${result}…`;
}

export function padWidth(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - displayWidth(text)));
}

function graphemes(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function cellsOf(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
