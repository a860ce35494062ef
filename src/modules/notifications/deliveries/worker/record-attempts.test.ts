import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createDeliveryFixture } from '../../../../../tests/helpers/delivery-fixture.ts';
import { transaction } from '../../../../platform/database/index.ts';
import { claimDueRows, triggerSharedRows } from '../../../../platform/due-rows/index.ts';
import { type ChannelRow, channelColumns } from '../model/channel-row.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import {
  leaseDeliveriesAcrossOrganizations,
  readDueDeliveriesAcrossOrganizations,
} from '../model/pick-deliveries.ts';
import type { SendResult } from '../send/send-answer.ts';
import { createAttemptRecorder } from './record-attempts.ts';

const { db, connectAgain, world, trigger } = await createDeliveryFixture();

/** Creates a delivery to the channel and claims it. */
async function claimDelivery(organizationId: number, channelId: number) {
  const [alertId] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  await trigger(organizationId);
  const [delivery] = await readDueDeliveriesAcrossOrganizations(db, [
    { organizationId, channelId, maxCount: 1 },
  ]);
  const leases = await leaseDeliveriesAcrossOrganizations(db, [
    { delivery: delivery!, body: null, maxAttempts: 1, leaseMs: 60_000 },
  ]);
  return {
    delivery: delivery!,
    lease: leases.get(delivery!.deliveryId)!,
    series: {
      attemptCount: 1,
      startedAt: new Date(),
      retryScheduleSeconds: [],
      timeoutSeconds: 10,
      rateLimitWaitMs: 0,
      dueAt: new Date(),
    },
  };
}

async function isDue(channelId: number): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean }>`
    SELECT due_at <= pacekeeper_now() AS is_due FROM notification_channels WHERE id = ${channelId}`.execute(
    db,
  );
  return rows[0]!.is_due;
}

const evaluating = await connectAgain({ poolSize: 1 });

test('results are stored while rows of another organization are locked, and results of the other organization are stored afterward', async () => {
  const recorder = createAttemptRecorder({ ...world.tools, db, log: world.log });
  const newAttempt = async () => {
    const organizationId = await world.createOrganization();
    const channelId = await world.createChannel(organizationId, { url: 'https://hooks.example.com/' });
    await world.setSetting(organizationId, 'default_notification_channel_id', channelId);
    return { channelId, attempt: await claimDelivery(organizationId, channelId) };
  };
  const [locked, other, third] = [await newAttempt(), await newAttempt(), await newAttempt()];
  const answer: SendResult = { status: 200, body: null, retryAfter: null, durationMs: 1, error: null };
  const stored: string[] = [];
  const record = (name: string, { attempt }: typeof locked) =>
    recorder.record({ ...attempt, answer }).then(() => stored.push(name));
  let ofLocked: Promise<unknown> | undefined;
  await transaction(evaluating, async (tx) => {
    await sql`SELECT FROM notification_channels WHERE id = ${locked.channelId} FOR NO KEY UPDATE`.execute(tx);
    ofLocked = record('locked', locked);
    await record('other', other);
    await record('third', third);
    expect(stored).toEqual(['other', 'third']);
  });
  await ofLocked;
  expect(stored).toEqual(['other', 'third', 'locked']);
  await recorder.close();
});

test('storing results locks all affected channels in one step, so a concurrent evaluation causes no deadlock', async () => {
  const organizationId = await world.createOrganization();
  const url = 'https://hooks.example.com/';
  const finished = [
    await world.createChannel(organizationId, { url, name: 'first' }),
    await world.createChannel(organizationId, { url, name: 'second' }),
  ];
  const attempted = await world.createChannel(organizationId, { url, name: 'third' });
  await world.setSetting(organizationId, 'default_notification_channel_id', attempted);
  const attempt = await claimDelivery(organizationId, attempted);
  const claims = await claimDueRows<ChannelRow>(db, dueChannelsTable, {
    limit: 10,
    leaseMs: 60_000,
    columns: channelColumns,
  });
  const recorder = createAttemptRecorder({ ...world.tools, db, log: world.log });

  let storing: Promise<unknown> | undefined;
  await transaction(db, async (tx) => {
    const lock = sql`SELECT FROM notification_channels WHERE id = ${finished[0]} FOR NO KEY UPDATE`;
    await lock.execute(tx);
    storing = Promise.all([
      recorder.record({
        ...attempt,
        answer: { status: 200, body: null, retryAfter: null, durationMs: 1, error: null },
      }),
      ...claims.filter(({ row }) => finished.includes(row.id)).map((claim) => recorder.finish(claim)),
    ]);
    await vi.waitUntil(async () => {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length > 0;
    }, 60_000);
    // The recorder is now waiting for the lock of the first channel. If it had already locked the third channel, the
    // transaction below, which locks the second channel and then the third, would deadlock with it.
    await transaction(evaluating, async (other) => {
      await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
      await triggerSharedRows(
        other,
        dueChannelsTable,
        [finished[1], attempted].map((id) => ({ organization_id: organizationId, id })),
      );
    });
  });
  await storing;
  expect(await world.deliveries(organizationId)).toMatchObject([{ status: 'succeeded' }]);
  for (const id of finished)
    expect(await world.channel(organizationId, id)).toMatchObject({ lease_token: null });
});

