import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { type ChannelFields, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { verifyWebhook } from '../../../../tests/helpers/webhook-inbox.ts';
import { ApiError } from '../../../platform/errors.ts';
import { fillDefaults } from '../../../platform/http/fill-defaults.ts';
import type { Caller, HandlerResponse, Role } from '../../../platform/http/index.ts';
import { createSigningSecret } from '../../../platform/secrets/index.ts';
import { deliveryHandlers } from './delivery-handlers.ts';
import { listDeliveriesOfAlert } from './delivery-queries.ts';
import { readAcknowledgeToken } from './secrets/acknowledge-link.ts';
import { sendTestNotification } from './send/send-test.ts';

const { db, world, inbox, answers } = await createDeliveryFixture();
world.startLoop();
const defaults = { retryScheduleSeconds: [5, 10] };
const handlers = deliveryHandlers({ db, secretBox: world.secretBox, defaults });

type Operation = keyof typeof handlers;
type BodyOf<Id extends Operation> = Extract<HandlerResponse<Id>, { body: unknown }>['body'];

interface Given {
  path?: object;
  query?: object;
  body?: object;
  role?: Role;
}

/** Calls a handler as a user of the organization and returns the response body. */
async function call<Id extends Operation>(
  operation: Id,
  organizationId: number,
  request: Given = {},
): Promise<BodyOf<Id>> {
  const { role = 'member', ...rest } = request;
  const caller: Caller = {
    organizationId,
    role,
    via: 'login',
    actor: { type: 'user', id: 1, name: 'Ana' },
    userId: 1,
    apiKeyId: null,
    loginId: null,
    isSystem: false,
    isTwoFactorMissing: false,
  };
  const body = { ...rest.body };
  fillDefaults(operation, body);
  const given = { path: {}, query: { limit: 50, offset: 0 }, caller, requestId: 'test', ...rest, body };
  const handle = handlers[operation] as unknown as (request: unknown) => Promise<{ body: BodyOf<Id> }>;
  return (await handle(given)).body;
}

/** Returns the status of the error, or 0 if the call succeeds. */
async function refusal(operation: Operation, organizationId: number, request: Given): Promise<number> {
  try {
    await call(operation, organizationId, request);
    return 0;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

async function setUp(path: string, fields: Omit<ChannelFields, 'url'> = {}) {
  return world.createOrganizationWithChannel({ url: `${inbox.url.slice(0, -1)}${path}`, ...fields });
}

async function raise(organizationId: number, count = 1) {
  const alertIds = await world.createAlerts(organizationId, count);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId })),
  );
  return alertIds;
}

function final(organizationId: number, count = 1) {
  return pollUntil(async () => {
    const rows = await world.deliveries(organizationId);
    return (
      rows.filter(({ status }) => ['succeeded', 'dead_letter', 'canceled'].includes(status)).length ===
        count && rows
    );
  });
}

