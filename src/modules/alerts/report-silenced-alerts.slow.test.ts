import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from '../../../tests/helpers/database.ts';
import { createDeliveryWorld, pollUntil } from '../../../tests/helpers/delivery-world.ts';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import {
  type AlertState,
  alertChange,
  noAcknowledgment,
  noSnooze,
  resolveAlert,
} from '../../domain/alerts/open-alert.ts';
import { systemActor } from '../../domain/audit/actor.ts';
import type { AlertEventType } from '../../domain/routing/notification-event.ts';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import { transaction } from '../../platform/database/index.ts';
import type { EditContext } from '../../platform/http/index.ts';
import { recoverDueWorkAcrossOrganizations } from '../../server/recover-from-clock-jump.ts';
import { sendRemindersAcrossOrganizations } from '../notifications/index.ts';
import { silenceEdits } from '../notifications/silences/silence-edits.ts';
import { lockAlerts, toSubject } from './alert-queries.ts';
import { toAlertState } from './alert-row.ts';
import { applyAlertChanges } from './apply-alert-changes.ts';
import { startSilenceEndLoop } from './report-silenced-alerts.ts';

const { db, connection, connectAgain, statementsOf } = await createTestDatabase({ poolSize: 10 });
const world = createDeliveryWorld({ db, connection });
afterEach(() => resetClockOffset(db));
afterAll(() => world.close());
const url = 'https://hooks.example.com/x';

interface SilenceFields {
  from?: number;
  to: number;
  team?: string;
  severities?: AlertSeverity[];
}

/**
 * Creates a silence. `from` and `to` are minutes after the start of the test; negative values are before it.
 */
async function silence(
  organizationId: number,
  { from = 0, to, team, severities = [] }: SilenceFields,
): Promise<number> {
  const matchers = team === undefined ? [] : [{ label: 'team', operator: '=', value: team }];
  const { rows } = await sql<{ id: number }>`
    INSERT INTO silences
      (organization_id, label_matchers, severities, starts_at, ends_at, reason, created_by_type, created_by_name)
    VALUES (${organizationId}, ${JSON.stringify(matchers)}::jsonb, ${severities},
      ${at(from)}, ${at(to)}, 'Maintenance', 'user', 'Ana')
    RETURNING id`.execute(db);
  return rows[0]!.id;
}

const startMs = Date.now();
const minuteMs = 60_000;
const at = (minute: number) => new Date(startMs + minute * minuteMs);

/**
 * Sets the clock to the middle of the given minute after the start, because silences start and end only at full
 * minutes.
 */
async function goTo(minute: number): Promise<void> {
  const offsetMs = startMs + (minute + 0.5) * minuteMs - Date.now();
  await setClockOffset(db, `${Math.round(offsetMs)} milliseconds`);
}

type AlertChange = 'opened' | 'escalated' | 'deescalated' | 'acknowledged' | 'resolved';

/** Changes alerts in the same way as evaluations and people, through `applyAlertChanges`. */
async function applyChange(
  organizationId: number,
  alertIds: readonly number[],
  what: AlertChange,
  severity: AlertSeverity = 'high',
): Promise<void> {
  await transaction(db, async (tx) => {
    const locked = await lockAlerts(tx, organizationId, sql`a.id = ANY(${[...alertIds]}::bigint[])`);
    const changes = locked.map((row) => {
      const before = toAlertState(row.alert);
      const nowMs = row.now.getTime();
      const alert = { id: row.alert.id, lastSequence: row.alert.last_sequence, before };
      if (what === 'resolved')
        return {
          subject: toSubject(row),
          alert,
          write: resolveAlert(before, 'caught_up', systemActor, nowMs),
        };
      const after: AlertState = {
        ...before,
        ...(what === 'escalated' && { ...noAcknowledgment, ...noSnooze, escalatedAtMs: nowMs }),
        ...(what === 'acknowledged' && { acknowledgedAtMs: nowMs, acknowledgedBy: systemActor }),
        severity: what === 'acknowledged' ? before.severity : severity,
      };
      const [action, eventType] = (
        {
          opened: ['created', 'alert.created'],
          escalated: ['escalated', 'alert.escalated'],
          deescalated: ['deescalated', null],
          acknowledged: ['acknowledged', 'alert.acknowledged'],
        } as const
      )[what];
      const change = alertChange(after, nowMs, systemActor, {
        action,
        eventType,
        from: what === 'opened' ? null : before.severity,
        to: after.severity,
      });
      return { subject: toSubject(row), alert, write: { after, changes: [change] } };
    });
    await applyAlertChanges(tx, organizationId, changes, locked[0]!.now);
  });
}

