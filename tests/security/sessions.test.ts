import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { setClockOffset } from '../helpers/database.ts';
import { startTestServer } from '../helpers/test-server.ts';
import {
  anonymousClient,
  callError,
  createPeople,
  type Person,
  refreshTokenOf,
  statusOf,
  trustedProxyEnvironment,
} from './people.ts';

const server = await startTestServer(trustedProxyEnvironment);
const { invite, join, logIn } = createPeople(server);

const cookieOf = (refreshToken: string) => ({ cookie: `pacekeeper_refresh=${refreshToken}` });
const withToken = (token: string) => createApiClient({ baseUrl: server.url, token });
const works = async (token: string) => (await statusOf(withToken(token).call('getMe'))) === 200;
const refresh = (refreshToken: string) =>
  anonymousClient(server.url).send('refreshLogin', { headers: cookieOf(refreshToken) });

/** Creates a person in two organizations who is logged in to the first. */
async function createPerson() {
  const [first, second] = [await server.createOrganization(), await server.createOrganization()];
  const person = await join(first.owner, 'member');
  const token = await invite(second.owner, person.email, 'member');
  await person.api.call('acceptInvitation', { body: { token } });
  return { person: await logInTo(first.id, person), first, second };
}

async function logInTo(organizationId: number, who: Person): Promise<Person> {
  const person = await logIn(who);
  const { headers, body } = await person.api.send('switchOrganization', {
    body: { organization_id: organizationId },
    headers: cookieOf(person.refreshToken),
  });
  const { access_token: token } = body;
  return { ...person, organizationId, token, refreshToken: refreshTokenOf(headers)!, api: withToken(token) };
}

describe('a stolen access token', () => {
  const waysOn: [
    string,
    (
      stolen: string,
      to: Awaited<ReturnType<typeof createPerson>>,
    ) => Promise<{ token: string; headers: Headers }>,
  ][] = [
    [
      'switching organizations',
      async (stolen, { second }) => {
        const { body, headers } = await withToken(stolen).send('switchOrganization', {
          body: { organization_id: second.id },
        });
        return { token: body.access_token, headers };
      },
    ],
    [
      'accepting an invitation from the thief',
      async (stolen, { person }) => {
        const { owner } = await server.createOrganization();
        const token = await invite(owner, person.email, 'viewer');
        const { body, headers } = await withToken(stolen).send('acceptInvitation', { body: { token } });
        return { token: body.access_token, headers };
      },
    ],
  ];

  describe.each(waysOn)('that is used for %s', (_name, goOn) => {
    test('gets no refresh token', async () => {
      const scene = await createPerson();
      const { token, headers } = await goOn(scene.person.token, scene);
      expect(refreshTokenOf(headers)).toBeNull();
      expect(await works(token)).toBe(true);
    });

    test("can't be turned into access that outlives a logout", async () => {
      const scene = await createPerson();
      const { token } = await goOn(scene.person.token, scene);
      await anonymousClient(server.url).call('logout', { headers: cookieOf(scene.person.refreshToken) });
      expect(await works(token)).toBe(false);
    });

    test('gets no access that outlives the reuse of a refresh token', async () => {
      const scene = await createPerson();
      const { token } = await goOn(scene.person.token, scene);
      const renewed = await refresh(scene.person.refreshToken);
      await setClockOffset(server.db, '11 seconds');
      expect(await statusOf(refresh(scene.person.refreshToken))).toBe(401);
      expect(await works(token)).toBe(false);
      expect(await works(renewed.body.access_token)).toBe(false);
      await setClockOffset(server.db, '0');
    });

    test("doesn't change the organization of the session", async () => {
      const scene = await createPerson();
      await goOn(scene.person.token, scene);
      const { body } = await refresh(scene.person.refreshToken);
      expect(body.organization).toMatchObject({ id: scene.first.id });
    });
  });

  test("with another person's refresh token gets no refresh token, and the other session continues", async () => {
    const scene = await createPerson();
    const other = await createPerson();
    const { headers } = await scene.person.api.send('switchOrganization', {
      body: { organization_id: scene.second.id },
      headers: cookieOf(other.person.refreshToken),
    });
    expect(refreshTokenOf(headers)).toBeNull();
    const { body } = await refresh(other.person.refreshToken);
    expect(body.user.id).toBe(other.person.userId);
  });

  test('with the refresh token of another session of the person gets no refresh token', async () => {
    const { person, second } = await createPerson();
    const other = await logIn(person);
    const { headers } = await person.api.send('switchOrganization', {
      body: { organization_id: second.id },
      headers: cookieOf(other.refreshToken),
    });
    expect(refreshTokenOf(headers)).toBeNull();
  });

  test('with a reused refresh token ends the session', async () => {
    const { person, second } = await createPerson();
    const renewed = await refresh(person.refreshToken);
    await setClockOffset(server.db, '11 seconds');
    const replay = withToken(renewed.body.access_token).call('switchOrganization', {
      body: { organization_id: second.id },
      headers: cookieOf(person.refreshToken),
    });
    expect(await callError(replay)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await statusOf(refresh(refreshTokenOf(renewed.headers)!))).toBe(401);
    await setClockOffset(server.db, '0');
  });
});

describe('a browser session', () => {
  test('continues after a switch to another organization, with a new refresh token', async () => {
    const { person, second } = await createPerson();
    const before = await person.api.call('listSessions', {});
    const { body, headers } = await person.api.send('switchOrganization', {
      body: { organization_id: second.id },
      headers: cookieOf(person.refreshToken),
    });
    const renewed = await refresh(refreshTokenOf(headers)!);
    expect(renewed.body.organization.id).toBe(second.id);
    const { items } = await withToken(body.access_token).call('listSessions', {});
    const current = items.find(({ is_current }) => is_current)!;
    expect(current.id).toBe(before.items.find(({ is_current }) => is_current)!.id);
    expect(current.organization).toMatchObject({ id: second.id });
  });
});

