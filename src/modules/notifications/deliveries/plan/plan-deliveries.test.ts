import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../../tests/helpers/database.ts';
import { createDeliveryWorld } from '../../../../../tests/helpers/delivery-world.ts';
import { systemActor } from '../../../../domain/audit/actor.ts';
import { type Tx, transaction } from '../../../../platform/database/index.ts';
import { withDeferredTriggers } from '../../../../platform/due-rows/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import { detachDeliveries } from '../model/detach-deliveries.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { planServiceEvent } from './plan-service-event.ts';

const { db, connection, statementsOf } = await createTestDatabase({ poolSize: 10 });
const world = createDeliveryWorld({ db, connection });
afterAll(() => world.close());
const url = 'https://hooks.example.com/x';

async function addRule(
  organizationId: number,
  values: { channel_ids: number[] | null; severities?: string[]; route_to_owner?: boolean },
) {
  const row = await db
    .insertInto('notification_rules')
    .values({ organization_id: organizationId, name: 'rule', ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function dueOf(organizationId: number, channelId: number) {
  const { rows } = await sql<{ is_due: boolean }>`
    SELECT due_at <= pacekeeper_now() AS is_due FROM notification_channels
    WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
  return rows[0]!.is_due;
}

describe('planning the deliveries of an event', () => {
  test('creates one delivery for each channel of a matching rule, and makes the channels due', async () => {
    const organizationId = await world.createOrganization();
    const [a, b] = [
      await world.createChannel(organizationId, { url }),
      await world.createChannel(organizationId, { url }),
    ];
    const first = await addRule(organizationId, { channel_ids: [a, b] });
    await addRule(organizationId, { channel_ids: [b], severities: ['critical'] });
    const [alertId] = await world.createAlerts(organizationId);
    const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId!, severity: 'high' }]);
    expect(plan).toMatchObject({ isNotified: true, skippedReason: null });
    expect(await world.deliveries(organizationId)).toMatchObject([
      {
        channel_id: a,
        status: 'pending',
        event_type: 'alert.created',
        sequence: 1,
        alert_id: alertId,
        max_attempts: 12,
      },
      { channel_id: b, status: 'pending' },
    ]);
    expect([await dueOf(organizationId, a), await dueOf(organizationId, b)]).toEqual([true, true]);
    const matches = await db
      .selectFrom('notification_rule_matches')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .execute();
    expect(matches).toMatchObject([{ notification_rule_id: first, event_id: plan!.eventId }]);
  });

  test('creates no delivery for a snoozed alert, and records the reason in the audit trail', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    const [alertId] = await world.createAlerts(organizationId);
    const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId!, isSnoozed: true }]);
    expect(plan).toMatchObject({ isNotified: false, skippedReason: 'snoozed' });
    expect(await world.deliveries(organizationId)).toEqual([]);
    expect((await world.trail(organizationId)).at(-1)).toMatchObject({
      action: 'notification_skipped',
      alert_id: alertId,
      to_value: 'snoozed',
      detail: 'alert.created: The alert is snoozed.',
    });
  });

  test('records in the audit trail that no channel is configured', async () => {
    const organizationId = await world.createOrganization();
    const [alertId] = await world.createAlerts(organizationId);
    const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    expect(plan).toMatchObject({ isNotified: false, skippedReason: 'no_channel' });
    expect((await world.trail(organizationId)).at(-1)).toMatchObject({
      action: 'notification_skipped',
      to_value: 'no_channel',
    });
  });

  test('creates a canceled delivery for a disabled channel', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({ url, isActive: false });
    const [alertId] = await world.createAlerts(organizationId);
    const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    expect(plan).toMatchObject({ isNotified: false, skippedReason: 'all_channels_inactive' });
    expect((await world.trail(organizationId)).at(-1)).toMatchObject({
      action: 'notification_skipped',
      alert_id: alertId,
      to_value: 'all_channels_inactive',
      detail: 'alert.created: Every channel that this was routed to is disabled.',
    });
    const [delivery] = await world.deliveries(organizationId);
    expect(delivery).toMatchObject({ status: 'canceled', reason: 'channel_inactive', next_attempt_at: null });
    expect(delivery!.completed_at).not.toBeNull();
  });

  test('creates only one delivery if the event is planned twice', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    await addRule(organizationId, { channel_ids: null });
    const [alertId] = await world.createAlerts(organizationId);
    const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    const [delivery] = await world.deliveries(organizationId);
    const subject = {
      eventType: 'alert.created',
      severity: 'high',
      ruleId: 1,
      alertConfigId: 1,
      labels: {},
    } as const;
    const event = {
      entryId: delivery!.audit_entry_id,
      eventId: plan!.eventId,
      eventType: 'alert.created',
      alertId: alertId!,
      sequence: 1,
      subject,
      isSnoozed: false,
    } as const;
    await transaction(db, (tx) => planDeliveries(tx, organizationId, [event, event]));
    expect(await world.deliveries(organizationId)).toHaveLength(1);
    expect(await world.deliveries(organizationId)).toMatchObject([{ channel_id: channelId }]);
    const matches = await db
      .selectFrom('notification_rule_matches')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    expect(matches.length).toBeLessThanOrEqual(2);
  });

  test('takes as many statements for 500 events as for one', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    await addRule(organizationId, { channel_ids: [channelId] });
    const alertIds = await world.createAlerts(organizationId, 500);
    const one = await statementsOf(() => world.raiseEvents(organizationId, [{ alertId: alertIds[0]! }]));
    const many = await statementsOf(() =>
      world.raiseEvents(
        organizationId,
        alertIds.map((alertId) => ({ alertId })),
      ),
    );
    expect(many).toHaveLength(one.length);
    expect(await world.deliveries(organizationId)).toHaveLength(501);
  });

  test('looks up the tickets of a resolved alert only if a channel creates tickets', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    await addRule(organizationId, { channel_ids: [channelId] });
    const [alertId] = await world.createAlerts(organizationId);
    const statements = await statementsOf(() =>
      world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]),
    );
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((statement) => statement.includes('alert_tickets'))).toEqual([]);
  });

  test('takes only one more statement for 500 events with 500 owners than for one event without an owner', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    const alertIds = await world.createAlerts(organizationId, 500);
    const one = await statementsOf(() => world.raiseEvents(organizationId, [{ alertId: alertIds[0]! }]));
    await sql`
      INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked, owners)
      SELECT ${organizationId}, 'Team ' || n, '', '', ARRAY['@acme/team-' || n] FROM generate_series(1, 1000) n`.execute(
      db,
    );
    await addRule(organizationId, { channel_ids: null, route_to_owner: true });
    const many = await statementsOf(() =>
      world.raiseEvents(
        organizationId,
        alertIds.map((alertId, n) => ({ alertId, labels: { owner: `acme/team-${n + 1}` } })),
      ),
    );
    // The additional statement stores rule matches. The first event matched no rule.
    expect(many).toHaveLength(one.length + 1);
    const deliveries = await world.deliveries(organizationId);
    // The first event has a delivery too.
    expect(deliveries).toHaveLength(alertIds.length + 1);
    const { rows } = await sql<{ owned: number }>`
      SELECT count(DISTINCT d.channel_id) AS owned FROM notification_deliveries d
      WHERE d.organization_id = ${organizationId} AND d.channel_id <> ${channelId}`.execute(db);
    expect(rows[0]!.owned).toBe(500);
  });

  test('creates one delivery to the default channel if the owner has no channel, and stores the reason', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    await addRule(organizationId, { channel_ids: null, route_to_owner: true });
    await addRule(organizationId, { channel_ids: null, route_to_owner: true });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId!, labels: { owner: 'acme/payments' } }]);
    expect(await world.deliveries(organizationId)).toMatchObject([
      { channel_id: channelId, status: 'pending', reason: null, fallback_reason: 'no_owner_channel' },
    ]);
  });

  test('causes no deadlock if many transactions use the same channels', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    const other = await world.createChannel(organizationId, { url });
    await addRule(organizationId, { channel_ids: [channelId, other] });
    await addRule(organizationId, { channel_ids: [other, channelId] });
    const alertIds = await world.createAlerts(organizationId, 40);
    const deadlocks = () =>
      sql<{
        deadlocks: number;
      }>`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(db);
    await Promise.all(alertIds.map((alertId) => world.raiseEvents(organizationId, [{ alertId }])));
    expect(await world.deliveries(organizationId)).toHaveLength(80);
    expect((await deadlocks()).rows[0]!.deadlocks).toBe(0);
  });

  test('allows concurrent planning for the same channel, but prevents its deletion', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    const alertIds = await world.createAlerts(organizationId, 2);
    const planOne = async (tx: Tx, alertId: number) => {
      const eventId = randomUUID();
      const event = { type: 'alert.created', id: eventId, sequence: 1, data: {} };
      const [entry] = await writeEntries(tx, organizationId, [
        { alertId, action: 'created', actor: systemActor, event },
      ]);
      const subject = { severity: 'high', ruleId: 1, alertConfigId: 1, labels: {} } as const;
      const planned = { eventId, eventType: 'alert.created', alertId, sequence: 1 } as const;
      await planDeliveries(tx, organizationId, [
        {
          ...planned,
          entryId: entry!.id,
          subject: { ...subject, eventType: 'alert.created' },
          isSnoozed: false,
        },
      ]);
    };
    await transaction(db, (tx) =>
      withDeferredTriggers(tx, async () => {
        await planOne(tx, alertIds[0]!);
        await transaction(db, async (other) => {
          // Without a timeout, a blocked lock would make the test hang.
          await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
          await planOne(other, alertIds[1]!);
        });
        const deletion = sql`
          SELECT id FROM notification_channels WHERE organization_id = ${organizationId} AND id = ${channelId}
          FOR UPDATE NOWAIT`.execute(db);
        await expect(deletion).rejects.toThrow('could not obtain lock');
      }),
    );
    expect(await world.deliveries(organizationId)).toMatchObject([
      { channel_id: channelId, status: 'pending' },
      { channel_id: channelId, status: 'pending' },
    ]);
    expect(await dueOf(organizationId, channelId)).toBe(true);
  });

  test('sends a service event to the default channel even if no rule matches', async () => {
    const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
    await world.setSetting(organizationId, 'notification.fallback_to_default', false);
    const agent = { id: 2, name: 'datacenter-1', hostname: 'runner-7', last_heartbeat_at: null };
    const plan = await transaction(db, (tx) =>
      planServiceEvent(tx, organizationId, { type: 'agent.offline', data: { agent } }),
    );
    expect(plan).toEqual({ isNotified: true, skippedReason: null });
    expect(await world.deliveries(organizationId)).toMatchObject([
      { channel_id: channelId, event_type: 'agent.offline', alert_id: null },
    ]);
  });

  test('deleting an alert cancels its pending deliveries and keeps all of their rows', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    const [alertId, otherId] = await world.createAlerts(organizationId, 2);
    await world.raiseEvents(organizationId, [{ alertId: alertId! }, { alertId: otherId! }]);
    await sql`UPDATE notification_deliveries SET status = 'failed', attempt_count = 1
      WHERE organization_id = ${organizationId} AND alert_id = ${alertId}`.execute(db);
    await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
    await transaction(db, (tx) => detachDeliveries(tx, organizationId, [alertId!]));
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'canceled', reason: 'alert_deleted', alert_id: null },
      { status: 'pending', alert_id: otherId },
      { status: 'pending', event_type: 'alert.resolved', alert_id: null },
    ]);
  });

  test('the resolution of a deleted alert is sent even after retention has deleted its earlier deliveries', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
    await transaction(db, (tx) => detachDeliveries(tx, organizationId, [alertId!]));
    expect(await world.deliveries(organizationId)).toMatchObject([{ status: 'pending', alert_id: null }]);
  });

  test('a channel never receives the resolution of a deleted alert that it was not notified about', async () => {
    const { organizationId } = await world.createOrganizationWithChannel({ url });
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [
      { alertId: alertId! },
      { alertId: alertId!, eventType: 'alert.resolved' },
    ]);
    await transaction(db, (tx) => detachDeliveries(tx, organizationId, [alertId!]));
    expect(await world.deliveries(organizationId)).toMatchObject([
      { status: 'canceled', reason: 'alert_deleted' },
      { status: 'canceled', reason: 'alert_deleted' },
    ]);
  });
});
