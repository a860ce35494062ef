import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture, eventTypeOf } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/http/index.ts';
import { channelHandlers } from '../channels/channel-handlers.ts';
import { deliveryHandlers } from './delivery-handlers.ts';
import {
  cancelOldWaitingDeliveriesAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
} from './model/delete-old-deliveries.ts';
import { detachDeliveries } from './model/detach-deliveries.ts';
import {
  leaseDeliveriesAcrossOrganizations,
  readDueDeliveriesAcrossOrganizations,
} from './model/pick-deliveries.ts';
import { expireDeliveries } from './worker/expire-deliveries.ts';
import { recoverFromClockJumpAcrossOrganizations } from './worker/recover-deliveries.ts';

const { db, world, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
let loop = world.startLoop();
const channels = channelHandlers({
  ...world.tools,
  db,
  outbound: world.outbound,
  mailer: null,
  version: '0.1.0',
  config: { egressAllow: ['127.0.0.0/8'], insecureHosts: [], allowHttpWebhooks: true },
});
const handlers = { ...channels, ...deliveryHandlers({ ...world.tools, db }) };

type Operation =
  | 'retryNotificationDelivery'
  | 'retryNotificationDeliveries'
  | 'toggleNotificationChannel'
  | 'deleteNotificationChannel';

async function call(operation: Operation, organizationId: number, given: object): Promise<unknown> {
  const caller: Caller = {
    organizationId,
    role: 'owner',
    via: 'login',
    actor: { type: 'user', id: 1, name: 'Ana' },
    userId: 1,
    apiKeyId: null,
    loginId: null,
    isSystem: false,
    isTwoFactorMissing: false,
  };
  const handle = handlers[operation] as unknown as (request: object) => Promise<{ body: unknown }>;
  return (
    await handle({
      operationId: operation,
      path: {},
      query: {},
      body: {},
      caller,
      requestId: 'test',
      ifMatch: null,
      ...given,
    })
  ).body;
}

async function retry(organizationId: number, id: number) {
  const body = await call('retryNotificationDelivery', organizationId, { path: { id } });
  return body as Schemas['NotificationDelivery'];
}

async function toggle(organizationId: number, channelId: number) {
  const body = await call('toggleNotificationChannel', organizationId, { path: { id: channelId } });
  return body as Schemas['NotificationChannel'];
}

/** Creates a channel with one dead letter per alert, and disables the channel afterwards. */
async function makeDead(count = 1) {
  const ids = await setUp();
  const { organizationId, channelId, path } = ids;
  await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', []);
  answers.set(path, { status: 500 });
  const alertIds = await world.createAlerts(organizationId, count);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId })),
  );
  const dead = await allFinal(organizationId, count);
  expect(new Set(dead.map(({ status }) => status))).toEqual(new Set(['dead_letter']));
  expect((await toggle(organizationId, channelId)).is_active).toBe(false);
  answers.set(path, { status: 200 });
  return { ...ids, alertIds, dead };
}

/** Returns the deliveries after a pass of the channel. */
async function afterPass(organizationId: number, channelId: number) {
  await trigger(organizationId);
  await pollUntil(async () => {
    const { requested_seq, processed_seq, lease_token } = await world.channel(organizationId, channelId);
    return requested_seq === processed_seq && lease_token === null;
  });
  return world.deliveries(organizationId);
}

const waiting = { status: 'pending', waits_for_channel: true, next_attempt_at: null, completed_at: null };

