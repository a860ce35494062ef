import { expect, test } from 'vitest';
import { assertIfMatch, readIfMatch } from './preconditions.ts';

test.each([
  [undefined, null],
  ['*', '*'],
  [' * ', '*'],
  ['"3"', ['"3"']],
  ['"3","4"', ['"3"', '"4"']],
  ['"a,b" ,, "" ,', ['"a,b"', '""']],
  ['W/"3", "4"', ['"3"', '"4"']],
  ['W/"3"', ['"3"']],
])('the If-Match header %j is valid', (header, expected) => {
  expect(readIfMatch(header)).toEqual(expected);
});

test.each(['', ' ', ',', '3', '"3', '3"', '"3" "4"', '"3";', 'w/"3"', 'W/ "3"', '*, "3"', '"a b"'])(
  'the If-Match header %j is rejected',
  (header) => {
    expect(() => readIfMatch(header)).toThrow('If-Match: must be * or ETags in quotes');
  },
);

test('a long header is parsed in linear time', () => {
  const header = '"3", '.repeat(20_000);
  expect(readIfMatch(header)).toHaveLength(20_000);
  expect(() => readIfMatch(`${' '.repeat(100_000)}x`)).toThrow('If-Match');
});

test('a different revision is rejected, and the response contains the current one', () => {
  const current = { revision: 4 };
  for (const ifMatch of [null, '*', ['"3"', '"4"']] as const) assertIfMatch({ ifMatch }, current);
  for (const ifMatch of [[], ['"3"'], ['"40"']]) {
    expect(() => assertIfMatch({ ifMatch }, current)).toThrow(
      expect.objectContaining({ status: 412, options: { headers: { etag: '"4"' } } }),
    );
  }
});
