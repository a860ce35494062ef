import { randomBytes } from 'node:crypto';
import { systemActor } from '../../src/domain/audit/actor.ts';
import type { LoginTokens } from '../../src/modules/accounts/index.ts';
import { insertMember } from '../../src/modules/accounts/people/member-queries.ts';
import { insertOrganization } from '../../src/modules/accounts/people/organization-queries.ts';
import { insertUser, lockUser } from '../../src/modules/accounts/people/user-queries.ts';
import { issueLogin } from '../../src/modules/accounts/sessions/issue-login.ts';
import { writeAuditLogs } from '../../src/modules/audit/index.ts';
import { type Database, transaction } from '../../src/platform/database/index.ts';
import { createPasswords } from '../../src/platform/secrets/index.ts';

/** Password of the owners of all test organizations. */
const password = `password ${randomBytes(8).toString('hex')}`;
let passwordHash: Promise<string> | undefined;

/**
 * Creates an organization with an owner who is logged in. It does the same as `createOrganization` and a
 * login through the API, but hashes the password only once per process, because each hash takes longer than
 * the rest of this function.
 */
export async function insertOrganizationWithOwner(db: Database, loginTokens: LoginTokens, name: string) {
  passwordHash ??= createPasswords().hash(password);
  const hash = await passwordHash;
  const email = `owner-${randomBytes(4).toString('hex')}@example.org`;
  return transaction(db, async (tx) => {
    const id = await insertOrganization(tx, name);
    const userId = await insertUser(tx, { email, name: email.split('@')[0]!, passwordHash: hash });
    const memberId = (await insertMember(tx, id, { userId, role: 'owner' }))!;
    const by = { actor: systemActor, requestId: null };
    await writeAuditLogs(tx, id, [
      {
        action: 'member.created',
        resourceId: memberId,
        resourceName: email,
        detail: { role: 'owner' },
        ...by,
      },
      { action: 'organization.created', resourceId: id, resourceName: name, ...by },
    ]);
    const client = { address: '127.0.0.1', userAgent: 'node' };
    const user = (await lockUser(tx, userId))!;
    const login = (await issueLogin(tx, loginTokens, user, { organizationId: id, client }))!;
    return { id, email, password, token: login.body.access_token };
  });
}
