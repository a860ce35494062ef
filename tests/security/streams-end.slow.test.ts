import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createOrganization } from '../../src/modules/accounts/index.ts';
import { runAdmin } from '../../src/operator/commands/command-fixture.ts';
import { type FaultServer, sharedDatabaseEnvironment, startServerProcess } from '../faults/fault-world.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { anonymousClient, createPeople, type Person, tokenOf, trustedProxyEnvironment } from './people.ts';

/** The streams are open on one server, and their access is revoked through the other one. */
const { db, connection } = await createTestDatabase();
const env = {
  ...sharedDatabaseEnvironment(connection),
  ...trustedProxyEnvironment,
  PACEKEEPER_EMBEDDED_AGENT: 'false',
};
let here: FaultServer;
let there: FaultServer;
beforeAll(async () => {
  [here, there] = await Promise.all([startServerProcess(env), startServerProcess(env)]);
});

/** Timeout that is shorter than the minute after which a server rechecks its streams in any case. */
const beforeRegularRecheck = { timeout: 30_000 };

interface Stream {
  isOpen(): boolean;
}

const open: AbortController[] = [];
afterAll(() => {
  for (const each of open) each.abort();
});

async function openStream(headers: Record<string, string>): Promise<Stream> {
  const abort = new AbortController();
  open.push(abort);
  const { status, body } = await fetch(`${there.url}/api/v1/client/events`, {
    headers,
    signal: abort.signal,
  });
  expect(status).toBe(200);
  let isOpen = true;
  void body!
    .pipeTo(new WritableStream())
    .catch(() => undefined)
    .finally(() => (isOpen = false));
  return { isOpen: () => isOpen };
}

const ofKey = (key: string) => openStream({ 'x-api-key': key });
const ofLogin = ({ token }: Pick<Person, 'token'>) => openStream({ authorization: `Bearer ${token}` });

async function createTeam() {
  const owner = { email: `${crypto.randomUUID()}@example.org`, password: 'the password of an owner' };
  await createOrganization(db, { name: 'Acme', owner });
  const people = createPeople(here);
  const boss = await people.logIn(owner);
  return { ...people, owner: boss, admin: await people.join(boss.api, 'admin') };
}

type Team = Awaited<ReturnType<typeof createTeam>>;

describe('a stream of an API key', () => {
  test.each<[string, (team: Team, keyId: number) => Promise<unknown>]>([
    ['the key is disabled', ({ owner }, id) => owner.api.call('toggleAPIKey', { path: { id } })],
    ['the key is revoked', ({ owner }, id) => owner.api.call('deactivateAPIKey', { path: { id } })],
    [
      'the person who created the key is removed',
      ({ owner, admin }) => owner.api.call('deleteMember', { path: { id: admin.memberId } }),
    ],
    [
      'the person who created the key is demoted',
      ({ owner, admin }) =>
        owner.api.call('updateMember', { path: { id: admin.memberId }, body: { role: 'member' } }),
    ],
  ])('ends immediately when %s', async (_name, end) => {
    const team = await createTeam();
    const { key, api_key } = await team.admin.api.call('createAPIKey', { body: { name: 'Pipeline' } });
    const other = await team.owner.api.call('createAPIKey', { body: { name: 'Other' } });
    const [stream, untouched] = [await ofKey(key), await ofKey(other.key)];
    await end(team, api_key.id);
    await expect.poll(stream.isOpen, beforeRegularRecheck).toBe(false);
    expect(untouched.isOpen()).toBe(true);
  });
});

describe('a stream of a session', () => {
  const cookies = ({ refreshToken }: Person) => ({ cookie: `pacekeeper_refresh=${refreshToken}` });
  test.each<[string, (team: Team) => Promise<unknown>]>([
    [
      'the member is removed',
      ({ owner, admin }) => owner.api.call('deleteMember', { path: { id: admin.memberId } }),
    ],
    [
      'the role of the member changes',
      ({ owner, admin }) =>
        owner.api.call('updateMember', { path: { id: admin.memberId }, body: { role: 'viewer' } }),
    ],
    [
      'the person logs out',
      ({ admin }) => anonymousClient(here.url).call('logout', { headers: cookies(admin) }),
    ],
    [
      'the person ends the session from another session',
      async ({ admin, logIn }) => {
        const elsewhere = await logIn(admin);
        const { items } = await admin.api.call('listSessions', {});
        const { id } = items.find((each) => each.is_current)!;
        await elsewhere.api.call('endSession', { path: { id } });
      },
    ],
    [
      'the person ends all other sessions',
      async ({ admin, logIn }) => (await logIn(admin)).api.call('endOtherSessions'),
    ],
    [
      'the person changes the password',
      ({ admin: { api, password } }) =>
        api.call('changePassword', { body: { current_password: password, new_password: 'a new password' } }),
    ],
    [
      'the password is reset with a reset link',
      async ({ owner, admin, useResetToken }) => {
        const { reset_url } = await owner.api.call('createMemberResetLink', { path: { id: admin.memberId } });
        expect(await useResetToken(tokenOf(reset_url), 'a new password')).toBe(204);
      },
    ],
    [
      'the operator resets the password',
      async ({ admin }) =>
        expect(await runAdmin(['reset-password', admin.email], { ...env })).toMatchObject({ code: 0 }),
    ],
  ])('ends immediately when %s', async (_name, end) => {
    const team = await createTeam();
    const [stream, untouched] = [await ofLogin(team.admin), await ofLogin(team.owner)];
    await end(team);
    await expect.poll(stream.isOpen, beforeRegularRecheck).toBe(false);
    expect(untouched.isOpen()).toBe(true);
  });

  test('continues after a logout in another session of the person', async () => {
    const { admin, logIn } = await createTeam();
    const second = await logIn(admin);
    const [stream, untouched] = [await ofLogin(admin), await ofLogin(second)];
    await createApiClient({ baseUrl: here.url }).call('logout', { headers: cookies(admin) });
    await expect.poll(stream.isOpen, beforeRegularRecheck).toBe(false);
    expect(untouched.isOpen()).toBe(true);
  });
});

test('a long poll of an agent ends immediately when its key is disabled', async () => {
  const { owner } = await createTeam();
  const { key, api_key } = await owner.api.call('createAPIKey', { body: { name: 'Agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: there.url, apiKey: key });
  const about = { capabilities: ['scrape'], credential_names: [] };
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: { name: 'far away', hostname: 'host', version: '1.0.0', running: [], ...about },
  });
  // The request is already authenticated and waits for the lock on this table when the key is disabled.
  const { isWaitedFor, unlock } = await lockAgents();
  const poll = agent.call('claimTasks', { body: { agent_id, max: 1, wait_seconds: 30, ...about } });
  await expect.poll(isWaitedFor).toBe(true);
  await owner.api.call('toggleAPIKey', { path: { id: api_key.id } });
  await unlock();
  expect(await poll).toEqual({ tasks: [] });
});

async function lockAgents() {
  const tx = await db.startTransaction().execute();
  await sql`LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`.execute(tx);
  return {
    async isWaitedFor() {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH RECURSIVE%'`.execute(
        db,
      );
      return rows.length > 0;
    },
    unlock: () => tx.commit().execute(),
  };
}
