import { afterEach, describe, expect, test } from 'vitest';
import {
  createAccountsServer,
  listAuditActions,
  password,
} from '../../../../tests/helpers/accounts-fixture.ts';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import type { Role } from '../../../platform/http/index.ts';

const { db, call, login, makeUser, makeKey } = await createAccountsServer();

const read = 'GET /client/dropdowns/org-members';
const same = { 'x-request-id': 'same' };

afterEach(() => resetClockOffset(db));

async function loggedIn(role: Role, organizationId?: number) {
  const user = await makeUser(role, organizationId);
  const { token, refresh } = await login(user);
  return { ...user, token, refresh };
}

let addresses = 0;
const newAddress = () => `guest-${++addresses}@shop.example`;

async function invite(token: string, email: string, role: Role) {
  const reply = await call('POST /client/members', { token, body: { email, role } });
  const url = reply.body.accept_url ?? '';
  return { ...reply, url, inviteToken: url.slice(url.indexOf('#token=') + '#token='.length) };
}

const accept = (body: object, token?: string) =>
  call('POST /auth/invitations/accept', { body, ...(token !== undefined && { token }) });

describe('an invitation', () => {
  test('returns the same response for known and unknown email addresses', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const stranger = await makeUser('member');
    const replies = [
      await invite(token, stranger.email, 'viewer'),
      await invite(token, newAddress(), 'viewer'),
    ];
    for (const { status, body, url } of replies) {
      expect(status).toBe(201);
      expect(url).toMatch(/^https:\/\/pacekeeper\.example\/invitations\/accept#token=[\w-]{43}$/);
      expect(Object.keys(body.invitation)).toEqual(Object.keys(replies[0]!.body.invitation));
    }
    expect(await listAuditActions(db, organizationId)).toEqual(['invitation.created', 'invitation.created']);
  });

  test('runs the same statements for known and unknown email addresses', async () => {
    const server = await createAccountsServer();
    const { token } = await server.login(await server.makeUser('admin'));
    const stranger = await server.makeUser('member');
    const statements = (email: string) =>
      server.statementsOf(() =>
        server.call('POST /client/members', { token, body: { email, role: 'viewer' } }),
      );
    expect(await statements(stranger.email)).toEqual(await statements(newAddress()));
  });

  test('creates an account and a membership, only once', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const email = newAddress();
    const { inviteToken } = await invite(token, email.toUpperCase(), 'member');
    const body = { token: inviteToken, name: 'Lee', password };
    const accepted = await accept(body);
    expect(accepted).toMatchObject({
      status: 200,
      body: { user: { email, name: 'Lee' }, organization: { id: organizationId, role: 'member' } },
    });
    expect((await call(read, { token: accepted.body.access_token })).status).toBe(200);
    expect((await login({ email })).reply.status).toBe(200);
    expect((await accept(body)).status).toBe(404);
    expect(await listAuditActions(db, organizationId)).toEqual(['invitation.created', 'member.created']);
  });

  test('creates a member whose ID in the list is the user ID, not the membership ID', async () => {
    const { token } = await loggedIn('admin');
    // Membership IDs differ from user IDs when users have several memberships.
    await loggedIn('member');
    const { inviteToken } = await invite(token, newAddress(), 'member');
    const accepted = await accept({ token: inviteToken, name: 'Kim', password });
    const members = (await call(read, { token })).body as unknown as { user_id: number; name: string }[];
    expect(members.find(({ name }) => name === 'Kim')!.user_id).toBe(accepted.body.user.id);
  });

  test('requires a name and a password for a new account', async () => {
    const { token } = await loggedIn('admin');
    const { inviteToken } = await invite(token, newAddress(), 'member');
    expect(await accept({ token: inviteToken, password })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'name' }] },
    });
    expect(await accept({ token: inviteToken, name: 'Lee' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'password' }] },
    });
    expect((await accept({ token: inviteToken, name: 'Lee', password })).status).toBe(200);
  });

  test.each(['ana', 'ana@', '@example.com', 'ana @example.com', '', ' '])(
    'with an invalid email address gets a clear error: "%s"',
    async (email) => {
      const { token } = await loggedIn('admin');
      expect(await call('POST /client/members', { token, body: { email, role: 'viewer' } })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'email', message: 'must be an email address such as ana@example.com' }] },
      });
    },
  );

  test('for an existing account can be accepted only with a login to that account', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const [invited, somebody] = [await loggedIn('viewer'), await loggedIn('viewer')];
    const { inviteToken } = await invite(token, invited.email, 'member');
    const body = { token: inviteToken, name: 'Thief', password: 'the password of a thief' };
    expect((await accept(body)).status).toBe(401);
    expect((await accept(body, somebody.token)).status).toBe(401);
    const accepted = await accept(body, invited.token);
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        user: { id: invited.userId, name: 'A viewer' },
        organization: { id: organizationId, role: 'member' },
      },
    });
    expect((await login(invited)).reply.status).toBe(200);
  });

  test('accepted in two concurrent requests creates only one account', async () => {
    const { token } = await loggedIn('admin');
    const { inviteToken } = await invite(token, newAddress(), 'member');
    const body = { token: inviteToken, name: 'Lee', password };
    const statuses = (await Promise.all([accept(body), accept(body)])).map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining([200, 404]));
  });

  test('is rejected for an existing member', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const other = await loggedIn('admin', organizationId);
    const guest = await loggedIn('viewer');
    const first = await invite(token, guest.email, 'viewer');
    await accept({ token: first.inviteToken }, guest.token);
    expect((await invite(token, guest.email, 'viewer')).status).toBe(409);
    expect((await invite(other.token, other.email, 'viewer')).status).toBe(409);
  });

  test('expires after seven days, or when a newer one replaces it', async () => {
    const { token } = await loggedIn('admin');
    const email = newAddress();
    const [first, second] = [await invite(token, email, 'viewer'), await invite(token, email, 'member')];
    const { body } = await call('GET /client/members', { token });
    expect(body.invitations).toMatchObject([{ email, role: 'member' }]);
    expect((await accept({ token: first.inviteToken, name: 'Lee', password })).status).toBe(404);
    await setClockOffset(db, '7 days');
    expect((await accept({ token: second.inviteToken, name: 'Lee', password })).status).toBe(404);
  });

  test.each<[Role, Role, number]>([
    ['admin', 'viewer', 201],
    ['admin', 'admin', 201],
    ['admin', 'owner', 403],
    ['owner', 'owner', 201],
    ['member', 'viewer', 403],
  ])('that %s creates for the role %s results in the status %i', async (own, role, status) => {
    const { token } = await loggedIn(own);
    expect((await invite(token, newAddress(), role)).status).toBe(status);
  });

  test('is valid only while its creator can still grant the role', async () => {
    const owner = await loggedIn('owner');
    const other = await loggedIn('owner', owner.organizationId);
    const asOwner = await invite(other.token, newAddress(), 'owner');
    const asViewer = await invite(other.token, newAddress(), 'viewer');
    await call(`PUT /client/members/${other.memberId}`, { token: owner.token, body: { role: 'admin' } });
    expect((await accept({ token: asOwner.inviteToken, name: 'Lee', password })).status).toBe(404);
    expect((await accept({ token: asViewer.inviteToken, name: 'Lee', password })).status).toBe(200);
    const left = await invite(other.token, newAddress(), 'viewer');
    await call(`DELETE /client/members/${other.memberId}`, { token: owner.token });
    expect((await accept({ token: left.inviteToken, name: 'Lee', password })).status).toBe(404);
  });

  test('can be revoked, so it disappears from the list and its link no longer works', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const { body, inviteToken } = await invite(token, newAddress(), 'member');
    const withdraw = () => call(`DELETE /client/invitations/${body.invitation.id}`, { token });
    expect((await withdraw()).status).toBe(204);
    expect((await accept({ token: inviteToken, name: 'Lee', password })).status).toBe(404);
    expect((await call('GET /client/members', { token })).body.invitations).toEqual([]);
    expect((await withdraw()).status).toBe(404);
    expect(await listAuditActions(db, organizationId)).toEqual(['invitation.created', 'invitation.deleted']);
  });

  test('for the owner role can be revoked only by owners', async () => {
    const owner = await loggedIn('owner');
    const admin = await loggedIn('admin', owner.organizationId);
    const { body, inviteToken } = await invite(owner.token, newAddress(), 'owner');
    const withdraw = (token: string) => call(`DELETE /client/invitations/${body.invitation.id}`, { token });
    expect((await withdraw(admin.token)).status).toBe(403);
    expect((await withdraw((await loggedIn('owner')).token)).status).toBe(404);
    expect((await withdraw(owner.token)).status).toBe(204);
    expect((await accept({ token: inviteToken, name: 'Lee', password })).status).toBe(404);
  });

  test('for the owner role can be replaced only by owners', async () => {
    const owner = await loggedIn('owner');
    const admin = await loggedIn('admin', owner.organizationId);
    const email = newAddress();
    await invite(owner.token, email, 'owner');
    expect(await invite(admin.token, email, 'viewer')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    const { body } = await call('GET /client/members', { token: owner.token });
    expect(body.invitations).toMatchObject([{ email, role: 'owner' }]);
    const { inviteToken } = await invite(owner.token, email, 'viewer');
    expect((await accept({ token: inviteToken, name: 'Lee', password })).status).toBe(200);
  });

  test("can't be revoked after it was accepted or has expired", async () => {
    const admin = await loggedIn('admin');
    const accepted = await invite(admin.token, newAddress(), 'member');
    await accept({ token: accepted.inviteToken, name: 'Lee', password });
    const ended = await invite(admin.token, newAddress(), 'member');
    await setClockOffset(db, '7 days');
    const { token } = await login(admin);
    for (const { body } of [accepted, ended])
      expect((await call(`DELETE /client/invitations/${body.invitation.id}`, { token })).status).toBe(404);
  });

  test('to the Global organization requires a login, so it is rejected for a system key', async () => {
    const { key } = await makeKey(1, 'admin');
    const body = { email: newAddress(), role: 'viewer' };
    expect(await call('POST /client/members', { key, body })).toMatchObject({
      status: 401,
      body: { code: 'login_required' },
    });
  });
});

