import { describe, expect, it, test } from 'vitest';
import { dayMs } from '../rules/behind-days.ts';
import { followTarget, isGoalMet, percentWithin } from './freshness-target.ts';
import { type FreshnessReading, summarizeFreshness } from './summarize-freshness.ts';

function reading(value: number | null, more: Partial<FreshnessReading> = {}): FreshnessReading {
  const values = { libyears: value, exposure_days: 0, majors: value, minors: value, releases: value };
  return { values, isEstimate: false, isWithinTarget: null, ...more };
}

it('each group has the sum, the median, and the 90th percentile of what is known of it', () => {
  const readings = [5, 1, null, 4, 2, 3, 10, 9, 8, 7, 6].map((value) => reading(value));
  const [all, few, none] = summarizeFreshness(readings, (index) => (index < 3 ? [0, 1] : [0]), 3);
  expect(all).toMatchObject({ things: 11, unknown: 1 });
  expect(all!.metrics.libyears).toEqual({ known: 10, sum: 55, median: 5, p90: 9 });
  expect(few!.metrics.majors).toEqual({ known: 2, sum: 6, median: 1, p90: 5 });
  expect(none).toMatchObject({ things: 0, metrics: { minors: { known: 0, sum: 0, median: 0, p90: 0 } } });
});

it('estimates and targets are counted', () => {
  const [all] = summarizeFreshness(
    [
      reading(1, { isEstimate: true, isWithinTarget: true }),
      reading(2, { isWithinTarget: false }),
      reading(3),
    ],
    () => [0],
    1,
  );
  expect(all).toMatchObject({ things: 3, estimated: 1, targeted: 2, withinTarget: 1 });
});

describe('a goal', () => {
  test.each([
    [90, 9, 10, true],
    [90, 89, 99, false],
    [100, 999, 1_000, false],
    [50, 0, 0, true],
  ])('of %d %% with %d of %d within: %s', (goal, within, known, isMet) => {
    expect(isGoalMet(goal, within, known)).toBe(isMet);
  });

  it('is shown as missed by 99.9 %, not met by 100 %', () => {
    expect(percentWithin(9_999, 10_000)).toBe(99.9);
    expect(percentWithin(10, 10)).toBe(100);
    expect(percentWithin(0, 0)).toBeNull();
  });

  it('is reported when it has been missed for a day, and nothing in between', () => {
    const reports: (string | null)[] = [];
    let state: Parameters<typeof followTarget>[0] = { reported: null, differsSinceMs: null };
    const at = (days: number, isMet: boolean) => {
      const next = followTarget(state, isMet, days * dayMs);
      state = next.state;
      reports.push(next.report);
    };
    at(0, true);
    at(1, false);
    at(1.5, true);
    at(1.6, false);
    at(2.5, false);
    at(2.6, false);
    at(2.7, false);
    at(3, true);
    at(4, true);
    expect(reports).toEqual([null, null, null, null, null, 'missed', null, null, 'met']);
  });
});
