import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { maxEventsOfDigest } from '../../../domain/routing/notification-event.ts';
import { transaction } from '../../../platform/database/index.ts';
import { cancelDeliveriesOfChannel } from './model/close-deliveries.ts';
import { moveWaitingDigest } from './model/move-waiting-digest.ts';
import { createParsingChangeDigestsAcrossOrganizations } from './plan/form-reading-digests.ts';
import { readAcknowledgeToken } from './secrets/acknowledge-link.ts';

const { db, world, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
world.startLoop();

/** Returns the types of the events in a digest. */
function eventsIn({ body }: { body: string }): string[] {
  return JSON.parse(body).data.events.map((event: { type: string }) => event.type);
}

/** Triggers a pass of the channel, and waits until the pass has ended and nothing more is due. */
async function afterPass(organizationId: number, channelId: number): Promise<void> {
  await trigger(organizationId);
  await pollUntil(async () => {
    const { rows } = await sql<{ is_quiet: boolean }>`
      SELECT lease_token IS NULL AND requested_seq = processed_seq AND due_at > pacekeeper_now() AS is_quiet
      FROM notification_channels WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    return rows[0]!.is_quiet;
  });
}

describe('a digest', () => {
  test('sends the events of its interval as one message, in order, and the result applies to all of these events', async () => {
    const { organizationId, channelId, received } = await setUp({ digestMinutes: 10 });
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }, { alertId: b! }]);
    await setClockOffset(db, '5 minutes');
    await world.raiseEvents(organizationId, [{ alertId: a!, eventType: 'alert.acknowledged' }]);
    const waiting = await world.deliveries(organizationId);
    expect(new Set(waiting.map(({ next_attempt_at }) => Number(next_attempt_at))).size).toBe(1);
    await pollUntil(async () => (await world.channel(organizationId, channelId)).lease_token === null);
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
      'alert.acknowledged',
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

  test('skips superseded events of a resolved alert, and contains no reminder about an alert with another event in the digest', async () => {
    const { organizationId, received } = await setUp({ digestMinutes: 10 });
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }, { alertId: b! }]);
    await world.raiseEvents(organizationId, [
      { alertId: a!, eventType: 'alert.escalated' },
      { alertId: a!, eventType: 'alert.resolved' },
      { alertId: b!, eventType: 'alert.reminder' },
    ]);
    await setClockOffset(db, '11 minutes');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 5);
    expect(rows.map(({ event_type, status, reason }) => [event_type, status, reason])).toEqual([
      ['alert.created', 'canceled', 'superseded'],
      ['alert.created', 'succeeded', null],
      ['alert.escalated', 'canceled', 'superseded'],
      ['alert.resolved', 'succeeded', null],
      ['digest', 'succeeded', null],
    ]);
    expect(received().map(eventsIn)).toEqual([['alert.created', 'alert.resolved']]);
  });

  test('skips messages that no longer apply and is not sent if it would be empty', async () => {
    const { organizationId, channelId, received } = await setUp({ digestMinutes: 10 });
    const [a, b] = await world.createAlerts(organizationId, 2);
    const resolve = (alertId: number) =>
      sql`UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'caught_up' WHERE id = ${alertId}`.execute(
        db,
      );
    await world.raiseEvents(organizationId, [{ alertId: a! }]);
    // Simulates that the resolution is routed to another channel.
    await resolve(a!);
    await setClockOffset(db, '11 minutes');
    await afterPass(organizationId, channelId);
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'canceled', reason: 'superseded' },
    ]);

    const [c] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: b! }, { alertId: c! }]);
    await resolve(b!);
    await setClockOffset(db, '22 minutes');
    await trigger(organizationId);
    await allFinal(organizationId, 4);
    const alertIds = received().map(({ body }) =>
      JSON.parse(body).data.events.map(({ data }: { data: { alert: { id: number } } }) => data.alert.id),
    );
    expect(alertIds).toEqual([[c]]);
  });

  test('skips an event that a later event supersedes, even if the later event exceeds the maximum number of events per digest', async () => {
    const { organizationId, received } = await setUp({ digestMinutes: 10 });
    const alertIds = await world.createAlerts(organizationId, maxEventsOfDigest + 5);
    await world.raiseEvents(organizationId, [
      ...alertIds.map((alertId) => ({ alertId })),
      { alertId: alertIds[0]!, eventType: 'alert.resolved' },
    ]);
    await setClockOffset(db, '11 minutes');
    await trigger(organizationId);
    await allFinal(organizationId, maxEventsOfDigest + 8);
    const told = received().map(eventsIn);
    expect(told.map(({ length }) => length)).toEqual([maxEventsOfDigest, 5]);
    expect(told.at(-1)!.at(-1)).toBe('alert.resolved');
  });

  test('contains acknowledge links that are valid for seven days after it is sent and stay the same on a retry', async () => {
    const at = new Date(Date.now() + 9 * 86_400_000);
    const digestSchedule = `0 ${at.getUTCHours()} ${at.getUTCDate()} * *`;
    const { organizationId, path, received } = await setUp({ digestSchedule });
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '10 days');
    await trigger(organizationId);
    await pollUntil(async () => received().length === 1);
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).some(({ status }) => status === 'failed'),
    );
    answers.set(path, { status: 200 });
    // Deleting the stored body makes the retry render the message again, as changing the preset would.
    await sql`UPDATE notification_deliveries SET body_sealed = NULL WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    await setClockOffset(db, '10 days 1 hour');
    await trigger(organizationId);
    await allFinal(organizationId, 2);
    const links = received().map(
      ({ body }) => JSON.parse(body).data.events[0].data.acknowledge_url as string,
    );
    expect(new Set(links).size).toBe(1);
    const [, token] = links[0]!.split('/ack/') as [string, string];
    const readAfter = (days: number) =>
      readAcknowledgeToken(world.acknowledgeSigner, token, new Date(Date.now() + days * 86_400_000));
    expect(readAfter(16.9)).toMatchObject({ ok: true, target: { organizationId, alertId } });
    expect(readAfter(17.1)).toEqual({ ok: false, reason: 'expired' });
  });

  test('waits for the previous digest to complete', async () => {
    const { organizationId, path, received } = await setUp({ digestMinutes: 1 });
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '2 minutes');
    await trigger(organizationId);
    await pollUntil(async () =>
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

  test('waits for earlier deliveries of its alerts', async () => {
    const { organizationId, channelId, path, received } = await setUp({});
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [3_600]);
    answers.set(path, { status: 500 });
    const [alertId, other] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () => {
      const { consecutive_failures, lease_token } = await world.channel(organizationId, channelId);
      return consecutive_failures === 1 && lease_token === null;
    });
    answers.set(path, { status: 200 });
    await sql`UPDATE notification_channels SET digest_minutes = 1 WHERE id = ${channelId}`.execute(db);
    await world.raiseEvents(organizationId, [
      { alertId: alertId!, eventType: 'alert.resolved' },
      { alertId: other! },
    ]);
    await setClockOffset(db, '5 minutes');
    await trigger(organizationId);
    await pollUntil(async () => received().length === 2);
    await setClockOffset(db, '90 minutes');
    await trigger(organizationId);
    await allFinal(organizationId, 5);
    const told = received().map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return type === 'digest' ? data.events.map((event: { type: string }) => event.type) : type;
    });
    expect(told).toEqual(['alert.created', ['alert.created'], 'alert.created', ['alert.resolved']]);
  });

  test('becomes a dead letter together with the deliveries it contains', async () => {
    const { organizationId, channelId, path } = await setUp({ digestMinutes: 1 });
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [600]);
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await setClockOffset(db, '2 minutes');
    await trigger(organizationId);
    // Wait for the end of the pass, because a pass checks for expired deliveries only once.
    await pollUntil(async () => {
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

describe('a PagerDuty channel', () => {
  const pagerduty = { preset: 'pagerduty', presetOptions: { routing_key: 'R'.repeat(32) } };

  test.each(['silence_ended', 'reading_changed'] as const)(
    'receives each event separately, even if other channels receive a digest (%s)',
    async (cause) => {
      const { organizationId, received } = await setUp(pagerduty);
      const [a, b] = await world.createAlerts(organizationId, 2);
      await world.raiseEvents(organizationId, [
        { alertId: a!, cause },
        { alertId: b!, eventType: 'alert.resolved', cause },
      ]);
      const rows = await allFinal(organizationId, 2);
      expect(rows.map(({ event_type }) => event_type)).toEqual(['alert.created', 'alert.resolved']);
      const sent = received().map(
        ({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string },
      );
      expect(sent.map(({ event_action }) => event_action).toSorted()).toEqual(['resolve', 'trigger']);
      expect(new Set(sent.map(({ dedup_key }) => dedup_key)).size).toBe(2);
    },
  );

  test('receives deliveries that were waiting for a digest when its preset changed', async () => {
    const { organizationId, channelId, received } = await setUp({});
    const alertIds = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId, cause: 'reading_changed' })),
    );
    await sql`UPDATE notification_channels SET preset = 'pagerduty' WHERE id = ${channelId}`.execute(db);
    const isEvaluated = sql<boolean>`true`;
    await transaction(db, (tx) => createParsingChangeDigestsAcrossOrganizations(tx, isEvaluated));
    const rows = await allFinal(organizationId, 2);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(received()).toHaveLength(2);
  });
});

