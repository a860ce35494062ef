import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createSigningSecret } from '../../src/platform/secrets/index.ts';
import { createReleases } from '../helpers/monitored.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox, type ReceivedWebhook, type WebhookResponse } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, rejectionStatus, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const answers = new Map<string, WebhookResponse>();
inbox.answerAlways(({ path }) => answers.get(path) ?? { status: 200 });
const server = await startTestServer();
const clock = createClock(server);

const hour = 60;

/**
 * Creates an organization in which one call to `setVersion` opens an alert. The organization has no agent, so
 * no agent can go offline during a test.
 */
async function createWorld() {
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const gatherJobId = await createReleases(server, world.organization, ['1.0.0', '2.0.0', '3.0.0', '4.0.0']);
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule({ thresholds: { moderate: 1, high: 2, critical: 3 } });
  await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
  return {
    ...world,
    gatherJobId,
    scrapeJobId,
    ruleId,
    /** Opens an alert without waiting for its notification. */
    async raise(version = '2.0.0'): Promise<Schemas['Alert']> {
      await world.setVersion(scrapeJobId, version);
      return until('the alert', () => world.openAlert());
    },
    async setSchedule(...seconds: number[]): Promise<void> {
      await world.owner.call('putOrgOverride', {
        path: { key: 'delivery.retry_schedule_seconds' },
        body: { value: seconds },
      });
    },
    /** Returns the deliveries for an alert in the order of their events. */
    async deliveriesOf(alertId: number): Promise<Schemas['NotificationDelivery'][]> {
      const { items } = await api.call('listAlertDeliveries', { path: { id: alertId } });
      return items.toSorted((a, b) => a.id - b.id);
    },
    /** Returns the activity entries about notifications, oldest first. */
    async told(alertId: number): Promise<Schemas['AuditTrailEntry'][]> {
      const { items } = await api.call('listAlertActions', { path: { id: alertId } });
      return items.filter(({ action }) => action.startsWith('notif')).toSorted((a, b) => a.id - b.id);
    },
    /** Creates a channel that receives everything through a rule, instead of the default channel. */
    async createRoutedChannel(fields: Partial<Schemas['CreateNotificationChannelRequest']> = {}) {
      const path = `${world.channelPath}/routed`;
      const channel = await api.call('createNotificationChannel', {
        body: { name: 'Routed', url: new URL(path, inbox.url).href, ...fields },
      });
      await api.call('createNotificationRule', { body: { name: 'all', channel_ids: [channel.id] } });
      return { id: channel.id, path, heard: () => inbox.requests.filter((request) => request.path === path) };
    },
  };
}

