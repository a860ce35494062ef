import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { judge } from './judge.ts';
import { prepareReleases } from './release-set.ts';
import { utcTime } from './release-set-fixture.ts';
import { dayMs } from './stored-lag.ts';

interface Dated {
  version: string;
  date: string;
}

function setOf(releases: readonly Dated[]) {
  return prepareReleases(
    'semver',
    releases.map(({ version, date }) => ({
      version,
      releasedAtMs: Date.parse(date),
      discoveredAtMs: utcTime('2026-11-01'),
      isPrerelease: false,
      isYanked: false,
      isWithdrawn: false,
      url: null,
    })),
  );
}

function daysBehind(releases: readonly Dated[], deployedVersion: string) {
  const { behindSinceMs, isEstimate } = judge({
    rule: {
      type: 'days_behind',
      thresholds: { moderate: 30 },
      stableOnly: true,
      daysBasis: 'first_newer_release',
      minReleaseAgeDays: 0,
    },
    options: { candidatePattern: null, ignoredVersions: [] },
    deployedVersion,
    releases: setOf(releases),
    nowMs: utcTime('2026-11-28'),
  });
  return { days: Math.floor((utcTime('2026-11-28') - (behindSinceMs ?? 0)) / dayMs), isEstimate };
}

const sourcesOf = (releases: readonly Dated[]) =>
  new Set(setOf(releases).comparable.map(({ dateSource }) => dateSource));

const minors = (count: number, dateOf: (index: number) => string): Dated[] =>
  Array.from({ length: count }, (_, index) => ({ version: `1.${index}.0`, date: dateOf(index) }));
const daily = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString();

describe('shared dates', () => {
  test.each([1, 2, 3])('are estimates if more than half of the releases share %d days', (days) => {
    const releases = minors(
      30,
      (index) => `2026-06-${String(10 + (index % days)).padStart(2, '0')}T10:00:00Z`,
    );
    expect(sourcesOf(releases)).toEqual(new Set(['listed_at']));
    expect(daysBehind(releases, '1.2.0')).toMatchObject({ isEstimate: true });
  });

  test("don't affect the dates of later releases", () => {
    const releases = [
      ...minors(12, () => '2026-06-10T10:00:00Z'),
      { version: '2.0.0', date: '2026-07-01T00:00:00Z' },
      { version: '2.1.0', date: '2026-08-01T00:00:00Z' },
    ];
    expect(daysBehind(releases, '1.11.0')).toEqual({ days: 150, isEstimate: false });
    expect(daysBehind(releases, '1.0.0')).toEqual({ days: 170, isEstimate: true });
  });

  test.each<[string, Dated[]]>([
    ['every release has its own day', minors(30, daily)],
    ['there are fewer than ten releases', minors(9, () => '2026-06-10T10:00:00Z')],
    ['half of the releases share a day', minors(20, (index) => (index < 10 ? daily(0) : daily(index)))],
    [
      'a young project releases patches',
      Array.from({ length: 20 }, (_, index) => ({ version: `0.1.${index}`, date: daily(0) })),
    ],
  ])('are not estimates if %s', (_, releases) => {
    expect(sourcesOf(releases)).toEqual(new Set(['released_at']));
  });

  test.skipIf(!hasTestData)('are estimates in a real Helm index that was rebuilt', () => {
    // The index of argo-helm was rebuilt in 2021, and all earlier entries then had the date of that day.
    const file = testDataPath('helm/history/argoproj_argo-helm.1.2021-07-12.index.yaml');
    const root: { entries: Record<string, { version: string; created: string }[]> } = parse(
      readFileSync(file, 'utf8'),
      { schema: 'failsafe' },
    );
    const releases = root.entries['argo-cd']!.map(({ version, created }) => ({ version, date: created }));
    const listed = setOf(releases).comparable.filter(({ dateSource }) => dateSource === 'listed_at');
    expect([releases.length, listed.length]).toEqual([183, 167]);
  });
});
