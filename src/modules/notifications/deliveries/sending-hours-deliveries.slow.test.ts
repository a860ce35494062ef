import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture, eventTypeOf } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { isLong } from '../../../../tests/helpers/long-tests.ts';
import { MessageQueue } from '../../../domain/replay/message-queue.ts';
import type { EventType } from '../../../domain/routing/notification-event.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { nextOpening, type SendingHours, weekdays } from '../../../domain/scheduling/sending-hours.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createOpeningDigestsAcrossOrganizations } from './plan/create-opening-digests.ts';
import { readAcknowledgeToken } from './secrets/acknowledge-link.ts';
import { applySendingHours } from './worker/hold-for-hours.ts';
import { recoverFromClockJumpAcrossOrganizations } from './worker/recover-deliveries.ts';

const { db, connectAgain, world, answers, setUp, allFinal, trigger } = await createDeliveryFixture();
let loop = world.startLoop();

async function now(): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now;
}

/**
 * Returns daily sending hours that start and end the given number of hours after `at`, rounded down to full
 * hours.
 */
function hoursFrom(at: Date, from: number, to: number): SendingHours[] {
  const text = (hours: number) =>
    `${new Date(at.getTime() + hours * 3_600_000).toISOString().slice(11, 13)}:00`;
  return [{ days: [...weekdays], from: text(from), to: text(to) }];
}

/** Waits until no channel is due and no pass holds a lease. */
async function quiet(organizationId: number): Promise<void> {
  await pollUntil(async () => {
    const { rows } = await sql<{ busy: number }>`
      SELECT count(*) AS busy FROM notification_channels
      WHERE organization_id = ${organizationId} AND (lease_token IS NOT NULL OR due_at <= pacekeeper_now())`.execute(
      db,
    );
    return rows[0]!.busy === 0;
  });
}

const startedAt = await now();
const closed = { sendingHours: hoursFrom(startedAt, 3, 8) };

