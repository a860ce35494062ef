import { describe, expect, test } from 'vitest';
import { timeTicks } from './time-ticks.ts';
import { placeLabels, toTimeline } from './timeline.ts';

const at = (date: string) => Date.parse(`${date}T00:00:00Z`);
const release = (version: string, date: string | null, more: object = {}) => ({
  version,
  released_at: date && `${date}T00:00:00Z`,
  discovered_at: '2026-06-01T00:00:00Z',
  is_prerelease: false,
  is_yanked: false,
  is_withdrawn: false,
  url: null,
  ...more,
});

describe('the timeline of an item', () => {
  const now = at('2026-07-01');
  const versions = [
    { version: '1.2.0', discovered_at: '2026-05-01T00:00:00Z' },
    { version: '1.0.0', discovered_at: '2026-02-01T00:00:00Z' },
  ];

  test('shows each version until the next one, the last until now, with its upstream release date', () => {
    const releases = [release('v1.2.0', '2026-04-01'), release('v1.1.0', '2026-03-01')];
    expect(toTimeline(versions, releases, now).deployments).toEqual([
      { version: '1.0.0', from: at('2026-02-01'), to: at('2026-05-01'), releasedAt: null },
      { version: '1.2.0', from: at('2026-05-01'), to: now, releasedAt: at('2026-04-01') },
    ]);
  });

  test('sorts releases by time, and uses the first-seen time if a release has no date', () => {
    const releases = [
      release('v1.2.0', '2026-04-01'),
      release('v1.3.0', null),
      release('v1.1.0-rc1', '2026-02-20', { is_prerelease: true }),
    ];
    expect(
      toTimeline(versions, releases, now).releases.map(({ version, at, isStable, isDeployed }) => [
        version,
        at,
        isStable,
        isDeployed,
      ]),
    ).toEqual([
      ['v1.1.0-rc1', at('2026-02-20'), false, false],
      ['v1.2.0', at('2026-04-01'), true, true],
      ['v1.3.0', at('2026-06-01'), true, false],
    ]);
  });

  test('excludes releases that upstream removed or yanked', () => {
    const releases = [
      release('v1', '2026-04-01', { is_yanked: true }),
      release('v2', '2026-04-01', { is_withdrawn: true }),
    ];
    expect(toTimeline(versions, releases, now).releases).toEqual([]);
  });
});

test('labels that would overlap an earlier one are hidden, and all others stay within the chart', () => {
  const labels = [
    { x: 395, text: 'v2.0.0' },
    { x: 360, text: 'v1.9.9' },
    { x: 100, text: 'v1.0.0' },
  ];
  const placed = placeLabels(labels, 400);
  expect(placed.map(({ text }) => text)).toEqual(['v2.0.0', 'v1.0.0']);
  expect(placed[0]!.x).toBeLessThan(400 - 20);
});

describe('the ticks of an axis', () => {
  test.each([
    ['2026-01-01', '2026-01-06', 6, ['Jan 1', 'Jan 2', 'Jan 3', 'Jan 4', 'Jan 5', 'Jan 6']],
    ['2026-01-15', '2026-05-20', 5, ['Feb 2026', 'Mar 2026', 'Apr 2026', 'May 2026']],
    ['2019-05-01', '2026-05-20', 8, ['2020', '2021', '2022', '2023', '2024', '2025', '2026']],
  ])('from %s to %s, at most %i, are at round times', (from, to, most, expected) => {
    expect(timeTicks(at(from), at(to), most).map(({ label }) => label)).toEqual(expected);
  });

  test('are empty if the time range is empty', () => {
    expect(timeTicks(at('2026-01-01'), at('2026-01-01'), 5)).toEqual([]);
  });
});