describe('a digest of a channel that gets the PagerDuty preset', () => {
  test('is sent as separate events, and the resolution of each alert closes its incident', async () => {
    const { organizationId, channelId, path, received } = await setUp({
      digestMinutes: 1,
      presetOptions: { routing_key: 'R'.repeat(32) },
    });
    answers.set(path, { status: 500 });
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }, { alertId: b! }]);
    await setClockOffset(db, '2 minutes');
    await trigger(organizationId);
    await pollUntil(async () => {
      const { consecutive_failures, lease_token } = await world.channel(organizationId, channelId);
      return consecutive_failures === 1 && lease_token === null;
    });
    expect(received()).toHaveLength(1);
    answers.set(path, { status: 202 });
    await sql`
      UPDATE notification_channels SET preset = 'pagerduty', digest_minutes = NULL WHERE id = ${channelId}`.execute(
      db,
    );
    await world.raiseEvents(organizationId, [{ alertId: a!, eventType: 'alert.resolved' }]);
    await setClockOffset(db, '10 minutes');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 4);
    expect(rows.map(({ event_type, status, reason }) => [event_type, status, reason])).toEqual([
      ['alert.created', 'succeeded', null],
      ['alert.created', 'succeeded', null],
      ['digest', 'canceled', 'superseded'],
      ['alert.resolved', 'succeeded', null],
    ]);
    const sent = received()
      .slice(1)
      .map(({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string });
    expect(sent.map(({ event_action }) => event_action).toSorted()).toEqual([
      'resolve',
      'trigger',
      'trigger',
    ]);
    const opened = sent.filter(({ event_action }) => event_action === 'trigger');
    const keys = new Set(opened.map(({ dedup_key }) => dedup_key));
    expect(keys.size).toBe(2);
    expect(keys).toContain(sent.find(({ event_action }) => event_action === 'resolve')?.dedup_key);
  });
});

