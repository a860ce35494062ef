import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld } from '../../../../tests/helpers/delivery-world.ts';
import { transaction } from '../../../platform/database/index.ts';
import {
  archiveRuleMatchesAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
} from './model/delete-old-deliveries.ts';
import { type RemindedAlert, sendRemindersAcrossOrganizations } from './plan/send-reminders.ts';

const { db, connection } = await createTestDatabase();
const world = createDeliveryWorld({ db, connection });
afterAll(() => world.close());
afterEach(() => resetClockOffset(db));
const url = 'https://hooks.example.com/x';

/** Sends reminders in the same way as the alerts module. */
async function remind(organizationId: number): Promise<RemindedAlert[]> {
  return transaction(db, async (tx) => {
    const reminded = await sendRemindersAcrossOrganizations(tx);
    for (const alert of reminded) {
      await sql`
        UPDATE alerts SET last_sequence = ${alert.sequence}, last_notified_at = pacekeeper_now()
        WHERE organization_id = ${alert.organizationId} AND id = ${alert.alertId}`.execute(tx);
    }
    return reminded.filter((alert) => alert.organizationId === organizationId);
  });
}

describe('reminders', () => {
  async function setUp(hours: number | null) {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    if (hours !== null) await world.setSetting(organizationId, 'notification.reminder_interval_hours', hours);
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    await sql`UPDATE alerts SET last_notified_at = pacekeeper_now() WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    return { organizationId, alertId: alertId! };
  }

  test('are sent again one interval after the last notification', async () => {
    const { organizationId, alertId } = await setUp(4);
    // No reminder is planned while another message is pending.
    const sendAll = () =>
      sql`
        UPDATE notification_deliveries SET status = 'succeeded', next_attempt_at = NULL, completed_at = pacekeeper_now()
        WHERE organization_id = ${organizationId}`.execute(db);
    await sendAll();
    expect(await remind(organizationId)).toEqual([]);
    await setClockOffset(db, '4 hours 1 minute');
    expect(await remind(organizationId)).toEqual([{ organizationId, alertId, sequence: 2 }]);
    await sendAll();
    expect(await remind(organizationId)).toEqual([]);
    await setClockOffset(db, '8 hours 2 minutes');
    expect(await remind(organizationId)).toEqual([{ organizationId, alertId, sequence: 3 }]);
    const deliveries = await world.deliveries(organizationId);
    expect(deliveries.map(({ event_type, sequence }) => [event_type, sequence])).toEqual([
      ['alert.created', 1],
      ['alert.reminder', 2],
      ['alert.reminder', 3],
    ]);
    expect((await world.trail(organizationId)).map(({ action }) => action)).toEqual([
      'created',
      'reminded',
      'reminded',
    ]);
  });

  test("wait for a concurrent change to their alert, so that the two events don't get the same sequence", async () => {
    const { organizationId, alertId } = await setUp(4);
    await setClockOffset(db, '4 hours 1 minute');
    await transaction(db, async (tx) => {
      // An evaluation takes the same lock before it reads the alert.
      await sql`SELECT FROM alert_configs WHERE organization_id = ${organizationId} FOR UPDATE`.execute(tx);
      expect(await remind(organizationId)).toEqual([]);
    });
    expect(await remind(organizationId)).toEqual([{ organizationId, alertId, sequence: 2 }]);
  });

  test.each([
    ['without an interval', null, ''],
    ['for an acknowledged alert', 1, 'acknowledged_at = now()'],
    ['for a resolved alert', 1, `resolved_at = now(), resolution = 'manual'`],
    ['for a snoozed alert', 1, `snoozed_until = now() + interval '1 year'`],
    ['for an alert that is snoozed until its version changes', 1, 'is_snoozed_until_version_changes = true'],
    ['for an alert that was never reported', 1, 'last_notified_at = NULL'],
  ])('are not sent: %s', async (_name, hours, change) => {
    const { organizationId } = await setUp(hours);
    if (change !== '')
      await sql`UPDATE alerts SET ${sql.raw(change)} WHERE organization_id = ${organizationId}`.execute(db);
    await setClockOffset(db, '2 days');
    expect(await remind(organizationId)).toEqual([]);
  });
});

describe('the retention of deliveries', () => {
  test('deletes only old deliveries that are final', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    await world.setSetting(organizationId, 'retention.deliveries_days', 10);
    const alertIds = await world.createAlerts(organizationId, 4);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    const [old, dead, waiting, digest] = await world.deliveries(organizationId);
    const finish = (id: number, status: string) =>
      sql`UPDATE notification_deliveries SET status = ${status}, completed_at = pacekeeper_now() WHERE id = ${id}`.execute(
        db,
      );
    await finish(old!.id, 'succeeded');
    await finish(dead!.id, 'dead_letter');
    await finish(digest!.id, 'succeeded');
    await sql`UPDATE notification_deliveries SET digest_delivery_id = ${digest!.id} WHERE id = ${dead!.id}`.execute(
      db,
    );
    await sql`
      INSERT INTO delivery_attempts (organization_id, notification_delivery_id, number, started_at, duration_ms)
      VALUES (${organizationId}, ${old!.id}, 1, now(), 5)`.execute(db);
    const clean = () => transaction(db, (tx) => deleteOldDeliveriesAcrossOrganizations(tx, 100));
    await setClockOffset(db, '9 days');
    expect(await clean()).toBe(0);
    await setClockOffset(db, '11 days');
    // The digest is deleted after the deliveries it contains.
    expect(await clean()).toBe(2);
    expect(await clean()).toBe(1);
    expect((await world.deliveries(organizationId)).map(({ id }) => id)).toEqual([waiting!.id]);
    expect(await world.attempts(organizationId)).toEqual([]);
  });

  test('keeps the number of matches of a rule when it archives them', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    const rule = await db
      .insertInto('notification_rules')
      .values({ organization_id: organizationId, name: 'all', channel_ids: [channelId] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const alertIds = await world.createAlerts(organizationId, 3);
    await world.raiseEvents(
      organizationId,
      alertIds.map((alertId) => ({ alertId })),
    );
    // No matches are archived yet, because those of the last seven days are counted from the rows of the deliveries.
    await setClockOffset(db, '7 days');
    expect(await transaction(db, (tx) => archiveRuleMatchesAcrossOrganizations(tx, 2))).toBe(0);
    await setClockOffset(db, '9 days');
    expect(await transaction(db, (tx) => archiveRuleMatchesAcrossOrganizations(tx, 2))).toBe(2);
    expect(await transaction(db, (tx) => archiveRuleMatchesAcrossOrganizations(tx, 2))).toBe(1);
    expect(await transaction(db, (tx) => archiveRuleMatchesAcrossOrganizations(tx, 2))).toBe(0);
    const after = await db
      .selectFrom('notification_rules')
      .selectAll()
      .where('id', '=', rule.id)
      .executeTakeFirstOrThrow();
    expect(after.archived_match_count).toBe(3);
    expect(after.last_archived_match_at).not.toBeNull();
  });
});
