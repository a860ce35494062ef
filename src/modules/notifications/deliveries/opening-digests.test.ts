import { type KyselyPlugin, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { createOpeningDigestsAcrossOrganizations } from './plan/create-opening-digests.ts';

const { db, world, setUp, allFinal } = await createDeliveryFixture();

/** Creates the digests of all causes, and returns the number of statements. */
async function form(isOver = true): Promise<number> {
  let count = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  while (
    (await transaction(db.withPlugin(counting), (tx) =>
      createOpeningDigestsAcrossOrganizations(tx, sql<boolean>`${isOver}::boolean`, null),
    )) === 100
  );
  return count;
}

/** Opens alerts, and returns the number of statements that send them. */
async function countStatements(count: number, causeOf: (index: number) => string): Promise<number> {
  const { organizationId } = await setUp();
  const alertIds = await world.createAlerts(organizationId, count);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId, index) => ({ alertId, openingCause: causeOf(index) })),
  );
  return form();
}

test('the number of statements that send alerts together does not depend on the number of alerts', async () => {
  const few = await countStatements(10, () => 'few');
  expect(await countStatements(900, () => 'many')).toBe(few);
  expect(few).toBeLessThan(20);
});

test('alerts with separate causes are sent with a few statements per hundred alerts', async () => {
  const one = await countStatements(1, () => 'one');
  expect(await countStatements(250, (index) => `cause ${index}`)).toBeLessThanOrEqual(3 * one);
});

test('an alert that is resolved while it waits is not sent, and the remaining alert is sent separately', async () => {
  const { organizationId, received } = await setUp();
  const loop = world.startLoop();
  const [a, b] = await world.createAlerts(organizationId, 2);
  await world.raiseEvents(organizationId, [
    { alertId: a!, openingCause: 'change' },
    { alertId: b!, openingCause: 'change' },
  ]);
  await form(false);
  expect(await world.deliveries(organizationId)).toMatchObject([
    { status: 'pending', next_attempt_at: null },
    { status: 'pending', next_attempt_at: null },
  ]);
  await sql`UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'caught_up' WHERE id = ${a}`.execute(
    db,
  );
  await form();
  const rows = await allFinal(organizationId, 2);
  expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
    ['canceled', 'superseded'],
    ['succeeded', null],
  ]);
  expect(received().map(({ body }) => JSON.parse(body).type)).toEqual(['alert.created']);
  await loop.stop();
});

test('alerts that waited while their channel got the PagerDuty preset are sent separately', async () => {
  const { organizationId, channelId, received } = await setUp();
  const alertIds = await world.createAlerts(organizationId, 2);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId, openingCause: 'change' })),
  );
  await sql`UPDATE notification_channels SET preset = 'pagerduty' WHERE id = ${channelId}`.execute(db);
  await form();
  const rows = await world.deliveries(organizationId);
  expect(rows.map(({ event_type, next_attempt_at }) => [event_type, next_attempt_at !== null])).toEqual([
    ['alert.created', true],
    ['alert.created', true],
  ]);
  expect(received()).toEqual([]);
});

/**
 * Opens alerts with the same cause. Returns the organization, and a function that returns, for each delivery,
 * if it is planned to be sent.
 */
async function openTogether(count: number, cause = 'change') {
  const { organizationId } = await setUp();
  const alertIds = await world.createAlerts(organizationId, count);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId, openingCause: cause })),
  );
  return {
    organizationId,
    isPlanned: async () =>
      (await world.deliveries(organizationId)).map((row) => row.next_attempt_at !== null),
  };
}

test.each(['1 minute', '-1 hour'])(
  'alerts whose cause does not end are sent after a minute by the clock of the database (moved by %s)',
  async (offset) => {
    const { isPlanned } = await openTogether(2);
    await form(false);
    expect(await isPlanned()).toEqual([false, false]);
    await setClockOffset(db, offset);
    await form(false);
    // The last delivery is the digest.
    expect(await isPlanned()).toEqual([false, false, true]);
  },
);

describe('alerts that wait for the end of their cause', () => {
  // The condition must not be constant. Otherwise, the planner would omit the statement.
  const isOver = sql<boolean>`NOT EXISTS (SELECT FROM organizations WHERE organizations.id = d.organization_id)`;

  async function rowsRead(causes: Parameters<typeof createOpeningDigestsAcrossOrganizations>[2]) {
    return transaction(db, async (tx) => {
      const count = async (of: Tx) => {
        const { rows } = await sql<{ count: number }>`
          SELECT (seq_tup_read + idx_tup_fetch)::integer AS count FROM pg_stat_xact_user_tables
          WHERE relname = 'notification_deliveries'`.execute(of);
        return rows[0]!.count;
      };
      const before = await count(tx);
      expect(await createOpeningDigestsAcrossOrganizations(tx, isOver, causes)).toBe(0);
      return (await count(tx)) - before;
    });
  }

  test('are not read by an evaluation if further evaluations of the same cause remain', async () => {
    const { organizationId } = await openTogether(900, 'one of many');
    expect(await rowsRead([{ organizationId, cause: 'one of many' }])).toBe(0);
  });

  test('are read by the regular check only once per group', async () => {
    await openTogether(900, 'one of many');
    await sql`ANALYZE notification_deliveries`.execute(db);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer FROM (
        SELECT DISTINCT organization_id, waits_for_cause, channel_id FROM notification_deliveries
        WHERE waits_for_cause IS NOT NULL) AS groups`.execute(db);
    expect(await rowsRead(null)).toBeLessThanOrEqual(2 * rows[0]!.count);
  });
});

test('a PagerDuty channel gets two events per second, critical alerts first, even if several evaluations plan them', async () => {
  const { organizationId } = await setUp({ preset: 'pagerduty' });
  const open = async (severities: readonly AlertSeverity[]) => {
    const alertIds = await world.createAlerts(organizationId, severities.length);
    for (const severity of new Set(severities))
      await db
        .updateTable('alerts')
        .set({ severity })
        .where('organization_id', '=', organizationId)
        .where(
          'id',
          'in',
          alertIds.filter((_, index) => severities[index] === severity),
        )
        .execute();
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId, index) => ({ alertId, severity: severities[index]!, openingCause: 'change' })),
    );
    return (await world.deliveries(organizationId))
      .slice(-severities.length)
      .map(({ next_attempt_at: at }) => at!.getTime());
  };
  const moderate = Array<AlertSeverity>(200).fill('moderate');
  const first = await open([...moderate, 'critical', 'high', 'critical']);
  const start = first.at(-3)!;
  expect(first.slice(-3).map((at) => at - start)).toEqual([0, 1_000, 500]);
  expect(first.slice(0, -3).map((at) => at - start)).toEqual(moderate.map((_, index) => 1_500 + index * 500));

  // The events of another evaluation follow the planned ones, except that critical events follow only the planned
  // critical ones.
  const second = await open(['moderate', 'critical', 'high']);
  expect(second.map((at) => at - start)).toEqual([102_000, expect.any(Number), 101_500]);
  expect(second[1]! - start).toBeLessThan(60_000);
  const third = await open(['moderate', 'critical']);
  expect(third[0]! - start).toBe(102_500);
  expect(third[1]! - second[1]!).toBeGreaterThanOrEqual(500);
  expect(third[1]! - second[1]!).toBeLessThan(60_000);
});
