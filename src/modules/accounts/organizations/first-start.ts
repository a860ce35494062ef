import { ConfigError } from '../../../platform/config.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { createPasswords, deriveKey } from '../../../platform/secrets/index.ts';
import { passwordProblem } from '../login/password-problem.ts';
import { insertUser, normalizeEmail } from '../login/user-queries.ts';
import { insertMember } from '../members/member-queries.ts';
import { insertOrganization, lockOrganization, systemOrganizationId } from './organization-queries.ts';

/** What to print. */
export interface FirstLogin {
  email: string;
  /** Null when the operator chose the password: output is often logged, and a chosen password belongs in no log. */
  generatedPassword: string | null;
}

export interface FirstStartOptions {
  adminEmail: string;
  adminPassword: string | null;
  secretKey: Uint8Array;
}

/**
 * Makes the organization `Default` and its owner, the administrator, while there is no user yet. Of several servers
 * that start at once, one does it. Returns null when there's nothing to print.
 *
 * A generated password follows from the secret key and the installation, so that a start that was cut off before it
 * printed loses nothing: every start returns it until the administrator has logged in.
 */
export async function ensureFirstStart(
  db: Database,
  { adminEmail, adminPassword, secretKey }: FirstStartOptions,
): Promise<FirstLogin | null> {
  const generated = await generatePassword(db, secretKey);
  if (await hasUsers(db)) return findUnusedLogin(db, generated);
  // Later starts don't use it, so they don't fail because of it.
  const problem = adminPassword === null ? null : passwordProblem(adminPassword);
  if (problem !== null) throw new ConfigError([`PACEKEEPER_ADMIN_PASSWORD: ${problem}.`]);
  const passwordHash = await createPasswords().hash(adminPassword ?? generated);
  const made = await transaction(db, async (tx) => {
    // The one row that is there from the beginning: the others wait here, and then find that it is done.
    await lockOrganization(tx, systemOrganizationId);
    if (await hasUsers(tx)) return null;
    const organizationId = await insertOrganization(tx, 'Default');
    const email = normalizeEmail(adminEmail);
    const userId = await insertUser(tx, { email, name: 'Administrator', passwordHash });
    await insertMember(tx, organizationId, { userId, role: 'owner' });
    return { email, generatedPassword: adminPassword === null ? generated : null };
  });
  return made ?? findUnusedLogin(db, generated);
}

/**
 * Who has the secret key and knows when the installation began can compute it, as long as it is the password: it has to
 * be changed before the key is rotated.
 */
async function generatePassword(db: Database, secretKey: Uint8Array): Promise<string> {
  const installation = await db.selectFrom('installation').select('created_at').executeTakeFirst();
  const salt = installation?.created_at.toISOString() ?? '';
  return deriveKey(secretKey, 'first-password', salt).subarray(0, 18).toString('base64url');
}

/** The administrator, while they have the generated password and have never logged in. */
async function findUnusedLogin(db: Database, generated: string): Promise<FirstLogin | null> {
  const first = await findFirstUser(db);
  if (!first || first.last_organization_id !== null) return null;
  const isGenerated = await createPasswords().verify(first.password_hash, generated);
  return isGenerated ? { email: first.email, generatedPassword: generated } : null;
}

/** The address of the administrator, while their password is the one that follows from this secret key. */
export async function findAddressWithGeneratedPassword(
  db: Database,
  secretKey: Uint8Array,
): Promise<string | null> {
  const first = await findFirstUser(db);
  if (!first) return null;
  const isGenerated = await createPasswords().verify(
    first.password_hash,
    await generatePassword(db, secretKey),
  );
  return isGenerated ? first.email : null;
}

async function findFirstUser(db: Database) {
  return db
    .selectFrom('users')
    .select(['email', 'password_hash', 'last_organization_id'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function hasUsers(db: Database | Tx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