describe('the API for deliveries', () => {
  test('returns the maximum number of attempts from the installation defaults, before the first attempt and after a retry', async () => {
    const { organizationId } = await setUp('/granted', { digestMinutes: 1_440 });
    const [alertId] = await raise(organizationId);
    const maxAttempts = async () => {
      const { items } = await call('listNotificationDeliveries', organizationId);
      const id = items[0]!.id;
      const page = { limit: 5, offset: 0 };
      const ofAlert = await listDeliveriesOfAlert(db, organizationId, alertId!, page, defaults);
      return [
        ...[...items, ...ofAlert.items].map(({ max_attempts }) => max_attempts),
        (await call('getNotificationDelivery', organizationId, { path: { id } })).max_attempts,
      ];
    };
    expect(await maxAttempts()).toEqual([3, 3, 3]);
    await sql`
      UPDATE notification_deliveries
      SET status = 'dead_letter', attempt_count = 3, series_attempt_count = 3, max_attempts = 3, next_attempt_at = NULL,
        completed_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(db);
    expect(await maxAttempts()).toEqual([3, 3, 3]);
    await sql`UPDATE notification_channels SET is_active = false WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    const { id } = (await world.deliveries(organizationId))[0]!;
    const retried = await call('retryNotificationDelivery', organizationId, { path: { id } });
    expect(retried).toMatchObject({ status: 'pending', max_attempts: 6 });
    expect(await maxAttempts()).toEqual([6, 6, 6]);
    // A setting of the organization overrides the default of the installation.
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60]);
    expect(await maxAttempts()).toEqual([5, 5, 5]);
  });

  test('lists only deliveries of its organization, filtered by channel, status, event type, time, and alert', async () => {
    const mine = await setUp('/list');
    const other = await setUp('/list');
    const [alertId] = await raise(mine.organizationId, 3);
    await raise(other.organizationId);
    await final(mine.organizationId, 3);
    const list = (query: object) =>
      call('listNotificationDeliveries', mine.organizationId, { query: { limit: 50, offset: 0, ...query } });
    const all = await list({});
    expect(all).toMatchObject({ total: 3, total_is_exact: true, limit: 50, offset: 0 });
    // Each delivery contains the name of the alert, not only its ID.
    const { rows: named } = await sql<{ name: string }>`
      SELECT c.name FROM alerts a JOIN alert_configs c ON c.id = a.alert_config_id WHERE a.id = ${alertId}`.execute(
      db,
    );
    expect(all.items.find(({ alert_id }) => alert_id === alertId)?.alert_name).toBe(named[0]!.name);
    const ids = all.items.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect((await list({ limit: 2, offset: 2 })).items).toHaveLength(1);
    expect((await list({ status: 'succeeded' })).total).toBe(3);
    expect((await list({ status: 'failed' })).total).toBe(0);
    expect((await list({ channel_id: mine.channelId })).total).toBe(3);
    expect((await list({ channel_id: other.channelId })).total).toBe(0);
    expect((await list({ event_type: 'alert.resolved' })).total).toBe(0);
    expect((await list({ since: '2999-01-01T00:00:00Z' })).total).toBe(0);
    expect((await list({ alert_id: alertId })).total).toBe(1);
    expect(
      (await listDeliveriesOfAlert(db, mine.organizationId, alertId!, { limit: 5, offset: 0 })).items,
    ).toMatchObject([
      {
        alert_id: alertId,
        status: 'succeeded',
        response_status: 200,
        error: null,
        reason: null,
        next_attempt_at: null,
      },
    ]);
  });

  test('returns 404 for a delivery of another organization', async () => {
    const { organizationId } = await setUp('/foreign');
    const stranger = await world.createOrganization();
    await raise(organizationId);
    const [delivery] = await final(organizationId);
    const path = { id: delivery!.id };
    expect(await refusal('getNotificationDelivery', organizationId, { path })).toBe(0);
    expect(await refusal('getNotificationDelivery', stranger, { path })).toBe(404);
    expect(await refusal('retryNotificationDelivery', stranger, { path })).toBe(404);
    expect(await call('retryNotificationDeliveries', stranger)).toEqual({ retried: 0, remaining: 0 });
  });

  test('returns the sent payload without its acknowledge token, and only to admins and owners', async () => {
    const { organizationId, channelId } = await setUp('/payload');
    answers.set('/payload', { status: 200, body: 'taken' });
    const [alertId] = await raise(organizationId);
    const [delivery] = await final(organizationId);
    const sent = inbox.requests.find(({ path }) => path === '/payload')!.body;
    const link: string = JSON.parse(sent).data.acknowledge_url;
    expect(link).toMatch(/^https:\/\/pacekeeper\.example\.com\/ack\/[\w.-]+$/);
    const token = link.slice(link.lastIndexOf('/') + 1);
    expect(readAcknowledgeToken(world.acknowledgeSigner, token, new Date())).toEqual({
      ok: true,
      target: { organizationId, alertId, channelId },
    });
    expect(
      readAcknowledgeToken(world.acknowledgeSigner, token, new Date(Date.now() + 8 * 86_400_000)),
    ).toEqual({ ok: false, reason: 'expired' });
    expect(readAcknowledgeToken(world.acknowledgeSigner, `${token.slice(0, -2)}AA`, new Date())).toEqual({
      ok: false,
      reason: 'invalid',
    });

    const get = (role: Role) =>
      call('getNotificationDelivery', organizationId, { path: { id: delivery!.id }, role });
    for (const role of ['admin', 'owner'] as const) {
      const whole = await get(role);
      expect(whole.payload).toBe(sent.replace(token, '…'));
      expect(whole.attempts).toMatchObject([
        { number: 1, response_status: 200, response_body: 'taken', error: null },
      ]);
    }
    for (const role of ['member', 'viewer'] as const) {
      const { payload, attempts } = await get(role);
      expect(payload).toBeNull();
      expect(attempts).toMatchObject([{ number: 1, response_status: 200, response_body: null, error: null }]);
    }
  });

  test('returns the newest hundred attempts in order, and the total number of attempts', async () => {
    const { organizationId } = await setUp('/many-attempts');
    await raise(organizationId);
    const [delivery] = await final(organizationId);
    await sql`
      INSERT INTO delivery_attempts (organization_id, notification_delivery_id, number, started_at, duration_ms)
      SELECT ${organizationId}, ${delivery!.id}, number, pacekeeper_now(), 1 FROM generate_series(2, 150) number`.execute(
      db,
    );
    await sql`
      UPDATE notification_deliveries SET attempt_count = 150
      WHERE organization_id = ${organizationId} AND id = ${delivery!.id}`.execute(db);
    const { attempts, attempt_count } = await call('getNotificationDelivery', organizationId, {
      path: { id: delivery!.id },
    });
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 51),
    );
    expect(attempt_count).toBe(150);
  });

  test('never returns the options of a preset, which are stored encrypted', async () => {
    const routingKey = 'R0123456789abcdef0123456789abcde';
    const { organizationId } = await setUp('/pagerduty', {
      preset: 'pagerduty',
      presetOptions: { routing_key: routingKey },
    });
    await raise(organizationId);
    const [delivery] = await final(organizationId);
    const sent = inbox.requests.find(({ path }) => path === '/pagerduty')!.body;
    expect(sent).toContain(`"routing_key":"${routingKey}"`);
    const { payload } = await call('getNotificationDelivery', organizationId, {
      path: { id: delivery!.id },
      role: 'owner',
    });
    expect(payload).toContain('"routing_key":"…","event_action":"trigger"');
    expect(delivery!.body_sealed!.includes(routingKey)).toBe(false);
    expect(delivery!.used_template).toBe('preset');
  });

  test('reports that a template failed and the default body replaced it', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({
      url: `${inbox.url}template`,
      template: '{"text": "{{ alert.config_name }} {{ nothing.of.this }}"}',
    });
    await raise(organizationId);
    const [delivery] = await final(organizationId);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      used_template: 'global_default',
      reason: 'template_failed',
    });
    expect(JSON.parse(inbox.requests.find(({ path }) => path === '/template')!.body).type).toBe(
      'alert.created',
    );
  });

  test('reports that the template of the channel rendered the body', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({
      url: `${inbox.url}own`,
      template: '{"text": {{ alert.config_name | json }}}',
    });
    await raise(organizationId);
    expect((await final(organizationId))[0]).toMatchObject({ used_template: 'channel', reason: null });
    expect(inbox.requests.find(({ path }) => path === '/own')!.body).toBe(
      '{"text": "payments-api in production"}',
    );
  });
});

