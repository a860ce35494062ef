import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listPendingMigrations, migrateDatabase, migrateWithin } from '../../src/platform/database/index.ts';
import { createTestDatabase } from '../helpers/database.ts';

const migration = '0013_rights_end.sql';

test('the migration revokes what former members and their keys issued', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const before = (await listPendingMigrations(db)).filter((name) => name < migration);
  await db.transaction().execute((tx) => migrateWithin(tx, new Set(before)));

  await sql`INSERT INTO organizations (id, name) VALUES (2, 'Acme')`.execute(db);
  const userIds = new Map<string, number>();
  for (const [name, role] of [
    ['owner', 'owner'],
    ['admin', 'admin'],
    ['demoted', 'member'],
    ['removed', null],
  ] as const) {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO users (email, name, password_hash) VALUES (${name}, ${name}, '') RETURNING id`.execute(db);
    userIds.set(name, rows[0]!.id);
    if (role !== null)
      await sql`INSERT INTO memberships (organization_id, user_id, role) VALUES (2, ${rows[0]!.id}, ${role})`.execute(
        db,
      );
  }
  const issuers = ['owner', 'admin', 'demoted', 'removed', null];
  for (const issuer of issuers) {
    const userId = issuer === null ? null : userIds.get(issuer)!;
    for (const role of ['owner', 'viewer']) {
      const name = `${issuer} ${role}`;
      await sql`
        INSERT INTO invitations (organization_id, email, role, token_hash, invited_by_user_id, expires_at)
        VALUES (2, ${name}, ${role}, ${randomBytes(32)}, ${userId}, pacekeeper_now() + interval '7 days')`.execute(
        db,
      );
      await sql`
        INSERT INTO api_keys (organization_id, name, role, secret_hash, created_by_user_id, created_by_name)
        VALUES (2, ${name}, ${role}, '', ${userId}, ${String(issuer)})`.execute(db);
    }
  }
  await sql`
    INSERT INTO password_resets (token_hash, user_id, expires_at)
    VALUES (${randomBytes(32)}, ${userIds.get('admin')}, pacekeeper_now() + interval '1 day')`.execute(db);

  expect(await migrateDatabase(db)).toContain(migration);

  const names = async (query: ReturnType<typeof sql<{ name: string }>>) =>
    (await query.execute(db)).rows.map(({ name }) => name).toSorted();
  const alive = ['admin viewer', 'owner owner', 'owner viewer'];
  expect(await names(sql`SELECT email AS name FROM invitations`)).toEqual(alive);
  // A key without a creator belongs to the operator.
  const ended = ['admin owner', 'demoted owner', 'demoted viewer', 'removed owner', 'removed viewer'];
  expect(await names(sql`SELECT name FROM api_keys WHERE is_active`)).toEqual([
    ...alive.slice(0, 1),
    'null owner',
    'null viewer',
    ...alive.slice(1),
  ]);
  expect(await names(sql`SELECT name FROM api_keys WHERE deactivated_at IS NOT NULL`)).toEqual(ended);
  expect(
    await names(sql`SELECT resource_name AS name FROM audit_log WHERE action = 'api_key.deactivated'`),
  ).toEqual(ended);
  expect(await names(sql`SELECT 'link' AS name FROM password_resets WHERE used_at IS NULL`)).toEqual([]);

  // The previous version still runs. Reset links that it creates are stored, but without an issuer they
  // aren't valid.
  await sql`
    INSERT INTO password_resets (token_hash, user_id, expires_at)
    VALUES (${randomBytes(32)}, ${userIds.get('admin')}, pacekeeper_now() + interval '1 day')`.execute(db);
});