describe('the role of a member', () => {
  test.each<[Role, Role, Role, number]>([
    ['admin', 'viewer', 'member', 200],
    ['admin', 'member', 'admin', 200],
    ['admin', 'admin', 'viewer', 200],
    ['admin', 'member', 'owner', 403],
    ['admin', 'owner', 'member', 403],
    ['owner', 'owner', 'member', 200],
    ['owner', 'viewer', 'owner', 200],
    ['member', 'viewer', 'member', 403],
  ])('changed by %s from %s to %s results in status %i', async (own, before, after, status) => {
    const { token, organizationId } = await loggedIn(own);
    const { memberId } = await makeUser(before, organizationId);
    const reply = await call(`PUT /client/members/${memberId}`, { token, body: { role: after } });
    expect(reply.status).toBe(status);
    if (status === 200) expect(reply.body).toMatchObject({ id: memberId, role: after });
    expect(await listAuditActions(db, organizationId)).toEqual(status === 200 ? ['member.updated'] : []);
  });

  test('is the only field that can be changed', async () => {
    const { token, organizationId } = await loggedIn('owner');
    const { memberId } = await makeUser('member', organizationId);
    const change = (field: string) =>
      call(`PUT /client/members/${memberId}`, {
        token,
        body: { role: 'viewer', [field]: 'thief@evil.example' },
      });
    expect((await change('password')).status).toBe(400);
    for (const field of ['email', 'name']) {
      const { status, body } = await change(field);
      expect(status, field).toBe(200);
      expect(JSON.stringify(body)).not.toContain('thief');
    }
  });

  test("can't be removed from the last owner", async () => {
    const { token, memberId } = await loggedIn('owner');
    const reply = await call(`PUT /client/members/${memberId}`, { token, body: { role: 'admin' } });
    expect(reply).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await call(`DELETE /client/members/${memberId}`, { token })).status).toBe(409);
    expect((await call(`PUT /client/members/${memberId}`, { token, body: { role: 'owner' } })).status).toBe(
      200,
    );
  });

  test('stays owner for one of two owners who step down at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await loggedIn('owner');
      const two = await loggedIn('owner', one.organizationId);
      const replies = await Promise.all([
        call(`PUT /client/members/${one.memberId}`, { token: one.token, body: { role: 'admin' } }),
        call(`DELETE /client/members/${two.memberId}`, { token: two.token }),
      ]);
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 409)).toHaveLength(1);
    }
  });
});