describe('a temporarily failing receiver', () => {
  test('receives the alert first and its resolution second, even after retries', async () => {
    const world = await createWorld();
    await world.setSchedule(60, 60, 60);
    answers.set(world.channelPath, { status: 503, body: 'busy' });
    const alert = await world.raise();
    await until(
      'the first attempt',
      async () => (await world.deliveriesOf(alert.id))[0]?.status === 'failed',
    );
    await world.setVersion(world.scrapeJobId, '4.0.0');
    await until('the end', async () => (await world.deliveriesOf(alert.id)).length === 2);
    await clock.pass(1.5);
    await until('the second attempt', async () => world.receivedEvents().length === 2);
    expect((await world.deliveriesOf(alert.id)).map(({ status }) => status)).not.toContain('succeeded');

    answers.delete(world.channelPath);
    await until(
      'the second result',
      async () => (await world.deliveriesOf(alert.id))[0]?.status === 'failed',
    );
    await clock.pass(1.5);
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.created', 'alert.created', 'alert.resolved']);
    expect(new Set(world.receivedEvents().map(({ id }) => id)).size).toBe(2);
    expect(world.receivedEvents().map(({ body }) => body.data['sequence'])).toEqual([1, 1, 1, 2]);
    expect(await world.deliveriesOf(alert.id)).toMatchObject([
      { event_type: 'alert.created', status: 'succeeded', attempt_count: 3, error: null },
      { event_type: 'alert.resolved', status: 'succeeded', attempt_count: 1 },
    ]);
    expect(await world.told(alert.id)).toMatchObject([
      { action: 'notified', to: 'Operations', detail: 'alert.created' },
      { action: 'notified', to: 'Operations', detail: 'alert.resolved' },
    ]);
  });

  test('ends in a dead letter, and a manual retry sends the event with the same id', async () => {
    const world = await createWorld();
    const { alertId, deliveryId } = await giveUp(world);
    const path = { id: deliveryId };
    expect(await world.told(alertId)).toMatchObject([{ action: 'notification_failed', to: 'Operations' }]);
    answers.delete(world.channelPath);
    const retried = await world.api.call('retryNotificationDelivery', { path });
    expect(retried).toMatchObject({ status: 'pending', completed_at: null, reason: null });
    await world.settled();
    expect(await world.api.call('getNotificationDelivery', { path })).toMatchObject({
      status: 'succeeded',
      attempt_count: 3,
      attempts: [{ response_status: 503 }, { response_status: 503 }, { response_status: 200 }],
    });
    expect(new Set(world.receivedEvents().map(({ id }) => id)).size).toBe(1);
    expect(await rejectionStatus(world.api.call('retryNotificationDelivery', { path }))).toBe(409);
    expect(await world.told(alertId)).toMatchObject([
      { action: 'notification_failed' },
      { action: 'notified' },
    ]);
  });

  test('allows retrying all dead letters that match a filter together, without those of other organizations', async () => {
    const world = await createWorld();
    const { alertId } = await giveUp(world);
    const { items, total } = await world.api.call('listDeadNotificationDeliveries');
    expect({ total, types: items.map(({ event_type }) => event_type) }).toEqual({
      total: 1,
      types: ['alert.created'],
    });
    answers.delete(world.channelPath);
    const retry = (body: Schemas['RetryNotificationDeliveriesRequest']) =>
      world.api.call('retryNotificationDeliveries', { body });
    const nothing = { retried: 0, remaining: 0 };
    expect(await retry({ event_type: 'alert.resolved' })).toEqual(nothing);
    expect(await retry({ since: clock.inMinutes(60) })).toEqual(nothing);
    const stranger = await createWorld();
    expect(
      await stranger.api.call('retryNotificationDeliveries', { body: { channel_id: world.channelId } }),
    ).toEqual(nothing);
    expect(await retry({ channel_id: world.channelId, event_type: 'alert.created' })).toEqual({
      retried: 1,
      remaining: 0,
    });
    await world.settled();
    expect((await world.deliveriesOf(alertId)).map(({ status }) => status)).toEqual(['succeeded']);
    expect(await retry({})).toEqual(nothing);
  });

  /** Opens an alert whose delivery fails until it becomes a dead letter. */
  async function giveUp(world: Awaited<ReturnType<typeof createWorld>>) {
    await world.setSchedule(60);
    answers.set(world.channelPath, { status: 503 });
    const { id: alertId } = await world.raise();
    const read = async () => (await world.deliveriesOf(alertId))[0];
    await until('the first attempt', async () => (await read())?.status === 'failed');
    await clock.pass(1.5);
    const dead = await until('the last attempt', async () => {
      const delivery = await read();
      return delivery?.status === 'dead_letter' && delivery;
    });
    return { alertId, deliveryId: dead.id };
  }
});

