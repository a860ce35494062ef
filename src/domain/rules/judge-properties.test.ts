import fc from 'fast-check';
import { expect, it } from 'vitest';
import { explain } from './explanation.ts';
import { type JudgeInput, judge, type Verdict } from './judge.ts';
import { prepareReleases, type ReleaseRow } from './release-set.ts';
import { type RuleTypeId, ruleTypeIds } from './rule-types.ts';
import { ascendingThresholds, isHigherSeverity, type Thresholds } from './severity.ts';
import { dayMs } from './stored-lag.ts';

const startMs = Date.parse('2026-01-01');
const versions = [
  '0.9',
  '1.0.0',
  'v1.0.0',
  '1.0.1',
  '1.1.0',
  '1.2.0-rc.1',
  '1.2.0',
  '1.2.0-alpine',
  '1.3.1-alpine',
  '2.0.0',
  '2.0',
  '3.1.4',
  'main',
  'edge',
  'abc1234',
];
// The instants are close together, so that releases and thresholds sometimes coincide.
const instant = fc.integer({ min: 0, max: 40 * 4 }).map((quarters) => startMs + (quarters * dayMs) / 4);

const row: fc.Arbitrary<ReleaseRow> = fc.record({
  version: fc.constantFrom(...versions),
  releasedAtMs: fc.option(instant),
  discoveredAtMs: instant,
  isPrerelease: rarely(),
  isYanked: rarely(),
  isWithdrawn: rarely(),
  url: fc.constant(null),
});

const thresholds: fc.Arbitrary<Thresholds> = fc
  .uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 })
  .chain((numbers) => {
    const ascending = numbers.toSorted((a, b) => a - b);
    return fc
      .subarray(['moderate', 'high', 'critical'] as const, {
        minLength: ascending.length,
        maxLength: ascending.length,
      })
      .map((names) => Object.fromEntries(names.map((name, index) => [name, ascending[index]])) as Thresholds);
  });

const judgement = fc.record({
  schemeId: fc.constantFrom('auto' as const, 'semver' as const),
  rows: fc.array(row, { maxLength: 12 }),
  deployedVersion: fc.option(fc.constantFrom(...versions, '1.1.5', '9.9', 'nothing')),
  type: fc.constantFrom(...ruleTypeIds),
  thresholds,
  stableOnly: fc.boolean(),
  daysBasis: fc.constantFrom('deployed_release' as const, 'first_newer_release' as const),
  minReleaseAgeDays: fc.constantFrom(0, 0, 3, 14),
  ignoredVersions: fc.array(fc.constantFrom(...versions), { maxLength: 2 }),
  hasPattern: rarely(),
  nowMs: instant,
});

const runs = { numRuns: 3000 };

it('the severity never decreases as behind_by grows', () => {
  fc.assert(
    fc.property(thresholds, fc.nat(30), fc.nat(30), (limits, behindBy, more) => {
      expect(
        isHigherSeverity(
          ascendingThresholds.severityOf(behindBy, limits),
          ascendingThresholds.severityOf(behindBy + more, limits),
        ),
      ).toBe(false);
    }),
    runs,
  );
});

it('a verdict changes at its next crossing and not before', () => {
  let crossings = 0;
  fc.assert(
    fc.property(judgement, (given) => {
      const input = toInput(given);
      const verdict = judge(input);
      const nextMs = verdict.nextCrossingAtMs;
      if (nextMs === null) {
        expect(lasting(judge({ ...input, nowMs: given.nowMs + 10_000 * dayMs }))).toEqual(lasting(verdict));
        return;
      }
      crossings++;
      expect(nextMs).toBeGreaterThan(given.nowMs);
      expect(lasting(judge({ ...input, nowMs: nextMs - 1 }))).toEqual(lasting(verdict));
      expect(lasting(judge({ ...input, nowMs: nextMs }))).not.toEqual(lasting(verdict));
    }),
    runs,
  );
  expect(crossings).toBeGreaterThan(runs.numRuns / 10);
});

