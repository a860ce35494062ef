import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { deleteEndedLimitsAcrossOrganizations } from '../people/limited-session-queries.ts';
import type { SessionClient } from './client-of-session.ts';
import { refreshTokenSeconds } from './login-cookies.ts';

export interface RefreshTokenRow {
  family_id: string;
  user_id: number;
  organization_id: number;
  is_used: boolean;
  /**
   * True if the token was used so recently that this request may come from another tab of the same browser.
   */
  is_just_used: boolean;
}

/**
 * Time in which a used token counts as just used. Two tabs that resume at the same time send the same token,
 * and the second request arrives within this time.
 */
const graceSeconds = 10;

export async function findRefreshToken(
  db: Database | Tx,
  digest: Buffer,
): Promise<RefreshTokenRow | undefined> {
  return db
    .selectFrom('refresh_tokens')
    .select(['family_id', 'user_id', 'organization_id'])
    .select(sql<boolean>`used_at IS NOT NULL`.as('is_used'))
    .select(
      sql<boolean>`coalesce(used_at > pacekeeper_now() - make_interval(secs => ${graceSeconds}), false)`.as(
        'is_just_used',
      ),
    )
    .where('token_hash', '=', digest)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
    .executeTakeFirst();
}

/** Returns the current organization of a login, or undefined if the login has ended. */
export async function organizationOfFamily(db: Database | Tx, familyId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select('organization_id')
    .where('family_id', '=', familyId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return row?.organization_id;
}

/** Session data that a login keeps when its refresh token is replaced. */
export interface SessionIdentity {
  session_id: number;
  session_began_at: Date;
}

/** Marks the current refresh token of a login as used. The row is kept to detect reuse of the token. */
export async function markFamilyUsed(tx: Tx, familyId: string): Promise<SessionIdentity | undefined> {
  return tx
    .updateTable('refresh_tokens')
    .set({ used_at: sql`pacekeeper_now()` })
    .where('family_id', '=', familyId)
    .where('used_at', 'is', null)
    .returning(['session_id', 'session_began_at'])
    .executeTakeFirst();
}

export interface NewRefreshToken {
  digest: Buffer;
  familyId: string;
  userId: number;
  organizationId: number;
  client: SessionClient;
  /** Session of the token that this one replaces. If it's undefined, a new session starts. */
  session: SessionIdentity | undefined;
}

/** Inserts a refresh token and deletes the person's expired ones, to limit the number of rows per person. */
export async function insertRefreshToken(tx: Tx, token: NewRefreshToken): Promise<void> {
  await tx
    .deleteFrom('refresh_tokens')
    .where('user_id', '=', token.userId)
    .where(sql<boolean>`expires_at <= pacekeeper_now()`)
    .execute();
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.digest,
      family_id: token.familyId,
      user_id: token.userId,
      organization_id: token.organizationId,
      address: token.client.address,
      user_agent: token.client.userAgent,
      expires_at: sql`pacekeeper_now() + make_interval(secs => ${refreshTokenSeconds})`,
      ...token.session,
    })
    .execute();
}

/**
 * Ends a login by deleting its refresh tokens, which also invalidates its access tokens.
 * @returns False if the login has no tokens anymore.
 */
export async function revokeTokenFamily(tx: Tx, familyId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('refresh_tokens')
    .where('family_id', '=', familyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function endLoginsToOrganization(tx: Tx, organizationId: number, userId: number): Promise<void> {
  await tx
    .deleteFrom('refresh_tokens')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Deletes expired tokens, links, and invitations. Housekeeping calls this function. Returns the number of
 * deleted rows.
 */
export async function deleteExpiredLoginsAcrossOrganizations(db: Database): Promise<number> {
  const statements = [
    sql`DELETE FROM refresh_tokens WHERE expires_at <= pacekeeper_now()`,
    sql`DELETE FROM password_resets WHERE expires_at <= pacekeeper_now()`,
    sql`DELETE FROM invitations WHERE expires_at <= pacekeeper_now()`,
    sql`DELETE FROM used_sign_on_states WHERE expires_at <= pacekeeper_now()`,
    sql`DELETE FROM used_identity_tokens WHERE expires_at <= pacekeeper_now()`,
    sql`DELETE FROM login_links WHERE expires_at <= pacekeeper_now()`,
    sql`DELETE FROM device_logins WHERE expires_at <= pacekeeper_now()`,
  ];
  let removed = 0;
  for (const statement of statements) removed += Number((await statement.execute(db)).numAffectedRows ?? 0);
  return removed + (await deleteEndedLimitsAcrossOrganizations(db));
}
