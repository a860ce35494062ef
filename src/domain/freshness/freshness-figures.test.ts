import { readFileSync } from 'node:fs';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { prepareReleases, type ReleaseRow } from '../rules/release-set.ts';
import { dayMs } from '../rules/stored-lag.ts';
import { measureFreshness } from './freshness-figures.ts';
import { type FreshnessMetric, freshnessMetricNames, freshnessMetrics } from './freshness-metrics.ts';

const options = { candidatePattern: null, ignoredVersions: [] };

type Given = [version: string, date: string | null, ...flags: ('prerelease' | 'yanked' | 'withdrawn')[]];

function check(deployed: string, releases: readonly Given[], isImage = false) {
  const rows = releases.map(([version, date, ...flags]): ReleaseRow => {
    return {
      version,
      releasedAtMs: date === null ? null : Date.parse(date),
      discoveredAtMs: Date.parse(date ?? '2026-05-01'),
      isPrerelease: flags.includes('prerelease'),
      isYanked: flags.includes('yanked'),
      isWithdrawn: flags.includes('withdrawn'),
      url: null,
    };
  });
  return measureFreshness(prepareReleases('auto', rows, { isImage }), options, deployed);
}

describe('the lag', () => {
  const history: Given[] = [
    ['1.0.0', '2024-01-01'],
    ['1.1.0', '2024-07-01'],
    ['2.0.0', '2025-01-01'],
  ];

  it('is the time between two releases, not the age of the deployed one', () => {
    expect(check('1.0.0', history)).toEqual({
      latestVersion: '2.0.0',
      lagMs: Date.parse('2025-01-01') - Date.parse('2024-01-01'),
      exposedSinceMs: Date.parse('2024-07-01'),
      majors: 1,
      minors: 2,
      releases: 2,
      isEstimate: false,
      isLowerBound: false,
    });
  });

  it('is 0 if no newer release exists, regardless of the age of the deployed one', () => {
    for (const deployed of ['2.0.0', '3.0.0']) {
      expect(check(deployed, history)).toMatchObject({
        lagMs: 0,
        exposedSinceMs: null,
        majors: 0,
        releases: 0,
      });
    }
  });

  it('is measured by date if upstream no longer uses the numbering of the deployed version', () => {
    const minors = Array.from({ length: 20 }, (_, minor): Given => {
      const day = String(minor + 1).padStart(2, '0');
      return [`1.${minor}.0`, `2024-01-${day}`];
    });
    expect(check('9.0.0', [['9.0.0', '2023-01-01'], ...minors])).toMatchObject({
      latestVersion: '1.19.0',
      lagMs: Date.parse('2024-01-20') - Date.parse('2023-01-01'),
      exposedSinceMs: Date.parse('2024-01-01'),
      majors: null,
      releases: null,
    });
  });

  it('is never negative, because a higher release can be older', () => {
    expect(
      check('1.9.1', [
        ['1.9.1', '2025-05-01'],
        ['2.0.0', '2025-01-01'],
      ]),
    ).toMatchObject({
      lagMs: 0,
      releases: 1,
    });
  });

  it('excludes pre-releases and yanked or removed releases', () => {
    expect(
      check('1.0.0', [
        ['1.0.0', '2024-01-01'],
        ['2.0.0-rc.1', '2025-01-01'],
        ['2.0.0', '2025-02-01', 'yanked'],
        ['2.1.0', '2025-03-01', 'withdrawn'],
        ['2.2.0', '2025-04-01', 'prerelease'],
      ]),
    ).toMatchObject({ lagMs: 0, releases: 0 });
  });

  it('counts several spellings of a version once', () => {
    expect(
      check('1.0.0', [
        ['1.0.0', '2024-01-01'],
        ['v1.1.0', '2024-02-01'],
        ['1.1.0', '2024-02-01'],
      ]),
    ).toMatchObject({ releases: 1, minors: 1 });
  });

  it('is an estimate if a release has no date or the deployed version isn’t listed', () => {
    expect(
      check('1.0.0', [
        ['1.0.0', '2024-01-01'],
        ['1.1.0', null],
      ]),
    ).toMatchObject({ isEstimate: true });
    expect(check('1.0.5', history)).toMatchObject({
      lagMs: Date.parse('2025-01-01') - Date.parse('2024-01-01'),
      isEstimate: true,
    });
  });

  it('is unknown for a version below all releases and for one that can’t be compared', () => {
    expect(check('0.1.0', history)).toMatchObject({ lagMs: null, releases: 3 });
    expect(check('main', history)).toBeNull();
    expect(check('1.0.0', [])).toBeNull();
  });

  it('is the time between two release dates if the tags aren’t versions', () => {
    expect(
      check('edge', [
        ['edge', '2024-01-01'],
        ['nightly', '2024-02-01'],
      ]),
    ).toMatchObject({
      lagMs: 31 * dayMs,
      majors: null,
      releases: null,
    });
  });
});

