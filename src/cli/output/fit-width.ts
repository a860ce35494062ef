import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Truncates text to a number of terminal cells and marks the truncation with `…`. */
export function fitWidth(text: string, cells: number): string {
  if (stringWidth(text) <= cells) return text;
  let result = '';
  let left = cells - 1;
  for (const { segment } of segmenter.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    result += segment;
  }
  return `${result}…`;
}

export function padWidth(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - stringWidth(text)));
}