describe('a delivery that waits for a digest', () => {
  /** Creates a channel whose digest is due in five days and whose last request has just failed. */
  async function setUpFailing(isSending = false) {
    const at = new Date(Date.now() + 5 * 86_400_000);
    const made = await setUp({
      digestSchedule: `0 ${at.getUTCHours()} ${at.getUTCDate()} * *`,
    });
    const { organizationId, path } = made;
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [600]);
    answers.set(path, { status: isSending ? 200 : 500 });
    await sql`
      UPDATE notification_channels SET consecutive_failures = 1, last_failure_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(db);
    const alertIds = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    return { ...made, alertIds };
  }

  test("doesn't expire before the digest is due if the channel has failed, and is sent with the digest", async () => {
    const { organizationId, channelId, received } = await setUpFailing(true);
    await setClockOffset(db, '4 days');
    await afterPass(organizationId, channelId);
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'pending', reason: null },
      { status: 'pending', reason: null },
    ]);
    // Simulates that the server was down when the digest became due, for longer than a series of attempts lasts.
    await setClockOffset(db, '7 days');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 3);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(received()).toHaveLength(1);
  });

  test('expires when another digest has blocked it for the duration of the retry schedule', async () => {
    const { organizationId, channelId, alertIds } = await setUpFailing();
    await setClockOffset(db, '7 days');
    await afterPass(organizationId, channelId);
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'pending' },
      { status: 'pending' },
      { event_type: 'digest', status: 'failed' },
    ]);
    await world.raiseEvents(organizationId, [{ alertId: alertIds[0]!, eventType: 'alert.escalated' }]);
    await sql`
      UPDATE notification_deliveries SET next_attempt_at = pacekeeper_now(), series_started_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND event_type = 'alert.escalated'`.execute(db);
    await sql`
      UPDATE notification_deliveries SET next_attempt_at = pacekeeper_now() + interval '2 days', max_attempts = 9,
        series_started_at = pacekeeper_now() + interval '2 days'
      WHERE organization_id = ${organizationId} AND event_type = 'digest'`.execute(db);
    await setClockOffset(db, '7 days 5 minutes');
    await afterPass(organizationId, channelId);
    expect((await world.deliveries(organizationId)).at(-1)).toMatchObject({ status: 'pending' });
    await setClockOffset(db, '8 days');
    await afterPass(organizationId, channelId);
    expect((await world.deliveries(organizationId)).at(-1)).toMatchObject({
      status: 'dead_letter',
      reason: 'expired',
    });
  });

  test('is sent separately when digests are disabled, with a full retry schedule', async () => {
    const { organizationId, channelId, path } = await setUpFailing();
    await setClockOffset(db, '4 days');
    await afterPass(organizationId, channelId);
    await sql`UPDATE notification_channels SET digest_schedule = NULL WHERE id = ${channelId}`.execute(db);
    await transaction(db, (tx) => moveWaitingDigest(tx, organizationId, channelId, null));
    await afterPass(organizationId, channelId);
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'failed' },
      { status: 'failed' },
    ]);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '4 days 11 minutes');
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 2);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  });
});

describe('a channel that is disabled while its digest is being sent', () => {
  async function setUpSending(status: number) {
    const made = await setUp({ digestMinutes: 1 });
    const { organizationId, path, received } = made;
    answers.set(path, { afterMs: 1_000, status });
    const alertIds = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    await setClockOffset(db, '2 minutes');
    await trigger(organizationId);
    await pollUntil(async () => received().length === 1);
    return made;
  }

  async function disable(organizationId: number, channelId: number): Promise<void> {
    await transaction(db, async (tx) => {
      await sql`UPDATE notification_channels SET is_active = false WHERE id = ${channelId}`.execute(tx);
      await cancelDeliveriesOfChannel(tx, organizationId, channelId, 'channel_inactive');
    });
  }

  test('completes the digest and its deliveries if the request succeeds', async () => {
    const { organizationId, channelId } = await setUpSending(200);
    await disable(organizationId, channelId);
    const rows = await allFinal(organizationId, 3);
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual(Array(3).fill(['succeeded', null]));
  });

  test("doesn't retry a failed digest, and cancels it with its deliveries", async () => {
    const { organizationId, channelId, received } = await setUpSending(500);
    await disable(organizationId, channelId);
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).some(({ attempt_count }) => attempt_count === 1),
    );
    await pollUntil(async () => (await world.channel(organizationId, channelId)).lease_token === null);
    await trigger(organizationId);
    const rows = await allFinal(organizationId, 3);
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual(
      Array(3).fill(['canceled', 'channel_inactive']),
    );
    expect(received()).toHaveLength(1);
  });
});

describe('the digest after a change in how version strings are parsed', () => {
  const cause = 'reading_changed' as const;
  const form = (isEvaluated: boolean) =>
    transaction(db, (tx) =>
      createParsingChangeDigestsAcrossOrganizations(tx, sql<boolean>`${isEvaluated}::boolean`),
    );

  test.each([null, 10])(
    'precedes later events of its alerts in a channel with digest_minutes %s',
    async (digestMinutes) => {
      const { organizationId, received } = await setUp({ ...(digestMinutes !== null && { digestMinutes }) });
      const [a, b] = await world.createAlerts(organizationId, 2);
      await world.raiseEvents(organizationId, [
        { alertId: a!, eventType: 'alert.escalated', cause },
        { alertId: b!, eventType: 'alert.escalated', cause },
      ]);
      await world.raiseEvents(organizationId, [{ alertId: a!, eventType: 'alert.resolved' }]);
      await setClockOffset(db, '11 minutes');
      await trigger(organizationId);
      expect(await form(false)).toBe(0);
      await pollUntil(async () => {
        const channels = await sql<{ lease_token: string | null }>`
          SELECT lease_token FROM notification_channels WHERE organization_id = ${organizationId}`.execute(
          db,
        );
        return channels.rows.every(({ lease_token }) => lease_token === null);
      });
      expect(received()).toHaveLength(0);

      expect(await form(true)).toBe(1);
      await pollUntil(async () => received().length > 0);
      await setClockOffset(db, '22 minutes');
      await trigger(organizationId);
      await allFinal(organizationId, digestMinutes === null ? 4 : 5);
      const told = received().map(({ body }) => JSON.parse(body));
      expect(told[0]).toMatchObject({
        type: 'digest',
        data: { cause, events: [{ type: 'alert.escalated' }, { type: 'alert.escalated' }] },
      });
      expect(told.slice(1).map((message) => message.type)).toEqual([
        digestMinutes === null ? 'alert.resolved' : 'digest',
      ]);
    },
  );

  test('is sent after earlier deliveries of its alerts', async () => {
    const { organizationId, path, received } = await setUp({});
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).some(({ status }) => status === 'failed'),
    );
    await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved', cause }]);
    expect(await form(true)).toBe(0);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '45 minutes');
    await trigger(organizationId);
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).some(({ status }) => status === 'succeeded'),
    );
    expect(await form(true)).toBe(1);
    await allFinal(organizationId, 3);
    expect(received().map(({ body }) => JSON.parse(body).type)).toEqual([
      'alert.created',
      'alert.created',
      'digest',
    ]);
  });

  test('waits at most an hour for configurations that cannot be evaluated', async () => {
    const { organizationId, received } = await setUp({});
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId!, cause }]);
    expect(await form(false)).toBe(0);
    await setClockOffset(db, '2 hours');
    expect(await form(false)).toBe(1);
    await allFinal(organizationId, 2);
    expect(received()).toHaveLength(1);
  });
});
