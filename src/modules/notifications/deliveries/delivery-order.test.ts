import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, eventually } from '../../../../tests/helpers/delivery-world.ts';
import {
  createWebhookInbox,
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookAnswer,
} from '../../../../tests/helpers/webhook-inbox.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createSigningSecret } from '../../../platform/secrets/index.ts';
import { sealChannelColumn } from './channel-secrets.ts';
import { detachDeliveriesOfChannel } from './close-deliveries.ts';
import { detachDeliveries } from './detach-deliveries.ts';
import { recoverFromClockJumpAcrossOrganizations } from './recover-deliveries.ts';

const { db, connection, connectAgain } = await createTestDatabase({ poolSize: 10 });
const world = createDeliveryWorld({ db, connection });
const inbox = await createWebhookInbox();
const answers = new Map<string, WebhookAnswer>();
inbox.answerAlways(({ path }) => answers.get(path) ?? { status: 200 });
let loop = world.startLoop();
afterAll(async () => {
  await world.close();
  await inbox.close();
});
afterEach(() => resetClockOffset(db));

/** An organization with one channel at a path of its own. */
async function setUp(fields: { digestMinutes?: number; name?: string } = {}) {
  const path = `/${randomUUID()}`;
  const ids = await world.createOrganizationWithChannel({
    url: `${inbox.url.slice(0, -1)}${path}`,
    ...fields,
  });
  return { ...ids, path, received: () => inbox.requests.filter((request) => request.path === path) };
}

const typeOf = (request: ReceivedWebhook): string => JSON.parse(request.body).type;

function allFinal(organizationId: number, count: number) {
  return eventually(async () => {
    const rows = await world.deliveries(organizationId);
    const done = rows.filter(({ status }) => ['succeeded', 'dead_letter', 'canceled'].includes(status));
    return done.length === count && rows;
  });
}

/** The channel is due now, as after a wait. */
async function trigger(organizationId: number) {
  await sql`UPDATE notification_channels SET wanted = wanted + 1, due_at = pacekeeper_now() WHERE organization_id = ${organizationId}`.execute(
    db,
  );
  world.wakeUps.wake('notification_channels');
}

describe('the order of deliveries', () => {
  test('deliveries of one alert to one channel go out in the order of their events', async () => {
    const { organizationId, received } = await setUp();
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [
      { alertId: a!, eventType: 'alert.created' },
      { alertId: a!, eventType: 'alert.escalated' },
      { alertId: b!, eventType: 'alert.created' },
      { alertId: a!, eventType: 'alert.resolved' },
    ]);
    await allFinal(organizationId, 4);
    const ofA = received().filter((request) => JSON.parse(request.body).data.alert.id === a);
    expect(ofA.map(typeOf)).toEqual(['alert.created', 'alert.escalated', 'alert.resolved']);
    expect(ofA.map((request) => JSON.parse(request.body).data.sequence)).toEqual([1, 2, 3]);
  });

  test('a later one waits until the earlier is final, and other alerts do not wait', async () => {
    const { organizationId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60]);
    const [a, b] = await world.createAlerts(organizationId, 2);
    answers.set(path, { status: 500 });
    await world.raiseEvents(organizationId, [{ alertId: a! }]);
    await eventually(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    answers.set(path, { status: 200 });
    await world.raiseEvents(organizationId, [{ alertId: a!, eventType: 'alert.resolved' }, { alertId: b! }]);
    await eventually(async () => (await world.deliveries(organizationId))[2]!.status === 'succeeded');
    expect((await world.deliveries(organizationId)).map(({ status }) => status)).toEqual([
      'failed',
      'pending',
      'succeeded',
    ]);
    await setClockOffset(db, '90 seconds');
    await trigger(organizationId);
    await allFinal(organizationId, 3);
    expect(received().map(typeOf)).toEqual([
      'alert.created',
      'alert.created',
      'alert.created',
      'alert.resolved',
    ]);
    // The same message, byte for byte, with the same id.
    const [first, , again] = received();
    expect(again!.id).toBe(first!.id);
    expect(again!.body).toBe(first!.body);
  });

  test('a series ends with a dead letter, and a retry by hand begins a new one with the same id', async () => {
    const { organizationId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [10]);
    answers.set(path, { status: 500, body: 'busy' });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await eventually(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    await setClockOffset(db, '30 seconds');
    await trigger(organizationId);
    const [dead] = await allFinal(organizationId, 1);
    expect(dead).toMatchObject({
      status: 'dead_letter',
      reason: 'http_status',
      attempt_count: 2,
      max_attempts: 2,
    });
    expect((await world.trail(organizationId)).at(-1)).toMatchObject({ action: 'notification_failed' });
    expect(new Set(received().map(({ id }) => id)).size).toBe(1);
    expect(await world.attempts(organizationId)).toMatchObject([
      { number: 1, response_body: 'busy' },
      { number: 2, response_body: 'busy' },
    ]);
  });
});

