import { describe, expect, it } from 'vitest';
import type { VersionSchemeId } from '../versions/version-scheme.ts';
import { type Explanation, explain } from './explanation.ts';
import { type JudgeInput, judge, type Verdict } from './judge.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import type { Rule } from './rule-type.ts';
import type { RuleTypeId } from './rule-types.ts';

interface Case {
  type: RuleTypeId;
  rule?: Partial<Rule>;
  options?: Partial<JudgeInput['options']>;
  scheme?: VersionSchemeId;
  isImage?: boolean;
  releases: readonly string[];
  deployed: string | null;
  now?: string;
  /** Expected parts of the verdict, with times as dates. */
  expected: Partial<Omit<Verdict, 'evidence'>> & {
    behindSince?: string;
    crossedAt?: string | null;
    nextCrossingAt?: string | null;
  };
  explained?: Partial<Omit<Explanation, 'deployed'>> & { deployed?: Partial<Explanation['deployed']> };
}

const days: Pick<Case, 'type' | 'rule'> = {
  type: 'days_behind',
  rule: { thresholds: { moderate: 30, high: 60, critical: 90 } },
};
const majors: Pick<Case, 'type' | 'rule'> = {
  type: 'majors_behind',
  rule: { thresholds: { moderate: 1, high: 2 } },
};
const minors: Pick<Case, 'type' | 'rule'> = {
  type: 'minors_behind',
  rule: { thresholds: { moderate: 1, high: 3, critical: 5 } },
};

const firstNewer: Pick<Case, 'type' | 'rule'> = {
  type: 'days_behind',
  rule: { ...days.rule, daysBasis: 'first_newer_release' },
};

describe('worked examples', () => {
  it('on March 15 with thresholds 30/60/90, January 29 is 45 days and moderate, March 10 is 5 days without a severity, and December 6 is 99 days and critical', () => {
    const newest = '2.0.0 2026-03-14';
    check({
      ...days,
      releases: ['1.0.0 2026-01-29', newest],
      deployed: '1.0.0',
      expected: { behindBy: 45, severity: 'moderate', state: 'alerting', reason: 'behind' },
    });
    check({
      ...days,
      releases: ['1.0.0 2026-03-10', newest],
      deployed: '1.0.0',
      expected: { behindBy: 5, severity: null, state: 'ok', reason: null, stateReason: null },
    });
    check({
      ...days,
      releases: ['1.0.0 2025-12-06', newest],
      deployed: '1.0.0',
      expected: { behindBy: 99, severity: 'critical', state: 'alerting' },
    });
  });

  it('v1.x with latest v3.x is 2 majors behind', () => {
    check({
      ...majors,
      releases: ['v1.4.0 2026-01-01', 'v2.9.0 2026-01-01', 'v3.1.0 2026-01-01'],
      deployed: 'v1.4.0',
      expected: { behindBy: 2, severity: 'high', latestVersion: 'v3.1.0' },
    });
  });

  it('7.0.3 is 3 minors behind if 7.0.4, 7.1.0, 7.1.2, 7.2.0, and 8.0.0 exist', () => {
    check({
      ...minors,
      releases: ['7.0.4', '7.1.0', '7.1.2', '7.2.0', '8.0.0'].map((version) => `${version} 2026-01-01`),
      deployed: '7.0.3',
      expected: { behindBy: 3, severity: 'high', latestVersion: '8.0.0' },
    });
  });
});

