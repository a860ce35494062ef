import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/platform/http/index.ts';
import { createAccountsServer, password, type Reply } from '../helpers/accounts-fixture.ts';
import { resetClockOffset, setClockOffset } from '../helpers/database.ts';

/**
 * These tests check that neither responses nor the work for a request reveal whether an address has an
 * account or which organizations its owner belongs to.
 */
const server = await createAccountsServer();
const { db, call, login, makeUser, statementsOf, hashingsOf } = server;

afterEach(() => resetClockOffset(db));

const newAddress = () => `${randomUUID()}@shop.example`;

async function loggedIn(role: Role, organizationId?: number) {
  const user = await makeUser(role, organizationId);
  return { ...user, token: (await login(user)).token };
}

const admin = await loggedIn('admin');

async function invite(email: string): Promise<string> {
  const { body } = await call('POST /client/members', {
    token: admin.token,
    body: { email, role: 'viewer' },
  });
  return body.accept_url.split('#token=')[1]!;
}

const tokenOfReset = (reply: Reply) => reply.body.reset_url.split('#token=')[1]!;

interface Observed {
  status: number;
  body: unknown;
  headers: unknown;
  cookies: unknown;
  statements: string[];
  hashings: number;
}

/** Returns everything that a client can observe of a request, and the work that determines its duration. */
async function observe(work: () => Promise<Reply>): Promise<Observed> {
  let reply: Reply | undefined;
  let statements: string[] = [];
  const hashings = await hashingsOf(async () => {
    statements = await statementsOf(async () => {
      reply = await work();
    });
  });
  const { status, body, headers, cookies } = reply!;
  const { date: _date, ...rest } = headers;
  return { status, body, headers: rest, cookies, statements, hashings };
}

const same = { 'x-request-id': 'same' };
const accept = (body: object, token?: string) =>
  call('POST /auth/invitations/accept', { body, headers: same, ...(token !== undefined && { token }) });

describe('accepting an invitation', () => {
  const bodies: [string, object][] = [
    ['no other fields', {}],
    ['a name', { name: 'Eve' }],
    ['a password', { password: 'a long password' }],
  ];
  test.each(bodies)(
    'without a session and with %s has the same response whether or not the account exists',
    async (_name, more) => {
      const [known, unknown] = [await invite((await makeUser('viewer')).email), await invite(newAddress())];
      const answers = [
        await observe(() => accept({ token: known, ...more })),
        await observe(() => accept({ token: unknown, ...more })),
      ];
      expect(answers[0]!.status).toBeGreaterThanOrEqual(400);
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]!.hashings).toBe(0);
    },
  );

  test.each([...bodies, ['a name and a password', { name: 'Eve', password: 'a long password' }] as const])(
    'with the session of another user and with %s has the same response whether or not the account exists',
    async (_name, more) => {
      const { token } = await loggedIn('viewer');
      const [known, unknown] = [await invite((await makeUser('viewer')).email), await invite(newAddress())];
      const answers = [
        await observe(() => accept({ token: known, ...more }, token)),
        await observe(() => accept({ token: unknown, ...more }, token)),
      ];
      expect(answers[0]).toMatchObject({ status: 401, body: { code: 'login_required' } });
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]!.hashings).toBe(0);
    },
  );

  test('hashes once both when the account is created and when it already exists', async () => {
    const [known, unknown] = [await invite((await makeUser('viewer')).email), await invite(newAddress())];
    const account = { name: 'Eve', password: 'a long password' };
    const refused = await observe(() => accept({ token: known, ...account }));
    const created = await observe(() => accept({ token: unknown, ...account }));
    expect(refused).toMatchObject({ status: 401, hashings: 1, cookies: [] });
    expect(created).toMatchObject({ status: 200, hashings: 1 });
    // The error is the same as for a client without a session.
    expect(refused.body).toEqual((await accept({ token: known })).body);
  });

  test('at the same time as another client fails in the same way as for an existing account', async () => {
    const email = newAddress();
    const other = await loggedIn('admin');
    const { body } = await call('POST /client/members', {
      token: other.token,
      body: { email, role: 'viewer' },
    });
    const tokens = [await invite(email), body.accept_url.split('#token=')[1]!];
    const replies = await Promise.all(
      tokens.map((token) => accept({ token, name: 'Eve', password: 'a long password' })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const refused = replies.find(({ status }) => status === 401)!;
    const token = await invite((await makeUser('viewer')).email);
    expect(refused.body).toEqual((await accept({ token })).body);
  });
});

