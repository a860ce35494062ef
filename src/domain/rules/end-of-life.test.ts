import { expect, it } from 'vitest';
import type { LifecycleLine } from '../support/read-lifecycles.ts';
import { SupportLines } from '../support/support-lines.ts';
import type { PhaseEnd } from '../support/support-phases.ts';
import { KnownVulnerabilities } from '../vulnerabilities/find-vulnerabilities.ts';
import { explain } from './explanation.ts';
import { judge } from './judge.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import type { Rule } from './rule-type.ts';
import type { SupportFacts } from './support-facts.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

const line = (name: string, latest: string, end_of_life: PhaseEnd): LifecycleLine => ({
  name,
  latest,
  isLts: false,
  releasedOn: null,
  ends: {
    active_support: null,
    end_of_life,
    extended_support: null,
  },
});
const tool = { ecosystem: 'Go', name: 'example.com/tool' };
const facts: SupportFacts = {
  product: 'postgresql',
  label: 'PostgreSQL',
  applicationVersions: null,
  paidUntil: null,
  validUntilMs: null,
  lines: new SupportLines([
    line('19', '19.0', null),
    line('18', '18.1', '2030-11-14'),
    line('14', '14.20', '2026-11-12'),
    line('9', '9.6.24', true),
  ]),
};
const rule: Rule = {
  type: 'end_of_life',
  thresholds: {
    moderate: 180,
    high: 60,
    critical: 0,
  },
  stableOnly: true,
  daysBasis: null,
  minReleaseAgeDays: 0,
};

function judged(deployedVersion: string | null, now: string, support: SupportFacts | null = facts) {
  const options = { candidatePattern: null, ignoredVersions: [] };
  const releases = releaseSet(['14.2 2022-02-10', '1.0.0 2020-01-01']);
  return judge({ rule, options, deployedVersion, releases, support, nowMs: utcTime(now) });
}

it('an end-of-life rule alerts a number of days before the end and reports the newest supported line', () => {
  const verdict = judged('14.2', '2026-09-20');
  expect(verdict).toMatchObject({
    state: 'alerting',
    severity: 'high',
    reason: 'end_of_life',
    behindBy: null,
    behindSinceMs: null,
    endsAtMs: utcTime('2026-11-13'),
    crossedAtMs: utcTime('2026-09-14'),
    nextCrossingAtMs: utcTime('2026-11-13'),
    latestVersion: '18.1',
    releaseUrl: null,
  });
  expect(explain(verdict.evidence)).toMatchObject({
    rule: { support_phase: 'end_of_life' },
    lifecycle: {
      product: 'postgresql',
      label: 'PostgreSQL',
      version: '14.2',
      line: '14',
      phase: 'end_of_life',
      ends_on: '2026-11-12',
      has_ended: null,
      is_paid: false,
      newest: {
        line: '18',
        ends_on: '2030-11-14',
        latest_version: '18.1',
      },
    },
    next_change_at: '2026-11-13T00:00:00.000Z',
  });
});

it.each([
  ['18.0', 'ok', null, null],
  ['9.5', 'alerting', null, 'critical'],
  ['20.1', 'ok', 'line_unknown', null],
  ['12.1', 'no_data', 'no_support_date', null],
  ['19.0', 'no_data', 'no_support_date', null],
  ['main', 'no_data', 'not_comparable', null],
  [null, 'no_data', 'no_version', null],
])('an end-of-life rule gives the version %s the state %s', (version, state, stateReason, severity) => {
  expect(judged(version, '2026-01-01')).toMatchObject({ state, stateReason, severity });
});

it('an end-of-life rule has no data without a product', () => {
  expect(judged('14.2', '2027-01-01', null)).toMatchObject({ state: 'no_data', stateReason: 'no_lifecycle' });
});

it("an end-of-life rule doesn't require releases", () => {
  const options = { candidatePattern: null, ignoredVersions: [] };
  const none = judge({
    rule,
    options,
    deployedVersion: '14.2',
    releases: releaseSet([]),
    support: facts,
    nowMs: utcTime('2027-01-01'),
  });
  expect(none).toMatchObject({ state: 'alerting', severity: 'critical' });
});

it('a chart is evaluated by its application version, regardless of the spelling of the chart version', () => {
  const applicationVersions = new Map([['1.0.0', '14.2']]);
  const chart = { ...facts, applicationVersions };
  for (const version of ['1.0.0', 'v1.0.0'])
    expect(judged(version, '2027-01-01', chart)).toMatchObject({ severity: 'critical' });
  const without = judged('14.2', '2027-01-01', chart);
  expect(without).toMatchObject({ state: 'no_data', stateReason: 'no_lifecycle' });
  expect(explain(without.evidence).lifecycle).toMatchObject({ version: null, line: null });
});