describe('a digest', () => {
  test('sends several alerts in one message, and the activity of each alert shows the notification', async () => {
    const world = await createWorld();
    await world.api.call('updateNotificationChannel', {
      path: { id: world.channelId },
      body: { digest_minutes: 10 },
    });
    const { gatherJobId, ruleId } = world;
    const scrapeJobId = await world.createManualJob({ name: 'another' });
    await world.createConfig({ scrapeJobId, gatherJobId, ruleId }, { name: 'another' });
    await world.setVersion(scrapeJobId, '1.0.0');
    await world.setVersion(world.scrapeJobId, '2.0.0');
    const alerts = await until('both alerts', async () => {
      const { items } = await world.api.call('listAlerts');
      return items.length === 2 && items.toSorted((a, b) => a.id - b.id);
    });
    await world.setVersion(world.scrapeJobId, '4.0.0');
    await until('the end of one', async () => (await world.api.call('listAlerts')).items.length === 1);
    expect(world.receivedEvents()).toEqual([]);

    await clock.pass(11);
    await world.settled();
    expect(world.heardTypes()).toEqual(['digest']);
    const events = world.receivedEvents()[0]!.body.data['events'] as {
      type: string;
      data: { alert: { id: number } };
    }[];
    // One alert was resolved before its creation was sent.
    expect(events.map(({ type }) => type).toSorted()).toEqual(['alert.created', 'alert.resolved']);
    expect(new Set(events.map(({ data }) => data.alert.id))).toEqual(new Set(alerts.map(({ id }) => id)));
    for (const alert of alerts) {
      const deliveries = await world.deliveriesOf(alert.id);
      const sent = deliveries.filter(({ status }) => status === 'succeeded');
      expect(sent).toHaveLength(1);
      expect(deliveries.filter(({ reason }) => reason === 'superseded')).toHaveLength(deliveries.length - 1);
      expect((await world.told(alert.id)).map(({ action, detail }) => [action, detail])).toEqual(
        sent.map(({ event_type }) => ['notified', event_type]),
      );
    }
  });
});

describe('reminders', () => {
  test('are sent at their interval until someone acknowledges the alert', async () => {
    const world = await createWorld();
    await world.owner.call('updateNotificationSettings', { body: { reminder_interval_hours: 4 } });
    const alert = await world.raise();
    await world.settled();
    await clock.pass(2 * hour);
    for (const count of [1, 2]) {
      await clock.pass(4 * hour);
      await until('a reminder', async () => world.receivedEvents().length === 1 + count);
      await world.settled();
    }
    await world.api.call('acknowledgeAlert', { path: { id: alert.id } });
    await world.settled();
    await clock.pass(9 * hour);
    await remindersAreOver();
    expect(world.heardTypes()).toEqual([
      'alert.created',
      'alert.reminder',
      'alert.reminder',
      'alert.acknowledged',
    ]);
    expect(world.receivedEvents().map(({ body }) => body.data['sequence'])).toEqual([1, 2, 3, 4]);
  });

  /**
   * Waits for a reminder in another organization, which proves that all earlier reminders have been
   * processed.
   */
  async function remindersAreOver(): Promise<void> {
    const last = await createWorld();
    await last.owner.call('updateNotificationSettings', { body: { reminder_interval_hours: 1 } });
    await last.raise();
    await last.settled();
    await clock.pass(1.1 * hour);
    await until('the reminder of another', async () => last.heardTypes().includes('alert.reminder'));
  }
});

describe('a rotated signing secret', () => {
  test('signs together with the previous secret for 24 hours', async () => {
    const world = await createWorld();
    const secrets = [createSigningSecret(), createSigningSecret()];
    const setSecret = (signing_secret: string) =>
      world.api.call('updateNotificationChannel', {
        path: { id: world.channelId },
        body: { signing_secret },
      });
    /** Returns the indexes of the secrets that sign the event for this version. */
    async function signersOf(version: string): Promise<number[]> {
      const count = world.receivedEvents().length;
      await world.setVersion(world.scrapeJobId, version);
      await until('the event', async () => world.receivedEvents().length > count);
      await world.settled();
      const request = inbox.requests.findLast(({ path }) => path === world.channelPath)!;
      return [0, 1].filter((index) => isSignedWith(request, secrets[index]!));
    }
    expect(await signersOf('3.0.0')).toEqual([]);
    await setSecret(secrets[0]!);
    expect(await signersOf('2.0.0')).toEqual([0]);
    await setSecret(secrets[1]!);
    expect(await signersOf('4.0.0')).toEqual([0, 1]);
    await clock.pass(23 * hour);
    expect(await signersOf('3.0.0')).toEqual([0, 1]);
    await clock.pass(1.1 * hour);
    expect(await signersOf('2.0.0')).toEqual([1]);
  });

  /**
   * Verifies the signature at the timestamp of the message, because the test moves the clock of the server.
   */
  function isSignedWith({ id, body, headers }: ReceivedWebhook, secret: string): boolean {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const signatures = (headers['webhook-signature'] ?? '').split(' ');
    return signatures.includes(new Webhook(secret).sign(id, at, body));
  }
});

