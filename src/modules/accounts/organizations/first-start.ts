import { type Database, transaction } from '../../../platform/database/index.ts';
import { createPasswords } from '../../../platform/secrets/index.ts';
import { insertUser, normalizeEmail } from '../login/user-queries.ts';
import { insertMember } from '../members/member-queries.ts';
import { randomPassword } from './admin-accounts.ts';
import { insertOrganization, lockOrganization, systemOrganizationId } from './organization-queries.ts';

/** What to print, once. */
export interface FirstLogin {
  email: string;
  /** Null when the operator chose the password: output is often logged, and a chosen password belongs in no log. */
  generatedPassword: string | null;
}

/**
 * Makes the organization `Default` and its owner, the administrator, while there is no user yet. Of several servers
 * that start at once, one does it. Returns null when users exist already.
 */
export async function ensureFirstStart(
  db: Database,
  { adminEmail, adminPassword }: { adminEmail: string; adminPassword: string | null },
): Promise<FirstLogin | null> {
  if (await hasUsers(db)) return null;
  const password = adminPassword ?? randomPassword();
  const passwordHash = await createPasswords().hash(password);
  return transaction(db, async (tx) => {
    // The one row that is there from the beginning: the others wait here, and then find that it is done.
    await lockOrganization(tx, systemOrganizationId);
    if (await hasUsers(tx)) return null;
    const organizationId = await insertOrganization(tx, 'Default');
    const email = normalizeEmail(adminEmail);
    const userId = await insertUser(tx, { email, name: 'Administrator', passwordHash });
    await insertMember(tx, organizationId, { userId, role: 'owner' });
    return { email, generatedPassword: adminPassword === null ? password : null };
  });
}

async function hasUsers(db: Pick<Database, 'selectFrom'>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
