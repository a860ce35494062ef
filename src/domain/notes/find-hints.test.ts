import { describe, expect, it } from 'vitest';
import { findHints } from './find-hints.ts';

function hintsOf(...lines: string[]): string[] {
  return findHints(lines.join('\n')).map(({ kind, text }) => `${kind}: ${text}`);
}

describe('hints in release notes', () => {
  it('include the items below a matching heading', () => {
    expect(
      hintsOf(
        '## Breaking changes',
        '- The flag `--old` is **gone** ([#12](https://example.org))',
        '  - use `--new`',
        '- Node 18 is required',
        '  since this release',
        '## Fixes',
        '- a fix',
        '### Deprecated',
        '1. `v1beta1`',
        '### Removed',
        '* Python 3.8',
      ),
    ).toEqual([
      'breaking: The flag --old is gone (#12)',
      'breaking: Node 18 is required',
      'deprecated: v1beta1',
      'removed: Python 3.8',
    ]);
  });

  it('include paragraphs and subheadings below a matching heading', () => {
    expect(hintsOf('# Upgrade notes', 'Back up first.', 'It takes a while.', '', 'Then restart.')).toEqual([
      'action_required: Back up first.',
      'action_required: Then restart.',
    ]);
    expect(
      hintsOf('## Breaking', '### Config moved', 'It is elsewhere.', '### API v1', 'gone', '## Other', 'x'),
    ).toEqual(['breaking: Config moved', 'breaking: API v1']);
  });

  it('include marked lines anywhere in the notes', () => {
    expect(
      hintsOf(
        '- feat(api)!: drop v1',
        '- fix: a bug',
        'BREAKING CHANGE: the database must be migrated',
        '* **Breaking:** no more XML',
        '- [breaking] ports changed',
        '⚠️ Read this before you upgrade',
        ':boom: everything is new',
        '- abc1234 refactor!: rename',
      ),
    ).toEqual([
      'breaking: feat(api)!: drop v1',
      'breaking: the database must be migrated',
      'breaking: no more XML',
      'breaking: ports changed',
      'action_required: Read this before you upgrade',
      'warning: everything is new',
      'breaking: abc1234 refactor!: rename',
    ]);
  });

  it('exclude negations, empty sections, code, and comments', () => {
    expect(
      hintsOf(
        '## No breaking changes',
        '- a fix',
        '## Breaking changes',
        'None.',
        '- n/a',
        '- There are no breaking changes in this release.',
        '## Non-breaking changes',
        '- more',
        '```',
        '## Breaking changes',
        '- in code',
        '```',
        '<!-- ## Breaking changes',
        '- in a comment',
        '-->',
        '- hello world! It works',
      ),
    ).toEqual([]);
  });

  it('are limited in number and length, and include their line number', () => {
    const many = findHints(`## Breaking\n${`- ${'x'.repeat(500)}\n`.repeat(500)}`);
    expect(many).toHaveLength(100);
    expect(many[99]).toEqual({ kind: 'breaking', text: `${'x'.repeat(199)}…`, line: 101 });
  });

  it('are found in linear time in malicious text', () => {
    for (const part of [
      '**',
      '[(',
      '# breaking ',
      '> ',
      '- feat(',
      '![](',
      '<a',
      '_a ',
      'no breaking ',
      '⚠️',
    ]) {
      expect(findHints(`${part.repeat(64_000 / part.length)}`).length).toBeLessThan(2);
      expect(findHints(`${part.repeat(1_900 / part.length)}\n`.repeat(34)).length).toBeLessThan(101);
    }
  });

  // Without limits on the length that a Markdown marker can span, these inputs take minutes and the test
  // times out.
  it.each([
    ['many spaces in a heading', `# a${' '.repeat(1_950)}x`, 1],
    ['many spaces after bold text', `**a**${' '.repeat(1_950)}x`, 20],
    ['many # characters at the end of a heading', `# ${'#'.repeat(1_950)}x`, 20],
    ['unclosed images', '!['.repeat(980), 100],
    ['unclosed links', '[a]('.repeat(490), 100],
    ['unclosed elements', '<a '.repeat(650), 100],
  ])('are found in linear time in text with %s', (_what, line, times) => {
    const notes = `${line}\n`.repeat(33);
    for (let count = 0; count < times; count++) expect(findHints(notes)).toEqual([]);
  });

  it("don't contain Markdown markup, including nested brackets and closing marks", () => {
    const textOf = (line: string) => findHints(`# Breaking ##\n- ${line}`)[0]?.text;
    expect(textOf('Use [the new](https://example.org/wiki/A_(b)) option')).toBe('Use the new option');
    expect(textOf('See ![shot](a.png) and <b>this</b>')).toBe('See shot and this');
    expect(textOf('**[#12](https://example.org/12)** is removed')).toBe('#12 is removed');
  });
});
