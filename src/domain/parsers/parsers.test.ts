import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxContentLength } from './content-limits.ts';
import { parsers } from './parsers.ts';
import type { ParserType } from './version-parser.ts';

/** Expression for each parser, with content in which it finds the given text. */
const samples: Record<ParserType, { expression: string; content: (version: string) => string }> = {
  yq: { expression: '.app.version', content: (version) => `app:\n  version: ${JSON.stringify(version)}\n` },
  jq: { expression: '.app.version', content: (version) => JSON.stringify({ app: { version } }) },
  regex: { expression: '(?s)version=<(.*)>', content: (version) => `# image\nversion=<${version}>\n` },
  sbom: {
    expression: 'pkg:npm/web',
    content: (version) =>
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        components: [{ name: 'web', version, purl: 'pkg:npm/web' }],
      }),
  },
  manual: { expression: '', content: (version) => version },
};

/** Expressions that each parser rejects. */
const unusable: Record<ParserType, string[]> = {
  yq: [
    '',
    'version',
    '.a | .b',
    '.list[]',
    '.a..b',
    '.a.',
    '."open',
    `.${'a'.repeat(1_000)}`,
    '.a'.repeat(101),
  ],
  jq: ['', 'version', '.a | .b', '.list[0]', '.list[0].a', '.a?'],
  regex: ['', '(', '(?=a)', '(a)\\1', 'a++', 'a'.repeat(1_001), '.{1000}'.repeat(100)],
  sbom: ['', 'web', 'pkg:npm', 'pkg:npm/web@1.0.0', `pkg:npm/${'a'.repeat(1_000)}`],
  manual: ['.version'],
};

test('the list contains every parser in the directory under its id', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^(?!version-).*-parser\.ts$/.test(name));
  expect(files.map((name) => name.replace('-parser.ts', '')).toSorted()).toEqual(
    Object.keys(parsers).toSorted(),
  );
  for (const [id, parser] of Object.entries(parsers)) expect(parser.id).toBe(id);
});

describe.each(Object.values(parsers))('the $id parser', (parser) => {
  const { expression, content } = samples[parser.id];

  test('has a description that is a full sentence', () => {
    expect(parser.description).toMatch(/^[A-Z].{20,}\.$/);
  });

  test.each([
    '1.2.3',
    '1.10',
    '1.0',
    '0x1F',
    '007',
    'v1.2.3-rc.1+build',
    '2024.01',
    '1e3',
    '1 beta',
    'latest',
    'x'.repeat(256),
  ])('returns %s exactly as written', (version) => {
    expect(parser.parse(content(version), expression)).toEqual({ ok: true, version });
  });

  test('trims a version', () => {
    expect(parser.parse(content('  1.2.3 '), expression)).toEqual({ ok: true, version: '1.2.3' });
  });

  test.each([
    ['an empty string', '', /empty/],
    ['only spaces', '   ', /empty/],
    ['more than 256 characters', 'x'.repeat(257), /257 characters.*limit 256/],
    ['a megabyte', 'x'.repeat(1_000_000), /1000000 characters.*limit 256/],
    ['several lines', '1.2\n3.4', /2 lines/],
  ])('rejects %s as a version, with a message that states the reason', (_what, version, message) => {
    const result = parser.parse(content(version), expression);
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(JSON.stringify(result).length).toBeLessThan(700);
  });

  test('counts characters, not UTF-16 code units', () => {
    expect(parser.parse(content('😀'.repeat(256)), expression).ok).toBe(true);
    expect(parser.parse(content('😀'.repeat(257)), expression).ok).toBe(false);
  });

  test('accepts a valid expression', () => {
    expect(parser.checkExpression(expression)).toEqual({ ok: true });
  });

  test('rejects an invalid expression with a reason when it is checked', () => {
    for (const each of unusable[parser.id]) {
      expect(parser.checkExpression(each), each.slice(0, 40)).toMatchObject({
        ok: false,
        message: expect.stringMatching(/.{10,}/),
      });
    }
  });

  test.runIf(parser.readsFile)(
    'returns the same message for an invalid expression when it is parsed as when it is checked',
    () => {
      for (const each of unusable[parser.id]) {
        const check = parser.checkExpression(each);
        expect(parser.parse(content('1.2.3'), each)).toEqual({
          ok: false,
          step: 'expression',
          message: check.ok ? '' : check.message,
        });
      }
    },
  );

  test.runIf(parser.readsFile)('rejects content above 5 MiB based on its size alone', () => {
    const result = parser.parse(content('1.2.3') + ' '.repeat(maxContentLength), expression);
    expect(result).toMatchObject({
      ok: false,
      step: 'content',
      message: expect.stringContaining('limit 5242880'),
    });
  });

  test.runIf(parser.readsFile)('reports that empty content is empty', () => {
    for (const empty of ['', ' \n\n ']) {
      expect(parser.parse(empty, expression)).toEqual({
        ok: false,
        step: 'content',
        message: 'the content is empty',
      });
    }
  });

  test('never throws and never returns an invalid version, regardless of the content and expression', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(...Array.from('{}[]":,.-?&*!|>\'%#@~ \n\t\\\0\u0002ab01<')),
        maxLength: 60,
      }),
      fc.json({ maxDepth: 4 }),
    );
    const anyExpression = fc.oneof(
      fc.constant(expression),
      fc.constant('.'),
      fc.string({ unit: fc.constantFrom(...Array.from('.[]"a0()*+?|\\{}^$')), maxLength: 12 }),
    );
    fc.assert(
      fc.property(text, anyExpression, (anyContent, each) => {
        const result = parser.parse(anyContent, each);
        if (result.ok) {
          expect(result.version).toBe(result.version.trim());
          expect(result.version).toMatch(/^[^\p{Cc}\p{Cs}]{1,256}$/u);
        } else {
          expect(result.step).not.toBe('');
          expect(result.message).not.toBe('');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