describe('what changes while a delivery is on its way', () => {
  test('the alert is deleted: what is being sent is not tried again', async () => {
    const { organizationId, path } = await setUp();
    answers.set(path, { status: 500, afterMs: 200 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await eventually(async () => inbox.requests.some((request) => request.path === path));
    await transaction(db, async (tx) => {
      await detachDeliveries(tx, organizationId, [alertId!], 'alert_deleted');
      await detachDeliveries(tx, organizationId, [alertId!], null);
      await sql`UPDATE audit_entries SET alert_id = NULL WHERE organization_id = ${organizationId}`.execute(
        tx,
      );
      await sql`DELETE FROM alerts WHERE organization_id = ${organizationId}`.execute(tx);
    });
    const [delivery] = await allFinal(organizationId, 1);
    expect(delivery).toMatchObject({
      status: 'canceled',
      reason: 'alert_deleted',
      response_status: 500,
      alert_id: null,
    });
  });

  test('the secret is changed: for a day both sign', async () => {
    const [before, after] = [createSigningSecret(), createSigningSecret()];
    const path = `/${randomUUID()}`;
    const { organizationId, channelId } = await world.createOrganizationWithChannel({
      url: `${inbox.url.slice(0, -1)}${path}`,
      signingSecret: after,
    });
    const sealed = sealChannelColumn(
      world.secretBox,
      organizationId,
      channelId,
      'previous_signing_secret_sealed',
      before,
    );
    await sql`
      UPDATE notification_channels
      SET previous_signing_secret_sealed = ${sealed}, previous_signing_secret_until = pacekeeper_now() + interval '24 hours'
      WHERE id = ${channelId}`.execute(db);
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await allFinal(organizationId, 1);
    await sql`UPDATE notification_channels SET previous_signing_secret_until = pacekeeper_now() WHERE id = ${channelId}`.execute(
      db,
    );
    await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
    await allFinal(organizationId, 2);
    const [first, second] = inbox.requests.filter((request) => request.path === path);
    expect(() => verifyWebhook(first!, before)).not.toThrow();
    expect(() => verifyWebhook(first!, after)).not.toThrow();
    expect(() => verifyWebhook(second!, before)).toThrow();
    expect(() => verifyWebhook(second!, after)).not.toThrow();
  });
});

describe('workers that die', () => {
  /** A delivery as a worker leaves it that was killed between sending and storing the result. */
  async function killBetweenSendAndRecord(organizationId: number, path: string) {
    await loop.stop();
    const [alertId] = await world.createAlerts(organizationId);
    answers.set(path, { kind: 'silence' });
    const dying = world.startLoop({ db: await connectAgain(), outbound: world.createOutbound() });
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await eventually(async () => inbox.requests.some((request) => request.path === path));
    const [delivery] = await world.deliveries(organizationId);
    return { dying, delivery: delivery! };
  }

  test('what a lost worker had sent is sent again with the same id and body; the late one changes nothing', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    const { dying, delivery } = await killBetweenSendAndRecord(organizationId, path);
    expect(delivery).toMatchObject({ status: 'in_progress', attempt_count: 1 });
    expect(delivery.body_sealed).not.toBeNull();

    // The leases end while it hangs; another worker takes over.
    answers.set(path, { status: 200, body: 'second' });
    await setClockOffset(db, '2 minutes');
    loop = world.startLoop();
    const [after] = await allFinal(organizationId, 1);
    expect(after).toMatchObject({ status: 'succeeded', attempt_count: 2 });
    expect(received()).toHaveLength(2);
    expect(received()[1]).toMatchObject({ id: received()[0]!.id, body: received()[0]!.body });

    // The frozen one wakes with its failure (a timeout) and must not overwrite.
    await dying.stop();
    expect((await world.deliveries(organizationId))[0]).toMatchObject({
      status: 'succeeded',
      attempt_count: 2,
    });
    expect(await world.attempts(organizationId)).toMatchObject([
      { number: 1, error_code: 'worker_lost' },
      { number: 2, error_code: null, response_body: 'second' },
    ]);
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      consecutive_failures: 0,
      lease_token: null,
    });
  }, 40_000);

  test('two workers on one database send each delivery once', async () => {
    const { organizationId, received } = await setUp();
    const second = world.startLoop({ db: await connectAgain({ poolSize: 10 }) });
    const alertIds = await world.createAlerts(organizationId, 120);
    await Promise.all(alertIds.map((alertId) => world.raiseEvents(organizationId, [{ alertId }])));
    await allFinal(organizationId, 120);
    await second.stop();
    expect(received()).toHaveLength(120);
    expect(new Set(received().map(({ id }) => id)).size).toBe(120);
    expect((await world.attempts(organizationId)).every(({ number }) => number === 1)).toBe(true);
  });

  test('stopping stores what is in flight and leaves nothing in hand', async () => {
    const { organizationId, channelId, path } = await setUp();
    answers.set(path, { status: 200, afterMs: 300 });
    const alertIds = await world.createAlerts(organizationId, 10);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await eventually(async () => inbox.requests.some((request) => request.path === path));
    await loop.stop();
    const rows = await world.deliveries(organizationId);
    expect(rows.filter(({ status }) => status === 'in_progress')).toEqual([]);
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(4);
    expect((await world.channel(organizationId, channelId)).lease_token).toBeNull();
    answers.set(path, { status: 200 });
    loop = world.startLoop();
    await allFinal(organizationId, 10);
  });
});

