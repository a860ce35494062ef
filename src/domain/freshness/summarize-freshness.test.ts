import { describe, expect, it, test } from 'vitest';
import { dayMs } from '../rules/stored-lag.ts';
import { isGoalMet, percentWithin, updateTargetState } from './freshness-target.ts';
import { KnownValues, type MetricValues } from './known-values.ts';
import { summarizeFreshness } from './summarize-freshness.ts';

function metrics(value: number | null): MetricValues {
  return { libyears: value, exposure_days: 0, majors: value, minors: value, releases: value };
}

it('each group has the sum, the median, and the 90th percentile of its known values', () => {
  const known = new KnownValues([5, 1, null, 4, 2, 3, 10, 9, 8, 7, 6].map((value) => [metrics(value)]));
  const [all, few, none] = summarizeFreshness(known, {
    count: 3,
    of: (index) => (index < 3 ? [0, 1] : [0]),
    isWithinTarget: () => null,
  });
  expect(all).toMatchObject({ things: 11, unknown: 1 });
  expect(all!.metrics.libyears).toEqual({ known: 10, sum: 55, median: 5, p90: 9 });
  expect(few!.metrics.majors).toEqual({ known: 2, sum: 6, median: 1, p90: 5 });
  expect(none).toMatchObject({ things: 0, metrics: { minors: { known: 0, sum: 0, median: 0, p90: 0 } } });
});

it('a summary counts estimates and targets, but not resources without a deployed version', () => {
  const known = new KnownValues([[metrics(1), { isEstimate: true }], [metrics(2)], [metrics(3)], [null]]);
  const [all] = summarizeFreshness(known, {
    count: 1,
    of: () => [0],
    isWithinTarget: (index) => [true, false, null, null][index]!,
  });
  expect(all).toMatchObject({ things: 3, unknown: 0, estimated: 1, targeted: 2, withinTarget: 1 });
  expect(all!.metrics.releases).toEqual({ known: 3, sum: 6, median: 2, p90: 3 });
});

it('the summaries match a simple computation for random values and groups', () => {
  const random = createRandom(11);
  for (let round = 0; round < 50; round++) {
    const groupCount = 1 + random(6);
    const rows = Array.from({ length: random(300) }, () => ({
      values: random(9) === 0 ? null : metrics(random(7) === 0 ? null : random(40) / 7),
      groups: Array.from({ length: groupCount }, (_, group) => group).filter(() => random(3) > 0),
    }));
    const known = new KnownValues();
    // Leave a stale value in the buffer, because `clear` keeps the memory.
    known.add(metrics(1), { isEstimate: true });
    known.clear();
    for (const { values } of rows) known.add(values);
    const summaries = summarizeFreshness(known, {
      count: groupCount,
      of: (index) => rows[index]!.groups,
      isWithinTarget: () => null,
    });
    for (const [group, summary] of summaries.entries()) {
      const ofGroup = rows.flatMap(({ values, groups }) => (groups.includes(group) ? (values ?? []) : []));
      const libyears = ofGroup.flatMap((values) => values.libyears ?? []).sort((a, b) => a - b);
      expect(summary).toMatchObject({ things: ofGroup.length, unknown: ofGroup.length - libyears.length });
      expect(summary.metrics.libyears).toEqual({
        known: libyears.length,
        sum: libyears.reduce((sum, value) => sum + value, 0),
        median: libyears[Math.ceil(libyears.length / 2) - 1] ?? 0,
        p90: libyears[Math.ceil(libyears.length * 0.9) - 1] ?? 0,
      });
    }
  }
});

/** Creates a random number generator. Equal seeds produce equal numbers. */
function createRandom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

describe('a goal', () => {
  test.each([
    [90, 9, 10, true],
    [90, 89, 99, false],
    [100, 999, 1_000, false],
    [50, 0, 0, true],
  ])('of %d %% with %d of %d resources within the target is met: %s', (goal, within, known, isMet) => {
    expect(isGoalMet(goal, { within, known, unknown: 0 })).toBe(isMet);
  });

  it('is neither met nor missed if no value is known', () => {
    expect(isGoalMet(50, { within: 0, known: 0, unknown: 2 })).toBeNull();
    expect(isGoalMet(50, { within: 1, known: 1, unknown: 2 })).toBe(true);
    const missed = { reported: 'missed', differsSinceMs: null } as const;
    expect(updateTargetState(missed, null, 5 * dayMs)).toEqual({ state: missed, report: null });
  });

  it('has a percentage of 99.9 % instead of 100 % if a resource misses the target', () => {
    expect(percentWithin(9_999, 10_000)).toBe(99.9);
    expect(percentWithin(10, 10)).toBe(100);
    expect(percentWithin(0, 0)).toBeNull();
  });

  it('is reported as missed or met only after the change has lasted for a day', () => {
    const reports: (string | null)[] = [];
    let state: Parameters<typeof updateTargetState>[0] = { reported: null, differsSinceMs: null };
    const at = (days: number, isMet: boolean) => {
      const next = updateTargetState(state, isMet, days * dayMs);
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
