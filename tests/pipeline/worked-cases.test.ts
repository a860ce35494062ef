import { afterAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, type ListedRelease } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await sharedTestServer();

interface Case {
  rule: Partial<Schemas['CreateMonitoringRuleRequest']>;
  releases: readonly ListedRelease[];
  deployed: string;
  config?: Partial<Schemas['CreateAlertConfigRequest']>;
  expected: Partial<Schemas['AlertConfig']>;
  /** The expected alert, or `null` if no alert opens. */
  alert: Partial<Schemas['Alert']> | null;
}

async function check({ rule, releases, deployed, config, expected, alert }: Case): Promise<void> {
  const world = await createPipelineWorld(server, inbox);
  const { configId } = await world.createWatched({
    releases,
    rule,
    version: deployed,
    ...(config && { config }),
  });
  const answer = await world.api.call('getAlertConfig', { path: { id: configId } });
  expect(answer).toMatchObject({ deployed_version: deployed, ...expected });
  const open = await world.openAlert();
  if (alert === null) {
    expect(open).toBeUndefined();
    expect(world.heardTypes()).toEqual([]);
    return;
  }
  expect(open).toMatchObject({ discovered_version: deployed, status: 'unacknowledged', ...alert });
  expect(world.heardTypes()).toEqual(['alert.created']);
  const [told] = world.receivedEvents();
  const { severity, reason, behind_by, latest_version } = open!;
  expect(told!.body.data.alert).toMatchObject({ id: open!.id, severity, reason, behind_by, latest_version });
}

describe('a version compared by days behind, with thresholds 30, 60, and 90', () => {
  const rule = {
    rule_type: 'days_behind',
    thresholds: { moderate: 30, high: 60, critical: 90 },
    days_basis: 'deployed_release',
  } as const;
  const releasedBefore = (days: number): ListedRelease[] => [
    // The extra tenth of a day verifies that only whole days count.
    { tag: '1.27.0', at: daysAgo(1) },
    { tag: '1.25.3', at: daysAgo(days + 0.1) },
  ];
  const behind = (days: number, severity: Schemas['AlertSeverity']): Case => ({
    rule,
    releases: releasedBefore(days),
    deployed: '1.25.3',
    expected: { state: 'alerting', severity, behind_by: days, latest_version: '1.27.0' },
    alert: { severity, reason: 'behind', behind_by: days, latest_version: '1.27.0', is_estimate: false },
  });

  test('has moderate severity at 45 days', () => check(behind(45, 'moderate')));
  test('has high severity at 60 days, because a threshold includes its value', () =>
    check(behind(60, 'high')));
  test('has critical severity at 99 days', () => check(behind(99, 'critical')));
  test('has no severity at 5 days', () =>
    check({
      rule,
      releases: releasedBefore(5),
      deployed: '1.25.3',
      expected: { state: 'ok', severity: null, behind_by: 5 },
      alert: null,
    }));
  test('is 0 days behind without a newer release, even if it was released 400 days ago', () =>
    check({
      rule,
      releases: [{ tag: '1.25.3', at: daysAgo(400) }],
      deployed: '1.25.3',
      expected: { state: 'ok', severity: null, behind_by: 0 },
      alert: null,
    }));
  test('is 45 days behind if the first newer release is 45 days old, regardless of its release date', () =>
    check({
      rule: { ...rule, days_basis: 'first_newer_release' },
      releases: [
        { tag: '1.28.0', at: daysAgo(2) },
        { tag: '1.27.0', at: daysAgo(45.1) },
        { tag: '1.25.3', at: daysAgo(300) },
      ],
      deployed: '1.25.3',
      expected: { state: 'alerting', severity: 'moderate', behind_by: 45, latest_version: '1.28.0' },
      alert: { severity: 'moderate', behind_by: 45 },
    }));
  test('is treated as released at its discovery if its release has no date', () =>
    check({
      rule,
      releases: [{ tag: '1.27.0', at: daysAgo(1) }, { tag: '1.25.3' }],
      deployed: '1.25.3',
      expected: { state: 'ok', severity: null, behind_by: 0 },
      alert: null,
    }));
  test('gets an estimated date from the nearest lower release if it has no release', () =>
    check({
      rule,
      releases: [
        { tag: '1.27.0', at: daysAgo(1) },
        { tag: '1.25.0', at: daysAgo(70.1) },
      ],
      deployed: '1.25.3',
      expected: { state: 'alerting', severity: 'high', behind_by: 70 },
      alert: { severity: 'high', reason: 'behind', behind_by: 70, is_estimate: true },
    }));
  test('has the highest severity of the rule if it is below all releases', () =>
    check({
      rule,
      releases: [{ tag: '1.27.0', at: daysAgo(1) }],
      deployed: '1.0.0',
      expected: { state: 'alerting', severity: 'critical', behind_by: null },
      alert: { severity: 'critical', reason: 'version_not_found', behind_by: null },
    }));
  test("has the highest severity of the rule if it can't be parsed", () =>
    check({
      rule,
      releases: [{ tag: '1.27.0', at: daysAgo(1) }],
      deployed: 'latest',
      expected: { state: 'alerting', severity: 'critical', behind_by: null },
      alert: { severity: 'critical', reason: 'version_unparseable', behind_by: null },
    }));
  test('is OK with a warning if it is above all releases', () =>
    check({
      rule,
      releases: [{ tag: '1.27.0', at: daysAgo(1) }],
      deployed: '45.1.0',
      expected: { state: 'ok', state_reason: 'ahead_of_upstream', severity: null },
      alert: null,
    }));
});

