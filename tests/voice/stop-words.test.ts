import { describe, expect, test } from 'vitest';
import { allowedTexts, stopWords } from './stop-words.ts';
import {
  contractTexts,
  proseTexts,
  typescriptTexts,
  type VisibleText,
  visibleTexts,
} from './visible-text.ts';

const texts = visibleTexts();
const patternsIn = (text: string) => stopWords.filter(({ pattern }) => pattern.test(text));
const isAllowed = (found: VisibleText) =>
  allowedTexts.some(({ where, text }) => found.file.startsWith(where) && found.text.includes(text));
const textsOf = (content: string) => typescriptTexts('example.tsx', content).map(({ text }) => text);

describe('user-visible text', () => {
  test('uses no stop words', () => {
    const wrong = texts.flatMap((found) =>
      isAllowed(found)
        ? []
        : patternsIn(found.text).map(
            ({ write }) => `${found.file}:${found.line}: ${found.text} (write: ${write})`,
          ),
    );
    expect(wrong).toEqual([]);
  });

  test.each(allowedTexts)('the exception "$text" is still needed', ({ where, text }) => {
    const needing = texts.filter(
      (found) =>
        found.file.startsWith(where) && found.text.includes(text) && patternsIn(found.text).length > 0,
    );
    expect(needing).not.toEqual([]);
  });
});

describe('the user-visible text', () => {
  test('includes element text, attributes, literals, and templates', () => {
    expect(
      textsOf(
        'const a = \'A title\'; const b = <p title="A tip">Some\n  text {n} more</p>; const c = `${n} left`;',
      ),
    ).toEqual(['A title', 'A tip', 'Some text', 'more', '${} left']);
  });

  test('excludes modules, types, keys, comparisons, class names, and paths', () => {
    expect(
      textsOf(
        "import x from 'told'; type T = 'told'; o['told']; k === 'told'; const p = { 'told': `/told/${n}` }; <p className=\"told\" />;",
      ),
    ).toEqual([]);
  });

  test('includes descriptions and error examples in the contract', () => {
    expect(
      contractTexts(
        'example.yaml',
        'description: One\nproperties:\n  told: { type: string, description: Two\n    lines }\n',
      ),
    ).toEqual([
      { line: 1, text: 'One' },
      { line: 3, text: 'Two lines' },
    ]);
  });

  test('includes the prose of the documentation, without code and links', () => {
    expect(proseTexts('example.md', '# A page\n\n```sh\ntold\n```\nSee `told` [there](told.md).')).toEqual([
      { line: 1, text: '# A page' },
      { line: 6, text: 'See `` [there``.' },
    ]);
  });

  test('is found in every kind of file', () => {
    for (const folder of ['web/src/', 'src/', 'spec/'])
      expect(texts.filter(({ file }) => file.startsWith(folder)).length).toBeGreaterThan(1_000);
    expect(texts.filter(({ file }) => file.endsWith('.md')).length).toBeGreaterThan(800);
  });
});