it("a verdict doesn't depend on earlier comparisons with the same release set", () => {
  fc.assert(
    fc.property(judgement, fc.array(instant, { maxLength: 4 }), (given, timesMs) => {
      const shared = toInput(given);
      for (const nowMs of timesMs) judge({ ...shared, nowMs });
      expect(lasting(judge(shared))).toEqual(lasting(judge(toInput(given))));
    }),
    runs,
  );
});

it("a verdict doesn't depend on the order of the releases", () => {
  fc.assert(
    fc.property(judgement, (given) => {
      const backward = toInput({ ...given, rows: given.rows.toReversed() });
      expect(lasting(judge(backward))).toEqual(lasting(judge(toInput(given))));
    }),
    runs,
  );
});

it('two fingerprints are equal if and only if the explanations are equal', () => {
  fc.assert(
    fc.property(judgement, judgement, (a, b) => {
      const first = judge(toInput(a));
      const second = judge(
        toInput({ ...a, deployedVersion: b.deployedVersion, thresholds: b.thresholds, nowMs: b.nowMs }),
      );
      const isSame = JSON.stringify(explain(first.evidence)) === JSON.stringify(explain(second.evidence));
      expect(first.explanationFingerprint === second.explanationFingerprint).toBe(isSame);
    }),
    runs,
  );
});

function toInput(given: typeof judgement extends fc.Arbitrary<infer T> ? T : never): JudgeInput {
  const { type, stableOnly, daysBasis, minReleaseAgeDays } = given;
  return {
    rule: { type, thresholds: given.thresholds, stableOnly, daysBasis, minReleaseAgeDays },
    options: {
      candidatePattern: given.hasPattern
        ? { source: '1', matches: (version) => version.includes('1') }
        : null,
      ignoredVersions: given.ignoredVersions,
    },
    deployedVersion: given.deployedVersion,
    releases: prepareReleases(given.schemeId, given.rows),
    nowMs: given.nowMs,
  };
}

/** Returns the verdict without the number of days, which grows over time. */
function lasting(verdict: Verdict) {
  const { evidence, behindBy, ...rest } = verdict;
  return {
    ...rest,
    behindBy: verdict.behindSinceMs === null ? behindBy : null,
    explanation: explain(evidence),
  };
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 5 }).map((value) => value === 0);
}

it('a count of newer versions reaches the threshold of its severity at the crossing time and not before', () => {
  const plain = ['1.0.0', '1.0.1', '1.1.0', '1.2.0', '1.3.4', '2.0.0', '2.1.0', '3.0.0', '5.0.0'];
  let crossed = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ version: fc.constantFrom(...plain), releasedAtMs: instant, isYanked: rarely() }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.constantFrom(...plain),
      fc.constantFrom<RuleTypeId>('majors_behind', 'minors_behind'),
      fc.constantFrom(0, 3),
      thresholds,
      (releases, deployedVersion, type, minReleaseAgeDays, limits) => {
        const judgeAt = (nowMs: number) =>
          judge({
            rule: { type, thresholds: limits, stableOnly: true, daysBasis: null, minReleaseAgeDays },
            options: { candidatePattern: null, ignoredVersions: [] },
            deployedVersion,
            // Include only the releases that are known at `nowMs`.
            releases: prepareReleases(
              'auto',
              releases
                .filter(({ releasedAtMs }) => releasedAtMs <= nowMs)
                .map((release) => ({
                  ...release,
                  discoveredAtMs: release.releasedAtMs,
                  isPrerelease: false,
                  isWithdrawn: false,
                  url: null,
                })),
            ),
            nowMs,
          });
        const now = judgeAt(startMs + 60 * dayMs);
        if (now.reason !== 'behind' || now.crossedAtMs === null) return;
        crossed += 1;
        expect(judgeAt(now.crossedAtMs).severity).toBe(now.severity);
        expect(isHigherSeverity(now.severity, judgeAt(now.crossedAtMs - 1).severity)).toBe(true);
      },
    ),
    runs,
  );
  expect(crossed).toBeGreaterThan(300);
});
