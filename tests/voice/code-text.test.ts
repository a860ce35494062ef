import { describe, expect, test } from 'vitest';
import { type CodeText, codeTexts, commentsOf, titlesOf } from './code-text.ts';

/** A clause that begins like this has no subject, so readers must guess what it's about. */
const headless = /^(Of|What|Who|Whose|Whether|How|Which|Where|Why|So many|As many)\b/;

const texts = codeTexts();
const describeText = ({ file, line, text }: CodeText) => `${file}:${line}: ${text.slice(0, 100)}`;

describe('comments and test titles', () => {
  test('never start with a headless clause', () => {
    expect(texts.filter(({ text }) => headless.test(text)).map(describeText)).toEqual([]);
  });

  test('are found in all parts of the repository', () => {
    for (const folder of ['src/', 'web/src/', 'tests/', 'scripts/', 'benchmarks/'])
      expect(texts.filter(({ file }) => file.startsWith(folder)).length, folder).toBeGreaterThan(100);
    expect(texts.filter(({ kind }) => kind === 'title').length).toBeGreaterThan(4_000);
  });
});

describe('extraction', () => {
  test('joins the lines of a comment, and excludes instructions for tools', () => {
    const code = [
      '/**',
      ' * Of two',
      ' * lines.',
      ' */',
      'const a = 1; // Of one.',
      '// Of three',
      '// lines.',
      '',
      '// oxlint-disable-next-line no-console',
      "const b = '// no comment'; const c = f(a /* inside */, `/* text */`);",
    ].join('\n');
    expect(commentsOf(code)).toEqual([
      { kind: 'comment', line: 1, text: 'Of two lines.' },
      { kind: 'comment', line: 5, text: 'Of one.' },
      { kind: 'comment', line: 6, text: 'Of three lines.' },
      { kind: 'comment', line: 10, text: 'inside' },
    ]);
  });

  test('finds the titles of tests, describe blocks, and test tables', () => {
    const code =
      "describe('a', () => { test.each([1])(`b ${c} d`, () => {}); test.skipIf(x)(\"e\", f); it('g', h); });";
    expect(titlesOf(code).map(({ text }) => text)).toEqual(['a', 'b ${c} d', 'e', 'g']);
  });
});