describe('rules for majors and minors behind', () => {
  const tags = (...list: string[]): ListedRelease[] =>
    list.map((tag, index) => ({ tag, at: daysAgo(list.length - index) }));

  test('v1.x with latest v3.x is 2 majors behind', () =>
    check({
      rule: { rule_type: 'majors_behind', thresholds: { moderate: 1, high: 2, critical: 3 } },
      releases: tags('v1.4.2', 'v2.0.0', 'v3.1.0'),
      deployed: 'v1.4.2',
      expected: { state: 'alerting', severity: 'high', behind_by: 2, latest_version: 'v3.1.0' },
      alert: { severity: 'high', behind_by: 2 },
    }));
  test('7.0.3 with 7.0.4, 7.1.0, 7.1.2, 7.2.0, and 8.0.0 is 3 minors behind', () =>
    check({
      rule: { rule_type: 'minors_behind', thresholds: { moderate: 3, high: 4 } },
      releases: tags('7.0.3', '7.0.4', '7.1.0', '7.1.2', '7.2.0', '8.0.0'),
      deployed: '7.0.3',
      expected: { state: 'alerting', severity: 'moderate', behind_by: 3, latest_version: '8.0.0' },
      alert: { severity: 'moderate', behind_by: 3 },
    }));
  test('majors are counted even if the deployed version has no release', () =>
    check({
      rule: { thresholds: { moderate: 1 } },
      releases: tags('2.0.0', '3.0.0'),
      deployed: '1.9.9',
      expected: { state: 'alerting', severity: 'moderate', behind_by: 2 },
      alert: { reason: 'behind', behind_by: 2 },
    }));
  test('prereleases, yanked and ignored releases, and releases that the pattern excludes are not candidates', () =>
    check({
      rule: { thresholds: { moderate: 1 } },
      releases: [
        ...tags('1.0.0', '1.5.0', '4.0.0'),
        { tag: '2.0.0-rc.1', at: daysAgo(2) },
        { tag: '2.0.0', at: daysAgo(1), isYanked: true },
        { tag: '1.9.0', at: daysAgo(1) },
      ],
      deployed: '1.0.0',
      config: { candidate_pattern: '^[12]\\.', ignored_versions: ['1.9.0'] },
      expected: { state: 'ok', severity: null, behind_by: 0, latest_version: '1.5.0' },
      alert: null,
    }));
  test("a release below the minimum age doesn't count yet", () =>
    check({
      rule: { thresholds: { moderate: 1 }, min_release_age_days: 7 },
      releases: [
        { tag: '2.0.0', at: daysAgo(3) },
        { tag: '1.0.0', at: daysAgo(30) },
      ],
      deployed: '1.0.0',
      expected: { state: 'ok', severity: null, behind_by: 0, latest_version: '1.0.0' },
      alert: null,
    }));
  test('a backport is not the latest release, and a variant is compared only with releases of the same variant', () =>
    check({
      rule: { rule_type: 'minors_behind', thresholds: { moderate: 1 } },
      releases: [
        { tag: '1.27.0-alpine', at: daysAgo(20) },
        { tag: '1.27.5', at: daysAgo(19) },
        { tag: '1.25.9-alpine', at: daysAgo(1) },
        { tag: '1.25.3-alpine', at: daysAgo(60) },
      ],
      deployed: '1.25.3-alpine',
      expected: { state: 'alerting', behind_by: 1, latest_version: '1.27.0-alpine' },
      alert: { behind_by: 1, latest_version: '1.27.0-alpine' },
    }));
});