/** Runs the silence-end loop on the given number of servers until nothing is due. */
async function passEnds(servers = 1): Promise<void> {
  const loops = Array.from({ length: servers }, () => startSilenceEndLoop(world));
  try {
    await pollUntil(async () => {
      const { rows } = await sql`
        SELECT FROM silenced_alerts WHERE due_at <= pacekeeper_now() OR lease_until > pacekeeper_now() LIMIT 1`.execute(
        db,
      );
      return rows.length === 0;
    }, 120_000);
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()));
  }
}

async function setTeam(organizationId: number, alertIds: readonly number[], team: string): Promise<void> {
  await sql`UPDATE alerts SET labels = ${JSON.stringify({ team })}::jsonb
    WHERE organization_id = ${organizationId} AND id = ANY(${[...alertIds]}::bigint[])`.execute(db);
}

/**
 * Returns the types of the events that are sent to channels, in order, without the digests that contain some
 * of them.
 */
async function sent(organizationId: number): Promise<string[]> {
  const deliveries = await world.deliveries(organizationId);
  return deliveries.filter(({ event_type }) => event_type !== 'digest').map(({ event_type }) => event_type);
}

async function skipped(organizationId: number): Promise<string[]> {
  const trail = await world.trail(organizationId);
  return trail.flatMap(({ action, to_value, detail }) =>
    action === 'notification_skipped' ? `${to_value}: ${detail}` : [],
  );
}

/** Creates an organization with a channel and the given number of alerts of the payments team. */
async function makeWorld(count = 1) {
  const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
  const alertIds = await world.createAlerts(organizationId, count);
  await setTeam(organizationId, alertIds, 'payments');
  return { organizationId, channelId, alertIds };
}

const untilNow = (endsAt: Date) => `The alert is silenced until ${endsAt.toISOString()}: Maintenance`;

