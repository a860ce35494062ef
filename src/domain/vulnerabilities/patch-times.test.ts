import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPatchCases, type PatchCase, type PatchFacts, summarizePatchCases } from './patch-times.ts';

const day = 86_400_000;

/**
 * Creates facts about versions whose names list their vulnerabilities: `A B` has the vulnerabilities `A` and
 * `B`. The version `?` can't be compared.
 */
function factsOf(
  published: Readonly<Record<string, number>>,
  fixed: Readonly<Record<string, number>>,
): PatchFacts {
  return {
    findAll: (version) => (version === '?' ? null : new Set(version.split(' ').filter((id) => id !== '-'))),
    findFixTimes: (_, ids) => new Map(Object.entries(fixed).filter(([id]) => ids.has(id))),
    publishedAtMs: (id) => published[id] ?? null,
  };
}

function casesOf(versions: readonly string[], facts: PatchFacts): PatchCase[] {
  const steps = findPatchCases(
    versions.map((version, index) => ({ version, atMs: index * 10 * day })),
    facts,
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

describe('the cases of a place', () => {
  const facts = factsOf({ A: 0, B: 12 * day }, { A: 4 * day, B: 1 * day });

  it.each<
    [versions: string[], expected: [id: string, since: number, ended: number | null, isFixed: boolean][]]
  >([
    [['A', '-'], [['A', 4, 10, true]]],
    [['A'], [['A', 4, null, false]]],
    [
      ['-', 'A', 'A B', 'B'],
      [
        ['A', 10, 30, true],
        ['B', 20, null, false],
      ],
    ],
    [
      ['A', '-', 'A'],
      [
        ['A', 4, 10, true],
        ['A', 20, null, false],
      ],
    ],
    [
      ['A', '?', 'A'],
      [
        ['A', 4, 10, false],
        ['A', 20, null, false],
      ],
    ],
    [['B', '-'], []],
    [['C', '-'], []],
    [[], []],
  ])(
    'begin when a fix could be deployed, and end with a version without the vulnerability: %j',
    (versions, expected) => {
      const found = casesOf(versions, facts).map(({ id, possibleSinceMs, endedAtMs, isFixed }) => [
        id,
        possibleSinceMs / day,
        endedAtMs === null ? null : endedAtMs / day,
        isFixed,
      ]);
      expect(found.toSorted()).toEqual(expected.toSorted());
    },
  );

  it('never end before they begin, and never overlap for the same vulnerability', () => {
    const version = fc.constantFrom('-', 'A', 'B', 'A B', '?');
    const times = fc.record({ A: fc.nat(100).map((at) => at * day), B: fc.nat(100).map((at) => at * day) });
    fc.assert(
      fc.property(fc.array(version, { maxLength: 12 }), times, times, (versions, published, fixed) => {
        const found = casesOf(versions, factsOf(published, fixed));
        for (const id of ['A', 'B']) {
          const own = found.filter((each) => each.id === id);
          for (const [index, { possibleSinceMs, endedAtMs }] of own.entries()) {
            if (endedAtMs !== null) expect(endedAtMs).toBeGreaterThanOrEqual(possibleSinceMs);
            if (index > 0) expect(own[index - 1]!.endedAtMs).toBeLessThanOrEqual(possibleSinceMs);
          }
          expect(own.filter(({ endedAtMs }) => endedAtMs === null).length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('the figures of a month', () => {
  const at = (text: string) => Date.parse(`${text}T00:00:00Z`);
  const ended = (since: string, until: string | null, isFixed = until !== null): PatchCase => ({
    id: 'A',
    possibleSinceMs: at(since),
    endedAtMs: until === null ? null : at(until),
    isFixed,
  });
  const cases = [
    ended('2026-01-01', '2026-02-01'),
    ended('2026-02-01', '2026-02-05'),
    ended('2026-01-20', '2026-02-28'),
    ended('2026-02-10', '2026-02-12', false),
    ended('2026-02-20', null),
  ];

  it('are the number and the median days of the vulnerabilities that were fixed, and the number of those that were open at its end', () => {
    const months = ['2025-12', '2026-01', '2026-02', '2026-03'];
    expect(summarizePatchCases(cases, months, at('2026-01-01'), at('2026-03-10'))).toEqual([
      { month: '2025-12', hasData: false, medianDays: null, fixedCount: 0, openCount: 0 },
      { month: '2026-01', hasData: true, medianDays: null, fixedCount: 0, openCount: 2 },
      { month: '2026-02', hasData: true, medianDays: 31, fixedCount: 3, openCount: 1 },
      { month: '2026-03', hasData: true, medianDays: null, fixedCount: 0, openCount: 1 },
    ]);
  });

  it('have the mean of the two middle values as the median of an even number of vulnerabilities', () => {
    const [summary] = summarizePatchCases(cases.slice(0, 2), ['2026-02'], 0, at('2026-03-10'));
    expect(summary).toMatchObject({ medianDays: 17.5, fixedCount: 2 });
  });
});
