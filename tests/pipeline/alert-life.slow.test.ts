import { afterAll, describe, expect, test } from 'vitest';
import { sharedTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, type ListedRelease, rejectionStatus } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await sharedTestServer();

const releases: ListedRelease[] = ['1.0.0', '2.0.0', '3.0.0', '4.0.0'].map((tag, index) => ({
  tag,
  at: daysAgo(400 - index * 100),
}));
const thresholds = { moderate: 1, high: 2, critical: 3 };

/** Creates an open alert. With four major versions upstream, the default 2.0.0 is two majors behind. */
async function createAlerting(version = '2.0.0') {
  const world = await createPipelineWorld(server, inbox);
  const watched = await world.createWatched({ releases, rule: { thresholds }, version });
  const alert = (await world.openAlert())!;
  const path = { id: alert.id };
  return {
    ...world,
    ...watched,
    alert,
    path,
    configPath: { id: watched.configId },
    readAlert: () => world.api.call('getAlert', { path }),
    readConfig: () => world.api.call('getAlertConfig', { path: { id: watched.configId } }),
    async deploy(version: string) {
      await world.setVersion(watched.scrapeJobId, version);
      await world.settled();
    },
  };
}

describe('an acknowledgment', () => {
  test('is kept when a newer version is deployed', async () => {
    const world = await createAlerting();
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.deploy('2.5.0');
    await world.deploy('3.0.0');
    expect(await world.readAlert()).toMatchObject({
      status: 'acknowledged',
      severity: 'moderate',
      discovered_version: '3.0.0',
    });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged']);
    expect(await world.trail(world.alert.id)).toEqual([
      'created',
      'acknowledged',
      'updated',
      'updated',
      'deescalated',
    ]);
  });

  test('is cleared with an event when an older version is deployed', async () => {
    const world = await createAlerting('2.5.0');
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.deploy('2.0.0');
    expect(await world.readAlert()).toMatchObject({
      status: 'unacknowledged',
      acknowledged_by: null,
      severity: 'high',
    });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged', 'alert.unacknowledged']);
  });

  test('is cleared by an escalation, with a single event for both changes', async () => {
    const world = await createAlerting();
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.deploy('1.0.0');
    const alert = await world.readAlert();
    expect(alert).toMatchObject({ status: 'unacknowledged', severity: 'critical' });
    expect(alert.escalated_at).not.toBeNull();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged', 'alert.escalated']);
  });

  test('causes one event when it is added or removed, even if the request is repeated', async () => {
    const world = await createAlerting();
    const first = await world.api.call('acknowledgeAlert', { path: world.path });
    expect(await world.api.call('acknowledgeAlert', { path: world.path })).toEqual(first);
    await world.api.call('unacknowledgeAlert', { path: world.path });
    await world.api.call('unacknowledgeAlert', { path: world.path });
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged', 'alert.unacknowledged']);
  });

  test('is applied once per alert by concurrent bulk requests, and each response lists every alert exactly once', async () => {
    const world = await createAlerting();
    const parts = { scrapeJobId: world.scrapeJobId, gatherJobId: world.gatherJobId, ruleId: world.ruleId };
    for (let index = 0; index < 6; index++) await world.createConfig(parts, { name: `more ${index}` });
    await world.settled();
    const all = (await world.api.call('listAlerts')).items.map((alert) => alert.id).toSorted((a, b) => a - b);
    expect(all).toHaveLength(7);
    const [already, resolved, ...fresh] = all as [number, number, ...number[]];
    await world.api.call('acknowledgeAlert', { path: { id: already } });
    await world.api.call('resolveAlert', { path: { id: resolved } });
    const other = await createAlerting();

    // When requests run concurrently, exactly one of them acknowledges each alert.
    const body = { alert_ids: [...all, ...fresh, other.alert.id, 999_999_999] };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => world.api.call('bulkAcknowledgeAlerts', { body })),
    );
    for (const answer of answers) {
      const named = [...answer.acknowledged, ...answer.already_acknowledged, ...answer.not_found];
      expect(named.toSorted((a, b) => a - b)).toEqual([...new Set(body.alert_ids)].toSorted((a, b) => a - b));
      expect(answer.not_found.toSorted((a, b) => a - b)).toEqual([resolved, other.alert.id, 999_999_999]);
    }
    expect(answers.flatMap((answer) => answer.acknowledged).toSorted((a, b) => a - b)).toEqual(fresh);
    await world.settled();
    expect(world.heardTypes().filter((type) => type === 'alert.acknowledged')).toHaveLength(fresh.length + 1);
    expect((await other.readAlert()).status).toBe('unacknowledged');
    expect(await world.api.call('getAlertSummary')).toMatchObject({
      open: 6,
      acknowledged: 6,
      unacknowledged: 0,
    });
  });
});

