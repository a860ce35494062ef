import fc from 'fast-check';

/** A number in a body that JavaScript can't serialize itself. */
export class RawNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

/** Strings that are known to cause problems in software. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '	\n',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '﻿',
  '‮abc',
  '\u2028',
  'İ',
  'ß',
  '𝕏',
  '👩‍👩‍👧',
  '',
  '\x1B[31m',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  "' OR 1=1 --",
  '"; DROP TABLE rules; --',
  '%',
  '_',
  '\\',
  '%00',
  '%2e%2e/',
  '../../etc/passwd',
  '$1',
  '${x}',
  '{{x}}',
  '<script>alert(1)</script>',
  'a\r\nX-Evil: 1',
  'a\nb',
  '=cmd()',
  '9'.repeat(400),
  `${'1.'.repeat(200)}1`,
  'v',
  '1e999',
  '0',
  '-1',
  '1.5',
  '01',
  '+1',
  '0x10',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '٣',
  '(a+)+$',
  '(?=a)',
  '\\1',
  '[',
  '(',
  'a{1000}{1000}',
  '(?P<n>a)',
  '\\p{Greek}',
  '(?i)x',
  '.*.*.*.*=',
  'x*+',
  '^$',
  '{{',
  '{% for',
  '{{ alert.nothing }}',
  '{% for i in (1..99999999) %}x{% endfor %}',
  '{{ "a" | nofilter }}',
  '{% include "a" %}',
  '* * * * *',
  '*/0 * * * *',
  '0 0 31 2 *',
  '60 * * * *',
  '@never',
  '@reboot',
  '* * * * * *',
  '1-0 * * * *',
  '0 0 * * 8',
  'Mars/Olympus',
  'Etc/GMT+14',
  'utc',
  'Europe/Berlin',
  'posixrules',
  'http://',
  'https://',
  'https://[::1',
  'file:///etc/passwd',
  'https://a:b@c/',
  'http://169.254.169.254/',
  'javascript:1',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://127.0.0.1:99999/',
  'ftp://x',
  '//x',
  'https://x y/',
  'https://\0/',
  '-oProxyCommand=x',
  'git@h:p',
  'ssh://-x/',
  'ext::sh',
  'HEAD~1',
  'refs/../x',
  '*.lock',
  '.a[0].b',
  '.a[',
  '."',
  '..',
  '.a.b.c.d',
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }).map((length) => 'ä'.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(33_000), '🙂'.repeat(70_000), '\u0001'.repeat(3_000)) },
);

/** Values that are rarely valid for a field. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      1.5,
      1e21,
      1e308,
      -1e308,
      2 ** 31,
      2 ** 32,
      2 ** 53,
      -(2 ** 53),
      5e-324,
      ...[
        '9223372036854775807',
        '9223372036854775808',
        '-9223372036854775808',
        '1e400',
        '1.0',
        '1e2',
        '-0.0',
      ].map((text) => new RawNumber(text)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      [],
      {},
      [null],
      [[]],
      { a: 1 },
      [1, '1'],
      deep(31),
      deep(33),
      deep(500),
      JSON.parse('{"__proto__": {"is_admin": true}}'),
      { constructor: { prototype: {} } },
      Array.from({ length: 600 }, (_, index) => index + 1),
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key${index}`, 'x'])),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) },
);

/** Serializes a value as JSON and keeps the text of raw numbers. */
export function toJson(value: unknown): string {
  const numbers: string[] = [];
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (!(part instanceof RawNumber)) return part;
    numbers.push(part.text);
    return '\u0007number\u0007';
  });
  return text === undefined ? '' : text.replaceAll('"\\u0007number\\u0007"', () => numbers.shift()!);
}
