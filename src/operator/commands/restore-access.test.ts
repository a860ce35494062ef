import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { databaseUrl } from '../../../tests/helpers/database-url.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { startTestServer, testSecretKey } from '../../../tests/helpers/test-server.ts';
import { createApiClient } from '../../client/api-client.ts';
import { createChatLink, createLoginLink } from '../../modules/accounts/index.ts';
import { runMaintenanceCommand } from './backup-fixture.ts';
import { environmentOf } from './command-fixture.ts';

const original = await startTestServer();
const file = path.join(temporaryFolder(), 'backup.tar.gz');

interface Session {
  accessToken: string;
  refreshToken: string;
}

async function session(url: string, operation: string, init: RequestInit): Promise<Session> {
  const answer = await fetch(`${url}/api/v1/auth/${operation}`, { method: 'POST', ...init });
  expect(answer.status).toBe(200);
  const [, refreshToken] = /pacekeeper_refresh=([^;]+)/.exec(answer.headers.getSetCookie().join())!;
  const { access_token: accessToken } = (await answer.json()) as { access_token: string };
  return { accessToken, refreshToken: refreshToken! };
}

const logIn = (url: string, email: string, password: string) =>
  session(url, 'login', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

const refresh = (url: string, { refreshToken }: Session) =>
  session(url, 'refresh', { headers: { cookie: `pacekeeper_refresh=${refreshToken}` } });

/** Restores the backup and starts a server on it. */
async function restoreAndStart() {
  const target = await createTestDatabase({ schema: 'empty' });
  const restored = await runMaintenanceCommand('restore', [file], environmentOf(target, testSecretKey));
  expect(restored).toMatchObject({ code: 0, stdout: '' });
  const server = await startTestServer({ DATABASE_URL: databaseUrl(target.connection) });
  return { url: server.url, db: target.db, anonymous: server.anonymous, stderr: restored.stderr };
}

test('sessions, invitations, links, and device logins in a backup grant no access after a restore', async () => {
  const { id, owner, api, apiKey, email, password } = await original.createOrganization();
  const member = await owner.call('inviteMember', { body: { email: 'ada@example.org', role: 'member' } });
  const tokenOf = (url: string) => /#?token=([^&]+)/.exec(url)?.[1] ?? new URL(url).hash.slice(1);
  const invitation = tokenOf(member.accept_url);
  const own = (await owner.call('listMembers', {})).items[0]!;
  const reset = tokenOf((await owner.call('createMemberResetLink', { path: { id: own.id } })).reset_url);
  const { token: loginLink } = await createLoginLink(original.db, email);
  await createChatLink(original.db, id, {
    platform: 'slack',
    realm: Buffer.from('realm'),
    workspaceId: 'T1',
    workspaceName: 'Team',
    chatUserId: 'U1',
    chatUserName: 'ada',
  });
  const device = await original.anonymous.call('startDeviceLogin', {});
  const before = await logIn(original.url, email, password);
  const approval = await fetch(`${original.url}/api/v1/auth/device/approve`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${before.accessToken}`,
      cookie: `pacekeeper_refresh=${before.refreshToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ user_code: device.user_code }),
  });
  expect(approval.status).toBe(204);
  expect(await runMaintenanceCommand('backup', [file], environmentOf(original, testSecretKey))).toMatchObject(
    { code: 0 },
  );
  // Refresh the session after the backup. In the backup, the previous refresh token is still valid, so the restore must
  // revoke it.
  await refresh(original.url, before);

  const { url, db, anonymous, stderr } = await restoreAndStart();
  expect(stderr).toMatch(/Everyone has to log in again/);
  expect(stderr).toMatch(/Members and API keys are as they were at 20\d\d-\d\d-\d\dT/);
  expect(stderr).toMatch(/Recovery codes used since then work again/);
  const works = (answer: Promise<unknown>) =>
    answer.then(
      () => 'works',
      () => 'nothing',
    );
  const withOldToken = createApiClient({ baseUrl: url, token: before.accessToken });
  const new_password = 'a password of a stranger';
  const links = await sql<{ count: number }>`SELECT count(*) AS count FROM chat_links`.execute(db);
  const accepted = { token: invitation, name: 'A', password: new_password };
  const { device_code } = device;
  expect({
    accessToken: await works(withOldToken.call('getMe', {})),
    refreshToken: await works(refresh(url, before)),
    invitation: await works(anonymous.call('acceptInvitation', { body: accepted })),
    loginLink: await works(anonymous.call('useLoginLink', { body: { token: loginLink } })),
    deviceLogin: await works(anonymous.call('claimDeviceLogin', { body: { device_code } })),
    chatLinks: links.rows[0]!.count,
    reset: await works(anonymous.call('resetPassword', { body: { token: reset, new_password } })),
  }).toEqual({
    accessToken: 'nothing',
    refreshToken: 'nothing',
    invitation: 'nothing',
    loginLink: 'nothing',
    deviceLogin: 'nothing',
    chatLinks: 0,
    reset: 'nothing',
  });

  // The password and API keys still work.
  const after = await logIn(url, email, password);
  const me = await createApiClient({ baseUrl: url, token: after.accessToken }).call('getMe', {});
  expect(me.user.email).toBe(email);
  const byKey = await createApiClient({ baseUrl: url, apiKey }).call('listRules', {});
  expect(byKey.items).toEqual((await api.call('listRules', {})).items);
});

test('no ID is assigned twice after a restore', async () => {
  const { api, owner } = await original.createOrganization();
  const body = (name: string) => ({ body: { name, parser_type: 'manual' as const } });
  await api.call('createScrapeJob', body('before'));
  await runMaintenanceCommand('backup', [file, '--replace'], environmentOf(original, testSecretKey));
  const lost = await api.call('createScrapeJob', body('lost'));
  const { key } = await owner.call('createAPIKey', { body: { name: 'lost too', role: 'admin' } });
  expect(key).toMatch(/^pk_/);
  const { db } = await restoreAndStart();
  const sequences = sql<{ name: string; next: number }>`
    SELECT sequencename AS name, coalesce(last_value, 0) AS next FROM pg_sequences ORDER BY 1`;
  const here = (await sequences.execute(db)).rows;
  const there = (await sequences.execute(original.db)).rows;
  expect(here.map(({ name }) => name)).toEqual(there.map(({ name }) => name));
  for (const [index, { name, next }] of here.entries())
    expect({ name, isBeyond: Number(next) >= Number(there[index]!.next) + 900_000 }).toEqual({
      name,
      isBeyond: true,
    });
  expect(lost.id).toBeLessThan(1_000_000);
});
