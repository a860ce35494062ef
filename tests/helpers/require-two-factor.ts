import { sql } from 'kysely';
import { createUser } from '../../src/modules/accounts/index.ts';
import type { SharedTestServer, TestOrganization } from './test-server.ts';

/**
 * Enables the two-factor requirement with an API key, which the requirement doesn't lock out. The setting
 * requires an owner who uses two-factor authentication, so this function temporarily adds a second owner.
 */
export async function requireTwoFactor(
  { db }: Pick<SharedTestServer, 'db'>,
  { id, api }: Pick<TestOrganization, 'id' | 'api'>,
): Promise<void> {
  const email = `two-factor-${id}@example.org`;
  await createUser(db, { organizationId: id, role: 'owner', user: { email, password: null } });
  await sql`
    INSERT INTO second_factors (user_id, secret_sealed, confirmed_at)
    SELECT id, '', pacekeeper_now() FROM users WHERE email = ${email}`.execute(db);
  await api.call('putOrgOverride', { path: { key: 'login.require_two_factor' }, body: { value: true } });
  await sql`DELETE FROM users WHERE email = ${email}`.execute(db);
}
