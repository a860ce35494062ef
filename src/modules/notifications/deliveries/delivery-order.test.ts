import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture, eventTypeOf } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { verifyWebhook } from '../../../../tests/helpers/webhook-inbox.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createSigningSecret } from '../../../platform/secrets/index.ts';
import { detachDeliveries } from './model/detach-deliveries.ts';
import { sealChannelColumn } from './secrets/channel-secrets.ts';
import { recoverFromClockJumpAcrossOrganizations } from './worker/recover-deliveries.ts';

const { db, connectAgain, world, inbox, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
let loop = world.startLoop();

describe('the order of deliveries', () => {
  test('deliveries of one alert to one channel are sent in the order of their events', async () => {
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
    expect(ofA.map(eventTypeOf)).toEqual(['alert.created', 'alert.escalated', 'alert.resolved']);
    expect(ofA.map((request) => JSON.parse(request.body).data.sequence)).toEqual([1, 2, 3]);
  });

  test('a delivery waits until earlier deliveries of its alert are final, but not for deliveries of other alerts', async () => {
    const { organizationId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60]);
    const [a, b] = await world.createAlerts(organizationId, 2);
    answers.set(path, { status: 500 });
    await world.raiseEvents(organizationId, [{ alertId: a! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    answers.set(path, { status: 200 });
    await world.raiseEvents(organizationId, [{ alertId: a!, eventType: 'alert.resolved' }, { alertId: b! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[2]!.status === 'succeeded');
    expect((await world.deliveries(organizationId)).map(({ status }) => status)).toEqual([
      'failed',
      'pending',
      'succeeded',
    ]);
    await setClockOffset(db, '90 seconds');
    await trigger(organizationId);
    await allFinal(organizationId, 3);
    expect(received().map(eventTypeOf)).toEqual([
      'alert.created',
      'alert.created',
      'alert.created',
      'alert.resolved',
    ]);
    // The retry sends the same message, byte for byte, with the same ID.
    const [first, , again] = received();
    expect(again!.id).toBe(first!.id);
    expect(again!.body).toBe(first!.body);
  });

  test('a series of failed attempts ends with a dead letter, and every attempt has the same message ID', async () => {
    const { organizationId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [10]);
    answers.set(path, { status: 500, body: 'busy' });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
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

describe('changes during a delivery', () => {
  test('an in-progress delivery is not retried after its alert is deleted', async () => {
    const { organizationId, path } = await setUp();
    answers.set(path, { status: 500, afterMs: 200 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () => inbox.requests.some((request) => request.path === path));
    await transaction(db, async (tx) => {
      await detachDeliveries(tx, organizationId, [alertId!]);
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

  test('the resolution of a deleted alert is sent after the in-progress delivery, even if the worker of that delivery is lost', async () => {
    for (const isLost of [false, true]) {
      const { organizationId, path } = await setUp();
      answers.set(path, { status: 200, afterMs: 300 });
      const [alertId] = await world.createAlerts(organizationId);
      await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
      const requests = () => inbox.requests.filter((request) => request.path === path);
      await pollUntil(async () => requests().length === 1);
      await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
      await transaction(db, async (tx) => {
        await detachDeliveries(tx, organizationId, [alertId!]);
        // Replace the lease token, so that the running attempt can't store its result, as if its worker had
        // died.
        if (isLost)
          await sql`UPDATE notification_deliveries SET lease_token = gen_random_uuid()
            WHERE organization_id = ${organizationId} AND status = 'in_progress'`.execute(tx);
      });
      const [first, end] = await world.deliveries(organizationId);
      expect(first).toMatchObject({ status: 'in_progress', event_type: 'alert.created' });
      expect(end).toMatchObject({ status: 'pending', event_type: 'alert.resolved', alert_id: null });
      await trigger(organizationId);
      if (isLost) {
        // After five minutes, the lease has expired.
        await setClockOffset(db, '5 minutes');
        await trigger(organizationId);
      }
      const ended = await allFinal(organizationId, 2);
      expect(ended.map(({ event_type, status }) => [event_type, status])).toEqual([
        ['alert.created', isLost ? 'canceled' : 'succeeded'],
        ['alert.resolved', 'succeeded'],
      ]);
      expect(requests().map(eventTypeOf)).toEqual(['alert.created', 'alert.resolved']);
      await resetClockOffset(db);
    }
  });

  test('messages are signed with both the old and the new signing secret for a day after a change', async () => {
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

describe('a worker that dies', () => {
  /** Leaves a delivery in the state of a worker that was killed between sending it and storing the result. */
  async function killBetweenSendAndRecord(organizationId: number, path: string) {
    await loop.stop();
    const [alertId] = await world.createAlerts(organizationId);
    answers.set(path, { kind: 'silence' });
    const dying = world.startLoop({ db: await connectAgain(), outbound: world.createOutbound() });
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () => inbox.requests.some((request) => request.path === path));
    const [delivery] = await world.deliveries(organizationId);
    return { dying, delivery: delivery! };
  }

  test('loses its delivery to another worker, which sends it with the same ID and body, and its late result is ignored', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    const { dying, delivery } = await killBetweenSendAndRecord(organizationId, path);
    expect(delivery).toMatchObject({ status: 'in_progress', attempt_count: 1 });
    expect(delivery.body_sealed).not.toBeNull();

    // The leases expire while the first worker hangs, and another worker takes over.
    answers.set(path, { status: 200, body: 'second' });
    await setClockOffset(db, '2 minutes');
    loop = world.startLoop();
    const [after] = await allFinal(organizationId, 1);
    expect(after).toMatchObject({ status: 'succeeded', attempt_count: 2 });
    expect(received()).toHaveLength(2);
    expect(received()[1]).toMatchObject({ id: received()[0]!.id, body: received()[0]!.body });

    // The first worker now gets an error, which must not overwrite the result of the second one.
    inbox.closeConnections();
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
  });

  test('leaves a delivery that is not sent again if its alert has been deleted', async () => {
    const { organizationId, path, received } = await setUp();
    const { dying, delivery } = await killBetweenSendAndRecord(organizationId, path);
    await transaction(db, (tx) => detachDeliveries(tx, organizationId, [delivery.alert_id!]));
    answers.set(path, { status: 200 });
    await setClockOffset(db, '2 minutes');
    loop = world.startLoop();
    const [after] = await allFinal(organizationId, 1);
    expect(after).toMatchObject({ status: 'canceled', reason: 'alert_deleted', attempt_count: 1 });
    inbox.closeConnections();
    await dying.stop();
    expect(received()).toHaveLength(1);
    expect(await world.attempts(organizationId)).toMatchObject([{ number: 1, error_code: 'worker_lost' }]);
    expect((await world.deliveries(organizationId))[0]).toMatchObject({ status: 'canceled' });
  });

  test('two workers that share a database send each delivery once', async () => {
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

  test('stopping a worker stores the results of requests in flight and releases all leases', async () => {
    const { organizationId, channelId, path } = await setUp();
    answers.set(path, { status: 200, afterMs: 300 });
    const alertIds = await world.createAlerts(organizationId, 10);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await pollUntil(async () => inbox.requests.some((request) => request.path === path));
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

describe('clock jumps', () => {
  test('a pending delivery to a working receiver is still sent after the clock jumps ahead by a year', async () => {
    const { organizationId, received } = await setUp();
    await loop.stop();
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '1 year');
    loop = world.startLoop();
    await allFinal(organizationId, 1);
    expect(received()).toHaveLength(1);
  });

  test('a pending delivery is not blocked after the clock jumps back', async () => {
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

  test('a delivery that failed while the clock was ahead is retried soon after the clock is corrected', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    const hasFailed = (times: number) =>
      pollUntil(async () => {
        const { consecutive_failures, lease_token } = await world.channel(organizationId, channelId);
        return consecutive_failures === times && lease_token === null;
      });
    await hasFailed(1);
    await setClockOffset(db, '6 hours');
    await trigger(organizationId);
    await hasFailed(2);
    await loop.stop();
    await resetClockOffset(db);
    await recoverFromClockJumpAcrossOrganizations(db);
    answers.set(path, { status: 200 });
    loop = world.startLoop();
    await allFinal(organizationId, 1);
    expect(received()).toHaveLength(3);
  });

  test('a channel whose due time was set while the clock was ahead is due after the clock is corrected', async () => {
    await loop.stop();
    const { organizationId, channelId } = await setUp();
    const [alertId] = await world.createAlerts(organizationId);
    // The delivery was planned before the clock jumped, but a pass during the jump set the due time of the channel.
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await sql`
      UPDATE notification_channels SET due_at = pacekeeper_now() + interval '1 hour', processed_seq = requested_seq
      WHERE id = ${channelId}`.execute(db);
    expect(await recoverFromClockJumpAcrossOrganizations(db)).toBeGreaterThanOrEqual(1);
    loop = world.startLoop();
    await allFinal(organizationId, 1);
  });

  test('a running loop detects that the clock jumps back', async () => {
    const { organizationId, path, received } = await setUp();
    await loop.stop();
    answers.set(path, { status: 500 });
    loop = world.startLoop({ clockCheckIntervalMs: 50 });
    await setClockOffset(db, '2 hours');
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    answers.set(path, { status: 200 });
    await resetClockOffset(db);
    await allFinal(organizationId, 1);
    expect(received()).toHaveLength(2);
  });
});
