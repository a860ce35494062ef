import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { voidPasswordResets } from './password-reset-queries.ts';

/** A person has one account for all organizations, so these rows don't belong to an organization. */
export interface UserRow {
  id: number;
  email: string;
  name: string;
  password_hash: string;
  /** False if the stored hash belongs to a random password that no one knows. */
  has_password: boolean;
  token_version: number;
  last_organization_id: number | null;
}

const columns = [
  'id',
  'email',
  'name',
  'password_hash',
  'has_password',
  'token_version',
  'last_organization_id',
] as const;

/** Normalizes an address. Addresses that differ only in case are the same. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export async function findUserByEmail(db: Database | Tx, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(columns).where('email', '=', normalizeEmail(email)).executeTakeFirst();
}

export async function findUser(db: Database | Tx, userId: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(columns).where('id', '=', userId).executeTakeFirst();
}

/** A locked user. `now` is the time that applies to all decisions of this transaction. */
export interface LockedUser extends UserRow {
  now: Date;
}

/** Locks a user. All operations that start, renew, or end logins of a person require this lock. */
export async function lockUser(tx: Tx, userId: number): Promise<LockedUser | undefined> {
  return tx
    .selectFrom('users')
    .select(columns)
    .select(sql<Date>`pacekeeper_now()`.as('now'))
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Rejects with SQL state 23505 if the address already has an account. */
export async function insertUser(
  tx: Tx,
  user: { email: string; name: string; passwordHash: string; hasPassword?: boolean },
): Promise<number> {
  const row = await tx
    .insertInto('users')
    .values({
      email: normalizeEmail(user.email),
      name: user.name,
      password_hash: user.passwordHash,
      has_password: user.hasPassword ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Sets the password of a person, ends all sessions of the person, and invalidates the links that could set
 * another password.
 */
export async function setPassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      has_password: true,
      token_version: sql`token_version + 1`,
      updated_at: sql`pacekeeper_now()`,
    })
    .where('id', '=', userId)
    .execute();
  await tx.deleteFrom('refresh_tokens').where('user_id', '=', userId).execute();
  await voidPasswordResets(tx, userId, 'all');
}

/** Rejects with SQL state 23505 if another account has the address. */
export async function updateProfile(
  tx: Tx,
  userId: number,
  { email, name }: { email: string; name: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email: normalizeEmail(email), name, updated_at: sql`pacekeeper_now()` })
    .where('id', '=', userId)
    .execute();
}

/** Stores a newer hash of the same password. Logins stay valid. */
export async function rehashPassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
}

export async function setLastOrganization(tx: Tx, userId: number, organizationId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ last_organization_id: organizationId })
    .where('id', '=', userId)
    .execute();
}
