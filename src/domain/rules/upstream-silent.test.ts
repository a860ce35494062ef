import { expect, it } from 'vitest';
import { explain } from './explanation.ts';
import { judge } from './judge.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import type { Rule } from './rule-type.ts';

const rule: Rule = {
  type: 'upstream_silent',
  thresholds: { moderate: 180, high: 365 },
  stableOnly: true,
  daysBasis: null,
  minReleaseAgeDays: 30,
};

interface Members {
  deployed?: string | null;
  rule?: Partial<Rule>;
  candidatePattern?: RegExp;
  ignored?: string[];
  isArchived?: boolean;
}

function silence(releases: string[], now: string, members: Members = {}) {
  const { deployed = '1.0.0', candidatePattern, ignored = [], isArchived = false } = members;
  return judge({
    rule: { ...rule, ...members.rule },
    options: {
      candidatePattern:
        candidatePattern === undefined
          ? null
          : { source: candidatePattern.source, matches: (text) => candidatePattern.test(text) },
      ignoredVersions: ignored,
    },
    deployedVersion: deployed,
    releases: releaseSet(releases),
    isArchived,
    nowMs: utcTime(now),
  });
}

it('an upstream_silent rule alerts from the moment when the newest release reaches the age of a threshold', () => {
  const releases = ['1.0.0 2025-01-01', '2.0.0 2025-06-01'];
  const before = silence(releases, '2025-11-27T23:59:59.999Z');
  expect(before).toMatchObject({ state: 'ok', behindBy: 179, nextCrossingAtMs: utcTime('2025-11-28') });
  const after = silence(releases, '2025-11-28');
  expect(after).toMatchObject({ state: 'alerting', severity: 'moderate', reason: 'upstream_silent' });
  expect(after).toMatchObject({
    behindBy: 180,
    crossedAtMs: utcTime('2025-11-28'),
    nextCrossingAtMs: utcTime('2026-06-01'),
  });
  expect(silence(releases, '2026-06-01').severity).toBe('high');
});

it.each([
  ['a fix for an old release line', ['2.0.0 2025-01-01', '1.0.1 2026-01-01'], 31],
  ['a release of another release line', ['1.0.0 2025-01-01', 'chart-1.0.0 2026-01-01'], 31],
  ['a release of another variant', ['1.0.0 2025-01-01', '1.0.1-alpine 2026-01-01'], 31],
  ['a release within the grace period', ['1.0.0 2025-01-01', '1.0.1 2026-01-31'], 1],
  ['a release with its discovery date as the release date', ['1.0.0 2025-01-01', '1.0.1 seen:2026-01-31'], 1],
])('an upstream_silent rule counts %s as upstream activity', (_, releases, days) => {
  expect(silence(releases, '2026-02-01').behindBy).toBe(days);
});

it.each([
  ['a pre-release', '1.1.0-rc.1 2026-01-01', {}],
  ['a yanked release', '1.1.0 2026-01-01 yanked', {}],
  ['a release that upstream removed', '1.1.0 2026-01-01 withdrawn', {}],
  ['an ignored release', '1.1.0 2026-01-01', { ignored: ['1.1.0'] }],
  ['a release that the pattern excludes', '1.1.0 2026-01-01', { candidatePattern: /^1\.0/ }],
  ['a tag without a version', 'nightly 2026-01-01', {}],
] as const)("an upstream_silent rule doesn't count %s as upstream activity", (_, release, members) => {
  expect(silence(['1.0.0 2025-01-01', release], '2026-01-02', members as Members).behindBy).toBe(366);
});

it("an upstream_silent rule counts pre-releases unless it's limited to stable releases", () => {
  const releases = ['1.0.0 2025-01-01', '1.1.0-rc.1 2026-01-01'];
  expect(silence(releases, '2026-01-02', { rule: { stableOnly: false } }).behindBy).toBe(1);
});

it("an upstream_silent rule requires a release and a deployed version, but the version doesn't have to be comparable", () => {
  const releases = ['1.0.0 2025-01-01'];
  expect(silence(releases, '2026-02-01', { deployed: 'main' })).toMatchObject({ severity: 'high' });
  expect(silence(releases, '2026-02-01', { deployed: '9.0.0' })).toMatchObject({ severity: 'high' });
  expect(silence(releases, '2026-02-01', { deployed: null })).toMatchObject({ stateReason: 'no_version' });
  expect(silence([], '2026-02-01')).toMatchObject({ state: 'no_data', stateReason: 'no_release' });
  const none = silence(releases, '2026-02-01', { ignored: ['1.0.0'] });
  expect(none).toMatchObject({ state: 'ok', stateReason: 'no_candidate', behindBy: 0 });
});

it('an archived repository always has the highest severity that the rule defines', () => {
  const releases = ['1.0.0 2025-11-01'];
  const archived = silence(releases, '2026-01-02', { isArchived: true });
  expect(archived).toMatchObject({
    state: 'alerting',
    severity: 'high',
    reason: 'upstream_silent',
    behindBy: 62,
    crossedAtMs: null,
    nextCrossingAtMs: null,
  });
  expect(explain(archived.evidence)).toMatchObject({ is_archived: true });
  const active = silence(releases, '2026-01-02');
  expect(explain(active.evidence)).not.toHaveProperty('is_archived');
  expect(archived.explanationFingerprint).not.toBe(active.explanationFingerprint);
  expect(silence(releases, '2028-01-01', { isArchived: true })).toMatchObject({
    crossedAtMs: utcTime('2026-11-01'),
  });
  const moderate = { rule: { thresholds: { moderate: 180 } }, isArchived: true };
  expect(silence(releases, '2026-01-02', moderate).severity).toBe('moderate');
  const days = { rule: { type: 'days_behind', thresholds: { high: 300 } }, isArchived: true } as const;
  expect(silence(releases, '2026-01-02', days)).toMatchObject({ state: 'ok', severity: null });
});