describe('an alert and a silence from minute 10 to minute 20', () => {
  type Step = [minute: number, what: AlertChange | 'pass', severity?: AlertSeverity];
  const created = 'alert.created';
  const escalated = 'alert.escalated';
  const resolved = 'alert.resolved';
  test.for<[string, Step[], AlertEventType[]]>([
    ['an alert that opens before the silence is reported immediately', [[5, 'opened']], [created]],
    [
      'an alert that opens during the silence is reported once when it ends',
      [
        [12, 'opened'],
        [19, 'pass'],
        [20, 'pass'],
        [30, 'pass'],
      ],
      [created],
    ],
    [
      "an alert that opens during the silence isn't reported before it ends",
      [
        [12, 'opened'],
        [19, 'pass'],
      ],
      [],
    ],
    ['an alert that opens after the silence is reported immediately', [[20, 'opened']], [created]],
    [
      'an alert that opens and escalates during the silence is reported once',
      [
        [12, 'opened'],
        [14, 'escalated', 'critical'],
        [20, 'pass'],
      ],
      [created],
    ],
    [
      'an alert that opens and resolves during the silence is never reported',
      [
        [12, 'opened'],
        [14, 'resolved'],
        [20, 'pass'],
      ],
      [],
    ],
    [
      'an alert that opens during the silence and resolves before its report is never reported',
      [
        [12, 'opened'],
        [21, 'resolved'],
        [22, 'pass'],
      ],
      [],
    ],
    [
      'an alert that escalates during the silence is reported as escalated',
      [
        [5, 'opened'],
        [12, 'escalated', 'critical'],
        [20, 'pass'],
      ],
      [created, escalated],
    ],
    [
      'an alert that escalates twice during the silence is reported as escalated once',
      [
        [5, 'opened', 'moderate'],
        [12, 'escalated', 'high'],
        [13, 'escalated', 'critical'],
        [20, 'pass'],
      ],
      [created, escalated],
    ],
    [
      "an alert that escalates and de-escalates during the silence isn't reported again",
      [
        [5, 'opened'],
        [12, 'escalated', 'critical'],
        [14, 'deescalated', 'high'],
        [20, 'pass'],
      ],
      [created],
    ],
    [
      'an alert that de-escalates only partly is reported as escalated',
      [
        [5, 'opened', 'moderate'],
        [12, 'escalated', 'critical'],
        [14, 'deescalated', 'high'],
        [20, 'pass'],
      ],
      [created, escalated],
    ],
    [
      'an alert that was already reported and resolves during the silence is reported as resolved immediately',
      [
        [5, 'opened'],
        [12, 'resolved'],
      ],
      [created, resolved],
    ],
    [
      'an alert that was already reported and escalates and resolves during the silence is only reported as resolved',
      [
        [5, 'opened'],
        [12, 'escalated', 'critical'],
        [14, 'resolved'],
        [20, 'pass'],
      ],
      [created, resolved],
    ],
    [
      "the acknowledgment of an alert during the silence isn't reported",
      [
        [5, 'opened'],
        [12, 'acknowledged'],
        [20, 'pass'],
      ],
      [created],
    ],
    [
      "an alert that opens and is acknowledged during the silence isn't reported when it ends",
      [
        [12, 'opened'],
        [13, 'acknowledged'],
        [20, 'pass'],
      ],
      [],
    ],
    [
      'an alert that escalates after its acknowledgment during the silence is reported as created when it ends',
      [
        [12, 'opened'],
        [13, 'acknowledged'],
        [14, 'escalated', 'critical'],
        [20, 'pass'],
      ],
      [created],
    ],
    [
      'an alert that opens during the silence and escalates before its report is reported as escalated',
      [
        [12, 'opened'],
        [21, 'escalated', 'critical'],
        [22, 'pass'],
      ],
      [escalated],
    ],
    [
      'an alert that resolves after its report at the end of the silence is reported as resolved',
      [
        [12, 'opened'],
        [20, 'pass'],
        [25, 'resolved'],
      ],
      [created, resolved],
    ],
  ])('%s', async ([, steps, events]) => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { from: 10, to: 20, team: 'payments' });
    for (const [minute, what, severity] of steps) {
      await goTo(minute);
      if (what === 'pass') await passEnds();
      else await applyChange(organizationId, alertIds, what, severity);
    }
    expect(await sent(organizationId)).toEqual(events);
  });

  test('the activity of the alert contains the end and the reason of the silence', async () => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { from: 10, to: 20, team: 'payments' });
    await goTo(12);
    await applyChange(organizationId, alertIds, 'opened');
    await applyChange(organizationId, alertIds, 'acknowledged');
    await applyChange(organizationId, alertIds, 'escalated', 'critical');
    expect(await skipped(organizationId)).toEqual([
      `silenced: alert.created: ${untilNow(at(20))}`,
      `silenced: alert.acknowledged: ${untilNow(at(20))}`,
      `silenced: alert.escalated: ${untilNow(at(20))}`,
    ]);
    await goTo(20);
    await passEnds();
    const trail = await world.trail(organizationId);
    expect(trail.at(-1)).toMatchObject({
      action: 'unsilenced',
      event_type: 'alert.created',
      to_value: 'critical',
    });
  });

  test("an alert that is snoozed at the end of the silence isn't reported", async () => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    await sql`UPDATE alerts SET snoozed_until = ${at(90)} WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    await goTo(20);
    await passEnds();
    expect(await sent(organizationId)).toEqual([]);
    expect((await skipped(organizationId)).at(-1)).toBe('snoozed: alert.created: The alert is snoozed.');
  });

  test("an alert of another team or another organization isn't silenced", async () => {
    const { organizationId, alertIds } = await makeWorld(2);
    const other = await makeWorld();
    await silence(organizationId, { to: 20, team: 'payments' });
    await setTeam(organizationId, [alertIds[1]!], 'search');
    await applyChange(organizationId, alertIds, 'opened');
    await applyChange(other.organizationId, other.alertIds, 'opened');
    const deliveries = await world.deliveries(organizationId);
    expect(deliveries.map(({ alert_id }) => alert_id)).toEqual([alertIds[1]]);
    expect(await sent(other.organizationId)).toEqual(['alert.created']);
  });
});

test('the event at the end of a silence contains the current severity and the last reported severity', async () => {
  const { organizationId, alertIds } = await makeWorld();
  await goTo(-1);
  await applyChange(organizationId, alertIds, 'opened', 'moderate');
  await silence(organizationId, { to: 20, severities: ['high', 'critical'] });
  await goTo(5);
  await applyChange(organizationId, alertIds, 'escalated', 'high');
  await applyChange(organizationId, alertIds, 'escalated', 'critical');
  await goTo(20);
  await passEnds();
  const { rows } = await sql<{ data: object; cause: string }>`
    SELECT e.data -> 'alert' AS data, e.cause FROM notification_deliveries d
    JOIN audit_entries e ON e.organization_id = d.organization_id AND e.id = d.audit_entry_id
    WHERE d.organization_id = ${organizationId} ORDER BY d.id DESC LIMIT 1`.execute(db);
  expect(rows[0]).toMatchObject({
    cause: 'silence_ended',
    data: { severity: 'critical', previous_severity: 'moderate', status: 'unacknowledged' },
  });
});

describe('overlapping silences', () => {
  test('report an alert when the last silence that matches it ends', async () => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { from: 0, to: 20, team: 'payments' });
    await silence(organizationId, { from: 10, to: 30, severities: ['high'] });
    await silence(organizationId, { from: 30, to: 40, team: 'payments' });
    await silence(organizationId, { from: 0, to: 90, team: 'search' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    for (const minute of [20, 30, 39]) {
      await goTo(minute);
      await passEnds();
      expect(await sent(organizationId)).toEqual([]);
    }
    await goTo(40);
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.created']);
  });

  test("don't suppress an escalation to a severity that they don't match", async () => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { to: 20, severities: ['moderate'] });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened', 'moderate');
    await applyChange(organizationId, alertIds, 'escalated', 'critical');
    expect(await sent(organizationId)).toEqual(['alert.escalated']);
    await goTo(20);
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.escalated']);
  });
});

describe('a silence that is ended early', () => {
  const context = (organizationId: number): EditContext => ({
    caller: { organizationId, actor: systemActor } as EditContext['caller'],
    requestId: null,
    ifMatch: null,
  });

  test.for<[string, (organizationId: number, id: number) => Promise<unknown>]>([
    [
      'by an update with an end in the past',
      (organizationId, id) =>
        transaction(db, (tx) =>
          silenceEdits.update(tx, context(organizationId), id, { ends_at: '2020-01-01T00:00:00Z' }),
        ),
    ],
    [
      'by deletion',
      (organizationId, id) => transaction(db, (tx) => silenceEdits.delete(tx, context(organizationId), id)),
    ],
    [
      'by a change of its labels',
      (organizationId, id) =>
        transaction(db, (tx) =>
          silenceEdits.update(tx, context(organizationId), id, {
            label_matchers: [{ label: 'team', operator: '=', value: 'search' }],
          }),
        ),
    ],
  ])('reports the alerts that it matched when it is ended %s', async ([, end]) => {
    const { organizationId, alertIds } = await makeWorld();
    const id = await silence(organizationId, { to: 200, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    await goTo(6);
    await end(organizationId, id);
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.created']);
  });

  test('loses no alert that opens at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { organizationId, alertIds } = await makeWorld(5);
      const id = await silence(organizationId, { to: 200, team: 'payments' });
      await goTo(5);
      await Promise.all([
        ...alertIds.map((alertId) => applyChange(organizationId, [alertId], 'opened')),
        transaction(db, (tx) => silenceEdits.delete(tx, context(organizationId), id)),
      ]);
      await passEnds();
      expect(await sent(organizationId)).toEqual(alertIds.map(() => 'alert.created'));
      const { rows } =
        await sql`SELECT FROM silenced_alerts WHERE organization_id = ${organizationId}`.execute(db);
      expect(rows).toEqual([]);
    }
  });
});

describe('many alerts of one silence', () => {
  test('are reported in one digest, except on channels with their own digests', async () => {
    const { organizationId, channelId, alertIds } = await makeWorld(3);
    const digests = await world.createChannel(organizationId, { url, digestMinutes: 60 });
    await db
      .insertInto('notification_rules')
      .values({ organization_id: organizationId, name: 'all', channel_ids: [channelId, digests] })
      .execute();
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    await goTo(20);
    await passEnds();
    const deliveries = await world.deliveries(organizationId);
    const digest = deliveries.find(({ event_type }) => event_type === 'digest')!;
    expect(digest.channel_id).toBe(channelId);
    const carried = deliveries.filter(({ digest_delivery_id }) => digest_delivery_id === digest.id);
    expect(carried.map(({ alert_id }) => alert_id)).toEqual(alertIds);
    // The other channel collects these events in its own digest.
    const waiting = deliveries.filter(({ channel_id }) => channel_id === digests);
    expect(waiting.map(({ event_type, digest_delivery_id }) => [event_type, digest_delivery_id])).toEqual(
      alertIds.map(() => ['alert.created', null]),
    );
    const { rows } = await sql`SELECT data FROM audit_entries WHERE id = ${digest.audit_entry_id}`.execute(
      db,
    );
    expect(rows).toEqual([{ data: { cause: 'silence_ended' } }]);
  });

  test('are reported after all earlier events that the channel receives about them', async () => {
    const { organizationId, alertIds } = await makeWorld(3);
    await goTo(-1);
    await applyChange(organizationId, [alertIds[0]!], 'opened', 'moderate');
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, [alertIds[0]!], 'escalated', 'critical');
    await applyChange(organizationId, alertIds.slice(1), 'opened');
    await goTo(20);
    await passEnds();
    const deliveries = await world.deliveries(organizationId);
    const alone = deliveries.filter(
      ({ event_type, digest_delivery_id }) => event_type !== 'digest' && digest_delivery_id === null,
    );
    expect(alone.map(({ alert_id, event_type }) => [alert_id, event_type])).toEqual([
      [alertIds[0], 'alert.created'],
      [alertIds[0], 'alert.escalated'],
    ]);
  });

  test('require a fixed number of statements per thousand alerts', { timeout: 240_000 }, async () => {
    const costOf = async (count: number) => {
      const { organizationId, alertIds } = await makeWorld(count);
      await silence(organizationId, { to: 20, team: 'payments' });
      await goTo(5);
      for (let from = 0; from < count; from += 1_000)
        await applyChange(organizationId, alertIds.slice(from, from + 1_000), 'opened');
      await goTo(20);
      const statements = await statementsOf(() => passEnds());
      const deliveries = await world.deliveries(organizationId);
      expect(deliveries.filter(({ event_type }) => event_type === 'alert.created')).toHaveLength(count);
      // Exclude the statements that poll for due rows, because they continue until the loop is stopped.
      const work = statements.filter(
        (statement) => !/FOR NO KEY UPDATE SKIP LOCKED|due_in_ms|LIMIT 1$/.test(statement),
      );
      return {
        statements: work.length,
        digests: deliveries.filter(({ event_type }) => event_type === 'digest').length,
      };
    };
    const few = await costOf(10);
    const thousand = await costOf(1_000);
    expect(thousand).toEqual(few);
    const thousands = await costOf(isLong ? 10_000 : 2_000);
    expect(thousands).toEqual({ statements: few.statements * (isLong ? 10 : 2), digests: isLong ? 10 : 2 });
  });

  test('are reported only once by two servers', async () => {
    const other = await connectAgain();
    const { organizationId, alertIds } = await makeWorld(300);
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    await goTo(20);
    const second = startSilenceEndLoop({ ...world, db: other });
    await passEnds(2);
    await second.stop();
    const reported = (await world.deliveries(organizationId)).filter(
      ({ event_type }) => event_type !== 'digest',
    );
    expect(reported.map(({ alert_id }) => alert_id).toSorted((a, b) => a! - b!)).toEqual(alertIds);
  });
});

describe('alerts of many organizations', () => {
  /** Stores alerts whose opening wasn't reported because of a silence that ended at this minute. */
  async function defer(organizationId: number, alertIds: readonly number[], minute: number): Promise<void> {
    await sql`
      INSERT INTO silenced_alerts (organization_id, alert_id, due_at)
      SELECT ${organizationId}, id, ${at(minute)} FROM unnest(${[...alertIds]}::bigint[]) AS id`.execute(db);
  }

  test("are reported in turns, so that one organization doesn't wait for all alerts of another", async () => {
    const large = await makeWorld(isLong ? 3_000 : 1_500);
    const small = await makeWorld(1);
    await goTo(30);
    await defer(large.organizationId, large.alertIds, 20);
    await defer(small.organizationId, small.alertIds, 21);
    await passEnds();
    const { rows } = await sql<{ organization_id: number }>`
      SELECT organization_id FROM notification_deliveries
      WHERE organization_id IN (${large.organizationId}, ${small.organizationId}) AND event_type = 'alert.created'
      GROUP BY organization_id ORDER BY max(id)`.execute(db);
    expect(rows.map((row) => row.organization_id)).toEqual([small.organizationId, large.organizationId]);
  });

  test('are reported in four transactions at a time', async () => {
    const worlds: Awaited<ReturnType<typeof makeWorld>>[] = [];
    for (let n = 0; n < 12; n++) worlds.push(await makeWorld());
    await goTo(30);
    for (const { organizationId, alertIds } of worlds) await defer(organizationId, alertIds, 20);
    const other = await connectAgain();
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(other);
      return rows[0]!.count;
    };
    const loops: ReturnType<typeof startSilenceEndLoop>[] = [];
    await transaction(other, async (tx) => {
      const ids = worlds.map(({ organizationId }) => organizationId);
      await sql`SELECT FROM alert_configs WHERE organization_id = ANY(${ids}::bigint[]) FOR UPDATE`.execute(
        tx,
      );
      loops.push(startSilenceEndLoop(world));
      await pollUntil(async () => (await waiting()) >= 4);
      for (let look = 0; look < 20; look++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
        expect(await waiting()).toBe(4);
      }
    });
    await Promise.all(loops.map((loop) => loop.stop()));
    await passEnds();
    for (const { organizationId } of worlds) expect(await sent(organizationId)).toEqual(['alert.created']);
  });
});

describe('a clock jump', () => {
  test('past the end of a silence does not prevent the report of its alerts', async () => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    await goTo(10_000);
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.created']);
  });

  test('back to before the end of a silence makes it active again until its end', async () => {
    const { organizationId, alertIds } = await makeWorld(2);
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, [alertIds[0]!], 'opened');
    await goTo(25);
    await passEnds();
    await goTo(15);
    await transaction(db, (tx) => recoverDueWorkAcrossOrganizations(tx, 10 * minuteMs));
    await applyChange(organizationId, [alertIds[1]!], 'opened');
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.created']);
    await goTo(20);
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.created', 'alert.created']);
  });

  test('to an earlier time lets other servers claim alerts that a server claimed before the jump', async () => {
    const { organizationId, alertIds } = await makeWorld();
    await silence(organizationId, { to: 20, team: 'payments' });
    await goTo(5);
    await applyChange(organizationId, alertIds, 'opened');
    await goTo(30);
    await sql`UPDATE silenced_alerts SET lease_token = gen_random_uuid(), lease_until = pacekeeper_now() + interval '1 minute'
      WHERE organization_id = ${organizationId}`.execute(db);
    await goTo(20);
    await transaction(db, (tx) => recoverDueWorkAcrossOrganizations(tx, 10 * minuteMs));
    await goTo(22);
    await passEnds();
    expect(await sent(organizationId)).toEqual(['alert.created']);
  });
});

test("a reminder that is due during a silence isn't sent, but the next one is", async () => {
  const { organizationId, alertIds } = await makeWorld();
  await world.setSetting(organizationId, 'notification.reminder_interval_hours', 1);
  await goTo(0);
  await applyChange(organizationId, alertIds, 'opened');
  // Complete the delivery, because no reminder is planned while the opening is pending.
  await sql`
    UPDATE notification_deliveries SET status = 'succeeded', next_attempt_at = NULL, completed_at = pacekeeper_now()
    WHERE organization_id = ${organizationId}`.execute(db);
  await silence(organizationId, { from: 30, to: 90, team: 'payments' });
  const remind = () =>
    transaction(db, async (tx) => {
      const reminded = await sendRemindersAcrossOrganizations(tx);
      const { markRemindedAcrossOrganizations } = await import('./mark-reminded.ts');
      await markRemindedAcrossOrganizations(tx, reminded);
    });
  await goTo(61);
  await remind();
  expect(await sent(organizationId)).toEqual(['alert.created']);
  await goTo(91);
  await remind();
  expect(await sent(organizationId)).toEqual(['alert.created']);
  await goTo(122);
  await remind();
  expect(await sent(organizationId)).toEqual(['alert.created', 'alert.reminder']);
  const { rows } = await sql`SELECT last_sequence FROM alerts WHERE id = ${alertIds[0]!}`.execute(db);
  expect(rows).toEqual([{ last_sequence: 2 }]);
});

describe('a random sequence of alert changes and silences', () => {
  const teams = ['payments', 'search'] as const;
  const minutes = 40;
  const silences = fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: minutes }),
      length: fc.integer({ min: 1, max: 15 }),
      team: fc.option(fc.constantFrom(...teams)),
      severities: fc.oneof(
        fc.constant<AlertSeverity[]>([]),
        fc.subarray([...alertSeverities], { minLength: 1 }),
      ),
    }),
    { maxLength: 4 },
  );
  const steps = fc.uniqueArray(
    fc.record({
      minute: fc.integer({ min: 0, max: minutes }),
      index: fc.nat({ max: 1 }),
      what: fc.constantFrom('change', 'change', 'change', 'acknowledge', 'resolve'),
      severity: fc.constantFrom(...alertSeverities),
    }),
    { maxLength: 12, selector: ({ minute, index }) => minute * 2 + index },
  );

  interface Reference {
    severity: AlertSeverity | null;
    isReported: boolean;
    isAcknowledged: boolean;
    /**
     * Set while a report is deferred: the last reported severity (`null` if the opening wasn't reported), and the
     * minute at which the report is due.
     */
    pending: { since: AlertSeverity | null; until: number } | null;
  }

  const closed: Reference = { severity: null, isReported: false, isAcknowledged: false, pending: null };

  /** Computes the expected events with a reference model, minute by minute and alert by alert. */
  function model(given: { silences: Given[]; steps: Step[] }): string[] {
    const told: string[] = [];
    const rank = (severity: AlertSeverity) => alertSeverities.indexOf(severity);
    const alerts = teams.map((): Reference => ({ ...closed }));
    const lastEnd = (index: number, severity: AlertSeverity, minute: number) =>
      Math.max(
        -1,
        ...given.silences
          .filter(({ from, length }) => from <= minute && minute < from + length)
          .filter(({ team }) => team === null || team === teams[index])
          .filter(({ severities }) => severities.length === 0 || severities.includes(severity))
          .map(({ from, length }) => from + length),
      );
    for (let minute = 0; minute <= minutes + 20; minute++) {
      for (const [index, alert] of alerts.entries()) {
        const { pending } = alert;
        if (pending === null || pending.until > minute) continue;
        const until = lastEnd(index, alert.severity!, minute);
        if (until > 0) {
          pending.until = until;
          continue;
        }
        alert.pending = null;
        alert.isReported = true;
        if (alert.isAcknowledged) continue;
        if (pending.since === null) told.push(`${minute} ${index} alert.created`);
        else if (rank(alert.severity!) > rank(pending.since)) told.push(`${minute} ${index} alert.escalated`);
      }
      for (const { index, what, severity } of given.steps.filter((step) => step.minute === minute)) {
        const alert = alerts[index]!;
        const before = alert.severity;
        if (what === 'resolve' || what === 'acknowledge') {
          if (before === null) continue;
          const isHeard = what === 'resolve' ? alert.isReported : lastEnd(index, before, minute) < 0;
          if (isHeard) told.push(`${minute} ${index} alert.${what}d`);
          if (what === 'resolve') alerts[index] = { ...closed };
          else alert.isAcknowledged = true;
          continue;
        }
        alert.severity = severity;
        if (before !== null && rank(severity) <= rank(before)) continue;
        alert.isAcknowledged = false;
        const until = lastEnd(index, severity, minute);
        if (until < 0) {
          told.push(`${minute} ${index} alert.${before === null ? 'created' : 'escalated'}`);
          Object.assign(alert, { isReported: true, pending: null });
        } else alert.pending = { since: alert.pending ? alert.pending.since : before, until };
      }
    }
    return told;
  }

  type Given = typeof silences extends fc.Arbitrary<(infer T)[]> ? T : never;
  type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

  async function reality(given: { silences: Given[]; steps: Step[] }): Promise<string[]> {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    for (const { from, length, team, severities } of given.silences)
      await silence(organizationId, { from, to: from + length, severities, ...(team && { team }) });
    const open: (number | null)[] = [null, null];
    const severityOf = new Map<number, AlertSeverity>();
    const indexOf = new Map<number, number>();
    const changes = new Set([
      ...given.steps.map(({ minute }) => minute),
      ...given.silences.map(({ from, length }) => from + length),
    ]);
    for (const minute of [...changes].toSorted((a, b) => a - b)) {
      await goTo(minute);
      await passEnds();
      for (const { index, what, severity } of given.steps.filter((step) => step.minute === minute)) {
        const id = open[index] ?? null;
        if (what !== 'change') {
          if (id === null) continue;
          await applyChange(organizationId, [id], what === 'resolve' ? 'resolved' : 'acknowledged');
          if (what === 'resolve') open[index] = null;
        } else if (id === null) {
          const [made] = await world.createAlerts(organizationId);
          open[index] = made!;
          indexOf.set(made!, index);
          await setTeam(organizationId, [made!], teams[index]!);
          await applyChange(organizationId, [made!], 'opened', severity);
          severityOf.set(made!, severity);
        } else {
          const [to, from] = [severity, severityOf.get(id)!].map((each) => alertSeverities.indexOf(each));
          if (to === from) continue;
          await applyChange(organizationId, [id], to! > from! ? 'escalated' : 'deescalated', severity);
          severityOf.set(id, severity);
        }
      }
    }
    const deliveries = await world.deliveries(organizationId);
    return deliveries
      .filter(({ event_type }) => event_type !== 'digest')
      .map(({ alert_id, event_type, created_at }) => {
        const minute = Math.floor((created_at.getTime() - startMs) / minuteMs);
        return `${minute} ${indexOf.get(alert_id!)} ${event_type}`;
      });
  }

  test('sends the same events as the reference model', { timeout: 240_000 }, async () => {
    const runs = { numRuns: isLong ? 300 : 40, ...(!isLong && { seed: 20_261_124 }) };
    let reportedLater = 0;
    await fc.assert(
      fc.asyncProperty(silences, steps, async (givenSilences, givenSteps) => {
        const given = { silences: givenSilences, steps: givenSteps };
        const told = model(given);
        const stepMinutes = new Set(givenSteps.map(({ minute }) => String(minute)));
        if (told.some((each) => !stepMinutes.has(each.split(' ')[0]!))) reportedLater += 1;
        expect((await reality(given)).toSorted()).toEqual(told.toSorted());
      }),
      runs,
    );
    expect(reportedLater).toBeGreaterThan(5);
  });
});