test('a late success of a channel that waits for its next probe makes the channel due now', async () => {
  const organizationId = await world.createOrganization();
  const url = 'https://hooks.example.com/';
  const channelId = await world.createChannel(organizationId, { url, name: 'recovered' });
  await world.setSetting(organizationId, 'default_notification_channel_id', channelId);
  const attempt = await claimDelivery(organizationId, channelId);
  // Another server took over the channel in the meantime, failed, and planned the next probe.
  await sql`
    UPDATE notification_channels SET consecutive_failures = 14, probe_count = 4, last_failure_at = pacekeeper_now(),
      due_at = pacekeeper_now() + interval '8 minutes', lease_token = NULL, lease_until = NULL, processed_seq = requested_seq
    WHERE id = ${channelId}`.execute(db);
  const recorder = createAttemptRecorder({ ...world.tools, db, log: world.log });
  await recorder.record({
    ...attempt,
    answer: { status: 200, body: null, retryAfter: null, durationMs: 1, error: null },
  });
  const channel = await world.channel(organizationId, channelId);
  expect(channel).toMatchObject({ consecutive_failures: 0, probe_count: 0 });
  expect(await isDue(channelId)).toBe(true);
});

test('a pass that began before a channel recovered does not postpone the channel to its next probe', async () => {
  const organizationId = await world.createOrganization();
  const channelId = await world.createChannel(organizationId, { url: 'https://hooks.example.com/' });
  await world.setSetting(organizationId, 'default_notification_channel_id', channelId);
  const attempt = await claimDelivery(organizationId, channelId);
  const [waiting] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: waiting! }]);
  await sql`
    UPDATE notification_channels SET consecutive_failures = 14, probe_count = 14, last_failure_at = pacekeeper_now()
    WHERE id = ${channelId}`.execute(db);
  const [claim] = await claimDueRows<ChannelRow>(db, dueChannelsTable, {
    limit: 1,
    leaseMs: 60_000,
    columns: channelColumns,
    where: sql`id = ${channelId}`,
  });
  const recorder = createAttemptRecorder({ ...world.tools, db, log: world.log });
  // Another worker, whose lease of the channel expired, stores the first success.
  await recorder.record({
    ...attempt,
    answer: { status: 200, body: null, retryAfter: null, durationMs: 1, error: null },
  });
  await recorder.finish(claim!);
  expect(await isDue(channelId)).toBe(true);
});

test('a channel whose pass ends at the moment when earlier results are stored is released', async () => {
  const { organizationId, channelId } = await world.createOrganizationWithChannel({
    url: 'https://hooks.example.com/',
  });
  const recorder = createAttemptRecorder({ ...world.tools, db, log: world.log });
  for (let pass = 0; pass < 3; pass++) {
    await trigger(organizationId);
    const [claim] = await claimDueRows<ChannelRow>(db, dueChannelsTable, {
      limit: 1,
      leaseMs: 60_000,
      columns: channelColumns,
      where: sql`id = ${channelId}`,
    });
    // The second call runs in the microtask that follows the end of the first call.
    await recorder.finish(claim!).then(() => recorder.finish(claim!));
    expect(await world.channel(organizationId, channelId)).toMatchObject({ lease_token: null });
  }
});

test('a result with an error message that cannot be stored is stored without it, and the delivery is not retried', async () => {
  const organizationId = await world.createOrganization();
  const channelId = await world.createChannel(organizationId, {
    url: 'https://hooks.example.com/',
    name: 'only',
  });
  await world.setSetting(organizationId, 'default_notification_channel_id', channelId);
  const attempt = await claimDelivery(organizationId, channelId);
  const recorder = createAttemptRecorder({ ...world.tools, db, log: world.log });
  await recorder.record({
    ...attempt,
    answer: {
      status: 404,
      body: null,
      retryAfter: null,
      durationMs: 1,
      error: {
        code: 'http_status',
        message: 'No such user: \0',
      },
    },
  });
  expect(await world.deliveries(organizationId)).toMatchObject([{ status: 'dead_letter' }]);
});
