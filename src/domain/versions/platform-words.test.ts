import { describe, expect, test } from 'vitest';
import { prepareReleases } from '../rules/release-set.ts';
import { joinPlatformWords, platformWordProblem, splitPlatformWords } from './platform-words.ts';
import { versionWordLists } from './version-word-lists.ts';
import { platformNames } from './version-words.ts';
import { versionScheme } from './versions.ts';

describe('a platform word', () => {
  test('is 2 to 32 lowercase letters', () => {
    for (const word of ['acmeos', 'qq', 'q'.repeat(32)]) expect(platformWordProblem(word)).toBeNull();
    for (const word of ['', 'q', 'q'.repeat(33), 'AcmeOS', 'acme7', 'acme-os', 'acme os', 'äcme', '1.2'])
      expect(platformWordProblem(word), word).toBe('must be 2 to 32 letters from a to z, in lowercase');
  });

  test("can't be a word that already has another meaning, such as a stage or a revision", () => {
    expect(platformWordProblem('rc')).toBe(
      '"rc" already has another meaning in versions: Stage 6: release candidate',
    );
    for (const { words } of versionWordLists)
      for (const word of words)
        if (platformNames.has(word)) expect(platformWordProblem(word), word).toBeNull();
        else expect(platformWordProblem(word), word).not.toBeNull();
  });
});

test('the same platform words are joined to the same text, regardless of their order and without built-in words', () => {
  expect(joinPlatformWords(['beos', 'acmeos', 'alpine', 'beos'])).toBe('acmeos beos');
  expect(splitPlatformWords('acmeos beos')).toEqual(['acmeos', 'beos']);
  expect(joinPlatformWords(['alpine'])).toBe('');
  expect(splitPlatformWords('')).toEqual([]);
});

test('platform words affect how the `auto` scheme parses versions, but not the `semver` scheme, which has no platforms', () => {
  const rankOf = (words: string, id: 'auto' | 'semver' = 'auto') =>
    versionScheme(id, words).parse('1.2.3-acmeos7')!.rank;
  expect(rankOf('acmeos')).not.toBe(rankOf(''));
  expect(rankOf('beos')).toBe(rankOf(''));
  expect(rankOf('acmeos', 'semver')).toBe(rankOf('', 'semver'));
  expect(versionScheme('auto', 'acmeos')).toBe(versionScheme('auto', 'acmeos'));
});

test("a tag that contains only an added platform word and its number isn't a release", () => {
  const row = { releasedAtMs: 0, discoveredAtMs: 0, isPrerelease: false, url: null };
  const rows = ['8.2.0-acmeos3', 'acmeos4'].map((version) => ({
    ...row,
    version,
    isYanked: false,
    isWithdrawn: false,
  }));
  const comparable = (platformWords: string) =>
    prepareReleases('auto', rows, { platformWords }).comparable.map(({ text }) => text);
  expect(comparable('')).toEqual(['8.2.0-acmeos3', 'acmeos4']);
  expect(comparable('acmeos')).toEqual(['8.2.0-acmeos3']);
});
