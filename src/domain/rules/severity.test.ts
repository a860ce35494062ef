import { describe, expect, it } from 'vitest';
import {
  ascendingThresholds,
  descendingThresholds,
  highestSeverityOf,
  isHigherSeverity,
  type Thresholds,
} from './severity.ts';
import { behindByAt, dayMs, wholeDaysBetween } from './stored-lag.ts';

const all = { moderate: 30, high: 60, critical: 90 };

describe('severity', () => {
  it('is the highest level whose threshold is reached', () => {
    check(all, 0, null);
    check(all, 29, null);
    check(all, 30, 'moderate');
    check(all, 59, 'moderate');
    check(all, 60, 'high');
    check(all, 90, 'critical');
    check(all, 100_000, 'critical');
    check({ high: 1 }, 5, 'high');
    check({ moderate: null, critical: 2 }, 1, null);
    check({ moderate: null, critical: 2 }, 2, 'critical');

    function check(thresholds: Thresholds, behindBy: number, expected: string | null) {
      expect(ascendingThresholds.severityOf(behindBy, thresholds), `${behindBy}`).toBe(expected);
    }
  });

  it("is the highest level that the rule defines if the lag can't be counted", () => {
    expect(highestSeverityOf(all)).toBe('critical');
    expect(highestSeverityOf({ moderate: 1, high: null })).toBe('moderate');
    expect(highestSeverityOf({})).toBeNull();
  });

  it("changes next at the lowest threshold that hasn't been reached yet", () => {
    expect(ascendingThresholds.nextThreshold(0, all)).toBe(30);
    expect(ascendingThresholds.nextThreshold(30, all)).toBe(60);
    expect(ascendingThresholds.nextThreshold(90, all)).toBeNull();
    expect(ascendingThresholds.nextThreshold(0, { high: 7 })).toBe(7);
  });

  it('is ordered, with null below every level', () => {
    expect(isHigherSeverity('high', 'moderate')).toBe(true);
    expect(isHigherSeverity('critical', 'critical')).toBe(false);
    expect(isHigherSeverity('moderate', null)).toBe(true);
    expect(isHigherSeverity(null, 'moderate')).toBe(false);
  });
});

describe('days', () => {
  it('are full 24-hour periods since the given time, rounded down and never negative', () => {
    const sinceMs = Date.parse('2026-03-28T18:30:00Z');
    check(sinceMs - 1, 0);
    check(sinceMs, 0);
    check(sinceMs + dayMs - 1, 0);
    check(sinceMs + dayMs, 1);
    check(sinceMs + 45 * dayMs + 1, 45);
    check(sinceMs - 30 * dayMs, 0);

    function check(nowMs: number, expected: number) {
      expect(wholeDaysBetween(sinceMs, nowMs)).toBe(expected);
    }
  });

  it('are computed at read time from the stored start of the lag, while stored counts are returned unchanged', () => {
    expect(behindByAt({ behindBy: null, behindSinceMs: 0 }, 3 * dayMs)).toBe(3);
    expect(behindByAt({ behindBy: 2, behindSinceMs: null }, 3 * dayMs)).toBe(2);
    expect(behindByAt({ behindBy: null, behindSinceMs: null }, 3 * dayMs)).toBeNull();
  });
});

describe('descending thresholds', () => {
  const before = { moderate: 180, high: 0, critical: -30 };

  it('are reached when the number of days left falls to their value', () => {
    const severities = [181, 180, 1, 0, -29, -30].map((left) =>
      descendingThresholds.severityOf(left, before),
    );
    expect(severities).toEqual([null, 'moderate', 'moderate', 'high', 'high', 'critical']);
    const next = [400, 180, 0, -30].map((left) => descendingThresholds.nextThreshold(left, before));
    expect(next).toEqual([180, 0, -30, null]);
  });

  it('must descend as the severity increases', () => {
    expect(descendingThresholds.problemOf(before)).toBeNull();
    expect(descendingThresholds.problemOf({ moderate: 30, critical: 30 })).toMatchObject({
      severity: 'critical',
    });
    expect(descendingThresholds.problemOf({ high: 30, critical: 60 })?.message).toBe(
      'must be less than high (30)',
    );
  });
});
