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

/**
 * Records that the provider confirmed the person, and stores a new refresh token if the provider issued one.
 */
export async function recordConfirmation(
  tx: Tx,
  secretBox: SecretBox,
  id: number,
  confirmed: {
    refreshToken: string | null;
    email: string | null;
    isLogin: boolean;
  },
): Promise<void> {
  const { refreshToken, email, isLogin } = confirmed;
  await tx
    .updateTable('user_identities')
    .set({
      checked_at: sql`pacekeeper_now()`,
      checking_until: null,
      ...(email !== null && { email }),
      ...(refreshToken !== null && { refresh_token: secretBox.seal(refreshToken, tokenContext(id)) }),
      ...(isLogin && { last_login_at: sql`pacekeeper_now()` }),
      // If a login returns no refresh token, the stored one is removed, because it belongs to an earlier
      // session that may have ended.
      ...(isLogin && refreshToken === null && { refresh_token: null }),
    })
    .where('id', '=', id)
    .execute();
}

/** Maximum duration of a request to the provider, during which the identity stays claimed. */
const checkSeconds = 60;

/**
 * Claims the identity and its refresh token for a request to the provider. Undefined if another request has
 * claimed it.
 */
export async function claimCheck(
  db: Database,
  secretBox: SecretBox,
  id: number,
): Promise<(IdentityRow & { refreshToken: string | null }) | undefined> {
  const row = await db
    .updateTable('user_identities')
    .set({ checking_until: sql`pacekeeper_now() + make_interval(secs => ${checkSeconds})` })
    .where('id', '=', id)
    .where(
      sql<boolean>`(checking_until IS NULL OR checking_until NOT BETWEEN pacekeeper_now()
        AND pacekeeper_now() + make_interval(secs => ${checkSeconds}))`,
    )
    .returning([...columns, 'refresh_token'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { refresh_token: sealed, ...identity } = row;
  return { ...identity, refreshToken: sealed && openToken(secretBox, sealed, tokenContext(id)) };
}

export async function releaseCheck(db: Database, id: number): Promise<void> {
  await db.updateTable('user_identities').set({ checking_until: null }).where('id', '=', id).execute();
}

/** Removes the refresh tokens when the secret key changes. Sessions then end at the next confirmation. */
export async function forgetProviderTokensAcrossOrganizations(tx: Tx): Promise<void> {
  await sql`UPDATE user_identities SET refresh_token = NULL WHERE refresh_token IS NOT NULL`.execute(tx);
}

/** Decrypts a refresh token. Null if it was encrypted with another key. */
function openToken(secretBox: SecretBox, sealed: Buffer, context: SecretContext): string | null {
  try {
    return secretBox.openText(sealed, context);
  } catch {
    return null;
  }
}

function tokenContext(id: number): SecretContext {
  return { organizationId: 1, table: 'user_identities', rowId: id, column: 'refresh_token' };
}
