import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deployedSince, findFixes, type PatchTimes, patchDueAtMs } from './patch-clock.ts';

const day = 86_400_000;
const days = { critical: 7, high: 30, moderate: 90, low: null, unknown: 90, knownExploited: 14 };
const times = {
  publishedAtMs: 10 * day,
  fixAvailableSinceMs: 12 * day,
  deployedSinceMs: 3 * day,
  knownExploitedSinceMs: null,
};

describe('the due time of a vulnerability', () => {
  it.each([
    ['the release of the fix, if it is last', {}, 12],
    ['the publication, if it is last', { publishedAtMs: 20 * day }, 20],
    ['the deployment, if it is last', { deployedSinceMs: 40 * day }, 40],
  ])('is calculated from %s', (_, change, start) => {
    expect(patchDueAtMs({ ...times, ...change }, 'critical', days)).toBe((start + 7) * day);
  });

  it('depends on the severity, and does not exist for a severity without a limit', () => {
    const due = (severity: Parameters<typeof patchDueAtMs>[1]) => patchDueAtMs(times, severity, days);
    expect([due('critical'), due('high'), due('moderate'), due(null), due('low')]).toEqual([
      19 * day,
      42 * day,
      102 * day,
      102 * day,
      null,
    ]);
  });

  it.each(['publishedAtMs', 'fixAvailableSinceMs', 'deployedSinceMs'] as const)(
    'does not exist while %s is not known',
    (name) => {
      expect(patchDueAtMs({ ...times, [name]: null }, 'critical', days)).toBeNull();
    },
  );
});

describe('the due time of a known exploited vulnerability', () => {
  const due = (
    severity: Parameters<typeof patchDueAtMs>[1],
    knownExploitedSinceMs: number,
    change: Partial<PatchTimes> = {},
  ) => patchDueAtMs({ ...times, ...change, knownExploitedSinceMs }, severity, days);

  it('is that of its severity or that of exploited ones, whichever is earlier', () => {
    expect(due('critical', 5 * day)).toBe(19 * day);
    expect(due('high', 5 * day)).toBe(26 * day);
    expect(due('low', 5 * day)).toBe(26 * day);
    expect(due('high', 20 * day)).toBe(34 * day);
    expect(due('high', 40 * day)).toBe(42 * day);
  });

  it('exists without a publication time, but not without a fix or a deployment', () => {
    expect(due('high', 20 * day, { publishedAtMs: null })).toBe(34 * day);
    expect(due('high', 20 * day, { fixAvailableSinceMs: null })).toBeNull();
    expect(due('high', 20 * day, { deployedSinceMs: null })).toBeNull();
  });
});

const time = fc.option(fc.integer({ min: 0, max: 2_000 }).map((at) => at * day));
const limit = fc.option(fc.integer({ min: 1, max: 400 }));
const severity = fc.constantFrom('low', 'moderate', 'high', 'critical', null);
const anyTimes = fc.record({
  publishedAtMs: time,
  fixAvailableSinceMs: time,
  deployedSinceMs: time,
  knownExploitedSinceMs: time,
});
const anyDays = fc.record({
  critical: limit,
  high: limit,
  moderate: limit,
  low: limit,
  unknown: limit,
  knownExploited: limit,
});

describe('every due time', () => {
  it('is after the fix and the deployment, and as long as a limit after the times that it counts from', () => {
    fc.assert(
      fc.property(anyTimes, severity, anyDays, (given, rated, limits) => {
        const due = patchDueAtMs(given, rated, limits);
        if (due === null) return;
        const possible = Math.max(given.fixAvailableSinceMs!, given.deployedSinceMs!);
        expect(due).toBeGreaterThan(possible);
        const starts = [given.publishedAtMs, given.knownExploitedSinceMs].flatMap((at) =>
          at === null ? [] : [Math.max(at, given.publishedAtMs ?? 0, possible)],
        );
        const lengths = [limits[rated ?? 'unknown'], limits.knownExploited];
        expect(starts.flatMap((at) => lengths.map((count) => at + (count ?? 0) * day))).toContain(due);
      }),
    );
  });

  it('becomes no later when a vulnerability becomes known to be exploited, and no earlier for a later fix', () => {
    fc.assert(
      fc.property(anyTimes, severity, anyDays, fc.nat(500), (given, rated, limits, delay) => {
        const dueOf = (change: Partial<PatchTimes>) =>
          patchDueAtMs({ ...given, ...change }, rated, limits) ?? Number.POSITIVE_INFINITY;
        expect(dueOf({})).toBeLessThanOrEqual(dueOf({ knownExploitedSinceMs: null }));
        if (given.fixAvailableSinceMs === null) return;
        expect(
          dueOf({ fixAvailableSinceMs: given.fixAvailableSinceMs + delay * day }),
        ).toBeGreaterThanOrEqual(dueOf({}));
      }),
    );
  });
});

/** Finds the vulnerabilities of versions such as `A B`, whose words are the IDs of their vulnerabilities. */
function findAffecting(version: string, ids: Iterable<string>): Set<string> | null {
  return version === '?' ? null : new Set([...ids].filter((id) => version.split(' ').includes(id)));
}

describe('the time since which a vulnerability is deployed', () => {
  it.each<[versions: string[], expected: Record<string, number>]>([
    [['A'], { A: 0 }],
    [['', 'A', 'A B'], { A: 1, B: 2 }],
    [['A', '', 'A'], { A: 2 }],
    [['A', 'B'], { B: 1 }],
    [['A', '?', 'A'], { A: 2 }],
    [['A', ''], {}],
    [[], {}],
  ])('is the start of the last uninterrupted series of affected versions: %j', (versions, expected) => {
    const changes = versions.map((version, index) => ({ version, atMs: index }));
    expect(Object.fromEntries(deployedSince(changes, ['A', 'B'], findAffecting))).toEqual(expected);
  });
});

describe('the fix of a vulnerability', () => {
  it.each<[versions: string[], expected: Record<string, number>]>([
    [['A', ''], { A: 1, B: 0 }],
    [['A B', '?', 'B', 'A'], { A: 2, B: 3 }],
    [['A B', 'A B'], {}],
    [[], {}],
  ])('is the lowest release without the vulnerability: %j', (versions, expected) => {
    const releases = versions.map((version, index) => ({ version, index }));
    const steps = findFixes(releases, ['A', 'B'], findAffecting);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const found = [...step.value].map(([id, { index }]) => [id, index]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