describe('a manual retry', () => {
  /** Creates `count` dead letters. */
  async function makeDead(path: string, count = 1) {
    answers.set(path, { status: 410 });
    const ids = await setUp(path);
    await raise(ids.organizationId, count);
    await final(ids.organizationId, count);
    await sql`
      UPDATE notification_deliveries SET status = 'dead_letter', reason = 'gone' WHERE organization_id = ${ids.organizationId}`.execute(
      db,
    );
    answers.set(path, { status: 200 });
    const turnOn = () =>
      sql`UPDATE notification_channels SET is_active = true WHERE organization_id = ${ids.organizationId}`.execute(
        db,
      );
    return { ...ids, turnOn };
  }

  test('sends the delivery again with the same message ID', async () => {
    const { organizationId, turnOn } = await makeDead('/retry');
    const [dead] = await world.deliveries(organizationId);
    expect(await call('listDeadNotificationDeliveries', organizationId)).toMatchObject({
      total: 1,
      items: [{ reason: 'gone' }],
    });
    const path = { id: dead!.id };
    await turnOn();
    expect(await call('retryNotificationDelivery', organizationId, { path })).toMatchObject({
      status: 'pending',
      reason: null,
      waiting_for: null,
      completed_at: null,
    });
    const [after] = await pollUntil(async () => {
      const rows = await world.deliveries(organizationId);
      return rows[0]!.status === 'succeeded' && rows;
    });
    expect(after).toMatchObject({ attempt_count: 2, series_attempt_count: 1 });
    const requests = inbox.requests.filter((request) => request.path === '/retry');
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
    expect(await refusal('retryNotificationDelivery', organizationId, { path })).toBe(409);
  });

  test('by filter retries only the matching deliveries', async () => {
    const { organizationId, channelId, turnOn } = await makeDead('/bulk', 5);
    const retry = (body: object) => call('retryNotificationDeliveries', organizationId, { body });
    await turnOn();
    expect(await retry({ event_type: 'alert.resolved' })).toEqual({ retried: 0, remaining: 0 });
    expect(await retry({ status: 'canceled' })).toEqual({ retried: 0, remaining: 0 });
    expect(await retry({ channel_id: channelId, since: '2020-01-01T00:00:00Z' })).toEqual({
      retried: 5,
      remaining: 0,
    });
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).every(({ status }) => status === 'succeeded'),
    );
  });
});

describe('a test notification', () => {
  test('is sent like a real notification, and nothing is stored', async () => {
    const signingSecret = createSigningSecret();
    const { organizationId, channelId } = await world.createOrganizationWithChannel({
      url: `${inbox.url}test`,
      signingSecret,
    });
    answers.set('/test', { status: 410, body: 'no more' });
    const before = await world.channel(organizationId, channelId);
    const deps = { ...world.tools, db, outbound: world.outbound, mailer: null, version: '0.1.0' };
    const result = await sendTestNotification(deps, organizationId, channelId, { withBodies: true });
    expect(result).toMatchObject({
      success: false,
      status_code: 410,
      response_body: 'no more',
      error: { code: 'gone' },
    });
    const request = inbox.requests.find(({ path }) => path === '/test')!;
    expect(verifyWebhook(request, signingSecret)).toMatchObject({ type: 'channel.test' });
    expect(result!.request_body).toBe(request.body);
    expect(await world.channel(organizationId, channelId)).toEqual(before);
    expect(await world.deliveries(organizationId)).toEqual([]);
    expect(
      await sendTestNotification(deps, await world.createOrganization(), channelId, { withBodies: true }),
    ).toBeNull();
  });
});