describe('a retry while the channel is disabled', () => {
  test('waits, and is sent with the same ID when the channel is enabled', async () => {
    const { organizationId, channelId, dead, received } = await makeDead();
    expect(await retry(organizationId, dead[0]!.id)).toMatchObject({
      status: 'pending',
      waiting_for: 'channel',
      next_attempt_at: null,
      completed_at: null,
      reason: null,
    });
    // A pass of a disabled channel cancels open deliveries, except those that wait for the channel.
    expect(await afterPass(organizationId, channelId)).toMatchObject([waiting]);
    await expect(retry(organizationId, dead[0]!.id)).rejects.toThrow(/pending/);
    expect(received()).toHaveLength(1);

    await toggle(organizationId, channelId);
    expect(await allFinal(organizationId, 1)).toMatchObject([
      { status: 'succeeded', waits_for_channel: false, attempt_count: 2, max_attempts: 2 },
    ]);
    expect(new Set(received().map(({ id }) => id)).size).toBe(1);
    expect(received()).toHaveLength(2);
  });

  test('also waits if it was requested with a filter', async () => {
    const { organizationId, channelId, dead } = await makeDead(3);
    const body = { status: 'dead_letter', channel_id: channelId };
    expect(await call('retryNotificationDeliveries', organizationId, { body })).toEqual({
      retried: 3,
      remaining: 0,
    });
    expect(await afterPass(organizationId, channelId)).toMatchObject([waiting, waiting, waiting]);
    await toggle(organizationId, channelId);
    const after = await allFinal(organizationId, dead.length);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  });

  test('is rejected only if the channel was deleted, which also cancels waiting deliveries', async () => {
    const { organizationId, channelId, dead } = await makeDead(2);
    await retry(organizationId, dead[0]!.id);
    await call('deleteNotificationChannel', organizationId, { path: { id: channelId } });
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'canceled', reason: 'channel_deleted', waits_for_channel: false },
      { status: 'dead_letter' },
    ]);
    for (const { id } of dead) {
      const error: unknown = await retry(organizationId, id).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 409 });
    }
    const bulk = await call('retryNotificationDeliveries', organizationId, { body: {} });
    expect(bulk).toEqual({ retried: 0, remaining: 0 });
  });

  test("is sent in the order of its alert's events: later deliveries wait until it is final", async () => {
    const { organizationId, channelId, path, alertIds, dead, received } = await makeDead();
    // The retry follows after the first delay. Deliveries that wait behind a failing receiver expire only
    // after the sum of both delays.
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60, 600]);
    await retry(organizationId, dead[0]!.id);
    // The event is raised while the channel is disabled, so its delivery is canceled. A retry queues it
    // behind the first delivery.
    await world.raiseEvents(organizationId, [{ alertId: alertIds[0]!, eventType: 'alert.escalated' }]);
    const [, escalated] = await world.deliveries(organizationId);
    expect(escalated).toMatchObject({ status: 'canceled', reason: 'channel_inactive' });
    await retry(organizationId, escalated!.id);

    answers.set(path, { status: 500 });
    await toggle(organizationId, channelId);
    await world.raiseEvents(organizationId, [{ alertId: alertIds[0]!, eventType: 'alert.resolved' }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    const [, second, third] = await afterPass(organizationId, channelId);
    expect([second, third]).toMatchObject([
      { status: 'pending', attempt_count: 0 },
      { status: 'pending', attempt_count: 0 },
    ]);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '80 seconds');
    await trigger(organizationId);
    await allFinal(organizationId, 3);
    expect(received().slice(-3).map(eventTypeOf)).toEqual([
      'alert.created',
      'alert.escalated',
      'alert.resolved',
    ]);
  });

  test('waits together with its digest and all deliveries of the digest', async () => {
    const { organizationId, channelId, path, received } = await setUp({ digestMinutes: 5 });
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', []);
    answers.set(path, { status: 500 });
    const alertIds = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await setClockOffset(db, '6 minutes');
    await trigger(organizationId);
    const [first] = await allFinal(organizationId, 3);
    await toggle(organizationId, channelId);
    answers.set(path, { status: 200 });
    // Retrying one delivery of the digest retries the whole digest.
    expect(await retry(organizationId, first!.id)).toMatchObject({
      status: 'pending',
      waiting_for: 'channel',
    });
    expect(await afterPass(organizationId, channelId)).toMatchObject([waiting, waiting, waiting]);
    await toggle(organizationId, channelId);
    const after = await allFinal(organizationId, 3);
    expect(after.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(after.some(({ waits_for_channel }) => waits_for_channel)).toBe(false);
    expect(received().map(eventTypeOf)).toEqual(['digest', 'digest']);
    expect(received()[1]!.id).toBe(received()[0]!.id);
  });

  test('never expires and never becomes due because the clock was set back', async () => {
    const { organizationId, channelId, dead } = await makeDead();
    await setClockOffset(db, '2 hours');
    await retry(organizationId, dead[0]!.id);
    await resetClockOffset(db);
    await recoverFromClockJumpAcrossOrganizations(db);
    await setClockOffset(db, '30 days');
    await transaction(db, (tx) => expireDeliveries(tx, organizationId, channelId, 1_000));
    expect(await afterPass(organizationId, channelId)).toMatchObject([waiting]);
    // The retry schedule starts when the channel is enabled, so the age of the delivery doesn't matter.
    await toggle(organizationId, channelId);
    expect(await allFinal(organizationId, 1)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('is canceled when its alert is deleted', async () => {
    const { organizationId, alertIds, dead } = await makeDead();
    await retry(organizationId, dead[0]!.id);
    await transaction(db, (tx) => detachDeliveries(tx, organizationId, alertIds));
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'canceled', reason: 'alert_deleted', waits_for_channel: false },
    ]);
  });

  test('is canceled, together with others in a batch, after it has waited for the full retention period', async () => {
    const { organizationId, dead } = await makeDead(3);
    await world.setSetting(organizationId, 'retention.deliveries_days', 10);
    const cancel = () => transaction(db, (tx) => cancelOldWaitingDeliveriesAcrossOrganizations(tx, 2));
    await setClockOffset(db, '9 days');
    for (const { id } of dead) await retry(organizationId, id);
    // The deliveries are older than 10 days now, but have waited for less.
    await setClockOffset(db, '18 days');
    expect(await cancel()).toBe(0);
    expect(await transaction(db, (tx) => deleteOldDeliveriesAcrossOrganizations(tx, 100))).toBe(0);
    await setClockOffset(db, '20 days');
    expect(await cancel()).toBe(2);
    expect(await cancel()).toBe(1);
    expect(await cancel()).toBe(0);
    const canceled = { status: 'canceled', reason: 'channel_inactive', waits_for_channel: false };
    expect(await world.deliveries(organizationId)).toMatchObject([canceled, canceled, canceled]);
  });
});

