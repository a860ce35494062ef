import { describe, expect, test } from 'vitest';
import { describeSelection, describeTarget, suggestTargets } from './suggest-targets.ts';

type Hints = Parameters<typeof suggestTargets>[0]['releases'][number]['hints'];

const noFilters: Parameters<typeof suggestTargets>[1] = {
  ignoredVersions: [],
  hasPattern: false,
  newestMs: Date.parse('2026-12-01'),
};

/**
 * Releases in ascending order. `version!` has a note of a breaking change, `version^` starts a new major version, and
 * `version?` has no notes.
 */
function releasesOf(texts: readonly string[]) {
  const releases = texts.map((text, index) => {
    const version = text.replace(/[!?^]+$/u, '');
    const hints: Hints = [
      ...(text.includes('^') ? [{ kind: 'major_version' as const, text: version, line: null }] : []),
      ...(text.includes('!') ? [{ kind: 'breaking' as const, text: 'The flag is removed', line: 1 }] : []),
    ];
    return {
      version,
      url: null,
      released_at: new Date(Date.UTC(2026, index)).toISOString(),
      hints,
      notes_source: text.includes('?') ? null : ('release' as const),
    };
  });
  return releases.toReversed();
}

describe('suggested targets', () => {
  const check = (texts: readonly string[], expected: unknown, filters = noFilters, isComplete = true) => {
    const { compatible } = suggestTargets({ releases: releasesOf(texts), isComplete }, filters);
    expect(compatible !== null && typeof compatible === 'object' ? compatible.version : compatible).toBe(
      expected,
    );
  };

  test('end below the first release that starts a new major version or is marked as breaking', () => {
    check(['1.1', '1.2', '2.0^', '2.1'], '1.2');
    check(['1.1', '1.2!', '1.3'], '1.1');
    check(['1.1', '1.2'], 'same');
    check(['2.0^', '2.1'], null);
    check([], null);
  });

  test('are said to end before a marked change only if the notes of a release mark one', () => {
    const about = (texts: readonly string[], isComplete = true) =>
      describeSelection(suggestTargets({ releases: releasesOf(texts), isComplete }, noFilters));
    const ofSameMajor = 'the newest release of the same major version';
    expect(about(['1.1', '1.2!', '1.3'])).toBe('before the first change marked as breaking');
    expect(about(['1.1', '2.0^!'])).toBe('before the first change marked as breaking');
    expect(about(['1.1', '1.2', '2.0^', '2.1!'])).toBe(ofSameMajor);
    expect(about(['1.1?', '1.2?', '2.0^?'])).toBe(ofSameMajor);
    expect(about(['1.1?', '1.2?', '2.0^?'], false)).toBe(ofSameMajor);
    expect(describeSelection({ limit: 'step', keepsMinor: true })).toBe(
      'the newest release of the same minor version',
    );
  });

  test('exclude ignored releases and releases in the grace period', () => {
    check(['1.1', '1.2', '2.0^'], '1.1', { ...noFilters, ignoredVersions: ['1.2'] });
    check(['1.1', '1.2', '2.0^'], '1.1', { ...noFilters, newestMs: Date.UTC(2026, 0, 15) });
    check(['1.1', '2.0^'], null, { ...noFilters, ignoredVersions: ['1.1'] });
  });

  test('are unknown if releases or notes are missing, or if a pattern selects the releases', () => {
    check(['1.1', '1.2', '2.0^'], 'unknown', noFilters, false);
    check(['1.1', '1.2', '2.0^'], 'unknown', { ...noFilters, hasPattern: true });
  });

  test('are described by their marks, and missing notes are not described as a good sign', () => {
    const describe = (texts: readonly string[], isComplete = true) => {
      const { latest } = suggestTargets({ releases: releasesOf(texts), isComplete }, noFilters);
      return latest && describeTarget(latest, isComplete);
    };
    expect(describe(['1.1', '1.2'])).toBe('2 releases, nothing marked as breaking');
    expect(describe(['1.1?', '1.2', '2.0^!'])).toBe(
      '3 releases, new major version, 1 marked as breaking, 1 without notes',
    );
    expect(describe(['1.1?'])).toBe('1 release, no release notes');
    expect(describe(['1.1', '1.2'], false)).toBe(
      'at least 2 releases, nothing marked as breaking, not all notes were read',
    );
  });
});
