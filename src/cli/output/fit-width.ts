import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts to so many cells of a terminal at most, and marks the cut. */
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