describe.skipIf(!hasTestData)('the figures of real histories', () => {
  it('match a reference implementation that uses only npm semver', () => {
    const deviations: string[] = [];
    let compared = 0;
    for (const { tool, versions } of readHistories()) {
      if (versions.some(({ version }) => semver.parse(version) === null)) continue;
      const rows = versions.map((each) => ({
        version: each.version,
        releasedAtMs: Date.parse(each.created_at),
        discoveredAtMs: Date.parse(each.created_at),
        isPrerelease: each.prerelease === true,
        isYanked: false,
        isWithdrawn: false,
        url: null,
      }));
      const set = prepareReleases('semver', rows);
      const step = Math.max(1, Math.floor(rows.length / samplesEach));
      for (let place = 0; place < rows.length; place += step) {
        const asOfMs = rows[place]!.releasedAtMs + (place % 7) * dayMs;
        const existing = set.asOf(asOfMs, 'released');
        const born = rows.filter(({ releasedAtMs }) => releasedAtMs <= asOfMs);
        for (const { version } of born.filter((_, index) => index % step === 0).slice(-samplesEach)) {
          const figures = measureFreshness(existing, options, version)!;
          const expected = naive(born, version, asOfMs);
          compared++;
          for (const metric of freshnessMetricNames) {
            const found = freshnessMetrics[metric].valueOf(figures, asOfMs);
            if (found !== expected[metric]) {
              deviations.push(`${tool} ${version} ${metric}: ${found}, expected ${expected[metric]}`);
            }
          }
        }
      }
    }
    console.log(`figures compared: ${compared}, deviations: ${deviations.length}`);
    expect(compared).toBeGreaterThan(isLong ? 10_000 : 2_000);
    expect(deviations).toEqual([]);
  });

  it('match lags that were computed independently', () => {
    const histories = new Map(readHistories().map((history) => [history.tool, history.versions]));
    const deviations: string[] = [];
    let compared = 0;
    for (const row of readRows()) {
      const versions = histories.get(row.tool);
      if (versions === undefined) continue;
      const rows = versions.map((each) => ({
        version: each.version,
        releasedAtMs: Date.parse(each.created_at),
        discoveredAtMs: Date.parse(each.created_at),
        isPrerelease: each.prerelease === true,
        isYanked: false,
        isWithdrawn: false,
        url: null,
      }));
      const asOfMs = Date.parse(row.asOf);
      const set = prepareReleases('semver', rows).asOf(asOfMs, 'released');
      const figures = measureFreshness(set, options, row.deployed)!;
      const found = [
        figures.lagMs,
        freshnessMetrics.exposure_days.valueOf(figures, asOfMs),
        figures.majors,
        figures.minors,
        figures.releases,
      ];
      const isNewerThere = row.stableReleasesBehind > 0;
      const lagMs = Date.parse(row.latestStableReleasedAt) - Date.parse(row.deployedReleasedAt);
      const expected = [
        isNewerThere ? Math.max(0, lagMs) : 0,
        isNewerThere ? row.daysBehind_asOfMinusFirstNewer : 0,
        row.majorsBehind_numeric,
        row.minorsBehind_distinctAll,
        row.stableReleasesBehind,
      ];
      compared++;
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        deviations.push(
          `${row.tool} ${row.deployed}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
        );
      }
    }
    console.log(`lag rows: ${compared}, deviations: ${deviations.length}`);
    expect(compared).toBe(894);
    expect(deviations).toEqual([]);
  });
});

/** Number of points in time sampled per history, and of deployed versions sampled at each. */
const samplesEach = isLong ? 9 : 5;

/** Reference implementation of the metric definitions without any product code. */
function naive(
  born: readonly { version: string; releasedAtMs: number; isPrerelease: boolean }[],
  deployed: string,
  asOfMs: number,
): Record<FreshnessMetric, number> {
  const isStable = (each: (typeof born)[number]) =>
    !each.isPrerelease && semver.parse(each.version)!.prerelease.length === 0;
  const newer = born
    .filter((each) => isStable(each) && semver.compare(each.version, deployed) > 0)
    .toSorted((a, b) => semver.compare(b.version, a.version));
  const latest = newer[0];
  if (latest === undefined) return { libyears: 0, exposure_days: 0, majors: 0, minors: 0, releases: 0 };
  const own = born.find(({ version }) => version === deployed)!;
  const firstMs = Math.min(...newer.map(({ releasedAtMs }) => releasedAtMs));
  const latestMs = Math.min(
    ...newer
      .filter(({ version }) => semver.compare(version, latest.version) === 0)
      .map(({ releasedAtMs }) => releasedAtMs),
  );
  const pairOf = (version: string) => `${semver.major(version)}.${semver.minor(version)}`;
  const pairs = new Set(newer.map(({ version }) => pairOf(version)));
  pairs.delete(pairOf(deployed));
  const yearMs = 365.25 * 24 * 60 * 60 * 1_000;
  return {
    libyears: Math.max(0, latestMs - own.releasedAtMs) / yearMs,
    exposure_days: Math.floor((asOfMs - firstMs) / (24 * 60 * 60 * 1_000)),
    majors: semver.major(latest.version) - semver.major(deployed),
    minors: pairs.size,
    releases: new Set(newer.map(({ version }) => semver.parse(version)!.version)).size,
  };
}

interface LagRow {
  tool: string;
  deployed: string;
  deployedReleasedAt: string;
  asOf: string;
  latestStableReleasedAt: string;
  majorsBehind_numeric: number;
  minorsBehind_distinctAll: number;
  daysBehind_asOfMinusFirstNewer: number;
  stableReleasesBehind: number;
}

function readRows(): LagRow[] {
  const file = readFileSync(testDataPath('lag/semver-lag-oracle.json'), 'utf8');
  return (JSON.parse(file) as { cases: LagRow[] }).cases;
}

function readHistories() {
  const [, ...lines] = readFileSync(testDataPath('release-history/mise-versions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map(
    (line) =>
      JSON.parse(line) as {
        tool: string;
        versions: { version: string; created_at: string; prerelease?: boolean }[];
      },
  );
}
