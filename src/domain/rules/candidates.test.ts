import { describe, expect, it } from 'vitest';
import { type CandidateOptions, selectCandidates } from './candidates.ts';
import type { ReleaseSet } from './release-set.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import { notComparable, resolveDeployed } from './resolve-deployed.ts';

const now = utcTime('2026-03-15');

interface Case {
  options?: Partial<CandidateOptions>;
  deployed?: string | null;
  releases: readonly string[];
  now?: number;
  chosen: readonly string[];
  rule?: string;
  leftOut?: Readonly<Record<string, number>>;
  latest?: string | null;
  latestStable?: string | null;
  nextChangeAt?: string | null;
}

describe('candidates', () => {
  it('exclude withdrawn and yanked releases, and pre-releases if the rule covers only stable releases', () => {
    const releases = [
      '1.0.0 2026-01-01',
      '1.1.0 2026-01-02 withdrawn',
      '1.2.0 2026-01-03 yanked',
      '1.3.0 2026-01-04 prerelease',
      '1.4.0-rc.1 2026-01-05',
    ];
    check({
      releases,
      chosen: ['1.0.0'],
      leftOut: { withdrawn: 1, yanked: 1, prerelease: 2 },
      latest: '1.0.0',
    });
    check({
      releases,
      options: { stableOnly: false },
      chosen: ['1.4.0-rc.1', '1.3.0', '1.0.0'],
      leftOut: { withdrawn: 1, yanked: 1 },
      latest: '1.4.0-rc.1',
      latestStable: '1.0.0',
    });
  });

  it('exclude ignored versions in any spelling', () => {
    const releases = ['1.0 2026-01-01', 'v2.0.0 2026-01-02', '3.0.0-alpine 2026-01-02', 'edge 2026-01-02'];
    check({
      releases,
      options: { ignoredVersions: ['2.0.0', '3.0.0', 'edge'] },
      deployed: null,
      chosen: ['3.0.0-alpine', '1.0'],
      rule: 'all',
      leftOut: { ignored: 2 },
    });
  });

  it("exclude versions that don't match the pattern", () => {
    check({
      releases: ['15.1 2026-01-01', '15.2 2026-01-01', '16.0 2026-01-01'],
      options: { candidatePattern: { source: '^15\\.', matches: (version) => version.startsWith('15.') } },
      chosen: ['15.2', '15.1'],
      leftOut: { candidate_pattern: 1 },
    });
  });

  it('exclude releases below the minimum age and report when the next one reaches it', () => {
    const releases = ['1.0.0 2026-01-01', '1.1.0 2026-03-08', '1.2.0 2026-03-09', '1.3.0 seen:2026-03-10'];
    check({
      releases,
      options: { minReleaseAgeDays: 7 },
      chosen: ['1.1.0', '1.0.0'],
      leftOut: { too_young: 2 },
      nextChangeAt: '2026-03-16',
    });
    check({
      releases,
      options: { minReleaseAgeDays: 7 },
      now: utcTime('2026-03-08T00:00:00Z') + 7 * 86_400_000 - 1,
      chosen: ['1.0.0'],
      leftOut: { too_young: 3 },
      nextChangeAt: '2026-03-15',
    });
    check({ releases, chosen: ['1.3.0', '1.2.0', '1.1.0', '1.0.0'], nextChangeAt: null });
  });

  it('have the same variant as the deployed version', () => {
    check({
      deployed: '1.25.3-alpine3.18',
      releases: ['1.26.0 2026-01-01', '1.25.4-alpine3.19 2026-01-01', '1.26.0-debian-12-r3 2026-01-01'],
      chosen: ['1.25.4-alpine3.19'],
      rule: 'own_variant',
      leftOut: { other_variant: 2 },
    });
  });

  it('prefer the tag in the format of the deployed version as the latest among equal versions', () => {
    const releases = [
      '1.25.3-alpine 2026-01-01',
      '1.25.4-alpine 2026-01-02',
      '1.25.4-alpine3.19 2026-01-02',
      '1.25.4-alpine3.20 2026-01-02',
    ];
    const chosen = ['1.25.4-alpine3.20', '1.25.4-alpine3.19', '1.25.4-alpine', '1.25.3-alpine'];
    check({ deployed: '1.25.3-alpine', releases, chosen, rule: 'own_variant', latest: '1.25.4-alpine' });
    check({
      deployed: '1.25.3-alpine3.19',
      releases,
      chosen,
      rule: 'own_variant',
      latest: '1.25.4-alpine3.20',
    });
  });

  it('are the releases without a suffix if no release has the deployed variant', () => {
    check({
      deployed: '1.25.3-distroless',
      releases: ['1.26.0 2026-01-01', '1.27.0-alpine 2026-01-01'],
      chosen: ['1.26.0'],
      rule: 'without_suffix',
      leftOut: { other_variant: 1 },
    });
  });

  it('are all releases if all have a suffix and none has the deployed variant', () => {
    check({
      deployed: '1.25.3-distroless',
      releases: ['1.26.0-debian 2026-01-01', '1.27.0-alpine 2026-01-01'],
      chosen: ['1.27.0-alpine', '1.26.0-debian'],
      rule: 'all',
    });
  });

  it('fall back to other variants if no release of the deployed variant qualifies', () => {
    check({
      deployed: '1.0-alpine',
      releases: ['1.0-alpine 2026-01-01 yanked', '1.1 2026-01-01'],
      chosen: ['1.1'],
      rule: 'without_suffix',
      leftOut: { yanked: 1 },
    });
  });

  it('fall back to other variants until a release of the deployed variant reaches the minimum age', () => {
    const test = {
      deployed: '1.0-alpine',
      releases: ['1.1-alpine 2026-03-10', '1.1 2026-01-01', '1.2-debian 2026-03-09'],
      options: { minReleaseAgeDays: 7 },
    };
    check({
      ...test,
      chosen: ['1.1'],
      rule: 'without_suffix',
      leftOut: { other_variant: 1, too_young: 1 },
      nextChangeAt: '2026-03-17',
    });
    check({
      ...test,
      now: utcTime('2026-03-17'),
      chosen: ['1.1-alpine'],
      rule: 'own_variant',
      leftOut: { other_variant: 2 },
      nextChangeAt: null,
    });
  });

  it("exclude tags that aren't versions, unless the deployed version isn't one either", () => {
    const releases = ['1.0 2026-01-01', 'main 2026-01-03', 'edge 2026-01-02'];
    check({ releases, chosen: ['1.0'], leftOut: { not_a_version: 2 } });
    check({ releases, deployed: 'main', chosen: ['1.0', 'main', 'edge'], leftOut: {}, latest: '1.0' });
    check({ releases: releases.slice(1), deployed: 'main', chosen: ['main', 'edge'], latest: 'main' });
  });

  it('report the highest version as the latest, not the newest backport', () => {
    check({
      releases: ['2.0.0 2026-01-01', '1.9.9 2026-03-01'],
      chosen: ['2.0.0', '1.9.9'],
      latest: '2.0.0',
    });
  });

  it('report at most three examples of excluded releases, highest first', () => {
    const releases = ['1.0 2026-01-01', '1.2-rc1 2026-01-01', '1.5-rc1 2026-01-01', '1.3-rc1 2026-01-01'];
    const candidates = select(releaseSet([...releases, '1.4-rc1 2026-01-01']), {}, '1.0');
    expect(candidates.leftOut).toEqual([
      { reason: 'prerelease', count: 4, examples: ['1.5-rc1', '1.4-rc1', '1.3-rc1'] },
    ]);
  });

  it('are cached for equal options until a release reaches the minimum age', () => {
    const set = releaseSet(['1.0.0 2026-01-01', '1.1.0 2026-03-09']);
    const options = { minReleaseAgeDays: 7 };
    const first = select(set, options, '1.0.0', utcTime('2026-03-10'));
    expect(select(set, options, 'v0.9', utcTime('2026-03-15'))).toBe(first);
    expect(select(set, options, '1.0.0', utcTime('2026-03-16'))).not.toBe(first);
    expect(select(set, {}, '1.0.0')).toBe(select(set, {}, '1.0.0', utcTime('2020-01-01')));
    expect(select(set, { ignoredVersions: ['1.1.0'] }, '1.0.0').latest?.text).toBe('1.0.0');
    expect(select(set, {}, '1.0.0').latest?.text).toBe('1.1.0');
  });

  it('are cached separately for each time at which an outlier was added to the counted versions', () => {
    const older = Array.from({ length: 20 }, (_, index) => `1.${index}.0 2025-01-${10 + index}`);
    const set = releaseSet(['9.0.0 2024-01-01', ...older]);
    const counted = (sinceMs: number) =>
      select(set, { countedVersions: [{ version: '9.0.0', sinceMs }] }, '1.0.0');
    expect(counted(now)).toBe(counted(now));
    expect(counted(now - 1)).not.toBe(counted(now));
    expect(select(set, {}, '1.0.0').latest?.text).toBe('1.19.0');
  });

  it('are cached for at most 32 sets of options', () => {
    const set = releaseSet(['1.0.0 2026-01-01']);
    for (let index = 0; index < 100; index++) select(set, { ignoredVersions: [`${index}`] }, '1.0.0');
    expect(set.candidateCache.size).toBeLessThanOrEqual(32);
  });
});