it("the releases of a chart aren't looked up if the product has no supported line", () => {
  let lookups = 0;
  class CountedLines extends SupportLines<LifecycleLine> {
    override find(version: string) {
      lookups++;
      return super.find(version);
    }
  }
  const applicationVersions = new Map([
    ['1.0.0', '9.5'],
    ['14.2', '9.6'],
  ]);
  const ended = { ...facts, applicationVersions, lines: new CountedLines([line('9', '9.6.24', true)]) };
  expect(judged('1.0.0', '2027-01-01', ended)).toMatchObject({ severity: 'critical', latestVersion: null });
  expect(lookups).toBe(1);
});

it('paid support extends the end of life', () => {
  const verdict = judged('14.2', '2027-01-01', { ...facts, paidUntil: '2028-06-30' });
  expect(verdict).toMatchObject({ state: 'ok', endsAtMs: utcTime('2028-07-01') });
  expect(explain(verdict.evidence).lifecycle).toMatchObject({ ends_on: '2028-06-30', is_paid: true });
});

it("outdated lifecycle data doesn't change a verdict as time passes", () => {
  const old = { ...facts, validUntilMs: utcTime('2026-09-13') };
  for (const now of ['2026-09-14', '2027-09-14', '2031-01-01'])
    expect(judged('14.2', now, old)).toMatchObject({ severity: 'moderate', nextCrossingAtMs: null });
  expect(judged('14.2', '2026-09-13', old).nextCrossingAtMs).toBe(utcTime('2026-09-14'));
  expect(judged('9.6', '2031-01-01', old).severity).toBe('critical');
});

it('a moving tag has the support of its release, and a platform tag has none', () => {
  const image = ['14.20', '14.20-alpine3.23', '14', 'lts-alpine3.23', 'alpine3.24', '9.6.1-alpine3.24'];
  const releases = releaseSet(
    image.map((tag) => `${tag} 2026-01-01`),
    'auto',
    { isImage: true },
  );
  const ask = (deployedVersion: string) =>
    judge({
      rule,
      options: { candidatePattern: null, ignoredVersions: [] },
      deployedVersion,
      releases,
      support: facts,
      nowMs: utcTime('2026-09-20'),
    });
  const moving = ask('14');
  expect(moving).toMatchObject({ state: 'alerting', severity: 'high' });
  expect(explain(moving.evidence)).toMatchObject({
    deployed: { match: 'moving_tag', release: '14.20' },
    lifecycle: { version: '14.20', line: '14' },
  });
  for (const tag of ['lts-alpine3.23', 'alpine3.24']) {
    const verdict = ask(tag);
    expect(verdict).toMatchObject({ state: 'no_data', stateReason: 'not_comparable', severity: null });
    expect(explain(verdict.evidence).deployed).toMatchObject({ match: 'platform_tag', release: tag });
  }
});

it.each([
  ['7014533', 'b4c614f d7eed0c 7014533'],
  ['main-7014533', 'main-b4c614f main-d7eed0c main-7014533'],
  ['main-1234567', 'main-b4c614f main-d7eed0c'],
])(
  'the commit ID %s is not comparable with support lines and vulnerabilities',
  (deployedVersion, commits) => {
    const releases = releaseSet(`${commits} 2.0.1`.split(' ').map((tag) => `${tag} 2026-01-01`));
    const vulnerabilities: VulnerabilityFacts = {
      packages: ['Go/example.com/tool'],
      known: new KnownVulnerabilities([], [tool]),
      applicationVersions: null,
      ignored: [],
      validUntilMs: null,
    };
    for (const type of ['end_of_life', 'known_vulnerabilities'] as const) {
      const verdict = judge({
        rule: { ...rule, type },
        options: { candidatePattern: null, ignoredVersions: [] },
        deployedVersion,
        releases,
        support: facts,
        vulnerabilities,
        nowMs: utcTime('2026-09-20'),
      });
      expect([type, verdict.state, verdict.stateReason]).toEqual([type, 'no_data', 'not_comparable']);
    }
  },
);

it('the latest version for a chart is a chart version, even if the deployed version has another spelling', () => {
  const applicationVersions = new Map([
    ['v7.7.0', '14.2'],
    ['v8.0.0', '18.0'],
    ['v8.1.0', '18.1'],
    ['v9.0.0', '19.0'],
  ]);
  const releases = releaseSet(
    [...applicationVersions.keys()].map((version) => `${version} 2026-01-01`),
    'semver',
  );
  const verdict = judge({
    rule,
    options: { candidatePattern: null, ignoredVersions: [] },
    deployedVersion: '7.7.0',
    releases,
    support: { ...facts, applicationVersions },
    nowMs: utcTime('2026-09-20'),
  });
  expect(verdict).toMatchObject({ severity: 'high', deployedVersion: '7.7.0', latestVersion: 'v8.1.0' });
  expect(explain(verdict.evidence)).toMatchObject({
    lifecycle: { version: '14.2', newest: { line: '18', latest_version: '18.1' } },
  });
});
