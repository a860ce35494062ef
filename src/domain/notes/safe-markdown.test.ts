import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileNotes } from '../../../tests/helpers/hostile-notes.ts';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { type NoteBlock, type NoteInline, readCountedMarkdown, readSafeMarkdown } from './safe-markdown.ts';

const blockKinds = new Set(['heading', 'paragraph', 'code', 'quote', 'list', 'table', 'rule']);
const inlineKinds = new Set(['text', 'code', 'strong', 'emphasis', 'deleted', 'link', 'break']);

function checkInlines(inlines: readonly NoteInline[]): void {
  for (const inline of inlines) {
    expect(inlineKinds).toContain(inline.kind);
    if (inline.kind === 'link') {
      expect(inline.url).toMatch(/^https?:\/\/[^@]*$/);
      expect(Object.keys(inline).toSorted()).toEqual(['children', 'kind', 'url']);
    }
    if ('children' in inline) checkInlines(inline.children);
  }
}

function checkBlocks(blocks: readonly NoteBlock[]): void {
  for (const block of blocks) {
    expect(blockKinds).toContain(block.kind);
    if (block.kind === 'quote') checkBlocks(block.children);
    else if (block.kind === 'list') for (const item of block.items) checkBlocks(item);
    else if (block.kind === 'table')
      for (const cell of [...block.header, ...block.rows.flat()]) checkInlines(cell);
    else if ('children' in block) checkInlines(block.children);
  }
}

describe('release notes as safe Markdown', () => {
  it('contain only allowed nodes, even for malicious input', () => {
    expect(hostileNotes).toHaveLength(200);
    for (const sample of hostileNotes) {
      const blocks = readSafeMarkdown(sample);
      expect(blocks, sample).not.toBeNull();
      checkBlocks(blocks ?? []);
    }
  });

  it('keep headings, lists, tables, links, and code', () => {
    expect(readSafeMarkdown('# A\n\n3. *b*\n4. [c](https://example.org)\n\n|d|\n|-|\n|`e`|\n')).toEqual([
      { kind: 'heading', level: 3, children: [{ kind: 'text', text: 'A' }] },
      {
        kind: 'list',
        isOrdered: true,
        start: 3,
        items: [
          [
            {
              kind: 'paragraph',
              children: [{ kind: 'emphasis', children: [{ kind: 'text', text: 'b' }] }],
            },
          ],
          [
            {
              kind: 'paragraph',
              children: [
                { kind: 'link', url: 'https://example.org/', children: [{ kind: 'text', text: 'c' }] },
              ],
            },
          ],
        ],
      },
      {
        kind: 'table',
        header: [[{ kind: 'text', text: 'd' }]],
        rows: [[[{ kind: 'code', text: 'e' }]]],
      },
    ]);
  });

  it('show images as links and HTML as text, and omit comments', () => {
    expect(readSafeMarkdown('![logo](https://example.org/a.png)<b>x</b><!-- hidden -->')).toEqual([
      {
        kind: 'paragraph',
        children: [
          { kind: 'link', url: 'https://example.org/a.png', children: [{ kind: 'text', text: 'logo' }] },
          { kind: 'text', text: '<b>' },
          { kind: 'text', text: 'x' },
          { kind: 'text', text: '</b>' },
          { kind: 'text', text: '' },
        ],
      },
    ]);
  });

  it('are null if the input is too large or too deeply nested', () => {
    for (const bomb of ['> ', '- ', '[', '![', '*', '<', '`', '[a](', '**a '])
      expect(readSafeMarkdown(bomb.repeat(65_536 / bomb.length)), bomb).toBeNull();
    expect(readSafeMarkdown('- a\n'.repeat(6_000))).toBeNull();
    expect(readSafeMarkdown('  '.repeat(1_000) + '- a')).toBeNull();
  });

  it('omit characters that change the text direction', () => {
    expect(readSafeMarkdown('a\u202eb')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'text', text: 'ab' }] },
    ]);
  });
});

const marks = [
  'a',
  '\n',
  '> ',
  '- ',
  '1. ',
  '#',
  '    ',
  '\t',
  '[',
  '](x)',
  '![',
  '*',
  '_',
  '**',
  '~~',
  '`',
  '``',
  '<',
  '>',
  '|',
  '|-|\n',
  '\\',
  '&',
  '(',
  ')',
  '<a ',
  '<!--',
  '-->',
  '```\n',
  '---\n',
  '[a]: x\n',
  'https://a.b/',
  '\n\n',
  '- [ ] ',
  '[^1]',
  '*a_ ',
  '|a|b|\n|-|-|\n',
];

/**
 * Texts of 64 KiB, each one a repeated sequence: sequences that froze an earlier parser, pairs of marks, and random
 * mixes of marks.
 */
const costly = [
  'a\n> -\n',
  '- a\n-',
  '1. a\n#',
  '#a\n> -\n',
  '- - a\n',
  '\n- ',
  ...marks.flatMap((a) => marks.map((b) => a + b)),
  ...fc
    .sample(fc.array(fc.constantFrom(...marks), { minLength: 3, maxLength: 8 }), {
      numRuns: 400,
      seed: 1,
    })
    .map((mix) => mix.join('')),
].map((unit) => unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536));

describe('the work of parsing release notes', () => {
  it('is bounded for texts that consist of any combination of marks', () => {
    const sample = isLong ? costly : costly.filter((_, index) => index < 6 || index % 8 === 0);
    for (const text of sample) {
      const { steps, blocks } = readCountedMarkdown(text);
      expect(steps, text.slice(0, 40)).toBeLessThanOrEqual(40_001);
      checkBlocks(blocks ?? []);
    }
  });

  it('stays far below the limit for a list of hundreds of changes', () => {
    const line = '* Fix the **parser** of `x` by @someone in https://github.com/acme/web/pull/1\n';
    const { steps, blocks } = readCountedMarkdown(`## What's changed\n${line.repeat(400)}`);
    expect(steps).toBeLessThan(15_000);
    expect(blocks).toMatchObject([{ kind: 'heading' }, { kind: 'list', isOrdered: false }]);
  });
});