describe('outside the sending hours', () => {
  test('a message waits until the sending hours start, and the channel becomes due at that time', async () => {
    const { organizationId, channelId, received } = await setUp(closed);
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await quiet(organizationId);
    const opening = nextOpening(closed.sendingHours, 'UTC', await now());
    const [delivery] = await world.deliveries(organizationId);
    expect(delivery).toMatchObject({ status: 'pending', waits_for_hours: true, next_attempt_at: opening });
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      due_at: opening,
      held_until: opening,
    });
    expect(received()).toEqual([]);

    await setClockOffset(db, '4 hours');
    world.wakeUps.wake('notification_channels');
    const [sent] = await allFinal(organizationId, 1);
    expect(sent).toMatchObject({ status: 'succeeded', waits_for_hours: false, attempt_count: 1 });
    expect(received().map(eventTypeOf)).toEqual(['alert.created']);
    // The acknowledge link is valid for seven days from the time of sending.
    const [, token] = JSON.parse(received()[0]!.body).data.acknowledge_url.split('/ack/');
    const weekLater = (await now()).getTime() + 7 * 86_400_000;
    expect(readAcknowledgeToken(world.acknowledgeSigner, token, new Date(weekLater - 60_000)).ok).toBe(true);
    expect(readAcknowledgeToken(world.acknowledgeSigner, token, new Date(weekLater + 60_000)).ok).toBe(false);
    await quiet(organizationId);
    expect((await world.channel(organizationId, channelId)).held_until).toBe(null);
  });

  test('only the resolution is sent for an alert that is resolved before the sending hours start', async () => {
    const { organizationId, received } = await setUp(closed);
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }, { alertId: b! }]);
    await quiet(organizationId);
    await world.raiseEvents(organizationId, [
      { alertId: a!, eventType: 'alert.escalated' },
      { alertId: a!, eventType: 'alert.resolved' },
    ]);
    await quiet(organizationId);
    await setClockOffset(db, '4 hours');
    world.wakeUps.wake('notification_channels');
    const rows = await allFinal(organizationId, 4);
    expect(rows.map(({ event_type, status, reason }) => [event_type, status, reason])).toEqual([
      ['alert.created', 'canceled', 'superseded'],
      ['alert.created', 'succeeded', null],
      ['alert.escalated', 'canceled', 'superseded'],
      ['alert.resolved', 'succeeded', null],
    ]);
    expect(received().map(eventTypeOf).toSorted()).toEqual(['alert.created', 'alert.resolved']);
  });

  test('a message that no longer applies when the sending hours start is not sent', async () => {
    const { organizationId, received } = await setUp(closed);
    const [resolved, open, acknowledged, snoozed, silenced, other] = await world.createAlerts(
      organizationId,
      6,
    );
    await world.raiseEvents(organizationId, [
      { alertId: resolved! },
      { alertId: open! },
      ...[acknowledged, snoozed, silenced, other].map((alertId) => ({
        alertId: alertId!,
        eventType: 'alert.reminder' as const,
      })),
    ]);
    await quiet(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: resolved!, eventType: 'alert.escalated' }]);
    await quiet(organizationId);
    const change = (alertId: number, columns: RawBuilder<unknown>) =>
      sql`UPDATE alerts SET ${columns} WHERE organization_id = ${organizationId} AND id = ${alertId}`.execute(
        db,
      );
    // Resolve the alert without an event, as if the resolution was silenced or routed to another channel.
    await change(resolved!, sql`resolved_at = pacekeeper_now(), resolution = 'caught_up'`);
    await change(acknowledged!, sql`acknowledged_at = pacekeeper_now()`);
    await change(snoozed!, sql`is_snoozed_until_version_changes = true`);
    await change(silenced!, sql`labels = '{"team": "payments"}'`);
    await sql`
      INSERT INTO silences
        (organization_id, label_matchers, severities, starts_at, ends_at, reason, created_by_type, created_by_name)
      VALUES (${organizationId}, '[{"label": "team", "operator": "=", "value": "payments"}]', '{}',
        pacekeeper_now() - interval '1 hour', pacekeeper_now() + interval '9 hours', 'Maintenance', 'user', 'Ana')`.execute(
      db,
    );
    await setClockOffset(db, '4 hours');
    world.wakeUps.wake('notification_channels');
    const rows = await allFinal(organizationId, 7);
    expect(
      rows.map(({ alert_id, event_type, status, reason }) => [alert_id, event_type, status, reason]),
    ).toEqual([
      [resolved, 'alert.created', 'canceled', 'superseded'],
      [open, 'alert.created', 'succeeded', null],
      [acknowledged, 'alert.reminder', 'canceled', 'superseded'],
      [snoozed, 'alert.reminder', 'canceled', 'superseded'],
      [silenced, 'alert.reminder', 'canceled', 'silenced'],
      [other, 'alert.reminder', 'succeeded', null],
      [resolved, 'alert.escalated', 'canceled', 'superseded'],
    ]);
    expect(received()).toHaveLength(2);
  });

  test('no reminder is planned for an alert that has a pending message', async () => {
    const { organizationId } = await setUp(closed);
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }]);
    await quiet(organizationId);
    await world.raiseEvents(organizationId, [
      { alertId: a!, eventType: 'alert.reminder' },
      { alertId: b!, eventType: 'alert.reminder' },
    ]);
    expect((await world.deliveries(organizationId)).map(({ alert_id }) => alert_id)).toEqual([a, b]);
  });

  test('a critical event is sent immediately, after the pending messages of its alert', async () => {
    const { organizationId, received } = await setUp(closed);
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }, { alertId: b! }]);
    await quiet(organizationId);
    await world.raiseEvents(organizationId, [
      { alertId: a!, eventType: 'alert.escalated', severity: 'critical' },
    ]);
    await pollUntil(async () => received().length === 2);
    await quiet(organizationId);
    expect(received().map(eventTypeOf)).toEqual(['alert.created', 'alert.escalated']);
    expect((await world.deliveries(organizationId)).map(({ waits_for_hours }) => waits_for_hours)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('a failed attempt is retried when the sending hours start, and its retry schedule starts at that time', async () => {
    const { organizationId, path, received } = await setUp({ sendingHours: hoursFrom(startedAt, -1, 1) });
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [7_200, 7_200]);
    answers.set(path, { status: 500 });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.status === 'failed');
    await setClockOffset(db, '3 hours');
    world.wakeUps.wake('notification_channels');
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.waits_for_hours);
    await quiet(organizationId);
    expect(received()).toHaveLength(1);
    answers.set(path, { status: 200 });
    await setClockOffset(db, '23 hours 30 minutes');
    world.wakeUps.wake('notification_channels');
    const [row] = await allFinal(organizationId, 1);
    expect(row).toMatchObject({ status: 'succeeded', attempt_count: 2 });
  });

  test('a digest waits, and a critical digest is sent without the events that wait', async () => {
    const { organizationId, received } = await setUp({ ...closed, digestMinutes: 10 });
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }]);
    await setClockOffset(db, '11 minutes');
    await trigger(organizationId);
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.waits_for_hours);
    await world.raiseEvents(organizationId, [{ alertId: b!, severity: 'critical' }]);
    await setClockOffset(db, '22 minutes');
    await trigger(organizationId);
    await pollUntil(async () => received().length === 1);
    await quiet(organizationId);
    const idsIn = (index: number) =>
      JSON.parse(received()[index]!.body).data.events.map(
        (event: { data: { alert: { id: number } } }) => event.data.alert.id,
      );
    expect(idsIn(0)).toEqual([b]);
    await setClockOffset(db, '4 hours');
    world.wakeUps.wake('notification_channels');
    await allFinal(organizationId, 4);
    expect(idsIn(1)).toEqual([a]);
  });

  describe('alerts that open together', () => {
    const alertIdsOf = ({ body }: { body: string }): number[] => {
      const { type, data } = JSON.parse(body);
      const events: { data: { alert: { id: number } } }[] = type === 'digest' ? data.events : [{ data }];
      return events.map((event) => event.data.alert.id);
    };

    /** Opens alerts with one cause, and waits until the urgent ones are sent and the others are held. */
    async function openTogether(organizationId: number, severities: readonly AlertSeverity[]) {
      const alertIds = await world.createAlerts(organizationId, severities.length);
      await world.raiseEvents(
        organizationId,
        alertIds.map((alertId, index) => ({ alertId, severity: severities[index]!, openingCause: 'change' })),
      );
      await transaction(db, (tx) => createOpeningDigestsAcrossOrganizations(tx, sql<boolean>`true`, null));
      world.wakeUps.wake('notification_channels');
      await quiet(organizationId);
      return alertIds;
    }

    test.each<[number, number]>([
      [1, 3],
      [2, 3],
      [2, 1],
    ])(
      'are sent if the channel always sends their severity (%i alerts), and the others wait (%i alerts)',
      async (urgentCount, otherCount) => {
        const { organizationId, received } = await setUp(closed);
        const urgent = Array<AlertSeverity>(urgentCount).fill('critical');
        const others = Array<AlertSeverity>(otherCount).fill('moderate');
        const ids = await openTogether(organizationId, [...others, ...urgent]);
        await pollUntil(async () => received().length > 0);
        await quiet(organizationId);
        expect(received().map(alertIdsOf)).toEqual([ids.slice(otherCount)]);

        // A later urgent message about other alerts doesn't cause the held alerts to be sent either.
        const [later] = await openTogether(organizationId, ['critical']);
        await pollUntil(async () => received().length > 1);
        await quiet(organizationId);
        expect(received().slice(1).map(alertIdsOf)).toEqual([[later]]);

        await setClockOffset(db, '4 hours');
        world.wakeUps.wake('notification_channels');
        await pollUntil(async () => received().length > 2);
        expect(received().slice(2).map(alertIdsOf)).toEqual([ids.slice(0, otherCount)]);
      },
    );

    test('are sent before an urgent message about one of them', async () => {
      const { organizationId, received } = await setUp(closed);
      const ids = await openTogether(organizationId, ['moderate', 'moderate']);
      await world.raiseEvents(organizationId, [
        { alertId: ids[1]!, eventType: 'alert.escalated', severity: 'critical' },
      ]);
      await pollUntil(async () => received().length === 2);
      expect(received().map(alertIdsOf)).toEqual([ids, [ids[1]]]);
    });
  });
});

