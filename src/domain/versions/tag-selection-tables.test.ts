import { readFileSync } from 'node:fs';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { latestOfJob } from '../rules/own-latest.ts';
import { prepareReleases } from '../rules/release-set.ts';
import type { VersionSchemeId } from './version-scheme.ts';

/**
 * Options of Pacekeeper that correspond to the options in the tables of other projects. Each table lists the
 * tag that is the newest for a set of options. `versionPattern` selects the matching tags and extracts the
 * version: the first group, or the whole match if there's no group. `candidatePattern` selects the matching
 * versions without changing them. Version ranges and pinned components are expressed as candidate patterns,
 * because Pacekeeper has no other option for them. Every row must match.
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
  // Tags with the same version are one release.
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
  return latestOfJob(set, isWanted)?.text ?? null;
}

describe.skipIf(!hasTestData)('tag selection in the tables of other projects', () => {
  test('a pattern keeps matching tags, and its group becomes the version', () => {
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

  test('a pattern in the `semver` scheme selects the same version as a SemVer range', () => {
    interface Case {
      readonly label: string;
      readonly versions: string[];
      readonly semverRange: string;
      readonly expectedVersion?: string;
    }
    const { cases } = load<{ cases: Case[] }>('tag-selection/flux-semver-TestSemVer_Latest.json');
    expect(cases).toHaveLength(5);
    for (const { label, versions, semverRange, expectedVersion } of cases) {
      // All rows of the table have the same range. A row in which the other project returns an error must have no
      // latest version.
      expect(semverRange).toBe('1.0.x');
      const options: Options = { scheme: 'semver', candidatePattern: '^v?1\\.0\\.', stableOnly: true };
      expect([label, newest(versions, options)]).toEqual([label, expectedVersion ?? null]);
    }
  });

  test('the newest image tag is the one in the table, with patterns, pinned components, and pre-releases included or excluded', () => {
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
