import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { type ChannelFields, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { isLong } from '../../../../tests/helpers/long-tests.ts';
import {
  createRateLimitedReceiver,
  type RateLimitedPlatform,
  rateLimitedPlatforms,
} from '../../../../tests/helpers/rate-limited-receiver.ts';
import { listDeliveries } from './delivery-queries.ts';

const { db, world, inbox, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
world.startLoop();

const options: Partial<Record<RateLimitedPlatform, Record<string, string>>> = {
  telegram: { chat_id: '-1001' },
  pagerduty: { routing_key: 'R'.repeat(32) },
};

/** Sends a burst of events to a simulated platform, and waits until every delivery is final. */
async function burst(platform: RateLimitedPlatform, count: number, fields: Omit<ChannelFields, 'url'>) {
  // In the short form of this test, the rate-limit windows are a tenth as long.
  const receiver = createRateLimitedReceiver(platform, { speed: isLong ? 1 : 10 });
  const { organizationId, path } = await setUp(fields);
  inbox.answerAlways((request) =>
    request.path === path ? receiver.answer(request) : (answers.get(request.path) ?? { status: 200 }),
  );
  const alertIds = await world.createAlerts(organizationId, count);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId })),
  );
  const deliveries = await pollUntil(async () => {
    const rows = await world.deliveries(organizationId);
    return rows.every(({ completed_at }) => completed_at !== null) && rows;
  }, 3 * 3_600_000);
  const order = receiver.accepted.map((body) => Number(/alerts?\/(\d+)/.exec(body)?.[1]));
  return { receiver, deliveries, order, alertIds };
}

describe('a burst of events to a receiver with a rate limit', () => {
  test.each(rateLimitedPlatforms)(
    'loses no event, keeps the order, and causes few rejected requests: %s',
    async (platform) => {
      for (const count of isLong ? [40, 400, 4_000] : [40]) {
        const presetOptions = options[platform];
        const { receiver, deliveries, order, alertIds } = await burst(platform, count, {
          preset: platform,
          ...(presetOptions && { presetOptions }),
        });
        expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded']));
        expect(order).toEqual(alertIds);
        expect(receiver.rejected / (receiver.rejected + count)).toBeLessThanOrEqual(0.1);
      }
    },
    4 * 3_600_000,
  );
});

