import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { eventually } from '../../../../tests/helpers/delivery-world.ts';
import { createDeliveryFixture } from './delivery-fixture.ts';

const { db, world, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
world.startLoop();

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
    // Not while a pass has the channel: it may have looked for what is too old already.
    await eventually(async () => {
      const { consecutive_failures, lease_token } = await world.channel(organizationId, channelId);
      return consecutive_failures === 1 && lease_token === null;
    });
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
