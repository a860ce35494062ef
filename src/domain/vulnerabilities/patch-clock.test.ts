import { describe, expect, it } from 'vitest';
import { deployedSince, findFixes, patchDueAtMs } from './patch-clock.ts';

const day = 86_400_000;
const days = { critical: 7, high: 30, moderate: 90, low: null, unknown: 90 };
const times = { publishedAtMs: 10 * day, fixAvailableSinceMs: 12 * day, deployedSinceMs: 3 * day };

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
