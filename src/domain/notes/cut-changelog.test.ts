import { describe, expect, it } from 'vitest';
import { versionScheme } from '../versions/versions.ts';
import { cutChangelog } from './cut-changelog.ts';

const scheme = versionScheme('auto');

const shapes: readonly { name: string; text: readonly string[]; sections: Record<string, string> }[] = [
  {
    name: 'Keep a Changelog',
    text: [
      '# Changelog',
      'All notable changes. Versions follow SemVer 2.0.0.',
      '',
      '## [Unreleased]',
      '- Not out yet',
      '',
      '## [1.2.0] - 2024-05-01',
      '### Removed',
      '- The flag `--old`',
      '',
      '## [1.1.0] - 2024-04-01 [YANKED]',
      '- Broke on Windows 10.0',
      '',
      '[1.2.0]: https://example.org/compare/1.1.0...1.2.0',
    ],
    sections: {
      '1.2.0': '### Removed\n- The flag `--old`',
      '1.1.0': '- Broke on Windows 10.0\n\n[1.2.0]: https://example.org/compare/1.1.0...1.2.0',
    },
  },
  {
    name: 'headings from a release tool, with patches one level deeper',
    text: [
      '# [2.0.0](https://example.org/c/v1.9.1...v2.0.0) (2024-05-01)',
      '### Features',
      '* **api:** drop v1 ([abc1234](https://example.org))',
      '## [1.9.1](https://example.org/c/v1.9.0...v1.9.1) (2024-04-01)',
      '### Bug Fixes',
      '* a fix',
      '# [1.9.0](https://example.org) (2024-03-01)',
      '* first',
    ],
    sections: {
      '2.0.0': '### Features\n* **api:** drop v1 ([abc1234](https://example.org))',
      '1.9.1': '### Bug Fixes\n* a fix',
      '1.9.0': '* first',
    },
  },
  {
    name: 'release series with nested releases',
    text: ['# v3.5', '## v3.5.1', 'second', '## v3.5.0', 'first', '# v3.4', '## v3.4.9', 'old'],
    sections: { 'v3.5': '', 'v3.5.1': 'second', 'v3.5.0': 'first', 'v3.4': '', 'v3.4.9': 'old' },
  },
  {
    name: 'underlined headings with the date after a slash',
    text: [
      '4.18.0 / 2024-05-01',
      '==================',
      '',
      '  * fix',
      '',
      '4.17.0 / 2024-04-01',
      '---',
      '  * older',
    ],
    sections: { '4.18.0': '  * fix', '4.17.0': '  * older' },
  },
  {
    name: 'reStructuredText',
    text: [
      'Changelog',
      '=========',
      '',
      'Version 2.1.0',
      '-------------',
      '- new',
      '',
      'Version 2.0.0',
      '-------------',
      '- old',
    ],
    sections: { '2.1.0': '- new', '2.0.0': '- old' },
  },
  {
    name: 'plain text with the program name',
    text: [
      'Changes with server 1.25.3                       24 Oct 2023',
      '',
      '    *) Change: improved detection.',
      '',
      'Changes with server 1.25.2                       15 Aug 2023',
      '',
      '    *) Bugfix: works with OpenSSL 3.0.2.',
    ],
    sections: {
      '1.25.3': '    *) Change: improved detection.',
      '1.25.2': '    *) Bugfix: works with OpenSSL 3.0.2.',
    },
  },
  {
    name: 'a Debian package',
    text: [
      'tool (1.2.3-1) unstable; urgency=medium',
      '',
      '  * New release.',
      '',
      ' -- Somebody <s@example.org>  Wed, 01 May 2024 10:00:00 +0200',
      '',
      'tool (1.2.2-1) unstable; urgency=low',
      '',
      '  * Older.',
    ],
    sections: {
      '1.2.3-1': '  * New release.\n\n -- Somebody <s@example.org>  Wed, 01 May 2024 10:00:00 +0200',
      '1.2.2-1': '  * Older.',
    },
  },
  {
    name: 'bold lines as headings',
    text: ['**v0.9.1** (May 2024)', '', '- fix', '', '**v0.9.0**', '', '- new'],
    sections: { 'v0.9.1': '- fix', 'v0.9.0': '- new' },
  },
  {
    name: 'AsciiDoc',
    text: ['= Release notes', '', '== 8.14.1', '* fix', '', '== 8.14.0', '* new'],
    sections: { '8.14.1': '* fix', '8.14.0': '* new' },
  },
  {
    name: 'date-based versions, and sections without a version',
    text: ['# 2024.6.1 (2024-06-10)', 'fix', '# 2024.6.0', 'new', '# Thanks', 'to all'],
    sections: { '2024.6.1': 'fix', '2024.6.0': 'new' },
  },
];

describe('cutChangelog', () => {
  it.each(shapes)('splits a changelog by version: $name', ({ text, sections }) => {
    const cut = cutChangelog(scheme, text.join('\n'));
    expect(Object.fromEntries(cut.map(({ version, notes }) => [version, notes]))).toEqual(sections);
  });

  it("doesn't treat a heading within the notes as a version", () => {
    const text = [
      '## 1.2.0',
      '### Upgrade to Node 18.2',
      'first',
      '### Fixes',
      'second',
      '## 1.1.0',
      'third',
    ];
    expect(cutChangelog(scheme, text.join('\r\n'))).toEqual([
      { version: '1.2.0', notes: '### Upgrade to Node 18.2\nfirst\n### Fixes\nsecond' },
      { version: '1.1.0', notes: 'third' },
    ]);
  });

  it("doesn't treat a line in a code block as a heading", () => {
    const text = ['## 1.2.0', '```', '## 1.1.0', '```', 'after'];
    expect(cutChangelog(scheme, text.join('\n'))).toEqual([
      { version: '1.2.0', notes: '```\n## 1.1.0\n```\nafter' },
    ]);
  });

  it('returns no sections for text without versions', () => {
    expect(cutChangelog(scheme, '# Changelog\n\nSee the releases page.\n\n## 2 new features\n')).toEqual([]);
    expect(cutChangelog(scheme, '')).toEqual([]);
  });

  it('takes linear time for malicious text', () => {
    for (const part of ['# 1.', '**', '[(', '## v1.0.0-', '> > > ', '`', '=== ']) {
      const text = `${part.repeat(200_000 / part.length)}\n`;
      expect(cutChangelog(scheme, text).length).toBeLessThan(3);
    }
    for (const part of [`# a${'-'.repeat(1_950)}é\n`, '2024-01-01 ', `v1.${' '.repeat(90)}`])
      expect(cutChangelog(scheme, part.repeat(200_000 / part.length)).length).toBeLessThan(3);
    expect(cutChangelog(scheme, '## 1.0.0\n'.repeat(50_000))).toHaveLength(50_000);
  });
});
