import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { transaction } from '../../../platform/database/index.ts';
import { cancelDeliveriesOfChannel } from './model/close-deliveries.ts';

const { db, world, inbox, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
let loop = world.startLoop();

describe('fair delivery', () => {
  test('an unresponsive receiver with many deliveries delays no other channel', async () => {
    const dead = await setUp();
    const healthy = await setUp();
    answers.set(dead.path, { kind: 'silence' });
    await world.setSetting(dead.organizationId, 'delivery.timeout_seconds', 1);
    const deadAlerts = await world.createAlerts(dead.organizationId, 300);
    await world.raiseEvents(
      dead.organizationId,
      deadAlerts.map((alertId) => ({ alertId })),
    );
    await pollUntil(async () => dead.received().length > 0);
    const alertIds = await world.createAlerts(healthy.organizationId, 50);
    await world.raiseEvents(
      healthy.organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await allFinal(healthy.organizationId, 50);
    const rows = await world.deliveries(dead.organizationId);
    expect(rows.filter(({ attempt_count }) => attempt_count > 0).length).toBeLessThan(20);
    await transaction(db, (tx) =>
      cancelDeliveriesOfChannel(tx, dead.organizationId, dead.channelId, 'channel_deleted'),
    );
  });

  test('a failing channel gets one request at a time, and only periodic probes after ten failures', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    answers.set(path, { status: 500 });
    const alertIds = await world.createAlerts(organizationId, 40);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await pollUntil(async () => (await world.channel(organizationId, channelId)).consecutive_failures >= 10);
    await trigger(organizationId);
    // After a failure is recorded, the loop makes one more pass over the channel before the channel has to
    // wait.
    const waitSeconds = async () => {
      await isIdle(organizationId, channelId);
      const channel = await world.channel(organizationId, channelId);
      return (Number(channel.due_at) - Number(channel.last_failure_at)) / 1_000;
    };
    await expect.poll(waitSeconds).toBe(60);
    const before = received().length;
    expect(before).toBeLessThanOrEqual(13);
    const failures = async () => (await world.channel(organizationId, channelId)).consecutive_failures;
    const failuresBefore = await failures();

    await setClockOffset(db, '61 seconds');
    await trigger(organizationId);
    await pollUntil(async () => (await failures()) > failuresBefore);
    await expect.poll(waitSeconds).toBe(60);
    expect(received()).toHaveLength(before + 1);

    // After the receiver recovers, a probe succeeds and all other deliveries follow.
    answers.set(path, { status: 200 });
    await setClockOffset(db, '5 minutes');
    await trigger(organizationId);
    await allFinal(organizationId, 40);
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      consecutive_failures: 0,
      probe_count: 0,
    });
  });

  test('a delivery that waits for a failing receiver for longer than the retry schedule becomes a dead letter without a request', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [60]);
    answers.set(path, { status: 500 });
    const alertIds = await world.createAlerts(organizationId, 30);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await pollUntil(async () => (await world.channel(organizationId, channelId)).consecutive_failures >= 10);
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

  test('slow channels of one organization use no more than its share of slots and never delay another organization', async () => {
    await loop.stop();
    const slow = await setUp();
    const healthy = await setUp();
    answers.set(slow.path, { kind: 'silence' });
    await world.setSetting(slow.organizationId, 'delivery.timeout_seconds', 30);
    const channelIds = [];
    for (let index = 0; index < 20; index++) {
      channelIds.push(
        await world.createChannel(slow.organizationId, { url: new URL(slow.path, inbox.url).href }),
      );
    }
    await db
      .insertInto('notification_rules')
      .values({ organization_id: slow.organizationId, name: 'all', channel_ids: channelIds })
      .execute();
    const slowAlerts = await world.createAlerts(slow.organizationId, 5);
    await world.raiseEvents(
      slow.organizationId,
      slowAlerts.map((alertId) => ({ alertId })),
    );
    loop = world.startLoop({ limits: { total: 8, perOrganization: 4, perChannel: 2 } });
    await pollUntil(async () => slow.received().length === 4);

    const alertIds = await world.createAlerts(healthy.organizationId, 40);
    await world.raiseEvents(
      healthy.organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await allFinal(healthy.organizationId, 40);
    // No request to the slow channels has received a response yet, and no fifth request was started.
    expect(slow.received()).toHaveLength(4);
    const rows = await world.deliveries(slow.organizationId);
    expect(rows.filter(({ status }) => status === 'in_progress')).toHaveLength(4);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(96);
    answers.delete(slow.path);
    inbox.closeConnections();
    await pollUntil(async () => {
      const left = await world.deliveries(slow.organizationId);
      return left.every(({ attempt_count, lease_token }) => attempt_count > 0 && lease_token === null);
    });
  });

  test('organizations take turns, so a single channel never waits behind all channels of another organization', async () => {
    await loop.stop();
    const many = await setUp();
    const one = await setUp();
    answers.set(many.path, { kind: 'silence' });
    const channelIds = await raiseForEach(many, 20);
    const [alertId] = await world.createAlerts(one.organizationId);
    await world.raiseEvents(one.organizationId, [{ alertId: alertId! }]);
    loop = world.startLoop({ limits: { total: 4, perOrganization: 4, perChannel: 1 } });
    await allFinal(one.organizationId, 1);
    // No request to a channel of the other organization has received a response yet, and each request
    // occupies a slot.
    await pollUntil(async () => many.received().length === 4);
    const channels = await Promise.all(channelIds.map((id) => world.channel(many.organizationId, id)));
    // Channels aren't claimed while no slot is free. Otherwise, each request that ends would cause two writes
    // per channel.
    expect(channels.filter(({ attempts }) => attempts > 0)).toHaveLength(4);
    answers.delete(many.path);
    inbox.closeConnections();
  });

  test('channels with one delivery each are processed in parallel up to the limit of their organization', async () => {
    await loop.stop();
    const slow = await setUp();
    answers.set(slow.path, { kind: 'silence' });
    await raiseForEach(slow, 20);
    loop = world.startLoop();
    await pollUntil(async () => slow.received().length === 16);
    answers.delete(slow.path);
    inbox.closeConnections();
  });
});

/** Waits until no pass of a channel is running or requested. */
async function isIdle(organizationId: number, channelId: number): Promise<void> {
  await pollUntil(async () => {
    const { requested_seq, processed_seq, lease_token } = await world.channel(organizationId, channelId);
    return requested_seq === processed_seq && lease_token === null;
  });
}

/** Creates `count` channels with the same URL, and one event for all of them. */
async function raiseForEach(
  { organizationId, path }: { organizationId: number; path: string },
  count: number,
): Promise<number[]> {
  const channelIds: number[] = [];
  for (let index = 0; index < count; index++) {
    channelIds.push(await world.createChannel(organizationId, { url: new URL(path, inbox.url).href }));
  }
  await db
    .insertInto('notification_rules')
    .values({ organization_id: organizationId, name: 'all', channel_ids: channelIds })
    .execute();
  const [alertId] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  return channelIds;
}