function check({ options = {}, deployed = '1.0.0', releases, chosen, ...expected }: Case) {
  const candidates = select(releaseSet(releases), options, deployed, expected.now);
  const texts = [...candidates.comparable, ...candidates.incomparable].map(({ text }) => text);
  expect(texts).toEqual(chosen);
  if (expected.rule !== undefined) expect(candidates.variantRule).toBe(expected.rule);
  if (expected.leftOut !== undefined) {
    const counts = Object.fromEntries(candidates.leftOut.map(({ reason, count }) => [reason, count]));
    expect(counts).toEqual(expected.leftOut);
  }
  if (expected.latest !== undefined) expect(candidates.latest?.text ?? null).toBe(expected.latest);
  if (expected.latestStable !== undefined) {
    expect(candidates.latestStable?.text ?? null).toBe(expected.latestStable);
  }
  if (expected.nextChangeAt !== undefined) {
    const nextMs = expected.nextChangeAt === null ? null : utcTime(expected.nextChangeAt);
    expect(candidates.nextChangeAtMs).toBe(nextMs);
  }
}

function select(set: ReleaseSet, options: Partial<CandidateOptions>, deployed: string | null, nowMs = now) {
  return selectCandidates(
    set,
    { stableOnly: true, minReleaseAgeDays: 0, candidatePattern: null, ignoredVersions: [], ...options },
    deployed === null ? notComparable : resolveDeployed(deployed, set),
    nowMs,
  );
}