describe('fairness', () => {
  test('a dead target with many deliveries delays no other channel', async () => {
    const dead = await setUp();
    const healthy = await setUp();
    answers.set(dead.path, { kind: 'silence' });
    await world.setSetting(dead.organizationId, 'delivery.timeout_seconds', 1);
    const deadAlerts = await world.createAlerts(dead.organizationId, 300);
    await world.raiseEvents(
      dead.organizationId,
      deadAlerts.map((alertId) => ({ alertId })),
    );
    await eventually(async () => dead.received().length > 0);
    const alertIds = await world.createAlerts(healthy.organizationId, 50);
    await world.raiseEvents(
      healthy.organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await allFinal(healthy.organizationId, 50);
    const rows = await world.deliveries(dead.organizationId);
    expect(rows.filter(({ attempt_count }) => attempt_count > 0).length).toBeLessThan(20);
    await transaction(db, (tx) => detachDeliveriesOfChannel(tx, dead.organizationId, dead.channelId));
  });

  test('a failing channel gets one at a time, and after ten failures one probe a minute', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    answers.set(path, { status: 500 });
    const alertIds = await world.createAlerts(organizationId, 40);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await eventually(async () => (await world.channel(organizationId, channelId)).consecutive_failures >= 10);
    await trigger(organizationId);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = received().length;
    expect(before).toBeLessThanOrEqual(13);
    const channel = await world.channel(organizationId, channelId);
    const waitSeconds = (Number(channel.due_at) - Number(channel.last_failure_at)) / 1_000;
    expect(waitSeconds).toBe(60);

    await setClockOffset(db, '61 seconds');
    await trigger(organizationId);
    await eventually(async () => received().length > before);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(received()).toHaveLength(before + 1);
    const probed = await world.channel(organizationId, channelId);
    expect((Number(probed.due_at) - Number(probed.last_failure_at)) / 1_000).toBe(120);

    // It is well again: the probe succeeds and all the others follow.
    answers.set(path, { status: 200 });
    await setClockOffset(db, '5 minutes');
    await trigger(organizationId);
    await allFinal(organizationId, 40);
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      consecutive_failures: 0,
      probe_count: 0,
    });
  });

  test('what waited behind a failing target for longer than its schedule is given up without a request', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60]);
    answers.set(path, { status: 500 });
    const alertIds = await world.createAlerts(organizationId, 30);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await eventually(async () => (await world.channel(organizationId, channelId)).consecutive_failures >= 10);
    const sent = received().length;
    await setClockOffset(db, '1 hour');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 30);
    expect(
      rows.filter(({ reason, attempt_count }) => reason === 'expired' && attempt_count === 0).length,
    ).toBeGreaterThanOrEqual(15);
    expect(received()).toHaveLength(sent);
    const trail = await world.trail(organizationId);
    expect(trail.filter(({ action }) => action === 'notification_failed')).toHaveLength(30);
  });
});

