import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from '../../../../../tests/helpers/database.ts';
import { transaction } from '../../../../platform/database/index.ts';
import {
  endProblemsOfRemovedProvidersAcrossOrganizations,
  endProviderProblemAcrossOrganizations,
  notifyRejectedClientAcrossOrganizations,
} from './login-provider-problems.ts';

const { db } = await createTestDatabase();

test('an organization gets one notification a day about each provider that rejects the client', async () => {
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
      notifyRejectedClientAcrossOrganizations(tx, { userId, identityId: 1, provider: { id, name: id } }),
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

test('when a provider accepts the client again, each organization gets one recovery event, and a new rejection is reported immediately', async () => {
  const { rows } = await sql<{ user_id: number; organization_id: number }>`
    WITH organization AS (
      INSERT INTO organizations (name) VALUES ('First'), ('Second') RETURNING id
    ), person AS (
      INSERT INTO users (email, name, password_hash) VALUES ('b@example.org', 'B', '') RETURNING id
    )
    INSERT INTO memberships (organization_id, user_id, role)
    SELECT organization.id, person.id, 'owner' FROM organization, person
    RETURNING user_id, organization_id`.execute(db);
  const userId = rows[0]!.user_id;
  const reject = (id: string) =>
    transaction(db, (tx) =>
      notifyRejectedClientAcrossOrganizations(tx, { userId, identityId: 1, provider: { id, name: id } }),
    );
  const accept = (id: string) =>
    transaction(db, (tx) => endProviderProblemAcrossOrganizations(tx, id, 'recovered'));
  const events = async () => {
    const { rows: entries } = await sql<{ event: string }>`
      SELECT event_type || ' ' || (data #>> '{provider,id}') || coalesce(' ' || (data #>> '{provider,resolution}'), '') AS event
      FROM audit_entries WHERE organization_id = ANY(${rows.map((row) => row.organization_id)}::bigint[]) ORDER BY id`.execute(
      db,
    );
    return entries.map(({ event }) => event);
  };
  await accept('north');
  expect(await events()).toEqual([]);
  await reject('north');
  await reject('south');
  await accept('north');
  await accept('north');
  const failing = (id: string) => Array(2).fill(`login_provider.failing ${id}`);
  const recovered = Array(2).fill('login_provider.recovered north recovered');
  const first = [...failing('north'), ...failing('south'), ...recovered];
  expect(await events()).toEqual(first);
  await reject('north');
  await transaction(db, (tx) => endProblemsOfRemovedProvidersAcrossOrganizations(tx, ['north']));
  const deleted = Array(2).fill('login_provider.recovered south deleted');
  expect(await events()).toEqual([...first, ...failing('north'), ...deleted]);
});
