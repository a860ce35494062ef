import { afterAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { callOperation } from './calls.ts';
import { startContractInbox } from './contract-inbox.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { buildWorld, type ResourceKind } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });
const { admin, make } = world;

/** Number of times that each race is repeated. */
const rounds = isLong ? 5 : 2;

type Action = 'acknowledgeAlert' | 'unacknowledgeAlert' | 'resolveAlert';

/**
 * Runs many actions on one alert at the same time. Then checks that its activity is a valid sequence of
 * transitions and ends in the current status.
 */
async function actAtOnce(actions: Action[]): Promise<{ statuses: Set<number>; alert: Schemas['Alert'] }> {
  const id = await make.openAlert();
  const answers = await Promise.all(actions.map((action) => callOperation(world, action, { path: { id } })));
  const alert = await admin.call('getAlert', { path: { id } });
  const { items } = await admin.call('listAlertActions', { path: { id }, query: { limit: 200 } });

  let status = 'none';
  for (const { action, from, to } of items.toReversed()) {
    if (!(action in transitions)) continue;
    const [before, after] = transitions[action as keyof typeof transitions];
    expect(before, `${action} after ${status}`).toContain(status);
    expect([from, to], action).toEqual([status === 'none' ? null : expect.anything(), expect.anything()]);
    status = after;
  }
  expect(alert.status).toBe(status);
  expect(alert.acknowledged_at !== null).toBe(alert.acknowledged_by !== null);
  expect(alert.resolved_at !== null).toBe(status === 'resolved');
  const effective = items.filter(({ action }) => action === 'resolved');
  expect(effective.length).toBe(actions.includes('resolveAlert') ? 1 : 0);
  return { statuses: new Set(answers.map((answer) => answer.status)), alert };
}

const transitions = {
  created: [['none'], 'unacknowledged'],
  acknowledged: [['unacknowledged'], 'acknowledged'],
  unacknowledged: [['acknowledged'], 'unacknowledged'],
  resolved: [['unacknowledged', 'acknowledged'], 'resolved'],
} as const satisfies Record<string, [readonly string[], string]>;

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('fifty concurrent actions on one alert', () => {
  const [acknowledge, unacknowledge, resolve]: Action[] = [
    'acknowledgeAlert',
    'unacknowledgeAlert',
    'resolveAlert',
  ];

  test('keep status and activity consistent: acknowledge and unacknowledge', async () => {
    const { statuses } = await actAtOnce(
      times(50, (index) => (index % 2 === 0 ? acknowledge! : unacknowledge!)),
    );
    expect(statuses).toEqual(new Set([200]));
  });

  test('keep status and activity consistent: acknowledge, unacknowledge, and resolve', async () => {
    const { statuses, alert } = await actAtOnce(
      times(50, (index) => [acknowledge!, unacknowledge!, resolve!][index % 3]!),
    );
    expect([...statuses].filter((status) => ![200, 204, 409].includes(status))).toEqual([]);
    expect(alert.resolution).toBe('manual');
  });

  test('keep status and activity consistent: resolve', async () => {
    const { statuses } = await actAtOnce(times(50, () => resolve!));
    expect(statuses).toEqual(new Set([204]));
  });

  test('record an acknowledgment only once', async () => {
    const { statuses, alert } = await actAtOnce(times(50, () => acknowledge!));
    expect(statuses).toEqual(new Set([200]));
    const { items } = await admin.call('listAlertActions', { path: { id: alert.id }, query: { limit: 200 } });
    expect(items.filter(({ action }) => action === 'acknowledged')).toHaveLength(1);
  });
});

describe('two concurrent toggles of one resource', () => {
  const onId = (id: number) => ({ path: { id } });
  const toggled = [
    ['rule', make.rule, 'toggleRule', 'getRule'],
    ['alert configuration', make.alertConfig, 'toggleAlertConfig', 'getAlertConfig'],
    ['notification channel', make.channel, 'toggleNotificationChannel', 'getNotificationChannel'],
    ['notification rule', make.notificationRule, 'toggleNotificationRule', 'getNotificationRule'],
    ['API key', async () => (await make.apiKey()).api_key.id, 'toggleAPIKey', 'getAPIKey'],
  ] as const;

  test.each(toggled)(
    'cancel each other out for a resource of this kind: %s',
    async (_name, make, toggle, get) => {
      const id = await make();
      for (let round = 0; round < rounds; round++) {
        const answers = await Promise.all([admin.call(toggle, onId(id)), admin.call(toggle, onId(id))]);
        expect(new Set(answers.map(({ is_active }) => is_active))).toEqual(new Set([true, false]));
        expect((await admin.call(get, onId(id))).is_active).toBe(true);
      }
    },
  );
});

test('ten concurrent evaluations create one alert', async () => {
  const scrapeJob = await make.scrapeJob();
  const gatherJob = await make.gatherJob();
  await make.gathered();
  for (let round = 0; round < rounds; round++) {
    await make.deployed(scrapeJob, '1.0.0');
    const config = await make.alertConfig({ gather_job_id: gatherJob, scrape_job_id: scrapeJob });
    const counts = await Promise.all(times(10, () => admin.call('evaluateRules')));
    expect(counts.reduce((sum, { alerts_created }) => sum + alerts_created, 0)).toBeLessThanOrEqual(1);
    const { total } = await admin.call('listAlerts', { query: { alert_config_id: config } });
    expect(total).toBe(1);
    const { items } = await admin.call('listAlertConfigs', { query: { gather_job_id: gatherJob } });
    expect(items.find(({ id }) => id === config)!.active_alert_id).not.toBeNull();
  }
});

describe('a delete during other requests', () => {
  const races: [
    ResourceKind,
    () => Promise<number>,
    Parameters<typeof callOperation>[1],
    Parameters<typeof callOperation>[1][],
  ][] = [
    [
      'gather_job',
      make.gatherJob,
      'deleteGatherJob',
      ['runGatherJob', 'updateGatherJob', 'clearGatherJobReleases'],
    ],
    ['scrape_job', make.gitScrapeJob, 'deleteScrapeJob', ['runScrapeJob', 'updateScrapeJob']],
    ['scrape_job', make.scrapeJob, 'deleteScrapeJob', ['setScrapeJobVersion', 'listScrapeJobVersions']],
    ['helm_sync_job', make.helmSyncJob, 'deleteHelmSyncJob', ['runHelmSyncJob', 'updateHelmSyncJob']],
    [
      'discovery_job',
      make.discoveryJob,
      'deleteDiscoveryJob',
      ['runDiscoveryJob', 'updateDiscoveryJob', 'confirmGoneItems'],
    ],
    ['rule', make.rule, 'deleteRule', ['toggleRule', 'updateRule']],
    [
      'alert_config',
      make.alertConfig,
      'deleteAlertConfig',
      ['toggleAlertConfig', 'updateAlertConfig', 'getAlertConfigExplanation'],
    ],
    [
      'channel',
      make.channel,
      'deleteNotificationChannel',
      ['toggleNotificationChannel', 'testNotificationChannel'],
    ],
    ['freshness_target', make.freshnessTarget, 'deleteFreshnessTarget', ['getFreshnessTarget']],
    [
      'artifact_alias',
      make.artifactAlias,
      'deleteArtifactAlias',
      ['getArtifactAlias', 'updateArtifactAlias'],
    ],
    [
      'artifact_correction',
      make.artifactCorrection,
      'deleteArtifactCorrection',
      ['getArtifactCorrection', 'updateArtifactCorrection'],
    ],
    ['silence', make.silence, 'deleteSilence', ['getSilence', 'updateSilence']],
    ['hook', make.hook, 'deleteHook', ['listHooks']],
    ['deployment_trust', make.deploymentTrust, 'deleteDeploymentTrust', ['getDeploymentTrust']],
    ['audit_export', make.auditExport, 'deleteAuditExport', ['listAuditExports']],
    [
      'notification_rule',
      make.notificationRule,
      'deleteNotificationRule',
      ['toggleNotificationRule', 'getNotificationRuleStats'],
    ],
  ];
  const bodies: Partial<Record<string, object>> = {
    updateGatherJob: { name: 'other', is_active: true, artifact_name: 'github.com/a/b' },
    updateScrapeJob: { target_file: 'b.yaml' },
    updateHelmSyncJob: { chart_filter: ['a*'] },
    updateDiscoveryJob: { exclude: ['a/'] },
    updateRule: { name: 'other' },
    updateAlertConfig: { name: 'other' },
    updateArtifactAlias: { name: 'other' },
    updateArtifactCorrection: { artifact_name: 'github.com/acme/other' },
    updateSilence: { reason: 'other' },
    setScrapeJobVersion: { version: '1.0.0' },
  };

  test.each(races)('causes no errors except 404: %s', async (_kind, make, remove, others) => {
    for (let round = 0; round < rounds; round++) {
      const id = await make();
      const calls = [...others, ...others, remove, ...others, ...others];
      const answers = await Promise.all(
        calls.map((each) =>
          callOperation(world, each, { path: { id }, ...(bodies[each] && { body: bodies[each] }) }),
        ),
      );
      const odd = answers
        .map(({ status }, index) => `${calls[index]} ${status}`)
        .filter((each) => !/ (20\d|404)$/.test(each));
      expect(odd).toEqual([]);
    }
  });

  test('causes no errors except 400 in requests that reference the deleted resource', async () => {
    for (let round = 0; round < rounds; round++) {
      const [rule, channel] = [await make.rule(), await make.channel()];
      const parts = {
        scrape_job_id: world.ids.scrape_job[0],
        gather_job_id: world.ids.gather_job[0],
        rule_id: rule,
      };
      let ordinal = 0;
      const createConfig = () =>
        callOperation(world, 'createAlertConfig', { body: { name: 'late', ...parts, ordinal: ordinal++ } });
      const answers = await Promise.all([
        ...times(3, createConfig),
        ...times(3, () =>
          callOperation(world, 'createNotificationRule', {
            body: { name: 'late', channel_ids: [channel], rule_ids: [rule] },
          }),
        ),
        callOperation(world, 'updateNotificationSettings', { body: { default_channel_id: channel } }),
        callOperation(world, 'deleteRule', { path: { id: rule } }),
        callOperation(world, 'deleteNotificationChannel', { path: { id: channel } }),
        ...times(3, createConfig),
      ]);
      expect(
        answers.filter(({ status }) => ![200, 201, 204, 400].includes(status)).map(({ text }) => text),
      ).toEqual([]);
    }
  });
});