describe('a manually resolved alert', () => {
  test('stays resolved until the deployed version falls further behind, which opens a new alert', async () => {
    const world = await createAlerting();
    await world.api.call('resolveAlert', { path: world.path });
    await world.api.call('evaluateRules');
    await world.deploy('2.0.0');
    expect(await world.openAlert()).toBeUndefined();
    expect(await world.readConfig()).toMatchObject({
      state: 'alerting',
      state_reason: 'resolved_by_hand',
      severity: 'high',
      active_alert_id: null,
    });
    await world.agent.gather(world.gatherJobId, [...releases, { tag: '5.0.0', at: daysAgo(0.5) }]);
    await world.settled();
    const next = (await world.openAlert())!;
    expect(next).toMatchObject({ severity: 'critical', behind_by: 3 });
    expect(next.id).not.toBe(world.alert.id);
    expect(await world.readAlert()).toMatchObject({
      status: 'resolved',
      resolution: 'manual',
      resolved_by: { type: 'api_key' },
    });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved', 'alert.created']);
  });

  test('is followed by a new alert when another outdated version is deployed', async () => {
    const world = await createAlerting();
    await world.api.call('resolveAlert', { path: world.path });
    await world.deploy('2.5.0');
    expect(await world.openAlert()).toMatchObject({ discovered_version: '2.5.0', severity: 'high' });
  });

  test('is followed by a new alert when the version is outdated again after catching up', async () => {
    const world = await createAlerting();
    await world.api.call('resolveAlert', { path: world.path });
    await world.deploy('4.0.0');
    await world.deploy('2.0.0');
    expect(await world.openAlert()).toMatchObject({ discovered_version: '2.0.0' });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved', 'alert.created']);
  });

  test('is unchanged by a second resolution and rejects an acknowledgment', async () => {
    const world = await createAlerting();
    await world.api.call('resolveAlert', { path: world.path });
    const first = await world.readAlert();
    await world.api.call('resolveAlert', { path: world.path });
    expect(await world.readAlert()).toEqual(first);
    expect(await rejectionStatus(world.api.call('acknowledgeAlert', { path: world.path }))).toBe(409);
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);
  });
});

describe('disabling rules and configurations', () => {
  test.each(['rule', 'configuration'] as const)(
    'a disabled %s resolves its alert, and enabling it again opens a new one',
    async (which) => {
      const world = await createAlerting();
      const toggle = () =>
        which === 'rule'
          ? world.api.call('toggleRule', { path: { id: world.ruleId } })
          : world.api.call('toggleAlertConfig', { path: world.configPath });
      await toggle();
      await world.settled();
      expect(await world.readAlert()).toMatchObject({
        status: 'resolved',
        resolution: 'disabled',
        resolved_by: { type: 'system' },
      });
      expect(await world.readConfig()).toMatchObject({ state: 'inactive', active_alert_id: null });
      // Disabled rules and configurations aren't evaluated.
      await world.deploy('1.0.0');
      expect(await world.openAlert()).toBeUndefined();
      await toggle();
      await world.settled();
      const next = (await world.openAlert())!;
      expect(next).toMatchObject({ severity: 'critical', discovered_version: '1.0.0' });
      expect(next.id).not.toBe(world.alert.id);
      expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved', 'alert.created']);
    },
  );

  test('disabling and enabling a configuration opens a new alert after a manual resolution', async () => {
    const world = await createAlerting();
    await world.api.call('resolveAlert', { path: world.path });
    await world.api.call('toggleAlertConfig', { path: world.configPath });
    await world.api.call('toggleAlertConfig', { path: world.configPath });
    await world.settled();
    expect(await world.openAlert()).toMatchObject({ discovered_version: '2.0.0' });
  });
});

