import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { eventually } from '../../../../tests/helpers/delivery-world.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/http/index.ts';
import { channelHandlers } from '../channels/channel-handlers.ts';
import {
  leaseDeliveriesAcrossOrganizations,
  readDueDeliveriesAcrossOrganizations,
} from './claim/pick-deliveries.ts';
import { createDeliveryFixture, typeOf } from './delivery-fixture.ts';
import { deliveryHandlers } from './delivery-handlers.ts';
import {
  cancelOldWaitingDeliveriesAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
} from './settle/delete-old-deliveries.ts';
import { detachDeliveries } from './settle/detach-deliveries.ts';
import { expireDeliveries } from './settle/expire-deliveries.ts';
import { recoverFromClockJumpAcrossOrganizations } from './settle/recover-deliveries.ts';

const { db, world, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
let loop = world.startLoop();
const channels = channelHandlers({
  ...world.tools,
  db,
  wakeUps: world.wakeUps,
  outbound: world.outbound,
  mailer: null,
  version: '0.1.0',
  config: { egressAllow: ['127.0.0.0/8'], insecureHosts: [], allowHttpWebhooks: true },
});
const handlers = { ...channels, ...deliveryHandlers({ ...world.tools, db, wakeUps: world.wakeUps }) };

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

/** A channel that was disabled after its deliveries became dead letters, one for each alert. */
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

/** After a pass of the channel. */
async function afterPass(organizationId: number, channelId: number) {
  await trigger(organizationId);
  await eventually(async () => {
    const { wanted, done, lease_token } = await world.channel(organizationId, channelId);
    return wanted === done && lease_token === null;
  });
  return world.deliveries(organizationId);
}

const waiting = { status: 'pending', waits_for_channel: true, next_attempt_at: null, completed_at: null };

describe('a retry while the channel is disabled', () => {
  test('waits, and is sent with the same id when the channel is enabled', async () => {
    const { organizationId, channelId, dead, received } = await makeDead();
    expect(await retry(organizationId, dead[0]!.id)).toMatchObject({
      status: 'pending',
      waiting_for: 'channel',
      next_attempt_at: null,
      completed_at: null,
      reason: null,
    });
    // Passes of an inactive channel cancel what is open; this one isn't theirs.
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

  test('waits by filter too, and what active channels have is sent', async () => {
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

  test('is rejected only when the channel was deleted, which cancels what waits', async () => {
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

  test('keeps the order of its alert: later ones wait until it is final', async () => {
    const { organizationId, channelId, path, alertIds, dead, received } = await makeDead();
    // Of both pauses the first one comes; what waits behind a failing receiver expires after their sum.
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60, 600]);
    await retry(organizationId, dead[0]!.id);
    // Raised while the channel is disabled, so it's canceled; a retry puts it in line behind the first.
    await world.raiseEvents(organizationId, [{ alertId: alertIds[0]!, eventType: 'alert.escalated' }]);
    const [, escalated] = await world.deliveries(organizationId);
    expect(escalated).toMatchObject({ status: 'canceled', reason: 'channel_inactive' });
    await retry(organizationId, escalated!.id);

    answers.set(path, { status: 500 });
    await toggle(organizationId, channelId);
    await world.raiseEvents(organizationId, [{ alertId: alertIds[0]!, eventType: 'alert.resolved' }]);
    await eventually(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    const [, second, third] = await afterPass(organizationId, channelId);
    expect([second, third]).toMatchObject([
      { status: 'pending', attempt_count: 0 },
      { status: 'pending', attempt_count: 0 },
    ]);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '80 seconds');
    await trigger(organizationId);
    await allFinal(organizationId, 3);
    expect(received().slice(-3).map(typeOf)).toEqual(['alert.created', 'alert.escalated', 'alert.resolved']);
  });

  test('waits with all that its digest carries', async () => {
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
    // By one of those that the digest carries.
    expect(await retry(organizationId, first!.id)).toMatchObject({
      status: 'pending',
      waiting_for: 'channel',
    });
    expect(await afterPass(organizationId, channelId)).toMatchObject([waiting, waiting, waiting]);
    await toggle(organizationId, channelId);
    const after = await allFinal(organizationId, 3);
    expect(after.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(after.some(({ waits_for_channel }) => waits_for_channel)).toBe(false);
    expect(received().map(typeOf)).toEqual(['digest', 'digest']);
    expect(received()[1]!.id).toBe(received()[0]!.id);
  });

  test('neither expires nor is made due by a clock that was set back', async () => {
    const { organizationId, channelId, dead } = await makeDead();
    await setClockOffset(db, '2 hours');
    await retry(organizationId, dead[0]!.id);
    await resetClockOffset(db);
    await recoverFromClockJumpAcrossOrganizations(db);
    await setClockOffset(db, '30 days');
    await transaction(db, (tx) => expireDeliveries(tx, organizationId, channelId, 1_000));
    expect(await afterPass(organizationId, channelId)).toMatchObject([waiting]);
    // Its series starts when the channel is enabled, so its age doesn't count against it.
    await toggle(organizationId, channelId);
    expect(await allFinal(organizationId, 1)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('ends with its alert', async () => {
    const { organizationId, alertIds, dead } = await makeDead();
    await retry(organizationId, dead[0]!.id);
    await transaction(db, (tx) => detachDeliveries(tx, organizationId, alertIds));
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'canceled', reason: 'alert_deleted', waits_for_channel: false },
    ]);
  });

  test('is canceled in steps when it has waited for the retention of deliveries', async () => {
    const { organizationId, dead } = await makeDead(3);
    await world.setSetting(organizationId, 'retention.deliveries_days', 10);
    const cancel = () => transaction(db, (tx) => cancelOldWaitingDeliveriesAcrossOrganizations(tx, 2));
    await setClockOffset(db, '9 days');
    for (const { id } of dead) await retry(organizationId, id);
    // They're older than 10 days now, and have waited for less.
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

describe('a retry while something else happens to the channel', () => {
  /** Runs `work` while the channel is locked, so that all of it meets there. */
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
    'no delivery waits for a channel that was enabled: %s',
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

  test('a delivery that is retried while its channel is being disabled waits or is canceled', async () => {
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

  test('a pass that read a delivery before it began to wait does not send it', async () => {
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

  test('a server that ends right after the channel was enabled loses nothing', async () => {
    const { organizationId, channelId, dead, received } = await makeDead(2);
    for (const { id } of dead) await retry(organizationId, id);
    await loop.stop();
    await toggle(organizationId, channelId);
    // Nothing but the rows is left of it.
    loop = world.startLoop();
    await allFinal(organizationId, 2);
    expect(received()).toHaveLength(4);
  });
});

test('max_attempts counts all that was granted, and attempt_count never exceeds it', async () => {
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
    await eventually(async () => {
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