describe('the days rule', () => {
  it('measures 0 days if no higher release qualifies, regardless of age', () => {
    check({
      ...days,
      releases: ['1.0.0 2020-01-01', '0.9.9 2026-03-01', '1.1.0-rc.1 2026-01-01', '1.1.0 2026-01-01 yanked'],
      deployed: '1.0.0',
      expected: { behindBy: 0, state: 'ok', stateReason: null, behindSinceMs: null },
    });
  });

  it('counts from the release of the deployed version, regardless of its flags', () => {
    for (const flag of ['', ' prerelease', ' yanked', ' withdrawn']) {
      check({
        ...days,
        releases: [`1.0.0 2026-01-29${flag}`, '1.1.0 2026-03-01'],
        deployed: '1.0.0',
        expected: { behindBy: 45, behindSince: '2026-01-29', isEstimate: false },
        explained: { deployed: { version: '1.0.0', match: 'exact', release: '1.0.0' } },
      });
    }
  });

  it('counts from the first newer release that qualifies if days_basis is first_newer_release', () => {
    const test = {
      ...days,
      rule: { ...days.rule, daysBasis: 'first_newer_release' as const },
      releases: [
        '1.0.0 2025-01-01',
        '1.2.0 2026-03-01',
        '1.1.0 2026-02-01',
        '1.1.0-rc.1 2026-01-01',
        '0.9.1 2026-01-15',
      ],
    };
    check({
      ...test,
      deployed: '1.0.0',
      expected: { behindBy: 42, behindSince: '2026-02-01', severity: 'moderate', isEstimate: false },
    });
    // `first_newer_release` requires neither the date of the deployed version nor that of a lower release.
    check({ ...test, deployed: '1.0.5', expected: { behindBy: 42, isEstimate: false } });
    check({ ...test, deployed: '0.1.0', expected: { behindSince: '2025-01-01', reason: 'behind' } });
  });

  it('counts from the lowest of the newer releases with the same date, which a source without dates gives to all', () => {
    const at = '2026-02-01T00:00:00.000Z';
    const firstOf = (releases: readonly string[], version: string) =>
      check({
        ...firstNewer,
        releases,
        deployed: '1.25.3',
        expected: { behindSince: '2026-02-01' },
        explained: {
          date_used: {
            at,
            source: 'released_at',
            of: 'first_newer_release',
            version,
            is_estimate: false,
          },
        },
      });
    const day = '2026-02-01';
    firstOf([`1.25.3 ${day}`, `1.25.4 ${day}`, `1.26.0 ${day}`, `1.29.3 ${day}`], '1.25.4');
    firstOf([`1.25.3 ${day}`, `1.25.4 ${day} withdrawn`, `1.29.3 ${day}`], '1.25.4');
    firstOf([`1.25.3 ${day}`, `1.25.4 ${day}`, `1.29.3 ${day} withdrawn`], '1.25.4');
  });

  it('counts from a newer release that was withdrawn, but not from one that is yanked or ignored', () => {
    const releases = ['1.0.0 2025-01-01', '1.1.0 2026-01-10 withdrawn', '1.1.1 2026-02-01'];
    check({
      ...firstNewer,
      releases,
      deployed: '1.0.0',
      expected: { behindSince: '2026-01-10', latestVersion: '1.1.1' },
    });
    check({ ...firstNewer, releases, deployed: '1.1.0', expected: { behindSince: '2026-02-01' } });
    check({
      ...firstNewer,
      releases,
      options: { ignoredVersions: ['1.1.0'] },
      deployed: '1.0.0',
      expected: { behindSince: '2026-02-01' },
    });
    check({
      ...firstNewer,
      releases: ['1.0.0 2025-01-01', '1.1.0 2026-01-10 yanked', '1.1.1 2026-02-01'],
      deployed: '1.0.0',
      expected: { behindSince: '2026-02-01' },
    });
    // No newer release qualifies, so the lag is 0.
    check({
      ...firstNewer,
      releases: releases.slice(0, 2),
      deployed: '1.0.0',
      expected: { behindBy: 0, state: 'ok' },
    });
  });

  it("estimates the days from the nearest lower release if the deployed version isn't listed", () => {
    check({
      ...days,
      releases: ['1.0.0 2026-01-01', '1.1.0 2026-01-29 withdrawn', '2.0.0 2026-03-01'],
      deployed: '1.5.0',
      expected: { behindBy: 45, isEstimate: true, severity: 'moderate', reason: 'behind' },
      explained: { deployed: { version: '1.5.0', match: 'nearest_lower', release: null } },
    });
  });

  it("reports version_not_found with the rule's highest severity if no lower release exists", () => {
    const test = { ...days, releases: ['1.0.0 2026-01-01'], deployed: '0.5.0' };
    const expected = { reason: 'version_not_found', behindBy: null, behindSinceMs: null } as const;
    check({ ...test, expected: { ...expected, state: 'alerting', severity: 'critical' } });
    check({
      ...test,
      rule: { thresholds: { moderate: 30 } },
      expected: { ...expected, severity: 'moderate' },
    });
  });

  it('estimates the days from the time when a release was first seen if it has no date', () => {
    check({
      ...days,
      releases: ['1.0.0 seen:2026-01-29', '2.0.0 2026-03-01'],
      deployed: '1.0.0',
      expected: { behindBy: 45, isEstimate: true },
      explained: {
        date_used: {
          at: '2026-01-29T00:00:00.000Z',
          source: 'discovered_at',
          of: 'deployed_release',
          version: '1.0.0',
          is_estimate: true,
        },
      },
    });
  });

  it("compares by dates if the deployed string isn't a version but names a release", () => {
    const releases = ['main-abc 2026-01-29', 'main-def 2026-03-01', 'main-old 2025-01-01'];
    check({ ...days, releases, deployed: 'main-abc', expected: { behindBy: 45, severity: 'moderate' } });
    check({ ...days, releases, deployed: 'main-def', expected: { behindBy: 0, state: 'ok' } });
    check({
      ...days,
      rule: { ...days.rule, daysBasis: 'first_newer_release' },
      releases,
      deployed: 'main-old',
      expected: { behindBy: 45, latestVersion: 'main-def' },
    });
    check({
      ...days,
      releases: ['latest 2026-01-29', '1.4.0 2026-02-28', '1.3.9 2026-03-01'],
      deployed: 'latest',
      expected: { behindBy: 45, latestVersion: '1.4.0' },
    });
  });
});

describe('the majors and minors rules', () => {
  it("don't require a release of the deployed version", () => {
    const test = { releases: ['2.0.0 2026-01-01', '2.1.0 2026-01-01'], deployed: '1.5.0' };
    const expected = { reason: 'behind', isEstimate: false } as const;
    check({ ...majors, ...test, expected: { ...expected, behindBy: 1 } });
    check({ ...minors, ...test, expected: { ...expected, behindBy: 2 } });
  });

  it('never go below 0', () => {
    const test = { releases: ['2.0.0 2026-01-01', '3.0.0 2026-01-01 yanked'], deployed: '3.0.0' };
    check({ ...majors, ...test, expected: { behindBy: 0, state: 'ok' } });
    check({ ...minors, ...test, expected: { behindBy: 0, state: 'ok' } });
  });

  it('count each pair of major and minor number once, excluding the pair of the deployed version', () => {
    const releases = ['1', '1.0.1', '1.1', '1.1.5', '2', '2.0.3', '10.4.1'].map(
      (version) => `${version} 2026-01-01`,
    );
    check({ ...minors, releases, deployed: '1.0', expected: { behindBy: 3 } });
    check({ ...minors, releases, deployed: '1.1.9', expected: { behindBy: 2 } });
    check({ ...minors, releases, deployed: '0.9', expected: { behindBy: 4 } });
    check({ ...minors, releases, deployed: '10.4', expected: { behindBy: 0 } });
    check({ ...minors, releases, deployed: '10.4.1', expected: { behindBy: 0 } });
  });

  it("can't compare a string that isn't a version, even if it names a release", () => {
    for (const type of [majors, minors]) {
      check({
        ...type,
        releases: ['main 2026-01-01', '2.0.0 2026-01-01'],
        deployed: 'main',
        expected: { state: 'no_data', stateReason: 'not_comparable', severity: null, behindBy: null },
      });
    }
  });

  it('support numbers of any length', () => {
    const releases = ['99999999999999999999.1 2026-01-01', '99999999999999999999.2 2026-01-01'];
    check({ ...majors, releases, deployed: '99999999999999999998.0', expected: { behindBy: 1 } });
    check({ ...majors, releases, deployed: '1.0', expected: { behindBy: 2_147_483_647 } });
    check({ ...minors, releases, deployed: '99999999999999999999.1', expected: { behindBy: 1 } });
  });
});