describe('changes that affect an open alert', () => {
  test('changed references resolve the alert as reconfigured, and the configuration is evaluated again', async () => {
    const world = await createAlerting();
    const other = await world.createManualJob({ name: 'another' });
    await world.setVersion(other, '3.0.0');
    await world.api.call('updateAlertConfig', { path: world.configPath, body: { scrape_job_id: other } });
    await world.settled();
    expect(await world.readAlert()).toMatchObject({ status: 'resolved', resolution: 'reconfigured' });
    const next = (await world.openAlert())!;
    expect(next).toMatchObject({ severity: 'moderate', discovered_version: '3.0.0' });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved', 'alert.created']);
  });

  test('changed references resolve the alert, and its resolution is routed by its old rule and labels', async () => {
    const world = await createAlerting();
    await world.api.call('updateAlertConfig', { path: world.configPath, body: { labels: { team: 'old' } } });
    const old = await world.api.call('createNotificationChannel', {
      body: {
        name: 'old',
        url: inbox.url,
        template: '{{ event }} {{ alert.rule_name }} {{ alert.labels.team }}',
      },
    });
    await world.api.call('createNotificationRule', {
      body: {
        name: 'old',
        priority: 1,
        rule_ids: [world.ruleId],
        label_matchers: [{ label: 'team', operator: '=', value: 'old' }],
        channel_ids: [old.id],
        stop_processing: true,
      },
    });
    const before = await world.api.call('getRule', { path: { id: world.ruleId } });
    const rule = await world.api.call('createRule', {
      body: { name: 'another', rule_type: 'minors_behind', thresholds: { moderate: 1 } },
    });
    const { id: other } = await world.api.call('createScrapeJob', {
      body: { name: 'another', parser_type: 'manual', labels: { team: 'new' } },
    });
    await world.setVersion(other, '3.0.0');
    await world.api.call('updateAlertConfig', {
      path: world.configPath,
      body: { rule_id: rule.id, scrape_job_id: other, labels: {} },
    });
    await world.settled();
    expect(await world.readAlert()).toMatchObject({
      resolution: 'reconfigured',
      rule_id: world.ruleId,
      labels: { team: 'old' },
    });
    expect(await world.openAlert()).toMatchObject({ rule_id: rule.id, labels: { team: 'new' } });
    const { items } = await world.api.call('listNotificationDeliveries', { query: { channel_id: old.id } });
    expect(items.map(({ event_type }) => event_type)).toEqual(['alert.resolved']);
    expect(inbox.requests.map(({ body }) => body)).toContain(`alert.resolved ${before.name} old`);
  });

  test('channels that were notified of an alert receive its resolution with its original rule and labels', async () => {
    const world = await createPipelineWorld(server, inbox);
    const pager = await world.api.call('createNotificationChannel', {
      body: { name: 'Pager', url: new URL(`${world.channelPath}/pager`, inbox.url).href },
    });
    await world.api.call('createNotificationRule', {
      body: {
        name: 'Payments',
        channel_ids: [pager.id],
        stop_processing: true,
        label_matchers: [
          {
            label: 'team',
            operator: '=',
            value: 'payments',
          },
        ],
      },
    });
    const label = (team: string, id: number) =>
      world.api.call('updateScrapeJob', { path: { id }, body: { labels: { team } } });
    const watched = await world.createWatched({ releases, rule: { thresholds } });
    await label('payments', watched.scrapeJobId);
    await world.setVersion(watched.scrapeJobId, '2.0.0');
    await world.settled();
    const other = await world.createManualJob({ name: 'another' });
    await label('web', other);
    await world.setVersion(other, '4.0.0');
    const ruleId = await world.createRule({
      name: 'Minors',
      rule_type: 'minors_behind',
      thresholds: { moderate: 1 },
    });
    await world.api.call('updateAlertConfig', {
      path: { id: watched.configId },
      body: { scrape_job_id: other, rule_id: ruleId },
    });
    await world.settled();
    const received = inbox.requests.filter(({ path }) => path.startsWith(world.channelPath));
    expect(received.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => `${world.channelPath}/pager`),
    );
    expect(JSON.parse(received[1]!.body)).toMatchObject({
      type: 'alert.resolved',
      data: {
        alert: {
          resolution: 'reconfigured',
          rule_name: 'Not too old',
          rule_type: 'majors_behind',
          labels: { team: 'payments' },
          discovered_version: '2.0.0',
          resolved_version: null,
        },
      },
    });
  });

  test('a channel for critical alerts receives the resolution of an alert that became less severe, unless its rule excludes resolutions', async () => {
    for (const eventTypes of [[], ['alert.created', 'alert.escalated'] as const]) {
      const world = await createPipelineWorld(server, inbox);
      const pager = await world.api.call('createNotificationChannel', {
        body: { name: 'Pager', url: new URL(`${world.channelPath}/pager`, inbox.url).href },
      });
      await world.api.call('createNotificationRule', {
        body: {
          name: 'Critical',
          severities: ['critical'],
          channel_ids: [pager.id],
          event_types: [...eventTypes],
        },
      });
      const watched = await world.createWatched({ releases, rule: { thresholds }, version: '1.0.0' });
      for (const version of ['3.0.0', '4.0.0']) {
        await world.setVersion(watched.scrapeJobId, version);
        await world.settled();
      }
      const heard = inbox.requests.filter(({ path }) => path === `${world.channelPath}/pager`);
      expect(heard.map(({ body }) => JSON.parse(body).type)).toEqual(
        eventTypes.length === 0 ? ['alert.created', 'alert.resolved'] : ['alert.created'],
      );
      // No rule matches the resolution, so it also goes to the default channel.
      const [resolved] = world.receivedEvents();
      expect(resolved?.body.data.alert).toMatchObject({
        resolution: 'caught_up',
        discovered_version: '3.0.0',
        resolved_version: '4.0.0',
      });
    }
  });

  test('a changed rule type resolves the alert as reconfigured', async () => {
    const world = await createAlerting();
    await world.api.call('updateRule', {
      path: { id: world.ruleId },
      body: { rule_type: 'minors_behind', thresholds: { moderate: 1 } },
    });
    await world.settled();
    expect(await world.readAlert()).toMatchObject({ resolution: 'reconfigured' });
    expect(await world.openAlert()).toMatchObject({ rule_type: 'minors_behind', behind_by: 2 });
  });

  test('changed thresholds update the alert in place, with an event for a higher severity but not for a lower one', async () => {
    const world = await createAlerting();
    const change = async (values: object) => {
      await world.api.call('updateRule', { path: { id: world.ruleId }, body: { thresholds: values } });
      await world.settled();
    };
    await change({ critical: 2 });
    await change({ moderate: 2 });
    expect(await world.readAlert()).toMatchObject({ severity: 'moderate', status: 'unacknowledged' });
    expect(await world.trail(world.alert.id)).toEqual(['created', 'escalated', 'deescalated']);
    await change({ moderate: 3 });
    expect(await world.readAlert()).toMatchObject({ resolution: 'caught_up' });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.escalated', 'alert.resolved']);
  });

  test('a withdrawn release is no longer the latest', async () => {
    const world = await createAlerting('3.0.0');
    await world.agent.gather(world.gatherJobId, releases.slice(0, 3));
    await world.settled();
    expect(await world.readAlert()).toMatchObject({ status: 'resolved', resolution: 'caught_up' });
    const { items } = await world.api.call('listReleases', {
      query: { gather_job_id: world.gatherJobId, q: '4.0.0' },
    });
    expect(items).toMatchObject([{ version: '4.0.0', is_withdrawn: true }]);
    // List the withdrawn release again.
    await world.agent.gather(world.gatherJobId, releases);
    await world.settled();
    expect(await world.openAlert()).toMatchObject({ latest_version: '4.0.0' });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved', 'alert.created']);
  });

  test('an incomplete list withdraws no releases', async () => {
    const world = await createAlerting('3.0.0');
    await world.agent.gather(world.gatherJobId, releases.slice(0, 1), { isCompleteList: false });
    await world.settled();
    expect(await world.readAlert()).toMatchObject({ status: 'unacknowledged', latest_version: '4.0.0' });
  });
});