describe('a retry during a concurrent change to the channel', () => {
  /** Runs `work` while the channel is locked, so that all of its calls wait for the same lock. */
  async function meeting<T>(channelId: number, work: () => Promise<T>): Promise<T> {
    const { begun } = await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM notification_channels WHERE id = ${channelId} FOR UPDATE`.execute(tx);
      const promise = work();
      await sleep(200);
      return { begun: promise };
    });
    return begun;
  }

  test.each(['retry first', 'toggle first'])(
    'leaves no delivery waiting for a channel that was enabled: %s',
    async (order) => {
      const { organizationId, channelId, dead } = await makeDead(4);
      await meeting(channelId, async () => {
        const retryAll = () => dead.map(({ id }) => retry(organizationId, id));
        const toggleOn = () => toggle(organizationId, channelId);
        await Promise.all(
          order === 'retry first' ? [...retryAll(), toggleOn()] : [toggleOn(), ...retryAll()],
        );
      });
      const after = await allFinal(organizationId, 4);
      expect(after.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    },
  );

  test('waits or is canceled if the channel is being disabled', async () => {
    const { organizationId, channelId, dead } = await makeDead();
    await loop.stop();
    await toggle(organizationId, channelId);
    await meeting(channelId, () =>
      Promise.all([retry(organizationId, dead[0]!.id), toggle(organizationId, channelId)]),
    );
    const [after] = await world.deliveries(organizationId);
    expect(after).toMatchObject(
      after!.waits_for_channel ? waiting : { status: 'canceled', reason: 'channel_inactive' },
    );
    loop = world.startLoop();
  });

  test('is not sent by a pass that read the delivery before the delivery started to wait', async () => {
    const { organizationId, channelId, dead } = await makeDead();
    await loop.stop();
    await toggle(organizationId, channelId);
    await retry(organizationId, dead[0]!.id);
    const [due] = await readDueDeliveriesAcrossOrganizations(db, [
      { organizationId, channelId, maxCount: 4 },
    ]);
    await toggle(organizationId, channelId);
    await retry(organizationId, dead[0]!.id);
    const start = { delivery: due!, body: null, maxAttempts: 1, leaseMs: 1_000 };
    expect((await leaseDeliveriesAcrossOrganizations(db, [start])).size).toBe(0);
    expect(await world.deliveries(organizationId)).toMatchObject([waiting]);
    loop = world.startLoop();
  });

  test('is not lost if the server stops right after the channel is enabled', async () => {
    const { organizationId, channelId, dead, received } = await makeDead(2);
    for (const { id } of dead) await retry(organizationId, id);
    await loop.stop();
    await toggle(organizationId, channelId);
    // The new loop continues from the stored rows only.
    loop = world.startLoop();
    await allFinal(organizationId, 2);
    expect(received()).toHaveLength(4);
  });
});

test('max_attempts includes the attempts of every retry, and attempt_count never exceeds it', async () => {
  const { organizationId, channelId, path, dead } = await makeDead();
  await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [0, 0]);
  await toggle(organizationId, channelId);
  answers.set(path, { status: 500 });
  expect(dead[0]).toMatchObject({ attempt_count: 1, max_attempts: 1 });
  for (const granted of [4, 7]) {
    expect(await retry(organizationId, dead[0]!.id)).toMatchObject({
      attempt_count: granted - 3,
      max_attempts: granted,
    });
    const seen: { attempt_count: number; max_attempts: number }[] = [];
    await pollUntil(async () => {
      await trigger(organizationId);
      const [row] = await world.deliveries(organizationId);
      seen.push(row!);
      return row!.status === 'dead_letter';
    });
    expect(seen.at(-1)).toMatchObject({ attempt_count: granted, max_attempts: granted });
    expect(seen.filter((row) => row.attempt_count > row.max_attempts)).toEqual([]);
    expect(new Set(seen.map((row) => row.max_attempts))).toEqual(new Set([granted]));
  }
});
