import { expect, test } from 'vitest';
import { versionScheme } from '../versions/versions.ts';
import { createContextReader } from './read-in-context.ts';
import { releaseSet } from './release-set-fixture.ts';

/** Returns the releases, highest first, with `*` after those that are considered pre-releases. */
function order(lines: readonly string[], isImage = false): string[] {
  return releaseSet(lines, 'auto', { isImage }).comparable.map(
    ({ text, isPrerelease }) => text + (isPrerelease ? '*' : ''),
  );
}

test.each(['-build', '-', '-r', '.r', '-b', '.b'])(
  'builds with %s and a number are pre-releases of a version that is released after them',
  (mark) => {
    const builds = [`3.8.2${mark}2 2026-01-07`, `3.8.2${mark}10 2026-01-08`];
    expect(order(['3.8.1 2026-01-01', ...builds, '3.8.2 2026-01-09T08:00:00Z'])).toEqual([
      '3.8.2',
      `3.8.2${mark}10*`,
      `3.8.2${mark}2*`,
      '3.8.1',
    ]);
  },
);

test('builds are revisions if their version was released before or on the same day as the last build, or was released twice', () => {
  const builds = ['3.8.2-1 2026-01-07', '3.8.2-2 2026-01-08T06:00:00Z'];
  const asRevisions = ['3.8.2-2', '3.8.2-1', '3.8.2'];
  expect(order([...builds, '3.8.2 2026-01-01'])).toEqual(asRevisions);
  expect(order([...builds, '3.8.2 2026-01-08T20:00:00Z'])).toEqual(asRevisions);
  expect(order([...builds, '3.8.2 2026-01-09', 'v3.8.2 2026-02-01']).slice(0, 2)).toEqual(
    asRevisions.slice(0, 2),
  );
  expect(order(['7.1.2-0 2026-01-01', '7.1.2-3 2026-01-05'])).toEqual(['7.1.2-3', '7.1.2-0']);
});

test('parsing the builds of one version takes time proportional to their number', () => {
  let reads = 0;
  const build = (number: number) => {
    const release = releaseSet([`3.8.2-${number} 2026-01-07`]).comparable[0]!;
    return Object.defineProperty({ ...release }, 'dateMs', { get: () => (reads++, release.dateMs) });
  };
  const plain = releaseSet(['3.8.2 2026-01-09']).comparable[0]!;
  const builds = [plain, ...Array.from({ length: 300 }, (_, number) => build(number + 1))];
  const read = createContextReader(versionScheme('auto'), builds, { unparsed: [] });
  expect(builds.filter(({ version }) => read(version)?.isPrerelease)).toHaveLength(300);
  expect(reads).toBeLessThan(builds.length * 10);
});

test("a platform after the version doesn't turn it into a pre-release", () => {
  expect(order(['1.2.3-alpine3 2026-01-01', '1.2.3 2026-01-05']).some((text) => text.endsWith('*'))).toBe(
    false,
  );
});

test('builds such as 17.1.r1 are pre-releases while their version is missing, unless all versions have builds', () => {
  expect(
    order([
      '16.7 2016-07-28',
      '16.7.14 2017-01-20',
      '17.1.b1 2016-12-20',
      '17.1.r1 2017-01-18',
      '17.1.b 2016-12-01',
    ]),
  ).toEqual(['17.1.r1*', '17.1.b1*', '17.1.b*', '16.7.14', '16.7']);
  expect(order(['0.185.0.53.b560 2018-09-01', '0.186.0.1.b570 2019-01-01'])).toEqual([
    '0.186.0.1.b570',
    '0.185.0.53.b560',
  ]);
});

test('an unknown word is a platform if the numbers after it differ within a version and recur in other versions', () => {
  const lines = ['1', '2', '3', '4', '5'].flatMap((minor) => [
    `0.${minor}.0-operand-3.9.0 2026-01-0${minor}`,
    `0.${minor}.0-operand-4.0.0 2026-01-0${minor}`,
  ]);
  const ranks = releaseSet(lines).comparable.map(({ version }) => version.rank);
  expect(new Set(ranks).size).toBe(5);
  const counters = lines.map((line, index) => line.replace(/operand-[0-9.]+/, `operand${index + 10}`));
  expect(new Set(releaseSet(counters).comparable.map(({ version }) => version.rank)).size).toBe(10);
});

test('builds of several commits of one version are pre-releases, but a single commit build of each version is a release', () => {
  expect(order(['2.13.0 2026-01-01', '2.14.0-1aabbccd 2026-01-02', '2.14.0-2bbccdde 2026-01-03'])).toEqual([
    '2.14.0-2bbccdde*',
    '2.14.0-1aabbccd*',
    '2.13.0',
  ]);
  expect(order(['1.43.3-07dfddaeb 2026-06-01', '1.43.4-cb3ebc72d 2026-06-12'])).toEqual([
    '1.43.4-cb3ebc72d',
    '1.43.3-07dfddaeb',
  ]);
});

test('a number from 90 to 99 marks a development release if it follows a gap, but not if it continues a sequence', () => {
  expect(order(['6.4.5 2025-09-16', '6.4.90 2025-09-18', '6.5.0 2025-10-21'])).toEqual([
    '6.5.0',
    '6.4.90*',
    '6.4.5',
  ]);
  expect(order(['1.24.1 2021-12-10', '1.24.99 2022-01-10'])).toEqual(['1.24.99*', '1.24.1']);
  expect(order(['2.10.38 2024-05-02', '2.99.18 2024-02-21'])).toEqual(['2.99.18*', '2.10.38']);
  expect(order(['9.0.89 2024-05-01', '9.0.90 2024-06-01', '9.0.1 2020-01-01'])).toEqual([
    '9.0.90',
    '9.0.89',
    '9.0.1',
  ]);
  expect(order(['0.48 2010-01-01', '0.91 2015-01-01'])).toEqual(['0.91', '0.48']);
});

test('commit builds with a time form one line per branch and are ordered by that time', () => {
  const lines = ['main-9a8b7c6-1717900000', 'main-5d6e7f8-1718100000', 'main-1a2b3c4-1718000000'];
  expect(
    order(
      lines.map((text) => `${text} 2026-01-01`),
      true,
    ),
  ).toEqual([lines[1], lines[2], lines[0]]);
  const dated = ['prod-e58c8f4-20260820093417', 'prod-0123abc-20260821093417'];
  expect(
    order(
      dated.map((text) => `${text} 2026-01-01`),
      true,
    ),
  ).toEqual(dated.toReversed());
  const timeFirst = [
    ['main-20260820093417-e58c8f4', 'main-20260821093417-0123abc'],
    ['main-2026-08-22-1a2b3c4', 'main-2026-08-23-e58c8f4'],
    ['main-1787800000-9a8b7c6', 'main-1787900000-e58c8f4'],
  ];
  for (const builds of timeFirst)
    expect(
      order(
        builds.map((text) => `${text} 2026-01-01`),
        true,
      ),
    ).toEqual(builds.toReversed());
  // A build of a branch without a commit is a snapshot.
  expect(order(['main-20260820 2026-01-01'], true)).toEqual(['main-20260820*']);
});

test('a snapshot with a date is newer than its version and older than the next version', () => {
  expect(order(['1.4.2 2024-01-01', '1.4.2-unstable-2024-06-06 2024-06-06', '1.4.3 2024-07-01'])).toEqual([
    '1.4.3',
    '1.4.2-unstable-2024-06-06*',
    '1.4.2',
  ]);
});
