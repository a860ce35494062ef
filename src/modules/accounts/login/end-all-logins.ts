import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';

/** More than the logins of a person are ended in the lifetime of a backup. */
const versionGap = 10_000;

/** Ends every login of everyone, and every login that waits for its program to fetch it. API keys stay. */
export async function endAllLoginsAcrossOrganizations(db: Database | Tx): Promise<void> {
  await run(db, [
    sql`DELETE FROM refresh_tokens`,
    sql`DELETE FROM device_logins`,
    // An access token holds while its version is that of the user, so the new one must never have been issued.
    sql`UPDATE users SET token_version = token_version + ${versionGap}`,
  ]);
}

/** Voids every link that works once: in an older state of the database, those that were used or revoked work again. */
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
