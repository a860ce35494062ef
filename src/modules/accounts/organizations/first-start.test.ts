import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createPasswords } from '../../../platform/secrets/index.ts';
import { ensureFirstStart } from './first-start.ts';

async function usersOf(db: Awaited<ReturnType<typeof createTestDatabase>>['db']) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['users.email', 'users.password_hash', 'memberships.role', 'organizations.name as organization'])
    .execute();
}

const secretKey = randomBytes(32);

test('the first start creates the Default organization and its owner, and later starts with the same secret key return the same generated password', async () => {
  const { db } = await createTestDatabase();
  const first = await ensureFirstStart(db, { adminEmail: 'Admin@localhost', adminPassword: null, secretKey });
  expect(first).toEqual({
    email: 'admin@localhost',
    generatedPassword: expect.stringMatching(/^[\w-]{24}$/),
  });
  const users = await usersOf(db);
  expect(users).toMatchObject([{ email: 'admin@localhost', role: 'owner', organization: 'Default' }]);
  expect(await createPasswords().verify(users[0]!.password_hash, first!.generatedPassword!)).toBe(true);
  expect(
    await ensureFirstStart(db, { adminEmail: 'other@localhost', adminPassword: 'another', secretKey }),
  ).toEqual(first);
  const other = { adminEmail: 'a@localhost', adminPassword: null, secretKey: randomBytes(32) };
  expect(await ensureFirstStart(db, other)).toBeNull();
  expect(await usersOf(db)).toEqual(users);
});

test('a configured password is used and not returned', async () => {
  const { db } = await createTestDatabase();
  const given = { adminEmail: 'ada@shop.example', adminPassword: 'correct horse battery staple', secretKey };
  expect(await ensureFirstStart(db, given)).toEqual({ email: given.adminEmail, generatedPassword: null });
  const [user] = await usersOf(db);
  expect(await createPasswords().verify(user!.password_hash, given.adminPassword)).toBe(true);
});

test('a configured password that is too short is rejected only if the start would use it', async () => {
  const { db } = await createTestDatabase();
  const short = { adminEmail: 'ada@shop.example', adminPassword: 'secret7', secretKey };
  await expect(ensureFirstStart(db, short)).rejects.toThrow(
    /^Invalid configuration:\n {2}PACEKEEPER_ADMIN_PASSWORD: must have 8 to 1,000 characters\.$/,
  );
  expect(await usersOf(db)).toEqual([]);
  await ensureFirstStart(db, { ...short, adminPassword: 'secret78' });
  expect(await usersOf(db)).toHaveLength(1);
  expect(await ensureFirstStart(db, short)).toBeNull();
});

test('only one of several servers that start at the same time creates the owner', async () => {
  const { db, connectAgain } = await createTestDatabase();
  const servers = [db, await connectAgain(), await connectAgain()];
  const start = (server: typeof db) =>
    ensureFirstStart(server, { adminEmail: 'admin@localhost', adminPassword: null, secretKey });
  const made = await Promise.all(servers.map(start));
  expect(new Set(made.map((answer) => answer?.generatedPassword)).size).toBe(1);
  const users = await usersOf(db);
  expect(users).toHaveLength(1);
  expect(await createPasswords().verify(users[0]!.password_hash, made[0]!.generatedPassword!)).toBe(true);
});
