import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { eventually } from '../../../../tests/helpers/delivery-world.ts';
import { transaction } from '../../../platform/database/index.ts';
import { makeFailedDeliveriesDue } from './attempt-queries.ts';

const { db, world, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
world.startLoop();

/** Moves the start of an outage and the next attempts of its failed deliveries, as if it had lasted for hours. */
async function pretendOutage(
  organizationId: number,
  { failures, began, attempts }: { failures: number; began: string; attempts: number },
): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`
      UPDATE notification_channels
      SET consecutive_failures = ${failures}, failing_since = pacekeeper_now() - ${began}::interval, probe_count = 20
      WHERE organization_id = ${organizationId}`.execute(tx);
    await sql`
      UPDATE notification_deliveries
      SET next_attempt_at = pacekeeper_now() + interval '4 hours', attempt_count = ${attempts},
        series_attempt_count = ${attempts}
      WHERE organization_id = ${organizationId} AND status = 'failed'`.execute(tx);
  });
}

describe('a channel that recovers', () => {
  test.each([
    { title: 'after a probe', failures: 14, began: '3 hours' },
    { title: 'after a minute of few failures', failures: 3, began: '61 seconds' },
  ])('sends failed deliveries and the messages behind them at once $title', async ({ failures, began }) => {
    const { organizationId, path, received } = await setUp();
    answers.set(path, { status: 500 });
    const alertIds = await world.createAlerts(organizationId, 4);
    const [newest, ...waiting] = alertIds;
    await world.raiseEvents(
      organizationId,
      waiting.map((alertId) => ({ alertId })),
    );
    await eventually(async () =>
      (await world.deliveries(organizationId)).every(({ status }) => status === 'failed'),
    );
    await pretendOutage(organizationId, { failures, began, attempts: 5 });
    await sql`
      UPDATE notification_channels SET last_failure_at = pacekeeper_now() - interval '1 hour'
      WHERE organization_id = ${organizationId}`.execute(db);
    answers.set(path, { status: 200 });
    const before = received().length;
    await world.raiseEvents(organizationId, [
      ...waiting.map((alertId) => ({ alertId, eventType: 'alert.resolved' as const })),
      { alertId: newest! },
    ]);
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 7);
    expect(rows.map(({ status }) => status)).toEqual(Array(7).fill('succeeded'));
    expect(received()).toHaveLength(before + 7);
    // The attempts that failed during the outage don't count.
    expect(rows.slice(0, 3).map((row) => [row.attempt_count, row.series_attempt_count])).toEqual(
      Array(3).fill([6, 5]),
    );
  });

  test('within a minute keeps the schedule of deliveries that its receiver rejects', async () => {
    const { organizationId, path } = await setUp();
    answers.set(path, { status: 500 });
    const [rejected, accepted] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: rejected! }]);
    await eventually(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    await pretendOutage(organizationId, { failures: 9, began: '30 seconds', attempts: 5 });
    answers.set(path, { status: 200 });
    await world.raiseEvents(organizationId, [{ alertId: accepted! }]);
    await eventually(async () => (await world.deliveries(organizationId))[1]!.status === 'succeeded');
    const [waiting] = await world.deliveries(organizationId);
    expect(waiting).toMatchObject({ status: 'failed', attempt_count: 5, series_attempt_count: 5 });
    expect(Number(waiting!.next_attempt_at)).toBeGreaterThan(Date.now() + 3 * 3_600_000);
  });

  test('brings at most 1,000 deliveries forward at once, and none that waits for another reason', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({
      url: 'https://hooks.example.com/',
      isActive: true,
    });
    const alertIds = await world.createAlerts(organizationId, 1_101);
    await sql`UPDATE notification_channels SET lease_until = pacekeeper_now() + interval '1 hour' WHERE id = ${channelId}`.execute(
      db,
    );
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await sql`
      UPDATE notification_deliveries
      SET status = 'failed', attempt_count = 1, series_attempt_count = 1,
        waits_for_hours = id = (SELECT min(id) FROM notification_deliveries WHERE organization_id = ${organizationId}),
        next_attempt_at = pacekeeper_now() + interval '1 hour' + id * interval '1 millisecond'
      WHERE organization_id = ${organizationId}`.execute(db);
    await transaction(db, (tx) =>
      makeFailedDeliveriesDue(tx, [{ organization_id: organizationId, id: channelId }]),
    );
    const rows = await world.deliveries(organizationId);
    const { rows: now } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
    const isDue = rows.map((row) => row.next_attempt_at! <= now[0]!.now);
    expect(isDue).toEqual([false, ...Array<boolean>(1_000).fill(true), ...Array<boolean>(100).fill(false)]);
    // The first attempt still counts, because it starts the series.
    expect(new Set(rows.map((row) => row.series_attempt_count))).toEqual(new Set([1]));
  });
});
