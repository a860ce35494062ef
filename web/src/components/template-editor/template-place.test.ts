import { expect, test } from 'vitest';
import { toTextRange } from './template-place.ts';

const text = '{\n  "severity": {{ alert.colour | json }}\n}';

test.each([
  ['a dotted name as a whole', { line: 2, column: 18 }, 'alert.colour'],
  ['the opening of an output', { line: 2, column: 15 }, '{{'],
  ['the first character for an error without a position', { line: null, column: null }, '{'],
  ['the last character for a line after the end', { line: 9, column: 1 }, '}'],
  ['the last character for a column after the end', { line: 2, column: 200 }, '}'],
])('the editor marks %s', (_, place, marked) => {
  const { from, to } = toTextRange(text, place);
  expect(text.slice(from, to)).toBe(marked);
});

test('the editor marks nothing in an empty text', () => {
  expect(toTextRange('', { line: 3, column: 4 })).toEqual({ from: 0, to: 0 });
});