describe('removing a member', () => {
  test("immediately ends the member's logins to this organization, but no other logins", async () => {
    const admin = await loggedIn('admin');
    const guest = await loggedIn('member');
    const { inviteToken } = await invite(admin.token, guest.email, 'member');
    const here = await accept({ token: inviteToken }, guest.token);
    const members = await call('GET /client/members', { token: admin.token });
    const { id } = members.body.items.find(({ user_id }) => user_id === guest.userId)!;
    expect((await call(`DELETE /client/members/${id}`, { token: admin.token })).status).toBe(204);

    expect((await call(read, { token: here.body.access_token })).status).toBe(401);
    const refresh = { '__Host-pacekeeper_refresh': here.cookie('__Host-pacekeeper_refresh')! };
    expect((await call('POST /auth/refresh', { cookies: refresh })).status).toBe(401);
    expect((await call(read, { token: guest.token })).status).toBe(200);
    expect((await login(guest)).reply.body.organization).toMatchObject({ id: guest.organizationId });
    expect(await listAuditActions(db, admin.organizationId)).toContain('member.deleted');
  });

  test('is forbidden for administrators if the member is an owner', async () => {
    const { token, organizationId } = await loggedIn('admin');
    await makeUser('owner', organizationId);
    const { memberId } = await makeUser('owner', organizationId);
    expect((await call(`DELETE /client/members/${memberId}`, { token })).status).toBe(403);
  });
});

