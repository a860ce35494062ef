import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';

/**
 * Amount by which the token version is increased. It must exceed the number of times that all logins of a
 * person can end between a backup and its restore.
 */
const versionGap = 10_000;

/**
 * Ends all logins of all users, including approved device logins that the program hasn't claimed yet. API
 * keys stay valid.
 */
export async function endAllLoginsAcrossOrganizations(db: Database | Tx): Promise<void> {
  await run(db, [
    sql`DELETE FROM refresh_tokens`,
    sql`DELETE FROM device_logins`,
    // An access token is valid while its version equals that of the user, so the new version must never have
    // been issued.
    sql`UPDATE users SET token_version = token_version + ${versionGap}`,
  ]);
}

/**
 * Invalidates all one-time links, because restoring an older state of the database makes used and revoked
 * links valid again.
 */
export async function voidAllLinksAcrossOrganizations(db: Database | Tx): Promise<void> {
  await run(db, [
    sql`DELETE FROM login_links`,
    sql`DELETE FROM password_resets`,
    sql`DELETE FROM invitations WHERE accepted_at IS NULL`,
    sql`DELETE FROM chat_links`,
  ]);
}

async function run(db: Database | Tx, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
