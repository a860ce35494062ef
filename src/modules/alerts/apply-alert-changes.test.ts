import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { createDeliveryWorld } from '../../../tests/helpers/delivery-world.ts';
import { alertChange, resolveAlert } from '../../domain/alerts/open-alert.ts';
import { systemActor } from '../../domain/audit/actor.ts';
import { transaction } from '../../platform/database/index.ts';
import { lockAlerts, toSubject } from './alert-queries.ts';
import { toAlertState } from './alert-row.ts';
import { applyAlertChanges } from './apply-alert-changes.ts';

const { db, connection, statementsOf } = await createTestDatabase();
const world = createDeliveryWorld({ db, connection });
afterAll(() => world.close());

/**
 * Creates an organization with a channel and an open alert. The alert can be resolved and opened again as a
 * new one.
 */
async function makeWorld() {
  const { organizationId } = await world.createOrganizationWithChannel({
    url: 'https://hooks.example.com/x',
  });
  const [alertId] = (await world.createAlerts(organizationId, 1)) as [number];
  const [row] = await transaction(db, (tx) => lockAlerts(tx, organizationId, sql`a.id = ${alertId}`));
  const { alert, now } = row!;
  const state = toAlertState(alert);
  const subject = toSubject(row!);
  const nowMs = now.getTime();

  const resolve = () =>
    transaction(db, (tx) => {
      const write = resolveAlert(state, 'caught_up', systemActor, nowMs);
      const open = { id: alertId, lastSequence: alert.last_sequence, before: state };
      return applyAlertChanges(tx, organizationId, [{ subject, alert: open, write }], now);
    });
  const open = () =>
    transaction(db, (tx) => {
      const opened = {
        action: 'created',
        eventType: 'alert.created',
        from: null,
        to: state.severity,
      } as const;
      const write = { after: state, changes: [alertChange(state, nowMs, systemActor, opened)] };
      return applyAlertChanges(tx, organizationId, [{ subject, alert: null, write }], now);
    });
  /** Reads the newest alert. */
  const read = async () => {
    const { rows } = await sql<{ id: number; last_notified_at: Date | null }>`
      SELECT id, last_notified_at FROM alerts
      WHERE organization_id = ${organizationId} ORDER BY id DESC LIMIT 1`.execute(db);
    return rows[0]!;
  };
  return { organizationId, resolve, open, read };
}

/** Counts the statements of `work` that write alerts. */
async function writesOf(work: () => Promise<void>): Promise<number> {
  const statements = await statementsOf(work);
  return statements.filter((statement) => /^\s*(insert into "?alerts\b|update "?alerts\b)/i.test(statement))
    .length;
}

test('each change to an alert writes its row once, including the time of the notification', async () => {
  const { resolve, open, read } = await makeWorld();
  expect(await writesOf(resolve)).toBe(1);
  const resolved = await read();
  expect(resolved.last_notified_at).not.toBeNull();
  expect(await writesOf(open)).toBe(1);
  const opened = await read();
  expect(opened.id).not.toBe(resolved.id);
  expect(opened.last_notified_at).not.toBeNull();
});

test('an alert without an active channel has no notification time', async () => {
  const { organizationId, resolve, open, read } = await makeWorld();
  await sql`UPDATE notification_channels SET is_active = false WHERE organization_id = ${organizationId}`.execute(
    db,
  );
  await resolve();
  await open();
  expect((await read()).last_notified_at).toBeNull();
});

test('an alert that opens during a silence is recorded as silenced under its new ID', async () => {
  const { organizationId, resolve, open, read } = await makeWorld();
  await resolve();
  await sql`
    INSERT INTO silences (organization_id, starts_at, ends_at, reason, created_by_type, created_by_name)
    VALUES (${organizationId}, pacekeeper_now(), pacekeeper_now() + interval '1 hour', 'Maintenance', 'user', 'Ana')`.execute(
    db,
  );
  await open();
  const { id, last_notified_at } = await read();
  expect(last_notified_at).toBeNull();
  const { rows } = await sql`
    SELECT alert_id, reported_severity FROM silenced_alerts WHERE organization_id = ${organizationId}`.execute(
    db,
  );
  expect(rows).toEqual([{ alert_id: id, reported_severity: null }]);
});
