import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createAccountsServer, listAuditActions } from '../../../../tests/helpers/accounts-fixture.ts';
import {
  type CreatedAccount,
  createOrganization,
  createSystemKey,
  createUser,
  deactivateSystemKey,
  resetPassword,
} from './admin-accounts.ts';

const { db, call, login, makeUser, authenticator } = await createAccountsServer();

describe('the operator', () => {
  test('creates an organization with an owner who can log in', async () => {
    const made = await createOrganization(db, {
      name: ' Shop ',
      owner: { email: 'Olga@Shop.example', password: null },
    });
    expect(made.owner).toMatchObject({ kind: 'account', email: 'olga@shop.example' });
    const { password } = made.owner as CreatedAccount;
    const { reply } = await login({ email: 'olga@shop.example' }, password);
    expect(reply.body.organization).toMatchObject({ id: made.organizationId, name: 'Shop', role: 'owner' });
    expect(await listAuditActions(db, made.organizationId)).toEqual([
      'member.created',
      'organization.created',
    ]);
  });

  test('gets an error with an example of a valid email address', async () => {
    const owner = { email: 'olga', password: null };
    await expect(createOrganization(db, { name: 'Shop', owner })).rejects.toMatchObject({
      options: {
        errors: [{ field: 'email', message: 'must be an email address such as ana@example.com' }],
      },
    });
  });

  test('invites an owner who already has an account, without changing the account or its password', async () => {
    const user = await makeUser('member');
    const made = await createOrganization(db, {
      name: 'Second',
      owner: { email: user.email.toUpperCase(), password: null },
    });
    expect(made.owner).toEqual({
      kind: 'invitation',
      email: user.email,
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await listAuditActions(db, made.organizationId)).toEqual([
      'invitation.created',
      'organization.created',
    ]);
    expect((await login(user)).reply.body.organizations).toHaveLength(1);
    const owner = { email: user.email, password: 'another password' };
    await expect(createOrganization(db, { name: 'Third', owner })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('creates a user in an organization', async () => {
    const { organizationId } = await makeUser('owner');
    const user = { email: 'pat@shop.example', password: 'correct horse battery staple' };
    await createUser(db, { organizationId, role: 'viewer', user });
    expect((await login(user)).reply.body.organization).toMatchObject({ id: organizationId, role: 'viewer' });
    const again = createUser(db, { organizationId, role: 'viewer', user: { ...user, password: null } });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });

  test('gets an error code for invalid input', async () => {
    const { organizationId } = await makeUser('owner');
    const user = { email: 'new@shop.example', password: null };
    const make = (wrong: object) => createUser(db, { organizationId, role: 'viewer', user, ...wrong });
    await expect(make({ organizationId: 9_000_000 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(make({ organizationId: 1 })).rejects.toMatchObject({ code: 'conflict' });
    await expect(make({ user: { email: 'no address', password: null } })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await expect(make({ user: { ...user, password: 'short' } })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await expect(createOrganization(db, { name: ' ', owner: user })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  test('resets a password, which ends all sessions', async () => {
    const user = await makeUser('member');
    const { token } = await login(user);
    const { password } = await resetPassword(db, { email: user.email.toUpperCase(), password: null });
    expect((await call('GET /auth/me', { token })).status).toBe(401);
    expect((await login(user, password)).reply.status).toBe(200);
    const nobody = resetPassword(db, { email: 'nobody@shop.example', password: null });
    await expect(nobody).rejects.toMatchObject({ code: 'not_found' });
  });

  test("resets a password, which is recorded with the unlinked accounts in the audit log of each of the user's organizations", async () => {
    const user = await makeUser('member');
    const other = await makeUser('owner');
    await sql`
      INSERT INTO memberships (organization_id, user_id, role) VALUES (${other.organizationId}, ${user.userId}, 'viewer')`.execute(
      db,
    );
    await sql`
      INSERT INTO user_identities (user_id, issuer, subject)
      VALUES (${user.userId}, 'https://login.stranger.example', 'ada')`.execute(db);
    await sql`
      INSERT INTO chat_accounts (organization_id, platform, realm, workspace_id, workspace_name, chat_user_id,
        chat_user_name, user_id)
      VALUES (${user.organizationId}, 'slack', '\\x00', 'T1', 'Acme', 'U1', 'ada', ${user.userId})`.execute(
      db,
    );
    await resetPassword(db, { email: user.email, password: null });
    const entriesOf = (organizationId: number) =>
      db
        .selectFrom('audit_log')
        .select(['action', 'actor_type', 'resource_name', 'detail'])
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute();
    const by = { actor_type: 'system', resource_name: 'A member' };
    const reset = { ...by, action: 'member.password_reset', detail: null };
    const login = {
      ...by,
      action: 'member.login_unlinked',
      detail: { provider: 'https://login.stranger.example', identity_id: expect.any(Number) },
    };
    const chat = {
      ...by,
      action: 'member.chat_account_unlinked',
      detail: { platform: 'Slack', chat_account_id: expect.any(Number), workspace: 'Acme', chat_user: 'ada' },
    };
    expect(await entriesOf(user.organizationId)).toEqual([reset, login, chat]);
    expect(await entriesOf(other.organizationId)).toEqual([reset, login]);
  });

  test('creates and revokes a system key', async () => {
    const { id, key } = await createSystemKey(db, { name: 'Agent in the data centre', role: 'agent' });
    const request = { headers: { 'x-api-key': key }, cookies: {}, method: 'GET' };
    const ask = () =>
      authenticator.authenticate(request as unknown as Parameters<typeof authenticator.authenticate>[0]);
    expect(await ask()).toMatchObject({ organizationId: 1, role: 'agent', isSystem: true, apiKeyId: id });
    await deactivateSystemKey(db, id);
    await expect(ask()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
