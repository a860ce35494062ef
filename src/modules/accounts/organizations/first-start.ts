import { ConfigError } from '../../../platform/config.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { createPasswords, deriveKey } from '../../../platform/secrets/index.ts';
import { insertMember } from '../people/member-queries.ts';
import {
  insertOrganization,
  lockOrganization,
  systemOrganizationId,
} from '../people/organization-queries.ts';
import { passwordProblem } from '../people/password-problem.ts';
import { insertUser, normalizeEmail } from '../people/user-queries.ts';

/** Login data to print on the first start. */
export interface FirstLogin {
  email: string;
  /**
   * Null if the operator chose the password: output is often logged, and a chosen password must not be in a
   * log.
   */
  generatedPassword: string | null;
}

export interface FirstStartOptions {
  adminEmail: string;
  adminPassword: string | null;
  secretKey: Uint8Array;
}

/**
 * Creates the organization `Default` and its owner, the administrator, if no user exists. If several servers
 * start at the same time, only one creates them. Returns null if there's nothing to print.
 *
 * A generated password is derived from the secret key and the installation. So it isn't lost if a start is
 * interrupted before the password is printed: every start returns it until the administrator has logged in.
 */
export async function ensureFirstStart(
  db: Database,
  { adminEmail, adminPassword, secretKey }: FirstStartOptions,
): Promise<FirstLogin | null> {
  const generated = await generatePassword(db, secretKey);
  if (await hasUsers(db)) return findUnusedLogin(db, generated);
  // Later starts don't use this password, so they don't fail if it's invalid.
  const problem = adminPassword === null ? null : passwordProblem(adminPassword);
  if (problem !== null) throw new ConfigError([`PACEKEEPER_ADMIN_PASSWORD: ${problem}.`]);
  const passwordHash = await createPasswords().hash(adminPassword ?? generated);
  const made = await transaction(db, async (tx) => {
    // Several servers can start at the same time. The first one locks the row of the system organization,
    // which always exists. The others wait for the lock and then find that a user exists.
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
 * Derives the first password. Anyone with the secret key and the creation time of the installation can
 * compute it, so the administrator must change it before the secret key is rotated.
 */
async function generatePassword(db: Database, secretKey: Uint8Array): Promise<string> {
  const installation = await db.selectFrom('installation').select('created_at').executeTakeFirst();
  const salt = installation?.created_at.toISOString() ?? '';
  return deriveKey(secretKey, 'first-password', salt).subarray(0, 18).toString('base64url');
}

/**
 * Returns the login of the administrator if the generated password is unchanged and the administrator has
 * never logged in.
 */
async function findUnusedLogin(db: Database, generated: string): Promise<FirstLogin | null> {
  const first = await findFirstUser(db);
  if (!first || first.last_organization_id !== null) return null;
  const isGenerated = await createPasswords().verify(first.password_hash, generated);
  return isGenerated ? { email: first.email, generatedPassword: generated } : null;
}

/** Returns the address of the administrator if the password is still the one derived from this secret key. */
export async function findAdminEmailWithGeneratedPassword(
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
