import { expect, test } from 'vitest';
import { freshnessReport, monthName, monthToReport } from './freshness-report.ts';

test.each([
  // No report is due in the first month, because little is known about the month before.
  [null, '2026-11-01', null],
  ['2026-11-01', '2026-11-01', null],
  ['2026-10-01', '2026-11-01', '2026-10'],
  ['2026-12-01', '2027-01-01', '2026-12'],
  // Only the last month is reported after several months without a server.
  ['2026-03-01', '2026-11-01', '2026-10'],
  // The clock was set back.
  ['2026-12-01', '2026-11-01', null],
])('if the last report was due on %s, the report due on %s covers %s', (reported, thisMonth, month) => {
  expect(monthToReport(reported, thisMonth)).toBe(month);
});

test('a report rounds percentages down so that 100% means all, and includes the previous month if known', () => {
  const now = { things: 200, libyears: 41.234, targeted: 199, withinTarget: 198 };
  const before = { things: 3, libyears: 0, targeted: 0, withinTarget: 0 };
  const targets = [
    { goalPercent: 95, known: 20, unknown: 0, within: 19 },
    { goalPercent: 100, known: 20, unknown: 0, within: 19 },
    // A target without measurements counts as met.
    { goalPercent: 100, known: 0, unknown: 0, within: 0 },
    // Without known values, nothing shows that this target is met.
    { goalPercent: 50, known: 0, unknown: 2, within: 0 },
  ];
  const behind = [
    { name: 'web', deployedVersion: '1.0', latestVersion: '3.0', libyears: 1.04, isLowerBound: false },
    { name: 'api', deployedVersion: '1.0', latestVersion: null, libyears: 0.254, isLowerBound: true },
  ];
  expect(freshnessReport('2026-10', now, before, targets, behind)).toEqual({
    month: '2026-10',
    things: 200,
    libyears: 41.23,
    libyears_before: 0,
    within_percent: 99,
    within_percent_before: null,
    targets_met: 2,
    target_count: 4,
    furthest_behind: 'web: 1.0 → 3.0, 1 libyear\napi: 1.0, at least 0.25 libyears',
  });
  expect(freshnessReport('2026-10', now, null, [], [])).toMatchObject({
    libyears_before: null,
    within_percent_before: null,
    target_count: 0,
    furthest_behind: null,
  });
  expect(monthName('2026-10')).toBe('October 2026');
});
