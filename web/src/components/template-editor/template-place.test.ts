import { expect, test } from 'vitest';
import { toTextRange } from './template-place.ts';

const text = '{\n  "severity": {{ alert.colour | json }}\n}';

test.each([
  ['a word with dots as a whole', { line: 2, column: 18 }, 'alert.colour'],
  ['an opening of an output', { line: 2, column: 15 }, '{{'],
  ['a mistake without a place at the start', { line: null, column: null }, '{'],
  ['a line behind the end on the last one', { line: 9, column: 1 }, '}'],
  ['a column behind the end on the last character', { line: 2, column: 200 }, '}'],
])('marks %s', (_, place, marked) => {
  const { from, to } = toTextRange(text, place);
  expect(text.slice(from, to)).toBe(marked);
});

test('marks nothing outside of an empty text', () => {
  expect(toTextRange('', { line: 3, column: 4 })).toEqual({ from: 0, to: 0 });
});