describe('a rejection because of a rate limit', () => {
  async function raise(organizationId: number, count: number): Promise<number[]> {
    const alertIds = await world.createAlerts(organizationId, count);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    return alertIds;
  }

  const limited = { status: 429, headers: { 'retry-after': '600' } };

  /** Returns the deliveries when the channel has recorded a rejection and is idle. */
  async function afterRejection(organizationId: number, channelId: number) {
    await pollUntil(async () => {
      const channel = await world.channel(organizationId, channelId);
      return channel.next_send_at !== null && channel.lease_token === null;
    });
    return world.deliveries(organizationId);
  }

  test('pauses the whole channel for the requested wait, and neither uses up attempts nor counts as a failure of the channel', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [1]);
    answers.set(path, limited);
    const [alertId] = await raise(organizationId, 1);
    const [delivery] = await afterRejection(organizationId, channelId);
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 1, series_attempt_count: 0 });
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      consecutive_failures: 0,
      probe_count: 0,
      last_failure_at: null,
    });
    // Later events wait too, even though each one wakes the channel.
    await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.escalated' }]);
    await raise(organizationId, 3);
    await setClockOffset(db, '590 seconds');
    await trigger(organizationId);
    await pollUntil(async () => {
      const { requested_seq, processed_seq, lease_token } = await world.channel(organizationId, channelId);
      return requested_seq === processed_seq && lease_token === null;
    });
    expect(received()).toHaveLength(1);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '620 seconds');
    await sql`UPDATE notification_channels SET send_interval_ms = 0, send_interval_floor_ms = 0`.execute(db);
    await trigger(organizationId);
    const final = await allFinal(organizationId, 5);
    expect(final.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
  });

  test('causes no dead letter, even if repeated, as long as the receiver states how long to wait', async () => {
    const { organizationId, channelId, path, received } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [1]);
    answers.set(path, limited);
    await raise(organizationId, 1);
    for (let index = 1; index <= 5; index++) {
      await pollUntil(async () => received().length >= index);
      await pollUntil(async () => {
        const channel = await world.channel(organizationId, channelId);
        const [delivery] = await world.deliveries(organizationId);
        return channel.lease_token === null && delivery!.attempt_count === index;
      });
      await setClockOffset(db, `${index * 615} seconds`);
      await trigger(organizationId);
    }
    answers.set(path, { status: 200 });
    await setClockOffset(db, '2 hours');
    await trigger(organizationId);
    const [delivery] = await allFinal(organizationId, 1);
    expect(delivery).toMatchObject({ status: 'succeeded' });
    expect(delivery!.attempt_count).toBeGreaterThanOrEqual(6);
    expect(delivery!.max_attempts).toBeGreaterThan(delivery!.attempt_count);
  });

  test.each([429, 500])(
    'doesn’t expire a message that waited in line for longer than its retries last, even if status %i follows',
    async (status) => {
      const { organizationId, channelId, path, received } = await setUp();
      await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [1, 1]);
      answers.set(path, limited);
      await raise(organizationId, 1);
      await afterRejection(organizationId, channelId);
      await raise(organizationId, 1);
      await sql`
        UPDATE notification_deliveries SET series_started_at = pacekeeper_now() - interval '20 hours'
        WHERE organization_id = ${organizationId} AND attempt_count = 0`.execute(db);
      // Cancel the message in front, so that the waiting one gets its first attempt.
      await sql`
        UPDATE notification_deliveries SET status = 'canceled', next_attempt_at = NULL, completed_at = pacekeeper_now()
        WHERE organization_id = ${organizationId} AND attempt_count = 1`.execute(db);
      answers.set(path, { ...limited, status });
      await sql`
        UPDATE notification_channels SET next_send_at = NULL, rate_limited_at = NULL, send_interval_ms = 0
        WHERE organization_id = ${organizationId}`.execute(db);
      await trigger(organizationId);
      await pollUntil(async () => received().length >= 2);
      const delivery = await pollUntil(async () => {
        const rows = await world.deliveries(organizationId);
        return rows.find(
          ({ status: stored, attempt_count }) =>
            attempt_count > 0 && stored !== 'canceled' && stored !== 'in_progress',
        );
      });
      expect(delivery).toMatchObject({ status: 'failed', reason: null });
    },
  );

  test('protects waiting messages from expiring until an hour after its pause, even if the channel fails then', async () => {
    const { organizationId, channelId, path } = await setUp();
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [1]);
    answers.set(path, limited);
    await raise(organizationId, 1);
    await afterRejection(organizationId, channelId);
    await raise(organizationId, 2);
    await sql`
      UPDATE notification_deliveries SET series_started_at = pacekeeper_now() - interval '20 hours'
      WHERE organization_id = ${organizationId} AND attempt_count = 0`.execute(db);
    await sql`
      UPDATE notification_channels SET next_send_at = pacekeeper_now() - interval '50 minutes', rate_limited_at = NULL,
        send_interval_ms = 0, consecutive_failures = 1, last_failure_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(db);
    answers.set(path, { status: 200 });
    await trigger(organizationId);
    const final = await allFinal(organizationId, 3);
    expect(final.map(({ status }) => status)).toEqual(Array(3).fill('succeeded'));
  });

  test('is shown in the delivery as the reason for waiting, with the time of the next attempt', async () => {
    const { organizationId, channelId, path } = await setUp();
    answers.set(path, limited);
    await raise(organizationId, 1);
    await afterRejection(organizationId, channelId);
    const { items } = await listDeliveries(db, organizationId, {}, { limit: 10, offset: 0 });
    const { next_send_at } = await world.channel(organizationId, channelId);
    expect(items[0]).toMatchObject({
      waiting_for: 'rate_limit',
      next_attempt_at: next_send_at!.toISOString(),
    });
  });

  test('with status 503 is a failure of the channel only if the receiver states no wait', async () => {
    const { organizationId, channelId, path } = await setUp();
    answers.set(path, { status: 503, headers: { 'retry-after': '60' } });
    await raise(organizationId, 1);
    await afterRejection(organizationId, channelId);
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      consecutive_failures: 0,
      rate_limited_at: null,
    });
    const broken = await setUp();
    answers.set(broken.path, { status: 503 });
    await raise(broken.organizationId, 1);
    await pollUntil(async () => {
      const channel = await world.channel(broken.organizationId, broken.channelId);
      return channel.consecutive_failures === 1;
    });
  });
});