describe('every rule', () => {
  const everyType = [days, majors, minors];

  it('returns no_data without a deployed version or without releases', () => {
    for (const type of everyType) {
      const noData = { state: 'no_data', severity: null, reason: null, behindBy: null } as const;
      check({
        ...type,
        releases: ['1.0.0 2026-01-01', '1.1.0-alpine 2026-01-01'],
        deployed: null,
        expected: { ...noData, stateReason: 'no_version', latestVersion: '1.0.0' },
      });
      check({
        ...type,
        releases: [],
        deployed: '1.0.0',
        expected: { ...noData, stateReason: 'no_release', latestVersion: null },
      });
      check({ ...type, releases: [], deployed: 'main', expected: { ...noData, stateReason: 'no_release' } });
      check({ ...type, releases: [], deployed: null, expected: { ...noData, stateReason: 'no_release' } });
    }
  });

  it('reports lifecycle_only instead of no_release if the source has only a lifecycle', () => {
    for (const { type } of [...everyType, { type: 'upstream_silent' } as const]) {
      for (const deployedVersion of ['1.0.0', 'main', null]) {
        const verdict = judge({
          rule: { type, thresholds: { high: 1 }, stableOnly: true, daysBasis: null, minReleaseAgeDays: 0 },
          options: { candidatePattern: null, ignoredVersions: [], countedVersions: [] },
          deployedVersion,
          releases: releaseSet([]),
          hasReleases: false,
          nowMs: utcTime('2026-03-15'),
        });
        expect(verdict).toMatchObject({ state: 'no_data', stateReason: 'lifecycle_only' });
        const match = deployedVersion === null ? 'no_version' : 'no_releases';
        expect(explain(verdict.evidence).deployed).toEqual({
          version: deployedVersion,
          match,
          release: null,
          adopted_line: null,
        });
      }
    }
  });

  it('reports version_unparseable with the highest severity if the string is neither a version nor a release', () => {
    for (const type of everyType) {
      for (const deployed of ['latest', 'main', 'abc1234']) {
        check({
          ...type,
          rule: { thresholds: { moderate: 1, high: 5 } },
          releases: ['1.0.0 2026-01-01'],
          deployed,
          expected: { state: 'alerting', severity: 'high', reason: 'version_unparseable', behindBy: null },
          explained: { deployed: { version: deployed, match: 'unparseable', release: null } },
        });
      }
    }
  });

  it('is ok with ahead_of_upstream for an unlisted version above all releases', () => {
    for (const type of everyType) {
      const releases = ['1.9.0 2020-01-01', '2.0.0-rc.1 2020-01-01', '2.1.0 2020-01-01 withdrawn'];
      const ok = { state: 'ok', behindBy: 0, severity: null } as const;
      check({ ...type, releases, deployed: '4.11.0', expected: { ...ok, stateReason: 'ahead_of_upstream' } });
      check({ ...type, releases, deployed: '2.0.5', expected: { ...ok, stateReason: null } });
      check({ ...type, releases, deployed: '2.1.0', expected: { ...ok, stateReason: null } });
    }
  });

  it('is ok without a state reason for a distribution package of the latest version', () => {
    const ok = { state: 'ok', stateReason: null, behindBy: 0 } as const;
    const packages = [
      '9.20.1-1ubuntu1',
      '9.20.1-1.el9',
      '9.20.1-1~deb12u1',
      '9.20.1-1~jammy',
      '9.20.1-gke.100',
      '9.20.1+k3s1',
      '1:9.20.1-1',
      '5:9.20.1-1~ubuntu.22.04~jammy',
      '9.20.1-1build1',
    ];
    for (const type of everyType) {
      for (const deployed of packages) {
        check({ ...type, releases: ['9.18.0 2026-01-01', '9.20.1 2026-01-01'], deployed, expected: ok });
        // A packaging suffix doesn't cause another line to be adopted.
        const releases = ['9.20.1 2026-01-01', 'chart-9.20.1 2026-01-01'];
        check({ ...type, releases, deployed, expected: ok, explained: { deployed: { adopted_line: null } } });
      }
      const ahead = { ...ok, stateReason: 'ahead_of_upstream' } as const;
      check({ ...type, releases: ['9.20.1 2026-01-01'], deployed: '9.20.2-1ubuntu1', expected: ahead });
      check({ ...type, releases: ['9.20.1-gke.50 2026-01-01'], deployed: '9.20.1-gke.100', expected: ahead });
    }
  });

  it('is ok with no_candidate if the filters exclude all releases', () => {
    for (const type of everyType) {
      check({
        ...type,
        releases: ['1.0.0-rc.1 2026-01-01', '2.0.0-rc.1 2026-01-01'],
        deployed: '1.0.0-rc.1',
        expected: { state: 'ok', stateReason: 'no_candidate', behindBy: 0, latestVersion: null },
      });
      check({
        ...type,
        releases: ['main 2026-01-01', 'edge 2026-01-01'],
        deployed: '1.0.0',
        expected: { state: 'ok', stateReason: 'no_candidate', behindBy: 0, latestVersion: null },
      });
    }
  });

  it('treats v1.2.3 and 1.2.3 as the same version', () => {
    for (const type of everyType) {
      check({
        ...type,
        releases: ['v1.2.3 2020-01-01'],
        deployed: '1.2.3',
        expected: { state: 'ok', stateReason: null, behindBy: 0, latestVersion: 'v1.2.3' },
        explained: { deployed: { version: '1.2.3', match: 'same_version', release: 'v1.2.3' } },
      });
    }
  });

  it('reports a pre-release as the latest only if the rule includes pre-releases', () => {
    const test = { ...majors, releases: ['1.0.0 2026-01-01', '2.0.0-rc.1 2026-01-01'], deployed: '1.0.0' };
    check({ ...test, expected: { behindBy: 0, latestVersion: '1.0.0' } });
    check({
      ...test,
      rule: { ...majors.rule, stableOnly: false },
      expected: { behindBy: 1, latestVersion: '2.0.0-rc.1', latestStableVersion: '1.0.0' },
    });
  });

  it('compares a pre-release with its final release', () => {
    check({
      ...days,
      releases: ['2.0.0-rc.1 2026-01-29', '2.0.0 2026-03-01'],
      deployed: '2.0.0-rc.1',
      expected: { behindBy: 45, severity: 'moderate' },
    });
  });

  it('reports the URL of the latest release', () => {
    check({
      ...majors,
      releases: ['1.0.0 2026-01-01', '2.0.0 2026-01-01'],
      deployed: '1.0.0',
      expected: { releaseUrl: 'https://upstream.example/releases/2.0.0' },
    });
  });
});