describe('deleted resources', () => {
  test('deleting a rule sends resolutions only for alerts that were notified, and keeps the deliveries', async () => {
    const world = await createAlerting();
    // No channel is notified of the second alert, because no notification rule matches it and the fallback to
    // the default channel is disabled.
    await world.api.call('putOrgOverride', {
      path: { key: 'notification.fallback_to_default' },
      body: { value: false },
    });
    const quietConfigId = await world.createConfig(
      { scrapeJobId: world.scrapeJobId, gatherJobId: world.gatherJobId, ruleId: world.ruleId },
      { name: 'quiet' },
    );
    await world.settled();
    const { items: open } = await world.api.call('listAlerts');
    expect(open.map((alert) => alert.alert_config_id).toSorted()).toEqual(
      [world.configId, quietConfigId].toSorted(),
    );
    await world.api.call('putOrgOverride', {
      path: { key: 'notification.fallback_to_default' },
      body: { value: true },
    });

    await world.api.call('deleteRule', { path: { id: world.ruleId } });
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);
    expect(world.receivedEvents()[1]!.body.data.alert).toMatchObject({
      id: world.alert.id,
      config_name: 'nginx',
    });
    expect(await rejectionStatus(world.api.call('getAlert', { path: world.path }))).toBe(404);
    expect(await rejectionStatus(world.api.call('getAlertConfig', { path: world.configPath }))).toBe(404);
    const { items: deliveries } = await world.api.call('listNotificationDeliveries');
    expect(deliveries.map(({ event_type, alert_id, status }) => ({ event_type, alert_id, status }))).toEqual([
      { event_type: 'alert.resolved', alert_id: null, status: 'succeeded' },
      { event_type: 'alert.created', alert_id: null, status: 'succeeded' },
    ]);
    expect((await world.api.call('getAlertSummary')).open).toBe(0);
  });

  test.each(['configuration', 'gather job', 'scrape job'] as const)(
    'deleting a %s sends the resolution and keeps the deliveries',
    async (which) => {
      const world = await createAlerting();
      if (which === 'configuration') await world.api.call('deleteAlertConfig', { path: world.configPath });
      if (which === 'gather job') {
        const call = () => world.api.call('deleteGatherJob', { path: { id: world.gatherJobId } });
        expect(await rejectionStatus(call())).toBe(409);
        await world.api.call('deleteGatherJob', {
          path: { id: world.gatherJobId },
          query: { cascade: true },
        });
      }
      if (which === 'scrape job') {
        const call = () => world.api.call('deleteScrapeJob', { path: { id: world.scrapeJobId } });
        expect(await rejectionStatus(call())).toBe(409);
        await world.api.call('deleteScrapeJob', {
          path: { id: world.scrapeJobId },
          query: { cascade: true },
        });
      }
      await world.settled();
      expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);
      expect((await world.api.call('listNotificationDeliveries')).total).toBe(2);
    },
  );
});