describe('an invalid token', () => {
  test('for an invitation has the same response, whether unknown, used, replaced, or expired', async () => {
    const [used, replaced, expired] = [newAddress(), newAddress(), newAddress()];
    const account = { name: 'Eve', password: 'a long password' };
    const tokens = ['x'.repeat(43), await invite(used), await invite(replaced), await invite(expired)];
    await accept({ token: tokens[1], ...account });
    await invite(replaced);
    await setClockOffset(db, '7 days');
    const answers = [];
    for (const token of tokens) answers.push(await observe(() => accept({ token, ...account })));
    expect(answers[0]).toMatchObject({ status: 404, hashings: 0 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('for a password reset has the same response, whether unknown, used, replaced, or expired', async () => {
    const reset = (token: string) =>
      call('POST /auth/password/reset', { body: { token, new_password: 'a long password' }, headers: same });
    const link = async (memberId: number) =>
      tokenOfReset(await call(`POST /client/members/${memberId}/reset-link`, { token: admin.token }));
    const members = [];
    for (let count = 0; count < 3; count++) members.push(await makeUser('viewer', admin.organizationId));
    const tokens = ['x'.repeat(43)];
    for (const { memberId } of members) tokens.push(await link(memberId));
    expect((await reset(tokens[1]!)).status).toBe(204);
    await link(members[1]!.memberId);
    await setClockOffset(db, '1 day');
    const answers = [];
    for (const token of tokens) answers.push(await observe(() => reset(token)));
    expect(answers[0]).toMatchObject({ status: 404, hashings: 0 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('membership in another organization', () => {
  test("isn't revealed by creating a reset link", async () => {
    const alone = await makeUser('member', admin.organizationId);
    const elsewhere = await makeUser('member', admin.organizationId);
    const other = await loggedIn('admin');
    const invitation = await call('POST /client/members', {
      token: other.token,
      body: { email: elsewhere.email, role: 'member' },
    });
    const inviteToken = invitation.body.accept_url.split('#token=')[1]!;
    expect((await accept({ token: inviteToken }, (await login(elsewhere)).token)).status).toBe(200);
    const make = (memberId: number) => async () => {
      const reply = await call(`POST /client/members/${memberId}/reset-link`, {
        token: admin.token,
        headers: same,
      });
      expect(reply.body.reset_url).toMatch(/#token=[\w-]{43}$/);
      return { ...reply, body: Object.keys(reply.body) } as unknown as Reply;
    };
    const [one, two] = [await observe(make(alone.memberId)), await observe(make(elsewhere.memberId))];
    expect(one.status).toBe(201);
    const { 'content-length': _one, ...oneHeaders } = one.headers as Record<string, unknown>;
    const { 'content-length': _two, ...twoHeaders } = two.headers as Record<string, unknown>;
    expect({ ...one, headers: oneHeaders }).toEqual({ ...two, headers: twoHeaders });
  });
});

describe('a login', () => {
  test('with a wrong password does the same work for an address with and without an account', async () => {
    const { email } = await makeUser('viewer');
    const attempt = (address: string) => () =>
      call('POST /auth/login', { body: { email: address, password: `${password}!` }, headers: same });
    const [known, unknown] = [await observe(attempt(email)), await observe(attempt(newAddress()))];
    expect(known).toMatchObject({ status: 401, hashings: 1 });
    expect(known).toEqual(unknown);
  });
});