describe('the next time at which the verdict changes without new data', () => {
  it('is when the days rule reaches its next threshold', () => {
    const test = { ...days, releases: ['1.0.0 2026-01-29', '2.0.0 2026-01-30'], deployed: '1.0.0' };
    check({ ...test, now: '2026-01-30', expected: { nextCrossingAt: '2026-02-28' } });
    check({ ...test, now: '2026-02-28', expected: { severity: 'moderate', nextCrossingAt: '2026-03-30' } });
    check({ ...test, now: '2026-03-30', expected: { severity: 'high', nextCrossingAt: '2026-04-29' } });
    check({ ...test, now: '2026-04-29', expected: { severity: 'critical', nextCrossingAt: null } });
  });

  it('is null without a newer release and for rules that count versions', () => {
    check({ ...days, releases: ['1.0.0 2026-01-29'], deployed: '1.0.0', expected: { nextCrossingAt: null } });
    check({
      ...majors,
      releases: ['1.0.0 2026-01-29', '2.0.0 2026-03-14'],
      deployed: '1.0.0',
      expected: { nextCrossingAt: null },
    });
  });

  it('is when a release reaches the minimum age', () => {
    const test = {
      ...majors,
      rule: { ...majors.rule, minReleaseAgeDays: 7 },
      releases: ['1.0.0 2026-01-29', '2.0.0 2026-03-10'],
      deployed: '1.0.0',
    };
    check({ ...test, expected: { behindBy: 0, latestVersion: '1.0.0', nextCrossingAt: '2026-03-17' } });
    check({
      ...test,
      now: '2026-03-17',
      expected: { behindBy: 1, severity: 'moderate', nextCrossingAt: null },
    });
  });
});

