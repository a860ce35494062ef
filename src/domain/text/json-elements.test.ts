import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonElements } from './json-elements.ts';

function cut(document: string, size = 7) {
  const elements: unknown[] = [];
  const reader = new JsonElements('result', (element) => elements.push(element));
  for (let at = 0; at < document.length; at += size) reader.feed(document.slice(at, at + size));
  const end = reader.end();
  return { elements, rest: end.ok ? end.document : end.problem };
}

it('the objects of one array are extracted from a document, regardless of how the document is split into chunks', () => {
  const text = fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', 'result', 'é', '😀', ':');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.array(text).map((parts) => parts.join('')),
      fc.integer(),
      fc.boolean(),
      fc.array(tie('any')),
      fc.dictionary(
        fc.array(text).map((parts) => parts.join('')),
        tie('any'),
      ),
    ),
  })).any;
  const object = fc.dictionary(fc.constantFrom('a', 'result', '}'), value);
  fc.assert(
    fc.property(
      fc.array(object, { maxLength: 4 }),
      value,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (result, other, size, isPretty) => {
        const document = JSON.stringify({ before: other, result, total: 3 }, null, isPretty ? 2 : 0);
        expect(cut(document, size)).toEqual({
          elements: JSON.parse(JSON.stringify(result)),
          rest: { ...JSON.parse(JSON.stringify({ before: other })), result: [], total: 3 },
        });
      },
    ),
  );
});

it.each([
  ['[{"a": 1}]', [{ a: 1 }]],
  ['{"other": [{"a": 1}]}', { other: [{ a: 1 }] }],
  ['{"result": {"a": {}}}', { result: { a: {} } }],
])("a document that doesn't contain the array is returned unchanged: %s", (document, rest) => {
  expect(cut(document)).toEqual({ elements: [], rest });
});

it.each(['', '{"result": [{"a": 1}', '{"result": [{"a": 1', '{"result": [{a}]}', 'text'])(
  "%j isn't valid JSON",
  (document) => {
    expect(cut(document).rest).toBe('not_json');
  },
);

it('the size of a single element is limited', () => {
  const piece = `{"result": [{"a": "${'x'.repeat(5_000_000)}`;
  expect(cut(piece, 1_000_000).rest).toBe('too_large');
});

it('a document with many small lists is parsed in linear time', () => {
  const lists = '"a":[],'.repeat(500_000);
  expect(cut(`{${lists}"result": [{"a": 1}]}`, 65_536)).toEqual({
    elements: [{ a: 1 }],
    rest: { a: [], result: [] },
  });
});
