import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { transaction } from '../../../platform/database/index.ts';
import { makeFailedDeliveriesDue } from './model/attempt-queries.ts';

const { db, world, inbox, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
/** Types of events that receivers reject, by path. */
const rejected = new Map<string, string>();
inbox.answerAlways(({ path, body }) => {
  if (rejected.has(path)) return { status: JSON.parse(body).type === rejected.get(path) ? 500 : 200 };
  return answers.get(path) ?? { status: 200 };
});
world.startLoop();

/** Changes the health of a channel and the next attempts of its failed deliveries, as if it had failed for hours. */
async function pretendOutage(
  organizationId: number,
  { failures, probes, attempts }: { failures: number; probes: number; attempts: number },
): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`
      UPDATE notification_channels
      SET consecutive_failures = ${failures}, probe_count = ${probes},
        failing_since = pacekeeper_now() - interval '3 hours', last_failure_at = pacekeeper_now() - interval '1 hour'
      WHERE organization_id = ${organizationId}`.execute(tx);
    await sql`
      UPDATE notification_deliveries
      SET next_attempt_at = pacekeeper_now() + interval '4 hours', attempt_count = ${attempts},
        series_attempt_count = ${attempts}
      WHERE organization_id = ${organizationId} AND status = 'failed' AND NOT was_brought_forward`.execute(
      tx,
    );
  });
}

async function haveFailed(organizationId: number): Promise<void> {
  await pollUntil(async () =>
    (await world.deliveries(organizationId)).every(({ status }) => status === 'failed'),
  );
}

describe('a channel that recovers', () => {
  test.each([
    { title: 'after a probe', failures: 14 },
    { title: 'after a manual retry between probes', failures: 9 },
  ])('sends failed deliveries and the messages behind them immediately $title', async ({ failures }) => {
    const { organizationId, channelId, received } = await setUp();
    const [newest, ...waiting] = await world.createAlerts(organizationId, 31);
    // Nothing is sent while the channel has a lease.
    await sql`UPDATE notification_channels SET lease_until = pacekeeper_now() + interval '1 hour' WHERE id = ${channelId}`.execute(
      db,
    );
    await world.raiseEvents(
      organizationId,
      waiting.map((alertId) => ({ alertId })),
    );
    await sql`
      UPDATE notification_deliveries SET status = 'failed' WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    await pretendOutage(organizationId, { failures, probes: 20, attempts: 5 });
    await world.raiseEvents(organizationId, [
      ...waiting.map((alertId) => ({ alertId, eventType: 'alert.resolved' as const })),
      { alertId: newest! },
    ]);
    await sql`UPDATE notification_channels SET lease_until = NULL WHERE id = ${channelId}`.execute(db);
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 61);
    expect(rows.map(({ status }) => status)).toEqual(Array(61).fill('succeeded'));
    expect(received()).toHaveLength(61);
    // The last attempt that failed during the outage isn't counted.
    expect(rows.slice(0, 30).map((row) => [row.attempt_count, row.series_attempt_count])).toEqual(
      Array(30).fill([6, 5]),
    );
  });

  test('keeps the schedule of rejected deliveries if the channel was never probed', async () => {
    const { organizationId, path } = await setUp();
    answers.set(path, { status: 500 });
    const [rejectedAlert, accepted] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: rejectedAlert! }]);
    await haveFailed(organizationId);
    await pretendOutage(organizationId, { failures: 9, probes: 0, attempts: 5 });
    answers.set(path, { status: 200 });
    await world.raiseEvents(organizationId, [{ alertId: accepted! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[1]!.status === 'succeeded');
    const [waiting] = await world.deliveries(organizationId);
    expect(waiting).toMatchObject({ status: 'failed', attempt_count: 5, series_attempt_count: 5 });
    expect(Number(waiting!.next_attempt_at)).toBeGreaterThan(Date.now() + 3 * 3_600_000);
  });

  test('makes a message that its receiver always rejects due early only once, and never so many messages that others wait', async () => {
    const { organizationId, channelId, path } = await setUp();
    rejected.set(path, 'alert.escalated');
    const alertIds = await world.createAlerts(organizationId, 11);
    await world.raiseEvents(
      organizationId,
      alertIds.slice(0, 8).map((alertId) => ({ alertId, eventType: 'alert.escalated' as const })),
    );
    await haveFailed(organizationId);
    for (const [round, alertId] of alertIds.slice(8).entries()) {
      await pretendOutage(organizationId, { failures: 10, probes: 1, attempts: 5 });
      await world.raiseEvents(organizationId, [{ alertId }]);
      const broughtForward = Math.min(8, 5 * (round + 1));
      await pollUntil(async () => {
        const rows = await world.deliveries(organizationId);
        return rows.filter(({ attempt_count }) => attempt_count === 6).length === broughtForward;
      });
      await pollUntil(async () =>
        (await world.deliveries(organizationId)).every(({ status }) =>
          ['failed', 'succeeded'].includes(status),
        ),
      );
      // Ten failures in a row would start probing.
      expect((await world.channel(organizationId, channelId)).consecutive_failures).toBeLessThan(10);
    }
    const rows = await world.deliveries(organizationId);
    expect(rows.map((row) => [row.status, row.attempt_count, row.series_attempt_count])).toEqual([
      ...Array(8).fill(['failed', 6, 5]),
      ...Array(3).fill(['succeeded', 1, 1]),
    ]);
  });

  test('makes only a few deliveries due early until its receiver accepts them, and none that wait for another reason', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({
      url: 'https://hooks.example.com/',
      isActive: true,
    });
    const alertIds = await world.createAlerts(organizationId, 20);
    await sql`UPDATE notification_channels SET lease_until = pacekeeper_now() + interval '1 hour' WHERE id = ${channelId}`.execute(
      db,
    );
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    const [held, partial] = await world.deliveries(organizationId);
    await sql`
      UPDATE notification_deliveries
      SET status = 'failed', attempt_count = 1, series_attempt_count = 1, waits_for_hours = id = ${held!.id},
        accepted_recipients = CASE WHEN id = ${partial!.id} THEN '{ana@acme.example}' ELSE '{}'::text[] END,
        next_attempt_at = pacekeeper_now() + interval '1 hour' + id * interval '1 millisecond'
      WHERE organization_id = ${organizationId}`.execute(db);
    const isDue = async () => {
      const rows = await world.deliveries(organizationId);
      const { rows: now } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
      return rows.map((row) => row.next_attempt_at! <= now[0]!.now);
    };
    const due = (count: number) => [
      false,
      false,
      ...Array<boolean>(count).fill(true),
      ...Array<boolean>(18 - count).fill(false),
    ];
    const channel = { organizationId, channelId };
    await transaction(db, (tx) =>
      makeFailedDeliveriesDue(tx, [{ ...channel, hasRecovered: true, accepted: 0 }]),
    );
    expect(await isDue()).toEqual(due(5));
    await transaction(db, (tx) =>
      makeFailedDeliveriesDue(tx, [{ ...channel, hasRecovered: false, accepted: 3 }]),
    );
    expect(await isDue()).toEqual(due(11));
    // The first attempt still counts, because it starts the series.
    const rows = await world.deliveries(organizationId);
    expect(new Set(rows.map((row) => row.series_attempt_count))).toEqual(new Set([1]));
  });
});