describe('lines and variants', () => {
  it('a version without a name adopts the only line that has its numbers', () => {
    check({
      ...majors,
      releases: ['cli-2.8.0 2026-01-01', 'cli-2.9.0 2026-01-02', 'web-9.0.0 2026-01-03'],
      deployed: '2.8.0',
      expected: { behindBy: 0, latestVersion: 'cli-2.9.0' },
      explained: { deployed: { match: 'same_version', release: 'cli-2.8.0', adopted_line: 'cli' } },
    });
  });

  it('a version with a name adopts the line without one', () => {
    check({
      ...days,
      releases: ['1.22.3 2026-01-01'],
      deployed: 'go1.22.3',
      expected: { behindBy: 0, state: 'ok', stateReason: null },
      explained: { deployed: { match: 'same_version', release: '1.22.3', adopted_line: '' } },
    });
  });

  it('a version adopts the most frequent of several lines with its numbers', () => {
    check({
      ...majors,
      releases: ['a-1.0 2026-01-01', 'b-1.0 2026-01-01', 'b-2.0 2026-01-02', 'a-7.0 2020-01-02'],
      deployed: '1.0',
      expected: { behindBy: 1, latestVersion: 'b-2.0' },
      explained: { deployed: { adopted_line: 'b' } },
    });
  });

  it('a version above all releases of its line adopts another line only if no third line has its numbers', () => {
    const releases = ['1.0 2026-01-01', 'chart-45.1 2026-01-01', 'chart-46.0 2026-01-02'];
    check({
      ...majors,
      releases,
      deployed: '45.1',
      expected: { behindBy: 1, latestVersion: 'chart-46.0' },
      explained: { deployed: { adopted_line: 'chart' } },
    });
    check({
      ...majors,
      releases: [...releases, 'other-45.1 2026-01-01'],
      deployed: '45.1',
      expected: { behindBy: 0, stateReason: 'ahead_of_upstream' },
      explained: { deployed: { adopted_line: null } },
    });
  });

  it('a pattern that matches only another line selects that line', () => {
    const releases = ['1.0 2026-01-01', '3.0 2026-01-01', 'cli-1.0 2026-01-01', 'cli-2.0 2026-01-02'];
    const following = (source: string) => ({
      options: { candidatePattern: { source, matches: (text: string) => new RegExp(source).test(text) } },
    });
    check({
      ...majors,
      ...following('^cli-'),
      releases,
      deployed: '1.0',
      expected: { behindBy: 1, latestVersion: 'cli-2.0' },
      explained: { deployed: { match: 'exact', release: '1.0', adopted_line: 'cli' } },
    });
    check({
      ...majors,
      ...following('^[0-9]'),
      releases,
      deployed: '1.0',
      expected: { behindBy: 2, latestVersion: '3.0' },
      explained: { deployed: { adopted_line: null } },
    });
    check({
      ...majors,
      ...following('^none-'),
      releases,
      deployed: '1.0',
      expected: { state: 'ok', stateReason: 'no_candidate' },
    });
  });

  it('an unusual jump to the latest version is reported only if a version below it is deployed', () => {
    const releases = ['3.6 2026-01-01', '3.7 2026-01-02', '3.8 2026-01-03', '2024.1 2026-01-04'];
    const jump = { from: '3.8', above: ['2024.1'] };
    check({ ...majors, releases, deployed: '3.7', expected: { behindBy: 1 }, explained: { jump } });
    check({
      ...majors,
      releases,
      deployed: '2024.1',
      expected: { behindBy: 0 },
      explained: { jump: null },
    });
  });

  it("other lines don't affect the lag and are reported as excluded", () => {
    check({
      ...majors,
      releases: ['1.0 2026-01-01', 'chart-45.1 2026-01-01', 'chart-46.0 2026-01-02'],
      deployed: '1.0',
      expected: { behindBy: 0, latestVersion: '1.0' },
      explained: { left_out: [{ reason: 'other_line', count: 2, examples: ['chart-46.0', 'chart-45.1'] }] },
    });
  });

  it("a version isn't behind a release for another platform version", () => {
    check({
      ...days,
      releases: [
        '6.5.4-php8.2-apache 2025-01-01',
        '6.5.4-php8.3-apache 2025-02-01',
        'php8.3-apache 2025-01-01',
      ],
      deployed: '6.5.4-php8.2-apache',
      expected: { behindBy: 0, latestVersion: '6.5.4-php8.3-apache' },
      explained: { left_out: [{ reason: 'platform_tag', count: 1, examples: ['php8.3-apache'] }] },
    });
  });

  it('a platform tag is compared by dates with tags of the same format and is never the latest', () => {
    const releases = [
      '8.2.0-alpine3.24 2026-01-02',
      'alpine3.23 2026-01-01',
      'alpine3.24 2026-02-01',
      'main 2026-03-01',
    ];
    check({
      ...firstNewer,
      releases,
      deployed: 'alpine3.23',
      expected: { behindSince: '2026-02-01', latestVersion: '8.2.0-alpine3.24', reason: 'behind' },
    });
    check({ ...firstNewer, releases, deployed: 'alpine3.24', expected: { behindBy: 0, state: 'ok' } });
    check({
      ...majors,
      releases,
      deployed: 'alpine3.23',
      expected: { state: 'no_data', stateReason: 'not_comparable' },
    });
    check({
      ...days,
      releases,
      deployed: 'alpine3.22',
      expected: { state: 'no_data', stateReason: 'not_comparable' },
    });
  });

  it('a code name with a date is a platform tag if another release has a numbered version', () => {
    const dated = [
      'bookworm-20240701 2024-07-01',
      'bookworm-20240801 2024-08-01',
      'rc-buggy-20260803 2026-08-03',
    ];
    check({
      ...firstNewer,
      releases: [...dated, '12.6 2024-07-01'],
      deployed: 'bookworm-20240701',
      expected: { behindSince: '2024-08-01', latestVersion: '12.6' },
    });
    check({
      ...firstNewer,
      releases: dated,
      deployed: 'bookworm-20240701',
      expected: { latestVersion: 'bookworm-20240801' },
    });
  });

  it('the highest version of an ended variant is ok with a state reason, and the release that continues it is reported', () => {
    const releases = ['5.0-stretch 2022-01-01', '5.0-bookworm 2022-01-02', '6.0-bookworm 2024-01-01'];
    check({
      ...days,
      releases,
      deployed: '5.0-stretch',
      expected: { state: 'ok', stateReason: 'variant_ended', behindBy: 0, latestVersion: '5.0-stretch' },
      explained: { continued_by: '6.0-bookworm' },
    });
    // `variant_ended` requires that the variant has ended, that its highest version is deployed, and that
    // another variant has a release with the same numbers.
    check({
      ...days,
      releases: [...releases, '4.9-stretch 2023-12-01'],
      deployed: '5.0-stretch',
      expected: { state: 'ok', stateReason: null },
    });
    check({
      ...days,
      releases: [...releases, '5.1-stretch 2022-02-01'],
      deployed: '5.0-stretch',
      expected: { state: 'alerting', stateReason: null },
    });
    check({
      ...days,
      releases: ['5.0-stretch 2022-01-01', '6.0-bookworm 2024-01-01'],
      deployed: '5.0-stretch',
      expected: { state: 'ok', stateReason: null },
    });
  });

  it('the epoch of a deployed version is ignored if its line has no epoch', () => {
    check({
      ...minors,
      releases: ['v9.18.24 2026-01-01', 'v9.20.1 2026-02-01'],
      deployed: '1:9.18.24-1~deb12u1',
      expected: { behindBy: 1, state: 'alerting', latestVersion: 'v9.20.1' },
    });
    check({
      ...minors,
      releases: ['1.0 2026-01-01', 'bind-9.18.24 2026-01-01', 'bind-9.20.1 2026-02-01'],
      deployed: '1:9.18.24-1',
      expected: { behindBy: 1, latestVersion: 'bind-9.20.1' },
      explained: { deployed: { adopted_line: 'bind' } },
    });
    check({
      ...minors,
      releases: ['1:9.18.24 2026-01-01', '2:1.0 2026-02-01'],
      deployed: '1:9.18.24-1',
      expected: { behindBy: 1, latestVersion: '2:1.0' },
    });
  });

  it('a deployed version without an epoch is compared as if it had the epoch of its line', () => {
    check({
      ...minors,
      releases: ['1:9.18.24-1 2026-01-01', '1:9.20.0-1 2026-01-02'],
      deployed: '9.18.24-1',
      expected: { behindBy: 1, latestVersion: '1:9.20.0-1' },
      explained: { deployed: { match: 'same_version', release: '1:9.18.24-1' } },
    });
  });

  it('a number after a separator other than a dot is a revision in lines with dots, and a part of the version in other lines', () => {
    check({
      ...days,
      releases: ['21_35-jdk 2024-01-01', '21.0.4_7-jdk 2024-07-01', '21.0.5_11-jdk 2024-10-01'],
      deployed: '21_35-jdk',
      expected: { latestVersion: '21.0.5_11-jdk', state: 'alerting' },
    });
    check({
      ...minors,
      releases: ['release-73-2 2024-01-01', 'release-74-1 2024-07-01', 'release-74-2 2024-10-01'],
      deployed: '74.1',
      expected: { behindBy: 1, latestVersion: 'release-74-2' },
    });
  });
});