test.each(['refreshing', 'switching organizations'])(
  'a session can be refreshed at most 60 times a minute, which limits its stored rows: by %s',
  async (way) => {
    const { person } = await createPerson();
    const body = { organization_id: person.organizationId };
    const renew = (token: string) =>
      way === 'refreshing'
        ? refresh(token)
        : person.api.send('switchOrganization', { body, headers: cookieOf(token) });
    let { refreshToken } = person;
    const statuses: number[] = [];
    for (let count = 0; count < 80; count += 1) {
      const renewed = await renew(refreshToken).catch((error: { status: number }) => error.status);
      statuses.push(typeof renewed === 'number' ? renewed : 200);
      if (typeof renewed !== 'number') refreshToken = refreshTokenOf(renewed.headers)!;
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(75);
    // Rejected requests don't use up the token, and another session of the same person continues.
    const other = await logIn(person);
    expect(await statusOf(refresh(other.refreshToken))).toBe(200);
    await expect.poll(() => statusOf(refresh(refreshToken))).toBe(200);
  },
);

describe('sessions', () => {
  test('are listed with the time, address, and user agent of their last use, and the current one is marked', async () => {
    const { owner } = await server.createOrganization();
    const person = await join(owner, 'viewer');
    const login = (userAgent: string) =>
      anonymousClient(server.url).send('login', {
        body: { email: person.email, password: person.password },
        headers: { 'user-agent': userAgent, 'x-forwarded-for': '203.0.113.7' },
      });
    const hostile = `${'\u00ad<script>\u0085'}${'x'.repeat(1_000)}`;
    const { body } = await login(hostile);
    const { items, total } = await withToken(body.access_token).call('listSessions', {});
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({
      address: '203.0.113.7',
      organization: { id: person.organizationId },
      is_current: true,
    });
    expect(items[0]!.user_agent).toMatch(/^<script>x{248}$/);
    expect(items[1]).toMatchObject({ is_current: false });
    const { items: rest } = await withToken(body.access_token).call('listSessions', {
      query: { limit: 1, offset: 1 },
    });
    expect(rest.map(({ id }) => id)).toEqual([items[1]!.id]);
  });

  test('keep only their ID and creation time when they are refreshed', async () => {
    const { owner } = await server.createOrganization();
    const person = await join(owner, 'viewer');
    const [before] = (await person.api.call('listSessions', {})).items;
    await setClockOffset(server.db, '10 minutes');
    const { body } = await anonymousClient(server.url).send('refreshLogin', {
      headers: { ...cookieOf(person.refreshToken), 'user-agent': 'other', 'x-forwarded-for': '203.0.113.9' },
    });
    const { items } = await withToken(body.access_token).call('listSessions', {});
    await setClockOffset(server.db, '0');
    expect(items).toMatchObject([
      { id: before!.id, created_at: before!.created_at, user_agent: 'other', address: '203.0.113.9' },
    ]);
    expect(items[0]!.last_used_at > before!.last_used_at).toBe(true);
  });

  test('can be ended, which revokes their refresh and access tokens without an effect on other sessions', async () => {
    const { owner } = await server.createOrganization();
    const here = await join(owner, 'viewer');
    const [stolen, other] = [await logIn(here), await logIn(here)];
    const stolenId = (await stolen.api.call('listSessions', {})).items.find((each) => each.is_current)!.id;
    await here.api.call('endSession', { path: { id: stolenId } });
    expect(await works(stolen.token)).toBe(false);
    expect(await statusOf(refresh(stolen.refreshToken))).toBe(401);
    expect(await works(here.token)).toBe(true);
    expect(await works(other.token)).toBe(true);
    expect(await statusOf(here.api.call('endSession', { path: { id: stolenId } }))).toBe(404);

    expect(await here.api.call('endOtherSessions')).toEqual({ ended: 1 });
    expect(await works(other.token)).toBe(false);
    expect(await works(here.token)).toBe(true);
    const { items } = await here.api.call('listSessions', {});
    await here.api.call('endSession', { path: { id: items[0]!.id } });
    expect(await works(here.token)).toBe(false);
  });

  test('of another person cause the same error as sessions that never existed', async () => {
    const { owner } = await server.createOrganization();
    const [mine, theirs] = [await join(owner, 'admin'), await join(owner, 'member')];
    const [session] = (await theirs.api.call('listSessions', {})).items;
    const end = (id: number) => callError(mine.api.call('endSession', { path: { id } }));
    const [foreign, never] = [await end(session!.id), await end(9_000_000_000)];
    expect(foreign).toMatchObject({ status: 404, detail: never.detail });
    expect(await mine.api.call('endOtherSessions')).toEqual({ ended: 0 });
    expect(await works(theirs.token)).toBe(true);
    expect((await mine.api.call('listSessions', {})).total).toBe(1);
  });

  test('of a removed person end', async () => {
    const { owner } = await server.createOrganization();
    const person = await join(owner, 'member');
    await owner.call('deleteMember', { path: { id: person.memberId } });
    expect(await works(person.token)).toBe(false);
    expect(await statusOf(refresh(person.refreshToken))).toBe(401);
  });

  test("can't be listed or ended with API keys", async () => {
    const { api } = await server.createOrganization();
    for (const call of [
      () => api.call('listSessions', {}),
      () => api.call('endSession', { path: { id: 1 } }),
      () => api.call('endOtherSessions'),
    ])
      expect(await callError(call())).toMatchObject({ status: 401, code: 'login_required' });
  });
});