describe('clocks that jump', () => {
  test('after a jump of a year what waits for a target that works is still sent', async () => {
    const { organizationId, received } = await setUp();
    await loop.stop();
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '1 year');
    loop = world.startLoop();
    await allFinal(organizationId, 1);
    expect(received()).toHaveLength(1);
  });

  test('after a jump back nothing stands still', async () => {
    const { organizationId, received } = await setUp();
    await loop.stop();
    await setClockOffset(db, '2 hours');
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await resetClockOffset(db);
    expect(await recoverFromClockJumpAcrossOrganizations(db)).toBeGreaterThanOrEqual(1);
    loop = world.startLoop();
    await allFinal(organizationId, 1);
    expect(received()).toHaveLength(1);
  });
});

describe('digests', () => {
  test('the events of some minutes go out as one message, in their order, and end as it does', async () => {
    const { organizationId, channelId, received } = await setUp({ digestMinutes: 10 });
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }, { alertId: b! }]);
    await setClockOffset(db, '5 minutes');
    await world.raiseEvents(organizationId, [{ alertId: a!, eventType: 'alert.resolved' }]);
    const waiting = await world.deliveries(organizationId);
    expect(new Set(waiting.map(({ next_attempt_at }) => Number(next_attempt_at))).size).toBe(1);
    await eventually(async () => (await world.channel(organizationId, channelId)).lease_token === null);
    expect(received()).toHaveLength(0);

    await setClockOffset(db, '11 minutes');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 4);
    expect(received()).toHaveLength(1);
    const message = JSON.parse(received()[0]!.body);
    expect(message.type).toBe('digest');
    expect(message.data.events.map((event: { type: string }) => event.type)).toEqual([
      'alert.created',
      'alert.created',
      'alert.resolved',
    ]);
    const digest = rows.find(({ event_type }) => event_type === 'digest')!;
    expect(received()[0]!.id).toBe(`msg_${digest.event_id}`);
    expect(rows.filter(({ digest_delivery_id }) => digest_delivery_id === digest.id)).toMatchObject([
      { status: 'succeeded', attempt_count: 1 },
      { status: 'succeeded' },
      { status: 'succeeded' },
    ]);
    expect((await world.trail(organizationId)).filter(({ action }) => action === 'notified')).toHaveLength(3);
  });

  test('while a digest is on its way the next one waits', async () => {
    const { organizationId, path, received } = await setUp({ digestMinutes: 1 });
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '2 minutes');
    await trigger(organizationId);
    await eventually(async () =>
      (await world.deliveries(organizationId)).some(({ status }) => status === 'failed'),
    );
    await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '5 minutes');
    await trigger(organizationId);
    await allFinal(organizationId, 4);
    const digests = received().map((request) =>
      JSON.parse(request.body).data.events.map((event: { type: string }) => event.type),
    );
    expect(digests).toEqual([['alert.created'], ['alert.created'], ['alert.resolved']]);
  });

  test('what a digest carries is given up with it', async () => {
    const { organizationId, channelId, path } = await setUp({ digestMinutes: 1 });
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [600]);
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '2 minutes');
    await trigger(organizationId);
    await eventually(async () => (await world.channel(organizationId, channelId)).consecutive_failures === 1);
    await setClockOffset(db, '1 day');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 2);
    expect(rows).toMatchObject([
      { event_type: 'alert.created', status: 'dead_letter', reason: 'expired' },
      { event_type: 'digest', status: 'dead_letter', reason: 'expired' },
    ]);
    expect((await world.trail(organizationId)).at(-1)).toMatchObject({
      action: 'notification_failed',
      alert_id: alertId,
    });
  });
});
