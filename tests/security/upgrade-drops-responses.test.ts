import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrateDatabase } from '../../src/platform/database/index.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { migrationsBefore } from '../helpers/older-migrations.ts';

test('an upgrade deletes plain-text responses of receivers but keeps every delivery and attempt', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, migrationsBefore('0015'));
  const addAttempt = (number: number) =>
    sql`
      INSERT INTO delivery_attempts
        (organization_id, notification_delivery_id, number, started_at, duration_ms, response_status, response_body)
      SELECT organization_id, id, ${number}, pacekeeper_now(), 5, 500, 'POST /services/T0/B0/a-secret'
      FROM notification_deliveries`.execute(db);
  await sql`
    WITH organization AS (
      INSERT INTO organizations (name) VALUES ('Acme') RETURNING id
    ), entry AS (
      INSERT INTO audit_entries (organization_id, action, event_type, event_id, actor_type, actor_name, data)
      SELECT id, 'job.failing', 'job.failing', gen_random_uuid(), 'system', 'x', '{}' FROM organization
      RETURNING organization_id, id, event_id
    )
    INSERT INTO notification_deliveries
      (organization_id, channel_id, channel_name, audit_entry_id, event_id, event_type, max_attempts, body_sealed)
    SELECT organization_id, 1, 'x', id, event_id, 'job.failing', 12, 'sealed' FROM entry`.execute(db);
  await addAttempt(1);

  await migrateDatabase(db);
  // The previous version can still run for a short time.
  await addAttempt(2);

  const attempts = await db.selectFrom('delivery_attempts').selectAll().orderBy('number').execute();
  expect(attempts).toMatchObject([
    { number: 1, duration_ms: 5, response_status: 500, response_body: null, response_body_sealed: null },
    { number: 2, duration_ms: 5, response_status: 500, response_body: null, response_body_sealed: null },
  ]);
  const delivery = await db.selectFrom('notification_deliveries').selectAll().executeTakeFirstOrThrow();
  // The delivery is still pending. Its body must be rendered again and can't be shown.
  expect(delivery).toMatchObject({ body_target: null, body_hidden: null, waits_for_channel: false });
  expect(delivery.body_sealed).not.toBeNull();
});