describe('moving tags of images', () => {
  const releases = [
    '20-alpine 2023-01-01',
    '20.5.0-alpine3.18 2026-01-01',
    '20.5.1-alpine3.18 2026-02-01',
    '22-alpine 2024-01-01',
    '22.0.0-alpine3.20 2026-03-01',
    '24-alpine 2026-03-01',
    '24-rc1-alpine 2026-03-01',
  ];

  it("point to the highest release that starts with them and aren't releases themselves", () => {
    check({
      ...firstNewer,
      isImage: true,
      releases,
      deployed: '20-alpine',
      expected: { latestVersion: '22.0.0-alpine3.20', behindSince: '2026-03-01' },
      explained: {
        deployed: { match: 'moving_tag', release: '20.5.1-alpine3.18' },
        left_out: [
          { reason: 'moving_tag', count: 3, examples: ['24-alpine', '22-alpine', '20-alpine'] },
          { reason: 'prerelease', count: 1, examples: ['24-rc1-alpine'] },
        ],
      },
    });
    check({
      ...days,
      isImage: true,
      releases,
      deployed: '20-alpine',
      expected: { behindSince: '2026-02-01' },
    });
  });

  it('have no counterpart in other sources, where short versions are ordinary releases', () => {
    check({
      ...majors,
      releases: ['v254 2024-01-01', 'v255 2024-02-01', 'v255.4 2024-03-01', 'v256 2024-04-01'],
      deployed: 'v255',
      expected: { behindBy: 1, latestVersion: 'v256' },
      explained: { deployed: { match: 'exact' }, left_out: [] },
    });
  });
});

describe('outliers', () => {
  const versions = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `1.${index}.0 2024-${index < 12 ? '01' : '02'}-${10 + (index % 12)}`,
    );

  function checkLatest(releases: readonly string[], latestVersion: string, leftOut: readonly string[]): void {
    check({
      ...majors,
      releases,
      deployed: '1.0.0',
      expected: { latestVersion },
      explained:
        leftOut.length === 0
          ? { left_out: [] }
          : { left_out: [{ reason: 'outlier', count: leftOut.length, examples: leftOut.slice(0, 3) }] },
    });
  }

  it('include dates among dotted versions unless at least six dates are released in a row', () => {
    const date = (index: number) => `2025010${index} 2025-01-0${index}`;
    checkLatest([...versions(3), date(1)], '1.2.0', ['20250101']);
    checkLatest([...versions(3), ...[1, 2, 3, 4, 5].map(date)], '1.2.0', [
      '20250105',
      '20250104',
      '20250103',
      '20250102',
      '20250101',
    ]);
    checkLatest([...versions(3), ...[1, 2, 3, 4, 5, 6].map(date)], '20250106', []);
    checkLatest(
      [...versions(3), ...[1, 2, 3].map(date), '1.3.0 2025-01-03T12:00:00Z', ...[4, 5, 6].map(date)],
      '1.3.0',
      ['20250106', '20250105', '20250104', '20250103', '20250102', '20250101'],
    );
  });

  it('include a version in a format that none of the last 20 versions has, until another version has that format', () => {
    checkLatest([...versions(19), '5.0 2025-01-01'], '5.0', []);
    checkLatest([...versions(20), '5.0 2025-01-01'], '1.19.0', ['5.0']);
    checkLatest([...versions(20), '5.0 2025-01-01', '5.1 2025-01-02'], '5.1', []);
  });

  it('include the highest versions if 20 later versions are below each of them', () => {
    checkLatest(['9.0.0 2023-01-01', ...versions(19)], '9.0.0', []);
    checkLatest(['9.0.0 2023-01-01', ...versions(20)], '1.19.0', ['9.0.0']);
    checkLatest(['9.0.0 2023-01-01', '9.0.1 2023-01-02', ...versions(20)], '1.19.0', ['9.0.1', '9.0.0']);
    checkLatest(['9.0.0 2023-01-01', '9.0.1 2026-01-02', ...versions(20)], '9.0.1', []);
    // Later versions are those released later, not those discovered later.
    checkLatest(
      [
        '9.0.0 2025-01-01',
        ...versions(20).map((line) => line.replace(' ', ' seen:').replace('2024', '2026')),
      ],
      '9.0.0',
      [],
    );
  });

  it("are ok with numbering_ended if they are deployed and the rule can't compare dates", () => {
    check({
      ...majors,
      releases: ['9.0.0 2023-01-01', ...versions(20)],
      deployed: '9.0.0',
      expected: { behindBy: 0, latestVersion: '1.19.0', state: 'ok', stateReason: 'numbering_ended' },
      explained: { continued_by: '1.19.0' },
    });
  });

  describe('that a configuration lists as counted versions', () => {
    const releases = ['9.0.0 2023-01-01', ...versions(20)];
    const counting = (version: string, since = '2026-03-01') => ({
      options: { countedVersions: [{ version, sinceMs: utcTime(since) }] },
    });

    it('are compared like any other release, in any spelling', () => {
      for (const version of ['9.0.0', 'v9', '9.0.0.Final'])
        check({
          ...majors,
          ...counting(version),
          releases,
          deployed: '1.0.0',
          expected: { behindBy: 8, latestVersion: '9.0.0' },
          explained: {
            candidates: { count: 21, variant_rule: 'own_variant', counted: ['9.0.0'] },
            left_out: [],
          },
        });
      check({
        ...majors,
        ...counting('9.0.1'),
        releases,
        deployed: '1.0.0',
        expected: { behindBy: 0 },
        explained: { candidates: { count: 20, variant_rule: 'own_variant', counted: [] } },
      });
    });

    it('are counted only from the time at which they were added to the list', () => {
      const deployed = '1.19.0';
      check({
        ...firstNewer,
        ...counting('9.0.0'),
        releases,
        deployed,
        expected: { behindSince: '2026-03-01', behindBy: 14, isEstimate: false },
        explained: {
          date_used: {
            at: '2026-03-01T00:00:00.000Z',
            source: 'counted_at',
            of: 'first_newer_release',
            version: '9.0.0',
            is_estimate: false,
          },
          latest: { version: '9.0.0', date: '2023-01-01T00:00:00.000Z', date_source: 'released_at' },
        },
      });
      // The version was added to the list before its release, so days count from the release.
      check({
        ...firstNewer,
        ...counting('9.0.0', '2022-12-01'),
        releases,
        deployed,
        expected: { behindSince: '2023-01-01' },
      });
      check({ ...majors, ...counting('9.0.0'), releases, deployed, expected: { crossedAt: '2026-03-01' } });
      check({
        ...majors,
        ...counting('9.0.0'),
        rule: { minReleaseAgeDays: 7 },
        releases,
        deployed,
        expected: { crossedAt: '2026-03-01' },
      });
    });

    it("are counted from their release date once they aren't outliers anymore", () => {
      check({
        ...firstNewer,
        ...counting('9.0.0'),
        releases: [...releases, '9.0.1 2026-03-10'],
        deployed: '1.19.0',
        expected: { behindSince: '2023-01-01' },
        explained: { candidates: { count: 22, variant_rule: 'own_variant', counted: [] } },
      });
    });

    it("are also the latest if the deployed string isn't a version", () => {
      check({
        ...majors,
        ...counting('9.0.0'),
        releases,
        deployed: 'main',
        expected: { latestVersion: '9.0.0' },
      });
    });
  });

  it("don't include years after small numbers, and the change counts as one major version", () => {
    const releases = ['2.0 2023-01-01', '3.8 2023-02-01', '2024.1 2024-01-01', '2026.1 2026-01-01'];
    check({ ...majors, releases: releases.slice(0, 3), deployed: '3.8', expected: { behindBy: 1 } });
    check({
      ...majors,
      releases,
      deployed: '2.0',
      expected: { behindBy: 4, crossedAt: '2024-01-01' },
    });
    check({ ...majors, releases, deployed: '2024.1', expected: { behindBy: 2 } });
  });
});

