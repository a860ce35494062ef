import { describe, expect, test } from 'vitest';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import { type ReleasesSummary, type SummaryOptions, summarizeReleases } from './summarize-releases.ts';

const nowMs = utcTime('2026-03-01');

function summarize(
  lines: readonly string[],
  { isImage = false, ...options }: Partial<SummaryOptions> & { isImage?: boolean } = {},
): ReleasesSummary {
  return summarizeReleases(releaseSet(lines, 'auto', { isImage }), {
    deployedVersion: null,
    ignoredVersions: [],
    countedVersions: [],
    nowMs,
    ...options,
  });
}

const compact = ({ lines }: ReleasesSummary) =>
  lines.map(({ line, variant, count, latest, is_compared }) =>
    [line, variant, count, latest.version, is_compared ? 'compared' : ''].join(' '),
  );

describe('the summary of releases', () => {
  const tags = [
    '1.0.0 2026-01-01',
    '1.1.0 2026-01-05',
    '1.2.0-rc.1 2026-01-06',
    '1.0.0-alpine3.20 2026-01-01',
    '1.1.0-alpine3.20 2026-01-05',
    '1.1.0-alpine3.21 2026-01-06',
    'chart-7.0.0 2026-01-07',
    'latest 2026-01-07',
    'alpine3.21 2026-01-07',
  ];

  test('counts the releases of each line and variant, and shows the latest stable release and the line that is compared', () => {
    const summary = summarize(tags, { isImage: true });
    expect(compact(summary)).toEqual([
      '  3 1.1.0 compared',
      ' alpine 3 1.1.0-alpine3.21 ',
      'chart  1 chart-7.0.0 ',
    ]);
    expect(summary).toMatchObject({
      release_count: 9,
      line_count: 3,
      latest: { version: '1.1.0', released_at: '2026-01-05T00:00:00.000Z' },
      jump: null,
      deployed: null,
    });
    expect(summary.left_out).toEqual([
      { reason: 'not_a_version', count: 1, examples: ['latest'] },
      { reason: 'platform_tag', count: 1, examples: ['alpine3.21'] },
    ]);
  });

  test('excludes ignored releases and outliers, except for outliers in the counted versions of the job', () => {
    const of = (options: Partial<SummaryOptions>) => {
      const { latest, left_out, deployed } = summarize(
        ['1.1 2025-01-01', '1.2 2025-02-01', '20260105 2026-01-05'],
        {
          deployedVersion: '1.1',
          ...options,
        },
      );
      return { latest: latest?.version, compared: deployed?.latest, left_out };
    };
    const outlier = { reason: 'outlier', count: 1, examples: ['20260105'] };
    expect(of({})).toEqual({ latest: '1.2', compared: '1.2', left_out: [outlier] });
    expect(of({ ignoredVersions: ['v1.2.0'] })).toEqual({
      latest: '1.1',
      compared: '1.1',
      left_out: [{ reason: 'ignored', count: 1, examples: ['1.2'] }, outlier],
    });
    expect(of({ countedVersions: ['20260105'] })).toEqual({
      latest: '20260105',
      compared: '20260105',
      left_out: [],
    });
  });

  test("compares releases of the deployed version's line and variant, and measures the lag with the defaults of a new rule", () => {
    const summary = summarize(tags, { isImage: true, deployedVersion: '1.0.0-alpine3.20' });
    expect(compact(summary)[0]).toBe(' alpine 3 1.1.0-alpine3.21 compared');
    expect(summary.deployed).toEqual({
      match: 'exact',
      release: '1.0.0-alpine3.20',
      adopted_line: null,
      latest: '1.1.0-alpine3.21',
      behind_by: {
        days_behind: 55,
        majors_behind: 0,
        minors_behind: 1,
        upstream_silent: 53,
        end_of_life: null,
        known_vulnerabilities: null,
        release_integrity: null,
        vulnerability_age: null,
      },
    });
    expect(summarize(tags, { deployedVersion: '7.0.0' }).deployed).toMatchObject({ adopted_line: 'chart' });
    expect(summarize(tags, { deployedVersion: 'unknown' }).deployed).toMatchObject({ match: 'unparseable' });
  });

  test('reports a jump in the version numbers, and outliers', () => {
    const summary = summarize(['3.6 2026-01-01', '3.7 2026-01-02', '3.8 2026-01-03', '2024.1 2026-01-04']);
    expect(summary.jump).toEqual({ from: '3.8', above: ['2024.1'] });
    const dated = summarize(['1.1 2026-01-01', '1.2 2026-01-02', '20260103 2026-01-03']);
    expect(dated.left_out).toEqual([{ reason: 'outlier', count: 1, examples: ['20260103'] }]);
    expect(dated.latest).toMatchObject({ version: '1.2' });
  });

  test('lists at most 50 lines, and omits lines without releases', () => {
    const many = summarize(
      Array.from({ length: 60 }, (_, index) => `name${'x'.repeat(index)}-1.0 2026-01-01`),
    );
    expect(many.lines).toHaveLength(50);
    expect(many.line_count).toBe(60);
    expect(summarize([])).toMatchObject({ release_count: 0, latest: null, lines: [], left_out: [] });
  });
});
