import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { SecretBox, SecretContext } from '../../../platform/secrets/index.ts';

/** Identity of a person at a provider. */
export interface IdentityRow {
  id: number;
  user_id: number;
  issuer: string;
  subject: string;
  email: string | null;
  last_login_at: Date;
  created_at: Date;
}

const columns = ['id', 'user_id', 'issuer', 'subject', 'email', 'last_login_at', 'created_at'] as const;

export async function findIdentity(
  db: Database | Tx,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('user_identities')
    .select(columns)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Maximum number of identities linked to a person. */
export const maxIdentities = 20;

export async function listIdentities(db: Database | Tx, userId: number): Promise<IdentityRow[]> {
  return db
    .selectFrom('user_identities')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(maxIdentities)
    .execute();
}

/** Rejects with SQL state 23505 if the identity exists. */
export async function insertIdentity(
  tx: Tx,
  values: { userId: number; issuer: string; subject: string; email: string | null },
): Promise<number> {
  const row = await tx
    .insertInto('user_identities')
    .values({
      user_id: values.userId,
      issuer: values.issuer,
      subject: values.subject,
      email: values.email,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function deleteIdentity(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('user_identities').where('id', '=', id).execute();
}

/** Records that the provider confirmed the person. */
export async function recordConfirmation(
  tx: Tx,
  id: number,
  { email, isLogin }: { email: string | null; isLogin: boolean },
): Promise<void> {
  await tx
    .updateTable('user_identities')
    .set({
      checked_at: sql`pacekeeper_now()`,
      ...(email !== null && { email }),
      ...(isLogin && { last_login_at: sql`pacekeeper_now()` }),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Records that the provider confirmed a login, and stores a new refresh token if the provider issued one.
 *
 * @param familyId The login whose row contains the refresh token.
 */
export async function recordProviderLogin(
  tx: Tx,
  secretBox: SecretBox,
  familyId: string,
  refreshToken: string | null,
): Promise<void> {
  await tx
    .updateTable('limited_sessions')
    .set({
      checked_at: sql`pacekeeper_now()`,
      checking_until: null,
      ...(refreshToken !== null && { refresh_token: sealToken(secretBox, familyId, refreshToken) }),
    })
    .where('family_id', '=', familyId)
    .execute();
}

/** Maximum duration of a request to the provider, during which the login stays claimed. */
const checkSeconds = 60;

export interface ClaimedLogin extends IdentityRow {
  /** The login whose row has the refresh token. */
  familyId: string;
  refreshToken: string | null;
}

/**
 * Claims a login and its refresh token for a request to the provider. Undefined if another request has claimed
 * it.
 */
export async function claimProviderCheck(
  db: Database,
  secretBox: SecretBox,
  familyId: string,
): Promise<ClaimedLogin | undefined> {
  const row = await db
    .updateTable('limited_sessions')
    .from('user_identities')
    .set({ checking_until: sql`pacekeeper_now() + make_interval(secs => ${checkSeconds})` })
    .where('family_id', '=', familyId)
    .whereRef('user_identities.id', '=', 'limited_sessions.identity_id')
    .where(
      sql<boolean>`(checking_until IS NULL OR checking_until NOT BETWEEN pacekeeper_now()
        AND pacekeeper_now() + make_interval(secs => ${checkSeconds}))`,
    )
    .returning(columns.map((column) => `user_identities.${column}` as const))
    .returning('limited_sessions.refresh_token')
    .executeTakeFirst();
  if (!row) return undefined;
  const { refresh_token: sealed, ...identity } = row;
  const refreshToken = sealed && openToken(secretBox, sealed, tokenContext(familyId));
  return { ...identity, familyId, refreshToken };
}

export async function releaseProviderCheck(db: Database, familyId: string): Promise<void> {
  await db
    .updateTable('limited_sessions')
    .set({ checking_until: null })
    .where('family_id', '=', familyId)
    .execute();
}

/** Removes the refresh tokens when the secret key changes. Sessions then end at the next confirmation. */
export async function forgetProviderTokensAcrossOrganizations(tx: Tx): Promise<void> {
  await sql`UPDATE limited_sessions SET refresh_token = NULL WHERE refresh_token IS NOT NULL`.execute(tx);
}

/** Encrypts the refresh token of a login at a provider. */
export function sealToken(secretBox: SecretBox, familyId: string, refreshToken: string): Buffer {
  return secretBox.seal(refreshToken, tokenContext(familyId));
}

/** Decrypts a refresh token. Null if it was encrypted with another key. */
function openToken(secretBox: SecretBox, sealed: Buffer, context: SecretContext): string | null {
  try {
    return secretBox.openText(sealed, context);
  } catch {
    return null;
  }
}

function tokenContext(familyId: string): SecretContext {
  return { organizationId: 1, table: 'limited_sessions', rowId: familyId, column: 'refresh_token' };
}