describe('a delivery that waits for the sending hours', () => {
  async function setUpWaiting() {
    const made = await setUp(closed);
    const [alertId] = await world.createAlerts(made.organizationId);
    await world.raiseEvents(made.organizationId, [{ alertId: alertId! }]);
    await quiet(made.organizationId);
    expect((await world.deliveries(made.organizationId))[0]).toMatchObject({ waits_for_hours: true });
    return made;
  }

  test('survives a restart of the server', async () => {
    await loop.stop();
    const { organizationId, received } = await setUp(closed);
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    const other = await connectAgain();
    const first = world.startLoop({ db: other });
    await pollUntil(async () => (await world.deliveries(organizationId))[0]!.waits_for_hours);
    await first.stop();
    await setClockOffset(db, '4 hours');
    loop = world.startLoop();
    await allFinal(organizationId, 1);
    expect(received()).toHaveLength(1);
  });

  test('never expires because of a failing receiver, regardless of its age', async () => {
    const { organizationId, channelId } = await setUpWaiting();
    await sql`
      UPDATE notification_channels SET consecutive_failures = 1 WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(
      db,
    );
    await sql`
      UPDATE notification_deliveries SET series_started_at = series_started_at - interval '3 days'
      WHERE organization_id = ${organizationId}`.execute(db);
    await trigger(organizationId);
    await quiet(organizationId);
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'pending', waits_for_hours: true },
    ]);
  });

  test('waits for the correct start of the sending hours after the clock is corrected', async () => {
    await setClockOffset(db, '30 days');
    const { organizationId, channelId } = await setUpWaiting();
    const wrong = (await world.channel(organizationId, channelId)).held_until!;
    await resetClockOffset(db);
    await recoverFromClockJumpAcrossOrganizations(db);
    world.wakeUps.wake('notification_channels');
    const right = nextOpening(closed.sendingHours, 'UTC', await now())!;
    expect(right.getTime()).toBeLessThan(wrong.getTime());
    await pollUntil(
      async () => (await world.channel(organizationId, channelId)).held_until?.getTime() === right.getTime(),
    );
    await quiet(organizationId);
    expect((await world.deliveries(organizationId))[0]).toMatchObject({
      next_attempt_at: right,
      waits_for_hours: true,
    });
  });

  test('is reevaluated after a change to the sending hours, even during a pass', async () => {
    const { organizationId, channelId } = await setUpWaiting();
    const before = await world.channel(organizationId, channelId);
    await sql`
      UPDATE notification_channels SET held_until = pacekeeper_now(), always_for = '{high}'
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    // A pass that claimed the channel before the change still has these values.
    const claimed = {
      ...before,
      sending_hours: closed.sendingHours,
      always_for: ['critical' as const],
      held_until: null,
    };
    await applySendingHours(db, claimed, await now());
    await trigger(organizationId);
    expect(await allFinal(organizationId, 1)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('is canceled when the channel is disabled', async () => {
    const { organizationId, channelId } = await setUpWaiting();
    await sql`
      UPDATE notification_channels SET is_active = false WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(
      db,
    );
    await trigger(organizationId);
    const [row] = await allFinal(organizationId, 1);
    expect(row).toMatchObject({ status: 'canceled', reason: 'channel_inactive', waits_for_hours: false });
  });
});

describe('a scheduled digest', () => {
  test('is sent at its time and contains all earlier events', async () => {
    const at = new Date((await now()).getTime() + 5 * 3_600_000);
    const digestSchedule = `0 ${at.getUTCHours()} * * *`;
    const { organizationId, received } = await setUp({ digestSchedule });
    const [a, b] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: a! }]);
    await setClockOffset(db, '2 hours');
    await world.raiseEvents(organizationId, [{ alertId: b! }]);
    const due = (await world.deliveries(organizationId)).map(({ next_attempt_at }) =>
      next_attempt_at!.toISOString(),
    );
    expect(due).toEqual(Array(2).fill(`${at.toISOString().slice(0, 13)}:00:00.000Z`));
    await quiet(organizationId);
    expect(received()).toEqual([]);
    await setClockOffset(db, '6 hours');
    world.wakeUps.wake('notification_channels');
    await allFinal(organizationId, 3);
    expect(received().map((request) => JSON.parse(request.body).data.events.length)).toEqual([2]);
  });

  test('is not sent early after the clock is set back', async () => {
    const at = new Date((await now()).getTime() + 5 * 3_600_000);
    await setClockOffset(db, '3 days');
    const { organizationId, received } = await setUp({ digestSchedule: `0 ${at.getUTCHours()} * * *` });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await resetClockOffset(db);
    expect(await recoverFromClockJumpAcrossOrganizations(db)).toBeGreaterThan(0);
    world.wakeUps.wake('notification_channels');
    await quiet(organizationId);
    const [row] = await world.deliveries(organizationId);
    expect(row!.next_attempt_at!.toISOString()).toBe(`${at.toISOString().slice(0, 13)}:00:00.000Z`);
    expect(received()).toEqual([]);
  });
});

/** Events of alerts in steps of 30 minutes. The test runs up to 72 steps, which is a day and a half. */
const steps = fc.array(
  fc.array(
    fc.record({
      alert: fc.nat({ max: 3 }),
      eventType: fc.constantFrom<EventType>(
        'alert.created',
        'alert.escalated',
        'alert.acknowledged',
        'alert.reminder',
        'alert.resolved',
      ),
      severity: fc.constantFrom<AlertSeverity>('moderate', 'high', 'critical'),
      /** True if a resolution isn't sent to the channel. Other event types ignore this field. */
      isElsewhere: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  { minLength: 4, maxLength: 8 },
);
const channels = fc.record({
  opensIn: fc.integer({ min: -3, max: 8 }),
  lasts: fc.integer({ min: 1, max: 9 }),
  digestMinutes: fc.constantFrom(null, 60, 210),
  fails: fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
});

describe('a channel with random events and restarts', () => {
  afterEach(() => resetClockOffset(db));

  test('loses no event, keeps the events of each alert in order, and sends as many messages as the simulation predicts', {
    timeout: 300_000,
  }, async () => {
    const seen = { held: 0, superseded: 0, urgent: 0, elsewhere: 0, unreminded: 0 };
    await fc.assert(
      fc.asyncProperty(steps, channels, async (happens, { opensIn, lasts, digestMinutes, fails }) => {
        // Start one second after a full hour, so that sending hours and digests fall between the steps, in
        // the simulation too.
        await resetClockOffset(db);
        const untilHour = 3_601_000 - ((await now()).getTime() % 3_600_000);
        await setClockOffset(db, `${untilHour} milliseconds`);
        const base = (await now()).getTime();
        const sendingHours = hoursFrom(new Date(base), opensIn, opensIn + lasts);
        const { organizationId, received } = await setUp({
          sendingHours,
          ...(digestMinutes !== null && { digestMinutes }),
        });
        const alertIds = await world.createAlerts(organizationId, 4);
        const over = new Set<number>();
        const queue = new MessageQueue({
          sendingHours,
          digestMinutes,
          digestSchedule: null,
          timezone: 'UTC',
          alwaysFor: ['critical'],
        });
        let count = 0;
        for (let step = 0; step < 72; step++) {
          const minutes = step * 30;
          await setClockOffset(db, `${untilHour + minutes * 60_000} milliseconds`);
          world.wakeUps.wake('notification_channels');
          await quiet(organizationId);
          for (const { alert, eventType, severity, isElsewhere } of happens[step] ?? []) {
            if (over.has(alert)) continue;
            const alertId = alertIds[alert]!;
            const isResolved = eventType === 'alert.resolved';
            if (isResolved) over.add(alert);
            const isSilenced = isResolved && isElsewhere;
            const before = (await world.deliveries(organizationId)).length;
            if (isResolved)
              await sql`
                UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'caught_up' WHERE id = ${alertId}`.execute(
                db,
              );
            await world.raiseEvents(organizationId, [
              { alertId, eventType, severity, isSnoozed: isSilenced },
            ]);
            const atMs = base + minutes * 60_000;
            if (isSilenced) {
              queue.resolve(atMs, alert);
              seen.elsewhere++;
            } else queue.add(atMs, { alertId: alert, eventType, severity });
            const planned = (await world.deliveries(organizationId)).length - before;
            if (eventType === 'alert.reminder' && planned === 0) seen.unreminded++;
            else if (!isSilenced) count++;
            await quiet(organizationId);
          }
          // A restarted server continues from the stored state.
          if (fails.includes(step)) {
            await loop.stop();
            loop = world.startLoop();
          }
          world.wakeUps.wake('notification_channels');
          await quiet(organizationId);
          const open = (await world.deliveries(organizationId)).some(({ status }) => status === 'pending');
          if (!open && step >= happens.length) break;
        }
        const rows = (await world.deliveries(organizationId)).filter(
          ({ event_type }) => event_type !== 'digest',
        );
        expect(rows).toHaveLength(count);
        for (const row of rows) {
          expect([row.status, row.reason]).toEqual(
            row.status === 'canceled' ? ['canceled', 'superseded'] : ['succeeded', null],
          );
          if (row.status !== 'canceled') continue;
          seen.superseded++;
          const others = rows.filter(
            ({ alert_id, status }) => alert_id === row.alert_id && status === 'succeeded',
          );
          const isOver = over.has(alertIds.indexOf(row.alert_id!));
          expect(
            isOver ||
              others.some(({ sequence }) => row.event_type === 'alert.reminder' || sequence! > row.sequence!),
          ).toBe(true);
        }
        const told = received().flatMap(({ body }) => {
          const message = JSON.parse(body);
          return message.type === 'digest'
            ? message.data.events.map(({ data }: { data: unknown }) => data)
            : [message.data];
        }) as { alert: { id: number }; sequence: number }[];
        for (const alertId of alertIds) {
          const sequences = told.filter(({ alert }) => alert.id === alertId).map(({ sequence }) => sequence);
          expect(sequences).toEqual(sequences.toSorted((x, y) => x - y));
        }
        expect(queue.count).toBe(received().length);
        if (
          rows.some(
            ({ created_at, last_attempt_at }) => Number(last_attempt_at) - Number(created_at) > 3_600_000,
          )
        )
          seen.held++;
        if (happens.some((events) => events.some(({ severity }) => severity === 'critical'))) seen.urgent++;
      }),
      { numRuns: isLong ? 200 : 8, seed: 20_261_123, endOnFailure: true },
    );
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(isLong ? 5 : 0);
  });
});