describe('an unavailable channel', () => {
  test('is disabled by a 410, reported to the default channel, and receives its retries once enabled', async () => {
    const world = await createWorld();
    const routed = await world.createRoutedChannel();
    const path = { id: routed.id };
    answers.set(routed.path, { status: 410 });
    const alert = await world.raise();
    await until('the default channel', async () => world.heardTypes().includes('channel.disabled'));
    await world.settled();
    expect(world.receivedEvents()[0]!.body.data['channel']).toMatchObject({ id: routed.id, name: 'Routed' });
    expect(await world.api.call('getNotificationChannel', { path })).toMatchObject({ is_active: false });

    await world.api.call('acknowledgeAlert', { path: { id: alert.id } });
    await world.settled();
    expect(await world.deliveriesOf(alert.id)).toMatchObject([
      { event_type: 'alert.created', status: 'dead_letter', reason: 'gone', response_status: 410 },
      { event_type: 'alert.acknowledged', status: 'canceled', reason: 'channel_inactive', attempt_count: 0 },
    ]);
    expect(await world.told(alert.id)).toMatchObject([
      { action: 'notification_failed', to: 'Routed' },
      { action: 'notification_skipped', to: 'all_channels_inactive' },
    ]);
    const [dead] = await world.deliveriesOf(alert.id);
    const retry = () => world.api.call('retryNotificationDelivery', { path: { id: dead!.id } });
    expect(await retry()).toMatchObject({ status: 'pending', waiting_for: 'channel', next_attempt_at: null });

    answers.delete(routed.path);
    await world.api.call('toggleNotificationChannel', { path });
    await world.api.call('retryNotificationDeliveries', { body: { status: 'canceled' } });
    await world.settled();
    expect((await world.deliveriesOf(alert.id)).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    expect(routed.heard().map(({ body }) => JSON.parse(body).type)).toEqual([
      'alert.created',
      'alert.created',
      'alert.acknowledged',
    ]);
  });

  test.each([
    [
      'no default channel is set',
      { default_channel_id: null },
      null,
      'no_channel',
      'No notification rule matched and no default channel is set.',
    ],
    [
      'the fallback is disabled',
      { fallback_to_default: false },
      null,
      'fallback_off',
      "No notification rule matched, and alerts without a matching rule aren't sent to the default channel.",
    ],
    [
      'a rule sends to a default channel that is not set',
      { default_channel_id: null },
      { name: 'All' },
      'no_default_channel',
      'The matching notification rule sends to the default channel, and no default channel is set.',
    ],
    [
      'no channel lists the owner, and no default channel is set',
      { default_channel_id: null },
      { name: 'Owners', route_to_owner: true },
      'no_owner_channel',
      "No enabled channel lists the alert's owner.",
    ],
  ])(
    'is recorded with the reason in the activity of the alert: %s',
    async (_, settings, rule, code, sentence) => {
      const world = await createWorld();
      await world.owner.call('updateNotificationSettings', { body: settings });
      if (rule) await world.api.call('createNotificationRule', { body: rule });
      const alert = await world.raise();
      await world.settled();
      expect(await world.deliveriesOf(alert.id)).toEqual([]);
      expect(await world.told(alert.id)).toMatchObject([
        { action: 'notification_skipped', to: code, detail: `alert.created: ${sentence}` },
      ]);
    },
  );
});

describe('a rule that routes to owners', () => {
  test('notifies the channels of all owners of an alert, or the default channel if none is enabled', async () => {
    const world = await createWorld();
    const { api } = world;
    const createTeam = async (name: string, owners: string[]) => {
      const path = `${world.channelPath}/${name}`;
      const { id } = await api.call('createNotificationChannel', {
        body: { name, owners, url: new URL(path, inbox.url).href },
      });
      return { id, heard: () => typesAt(path) };
    };
    const payments = await createTeam('payments', ['@acme/payments', '@acme/billing']);
    const search = await createTeam('search', ['@acme/search']);
    await api.call('createNotificationRule', { body: { name: 'Owners', route_to_owner: true } });
    const path = { id: world.scrapeJobId };
    const labels = { owner: 'acme/payments acme/billing, acme/search' };
    await api.call('updateScrapeJob', { path, body: { labels } });
    const alert = await world.raise();
    await world.settled();
    expect([payments.heard(), search.heard(), world.heardTypes()]).toEqual([
      ['alert.created'],
      ['alert.created'],
      [],
    ]);
    for (const { id } of [payments, search]) await api.call('toggleNotificationChannel', { path: { id } });
    await api.call('acknowledgeAlert', { path: { id: alert.id } });
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.acknowledged']);
    const deliveries = await world.deliveriesOf(alert.id);
    expect(
      deliveries.map(({ channel_name, status, fallback_reason }) => [channel_name, status, fallback_reason]),
    ).toEqual([
      ['payments', 'succeeded', null],
      ['search', 'succeeded', null],
      ['Operations', 'succeeded', 'no_owner_channel'],
    ]);
    expect(await api.call('getNotificationDelivery', { path: { id: deliveries[2]!.id } })).toMatchObject({
      reason: null,
      fallback_reason: 'no_owner_channel',
    });
  });

  test('sends an owner one digest of the silenced events when the silence ends, and nothing before', async () => {
    const world = await createWorld();
    const { api } = world;
    const path = `${world.channelPath}/payments`;
    await api.call('createNotificationChannel', {
      body: { name: 'payments', owners: ['acme/payments'], url: new URL(path, inbox.url).href },
    });
    await api.call('createNotificationRule', { body: { name: 'Owners', route_to_owner: true } });
    const labels = { owner: 'acme/payments' };
    await api.call('updateScrapeJob', { path: { id: world.scrapeJobId }, body: { labels } });
    await world.createConfig(world, { name: 'another', candidate_pattern: '^3' });
    await api.call('createSilence', {
      body: {
        label_matchers: [
          {
            label: 'owner',
            operator: '=',
            value: 'acme/payments',
          },
        ],
        reason: 'Maintenance',
        ends_at: clock.inMinutes(hour),
      },
    });
    await world.setVersion(world.scrapeJobId, '2.0.0');
    await world.settled();
    expect((await api.call('listAlerts')).items).toHaveLength(2);
    expect(typesAt(path)).toEqual([]);
    await clock.pass(hour + 1);
    await until('the digest', async () => typesAt(path).length > 0);
    await world.settled();
    expect(typesAt(path)).toEqual(['digest']);
    expect(world.heardTypes()).toEqual([]);
  });
});

function typesAt(path: string): string[] {
  return inbox.requests.flatMap((request) => (request.path === path ? JSON.parse(request.body).type : []));
}

describe('a snoozed alert', () => {
  test('sends no notifications except for its escalation and resolution, and its activity lists the skipped ones', async () => {
    const world = await createWorld();
    const alert = await world.raise('3.0.0');
    await world.settled();
    const path = { id: alert.id };
    const snooze = () => world.api.call('snoozeAlert', { path, body: { until: clock.inMinutes(24 * hour) } });
    await snooze();
    await world.api.call('acknowledgeAlert', { path });
    await world.api.call('unacknowledgeAlert', { path });
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created']);
    expect((await world.told(alert.id)).slice(1)).toMatchObject([
      {
        action: 'notification_skipped',
        to: 'snoozed',
        detail: expect.stringMatching(/^alert\.acknowledged: /),
      },
      {
        action: 'notification_skipped',
        to: 'snoozed',
        detail: expect.stringMatching(/^alert\.unacknowledged: /),
      },
    ]);

    await world.raise('2.0.0');
    await until('the escalation', async () => world.heardTypes().includes('alert.escalated'));
    await world.settled();
    await snooze();
    await world.setVersion(world.scrapeJobId, '4.0.0');
    await until('the end', async () => world.heardTypes().includes('alert.resolved'));
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.escalated', 'alert.resolved']);
  });
});