describe('the explanation', () => {
  const input: JudgeInput = {
    rule: {
      type: 'days_behind',
      thresholds: { moderate: 30, high: 60 },
      stableOnly: true,
      daysBasis: null,
      minReleaseAgeDays: 7,
    },
    options: { candidatePattern: null, ignoredVersions: ['1.3.0'] },
    deployedVersion: '1.0.0',
    releases: releaseSet([
      'v1.0.0 2026-01-29',
      '1.1.0 2026-02-01',
      '1.2.0-rc.1 2026-02-02',
      '1.3.0 2026-02-03',
      '1.4.0-alpine 2026-02-04',
      '1.5.0 2026-03-14',
    ]),
    nowMs: utcTime('2026-03-15'),
  };

  it('contains the comparison, its options, and the excluded releases', () => {
    expect(explain(judge(input).evidence)).toEqual({
      state: 'alerting',
      state_reason: null,
      severity: 'moderate',
      reason: 'behind',
      rule: {
        rule_type: 'days_behind',
        thresholds: { moderate: 30, high: 60, critical: null },
        stable_only: true,
        days_basis: 'deployed_release',
        min_release_age_days: 7,
      },
      deployed: { version: '1.0.0', match: 'same_version', release: 'v1.0.0', adopted_line: null },
      continued_by: null,
      latest: { version: '1.1.0', date: '2026-02-01T00:00:00.000Z', date_source: 'released_at' },
      jump: null,
      candidates: { count: 2, variant_rule: 'own_variant', counted: [] },
      date_used: {
        at: '2026-01-29T00:00:00.000Z',
        source: 'released_at',
        of: 'deployed_release',
        version: 'v1.0.0',
        is_estimate: false,
      },
      lifecycle: null,
      vulnerabilities: null,
      behind_by: null,
      behind_since: '2026-01-29T00:00:00.000Z',
      next_change_at: '2026-03-21T00:00:00.000Z',
      left_out: [
        { reason: 'prerelease', count: 1, examples: ['1.2.0-rc.1'] },
        { reason: 'ignored', count: 1, examples: ['1.3.0'] },
        { reason: 'other_variant', count: 1, examples: ['1.4.0-alpine'] },
        { reason: 'too_young', count: 1, examples: ['1.5.0'] },
      ],
    });
  });

  it('stays the same if only time passes', () => {
    const before = judge(input);
    const after = judge({ ...input, nowMs: utcTime('2026-03-20T23:59:59.999Z') });
    expect(after.behindBy).toBe(50);
    expect(explain(after.evidence)).toEqual(explain(before.evidence));
    expect(after.explanationFingerprint).toBe(before.explanationFingerprint);
  });

  it('has a different fingerprint if any part is different', () => {
    const fingerprint = judge(input).explanationFingerprint;
    const others: Partial<JudgeInput>[] = [
      { nowMs: utcTime('2026-03-21') },
      { deployedVersion: 'v1.0.0' },
      { options: { ...input.options, ignoredVersions: [] } },
      { rule: { ...input.rule, thresholds: { moderate: 31, high: 60 } } },
      { releases: releaseSet(['v1.0.0 2026-01-29', '1.1.0 2026-02-01']) },
    ];
    const fingerprints = others.map((other) => judge({ ...input, ...other }).explanationFingerprint);
    expect(new Set([fingerprint, ...fingerprints]).size).toBe(others.length + 1);
  });
});

