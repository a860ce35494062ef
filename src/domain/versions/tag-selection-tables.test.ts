import { readFileSync } from 'node:fs';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { ownLatest } from '../rules/own-latest.ts';
import { prepareReleases } from '../rules/release-set.ts';
import type { VersionSchemeId } from './version-scheme.ts';

/**
 * Tables of other projects for "which of these tags is the newest under these options", with the options that a gather
 * job and a configuration have: `version_pattern` (what matches is kept, its first group else the match is the
 * version), `candidate_pattern` (what matches is kept as it is), stable releases only, the version scheme. Ranges and
 * pinned components are written as candidate patterns: that is how they are asked for here. Every row is met.
 */
interface Options {
  readonly scheme?: VersionSchemeId;
  readonly versionPattern?: string;
  readonly candidatePattern?: string;
  readonly stableOnly?: boolean;
}

function select(tags: readonly string[], options: Options): string[] {
  const { versionPattern, candidatePattern } = options;
  const version = (tag: string): string | null => {
    if (versionPattern === undefined) return tag;
    const matcher = RE2JS.compile(versionPattern).matcher(tag);
    if (!matcher.find()) return null;
    return matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
  };
  // Tags that make the same version are one release.
  return [...new Set(tags.map(version))]
    .filter((text) => text !== null)
    .filter((text) => candidatePattern === undefined || RE2JS.compile(candidatePattern).matcher(text).find());
}

function newest(tags: readonly string[], options: Options): string | null {
  const rows = select(tags, options).map((version) => ({
    version,
    releasedAtMs: null,
    discoveredAtMs: 0,
    isPrerelease: false,
    isYanked: false,
    isWithdrawn: false,
    url: null,
  }));
  const set = prepareReleases(options.scheme ?? 'auto', rows);
  const isWanted = ({ isPrerelease }: { isPrerelease: boolean }) => !(options.stableOnly && isPrerelease);
  return ownLatest(set, isWanted)?.text ?? null;
}

describe.skipIf(!hasTestData)('tables of tag selection', () => {
  test('a pattern keeps what matches, and with a group it makes the version', () => {
    interface Case {
      readonly label: string;
      readonly tags: string[];
      readonly pattern?: string;
      readonly extract?: string;
      readonly expected: string[];
    }
    const { cases } = load<{ cases: Case[] }>('tag-selection/flux-filter-TestRegexFilter.json');
    expect(cases).toHaveLength(6);
    for (const { label, tags, pattern, extract, expected } of cases) {
      const options =
        extract === undefined ? { candidatePattern: pattern ?? '' } : { versionPattern: pattern ?? '' };
      expect([label, select(tags, options)]).toEqual([label, expected]);
    }
  });

  test('a range of semantic versions, written as a pattern in the scheme semver', () => {
    interface Case {
      readonly label: string;
      readonly versions: string[];
      readonly semverRange: string;
      readonly expectedVersion?: string;
    }
    const { cases } = load<{ cases: Case[] }>('tag-selection/flux-semver-TestSemVer_Latest.json');
    expect(cases).toHaveLength(5);
    for (const { label, versions, semverRange, expectedVersion } of cases) {
      // The table's only range. Where it says "error", there is no latest version here.
      expect(semverRange).toBe('1.0.x');
      const options: Options = { scheme: 'semver', candidatePattern: '^v?1\\.0\\.', stableOnly: true };
      expect([label, newest(versions, options)]).toEqual([label, expectedVersion ?? null]);
    }
  });

  test('the newest image tag under a matcher, pinned components, with and without pre-releases', () => {
    interface Case {
      readonly name: string;
      readonly opts: {
        RegexMatcher?: string;
        UseMetaData?: boolean;
        PinMajor?: number;
        PinMinor?: number;
        PinPatch?: number;
      };
      readonly tags?: { Tag: string }[];
      readonly expected: string;
    }
    const { cases, defaultTags } = load<{ cases: Case[]; defaultTags: { Tag: string }[] }>(
      'tag-selection/version-checker-TestLatestSemver.json',
    );
    expect(cases).toHaveLength(14);
    for (const { name, opts, tags = defaultTags, expected } of cases) {
      const pinned = [opts.PinMajor, opts.PinMinor, opts.PinPatch].filter(
        (component) => component !== undefined,
      );
      const candidatePattern =
        opts.RegexMatcher ?? (pinned.length === 0 ? '' : `^v?${pinned.join('\\.')}\\b`);
      const options = { candidatePattern, stableOnly: opts.UseMetaData !== true };
      const found = newest(
        tags.map(({ Tag }) => Tag),
        options,
      );
      expect([name, found]).toEqual([name, expected]);
    }
  });
});

function load<Content>(file: string): Content {
  return JSON.parse(readFileSync(testDataPath(file), 'utf8')) as Content;
}
