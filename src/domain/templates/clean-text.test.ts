import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestName } from '../text/nearest-name.ts';
import {
  cleanLine,
  cleanText,
  escapeWithin,
  joinWithin,
  safeUrl,
  truncate,
  withoutMentions,
} from './clean-text.ts';
import { utf8Length } from './utf8-length.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
);

describe('a cleaned line', () => {
  test.each([
    ['plain', 'plain'],
    ['  a \r\n\t b  ', 'a b'],
    ['a\u0000b', 'a b'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['@\u200beveryone', '@everyone'],
    ['a\u00adb', 'ab'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['🏳️‍🌈', '🏳️‍🌈'],
    ['a\u200db', 'ab'],
    ['\ud800', '\ufffd'],
    ['\u200b\u200b', ''],
    ['שלום', 'שלום'],
  ])('for %j is %j', (text, line) => expect(cleanLine(text)).toBe(line));

  test('is well-formed, has no control characters, and is within its limit', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const line = cleanLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

test.each([
  ['## Notes\r\n\n- a\n\tb', '## Notes\n\n- a\n\tb'],
  ['a\u2028b\u0007c', 'a\nb c'],
  ['i\u200bgnore\u{e0041} \u202eall', 'ignore all'],
  ['👩\u200d💻 \ud800', '👩\u200d💻 \ufffd'],
  ['x'.repeat(60), `${'x'.repeat(49)}…`],
])('the cleaned text for %j is %j', (text, cleaned) => expect(cleanText(text, 50)).toBe(cleaned));

test('an escape sequence is never split', () => {
  const escape = (character: string) => (character === '&' ? '&amp;' : character);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('&', 'a', '😀') }),
      fc.integer({ min: 1, max: 30 }),
      (text, limit) => {
        const escaped = escapeWithin(text, limit, escape);
        expect(escaped.length).toBeLessThanOrEqual(limit);
        expect(escaped.replaceAll('&amp;', '')).not.toContain('&');
        expect(escaped.isWellFormed()).toBe(true);
      },
    ),
  );
  expect(truncate('abcdef', 4)).toBe('abc…');
  expect(truncate('abcd', 4)).toBe('abcd');
});

test.each(['@channel', '@all', '@Ána', 'a@b.example', '<@U12>', '<@&1>', '<@!1>'])(
  'the mention in %s is broken up, but looks the same',
  (text) => {
    expect(withoutMentions(text)).not.toContain(text);
    expect(withoutMentions(text).replaceAll('\u200b', '')).toBe(text);
  },
);

test.each([
  ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
  ['https://a.example/b)c|d"e<f> g', 'https://a.example/b%29c%7Cd%22e%3Cf%3E%20g'],
  ['http://a.example', 'http://a.example/'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['ssh://git@a.example/x', null],
  ['not a url', null],
  [`https://a.example/${'x'.repeat(2_000)}`, null],
  [null, null],
])('the URL %j becomes %j', (url, safe) => expect(safeUrl(url)).toBe(safe));

test("the last line states the number of lines that don't fit", () => {
  expect(joinWithin(['a', 'b'], 100)).toBe('a\nb');
  expect(joinWithin(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'], 24)).toBe('aaaaaaaa\nand 2 more');
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 20 }), { maxLength: 30 }),
      fc.integer({ min: 20, max: 200 }),
      (lines, limit) => {
        expect(joinWithin(lines, limit).length).toBeLessThanOrEqual(limit);
      },
    ),
  );
});

test('the UTF-8 length equals that of `TextEncoder`', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', 'é', '€') }),
      (text, broken) => {
        for (const each of [text, broken])
          expect(utf8Length(each)).toBe(new TextEncoder().encode(each).length);
      },
    ),
  );
});

test.each([
  ['severty', ['severity', 'status'], 'severity'],
  ['slakc', ['slack', 'discord'], 'slack'],
  ['lsack', ['slack', 'discord'], 'slack'],
  ['lcask', ['slack', 'discord'], null],
  ['zzz', ['severity', 'status'], null],
  ['x'.repeat(1_000), ['x'], null],
])('the name nearest to %s in %j is %j', (name, names, nearest) =>
  expect(nearestName(name, names)).toBe(nearest),
);