describe('the time at which the threshold of the severity was crossed', () => {
  it('is the start of the lag plus the number of days of the threshold', () => {
    const releases = ['1.0.0 2026-01-29', '2.0.0 2026-03-14'];
    check({
      ...days,
      releases,
      deployed: '1.0.0',
      expected: { severity: 'moderate', crossedAt: '2026-02-28' },
    });
    const later = { severity: 'critical', crossedAt: '2026-04-29' } as const;
    check({ ...days, releases, deployed: '1.0.0', now: '2026-06-01', expected: later });
  });

  it('is the date of the first release that raised the majors to the threshold', () => {
    const releases = [
      '1.0.0 2025-01-01',
      '2.0.0 2025-02-01',
      '4.0.0 2025-03-01',
      '3.0.0 2025-04-01',
      '1.9.0 2026-01-01',
    ];
    check({
      ...majors,
      releases,
      deployed: '1.0.0',
      expected: { severity: 'high', crossedAt: '2025-03-01' },
    });
    check({
      ...majors,
      releases,
      deployed: '3.0.0',
      expected: { severity: 'moderate', crossedAt: '2025-03-01' },
    });
  });

  it('is the date of the release that raised the minors to the threshold, where the first release of each minor counts', () => {
    const releases = [
      '1.0.0 2025-01-01',
      '1.1.0 2025-05-01',
      '1.1.1 2025-02-01',
      '1.2.0 2025-03-01',
      '1.4.0 2025-04-01',
      '1.0.9 2024-01-01',
      '2.0.0 2025-06-01',
    ];
    const expected = { behindBy: 4, severity: 'high', crossedAt: '2025-04-01' } as const;
    check({ ...minors, releases, deployed: '1.0.0', expected });
  });

  it('is the date on which the release reached the minimum age', () => {
    const rule = { ...majors.rule, minReleaseAgeDays: 14 };
    const releases = ['1.0.0 2025-01-01', '2.0.0 2026-02-01', '3.0.0 2026-03-10'];
    check({
      ...majors,
      rule,
      releases,
      deployed: '1.0.0',
      expected: { behindBy: 1, crossedAt: '2026-02-15' },
    });
  });

  it('depends only on releases that qualify', () => {
    const releases = ['1.0.0 2025-01-01', '2.0.0 2025-02-01 yanked', '2.1.0 2025-03-01'];
    check({ ...majors, releases, deployed: '1.0.0', expected: { crossedAt: '2025-03-01' } });
  });

  it('is null below the thresholds and for alerts without a count', () => {
    const releases = ['1.0.0 2026-03-01', '1.0.1 2026-03-02'];
    check({ ...majors, releases, deployed: '1.0.0', expected: { severity: null, crossedAt: null } });
    const expected = { reason: 'version_unparseable', severity: 'high', crossedAt: null } as const;
    check({ ...majors, releases, deployed: 'main', expected });
  });
});

function check({
  type,
  rule,
  options,
  scheme,
  isImage = false,
  releases,
  deployed,
  now = '2026-03-15',
  expected,
  explained,
}: Case) {
  const verdict = judge({
    rule: {
      type,
      thresholds: { moderate: 1 },
      stableOnly: true,
      daysBasis: null,
      minReleaseAgeDays: 0,
      ...rule,
    },
    options: { candidatePattern: null, ignoredVersions: [], ...options },
    deployedVersion: deployed,
    releases: releaseSet(releases, scheme, { isImage }),
    nowMs: utcTime(now),
  });
  const { behindSince, crossedAt, nextCrossingAt, ...rest } = expected;
  expect(verdict).toMatchObject(rest);
  if (behindSince !== undefined) expect(verdict.behindSinceMs).toBe(utcTime(behindSince));
  if (crossedAt !== undefined)
    expect(verdict.crossedAtMs).toBe(crossedAt === null ? null : utcTime(crossedAt));
  if (nextCrossingAt !== undefined) {
    expect(verdict.nextCrossingAtMs).toBe(nextCrossingAt === null ? null : utcTime(nextCrossingAt));
  }
  if (explained !== undefined) expect(explain(verdict.evidence)).toMatchObject(explained);
}

describe('the newest version in a mirror', () => {
  const upstream = [
    '1.26.0 2026-01-01',
    '1.27.0 2026-02-01',
    '1.27.0-alpine 2026-02-01',
    '1.29.0 2026-03-01',
    '1.29.0-alpine 2026-03-01',
    '1.30.0-rc.1 2026-03-02',
  ];
  const rule: Rule = {
    type: 'minors_behind',
    thresholds: { moderate: 1 },
    stableOnly: true,
    daysBasis: null,
    minReleaseAgeDays: 0,
  };

  it.each([
    ['is the highest of the compared releases', ['1.26.0', '1.27.0'], '1.26.0', '1.27.0'],
    [
      'has the variant of the deployed version',
      ['1.29.0', '1.27.0-alpine'],
      '1.26.0-alpine',
      '1.27.0-alpine',
    ],
    ['is never a release that does not count', ['1.27.0', '1.30.0-rc.1'], '1.26.0', '1.27.0'],
    ['is never a build that only the mirror has', ['1.27.0', '1.31.0', '1.28.0-acme'], '1.26.0', '1.27.0'],
    [
      'is never a release that was removed from the mirror',
      ['1.26.0', '1.27.0 withdrawn'],
      '1.26.0',
      '1.26.0',
    ],
    ['is unknown if the mirror has none of the compared releases', ['main'], '1.26.0', null],
  ] as const)('%s', (_, mirrored, deployedVersion, expected) => {
    const judged = (has: boolean) =>
      judge({
        rule,
        options: { candidatePattern: null, ignoredVersions: [] },
        deployedVersion,
        releases: releaseSet(upstream, 'auto', { isImage: true }),
        mirrored: has
          ? releaseSet(
              mirrored.map((line) => line.replace(/ |$/, ' 2026-03-01 ').trim()),
              'auto',
              { isImage: true },
            )
          : null,
        nowMs: utcTime('2026-03-15'),
      });
    const { mirrorVersion, evidence: _evidence, ...verdict } = judged(true);
    expect(mirrorVersion).toBe(expected);
    const { mirrorVersion: without, evidence: _other, ...same } = judged(false);
    expect(without).toBeNull();
    expect(verdict).toEqual(same);
  });

  it.each([
    [false, '1.27.0'],
    [true, null],
  ])('can have another spelling, except for images (%s)', (isImage, expected) => {
    const { mirrorVersion } = judge({
      rule,
      options: { candidatePattern: null, ignoredVersions: [] },
      deployedVersion: '1.26.0',
      releases: releaseSet(upstream, 'auto', { isImage }),
      mirrored: releaseSet(['v1.27.0 2026-03-01'], 'auto', { isImage }),
      nowMs: utcTime('2026-03-15'),
    });
    expect(mirrorVersion).toBe(expected);
  });
});
