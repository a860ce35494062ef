import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { transaction } from '../../../platform/database/index.ts';
import { formOpeningDigestsAcrossOrganizations } from './plan/form-opening-digests.ts';

const { db, world, setUp, allFinal } = await createDeliveryFixture();

/** Forms the digests of all causes, and returns the number of statements. */
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
      formOpeningDigestsAcrossOrganizations(tx, world.wakeUps, sql<boolean>`${isOver}::boolean`, null),
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

test('alerts that are alone with their cause are sent with a few statements for a hundred of them', async () => {
  const one = await countStatements(1, () => 'one');
  expect(await countStatements(250, (index) => `cause ${index}`)).toBeLessThanOrEqual(3 * one);
});

test('an alert that is resolved while it waits is not sent, and the remaining one is sent on its own', async () => {
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
