import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from '../../../tests/helpers/database.ts';
import { noWakeUps } from '../../../tests/helpers/no-wake-ups.ts';
import { transaction } from '../../platform/database/index.ts';
import { notifyRejectedClientAcrossOrganizations } from './notify-rejected-client.ts';

const { db } = await createTestDatabase();

test('an organization is notified once a day of each provider that rejects the client', async () => {
  const { rows: users } = await sql<{ user_id: number; organization_id: number }>`
    WITH organization AS (
      INSERT INTO organizations (name) VALUES ('Acme') RETURNING id
    ), person AS (
      INSERT INTO users (email, name, password_hash) VALUES ('a@example.org', 'A', '') RETURNING id
    )
    INSERT INTO memberships (organization_id, user_id, role)
    SELECT organization.id, person.id, 'owner' FROM organization, person
    RETURNING user_id, organization_id`.execute(db);
  const [{ user_id: userId, organization_id: organizationId }] = users as [(typeof users)[0]];
  const reject = (id: string) =>
    transaction(db, (tx) =>
      notifyRejectedClientAcrossOrganizations(
        tx,
        { userId, identityId: 1, provider: { id, name: id } },
        noWakeUps,
      ),
    );
  const notified = async () => {
    const { rows } = await sql<{ id: string }>`
      SELECT data #>> '{provider,id}' AS id FROM audit_entries
      WHERE organization_id = ${organizationId} AND event_type = 'login_provider.failing' ORDER BY audit_entries.id`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  };
  for (const id of ['corp', 'other', 'corp', 'other']) await reject(id);
  expect(await notified()).toEqual(['corp', 'other']);
  await setClockOffset(db, '23 hours');
  await reject('corp');
  expect(await notified()).toEqual(['corp', 'other']);
  await setClockOffset(db, '25 hours');
  await reject('corp');
  expect(await notified()).toEqual(['corp', 'other', 'corp']);
});