describe('a reset link', () => {
  test('can be created by administrators for members who have no more permissions than they do', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const [member, owner] = [
      await makeUser('member', organizationId),
      await makeUser('owner', organizationId),
    ];
    const reply = await call(`POST /client/members/${member.memberId}/reset-link`, { token });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        reset_url: expect.stringMatching(/^https:\/\/pacekeeper\.example\/reset-password#token=[\w-]{43}$/),
      },
    });
    expect((await call(`POST /client/members/${owner.memberId}/reset-link`, { token })).status).toBe(403);
    expect((await login(member)).reply.status).toBe(200);
    expect(await listAuditActions(db, organizationId)).toEqual(['member.reset_link_created']);
  });

  test("can't reset the password of an account that also belongs to another organization", async () => {
    const [mine, theirs] = [await loggedIn('owner'), await loggedIn('owner')];
    const guest = await loggedIn('member', mine.organizationId);
    const early = await call(`POST /client/members/${guest.memberId}/reset-link`, { token: mine.token });
    const { inviteToken } = await invite(theirs.token, guest.email, 'owner');
    await accept({ token: inviteToken }, guest.token);

    const late = await call(`POST /client/members/${guest.memberId}/reset-link`, { token: mine.token });
    for (const { status, body } of [early, late]) {
      expect(status).toBe(201);
      const token = body.reset_url.slice(body.reset_url.indexOf('=') + 1);
      const reset = { token, new_password: 'the password of a thief' };
      expect((await call('POST /auth/password/reset', { body: reset })).status).toBe(404);
    }
  });
});

describe('the list of members', () => {
  test('contains the members of the organization, newest first, and the open invitations, in three statements', async () => {
    const server = await createAccountsServer();
    const admin = await server.makeUser('admin');
    const { token } = await server.login(admin);
    const member = await server.makeUser('member', admin.organizationId);
    await server.makeUser('member');
    await server.call('POST /client/members', { token, body: { email: newAddress(), role: 'viewer' } });
    let list: Awaited<ReturnType<typeof call>> | undefined;
    const statements = await server.statementsOf(async () => {
      list = await server.call('GET /client/members', { token });
    });
    expect(list?.body).toMatchObject({
      items: [
        { id: member.memberId, user_id: member.userId, email: member.email, role: 'member' },
        { id: admin.memberId },
      ],
      total: 2,
      invitations: [{ role: 'viewer' }],
    });
    expect(statements).toHaveLength(3);
  });

  test('can be filtered by role and by part of the name or email address, and sorted by name', async () => {
    const { token, organizationId } = await loggedIn('admin');
    const member = await makeUser('member', organizationId);
    const find = async (query: string) => (await call(`GET /client/members?${query}`, { token })).body;
    expect(await find('role=member')).toMatchObject({ total: 1, items: [{ id: member.memberId }] });
    expect(await find(`q=${member.email.slice(0, 20)}`)).toMatchObject({
      total: 1,
      items: [{ id: member.memberId }],
    });
    expect(await find('q=A%20MEMB')).toMatchObject({ total: 1, items: [{ id: member.memberId }] });
    expect(await find('sort=name')).toMatchObject({ items: [{ role: 'admin' }, { role: 'member' }] });
  });

  test('is forbidden for the member role, which can read the short list', async () => {
    const { token, memberId, email } = await loggedIn('member');
    expect((await call('GET /client/members', { token })).status).toBe(403);
    expect((await call(read, { token })).body).toEqual([
      { id: memberId, user_id: expect.any(Number), name: 'A member', email, role: 'member' },
    ]);
  });
});

test('requests for a member of another organization return the same response as for a member that never existed', async () => {
  const { token, organizationId } = await loggedIn('owner');
  const { memberId } = await makeUser('member');
  for (const [operation, body] of [
    ['PUT /client/members/ID', { role: 'viewer' }],
    ['DELETE /client/members/ID', undefined],
    ['POST /client/members/ID/reset-link', undefined],
  ] as const) {
    const [foreign, never] = await Promise.all(
      [memberId, 9_000_000].map((id) =>
        call(operation.replace('ID', String(id)), { token, body, headers: same }),
      ),
    );
    expect(foreign).toMatchObject({ status: 404, body: never!.body });
  }
  expect(await listAuditActions(db, organizationId)).toEqual([]);
});
