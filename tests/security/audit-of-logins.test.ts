import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createLoginLink } from '../../src/modules/accounts/index.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { anonymousClient, createPeople, statusOf, trustedProxyEnvironment } from './people.ts';

const server = await startTestServer({
  ...trustedProxyEnvironment,
  PACEKEEPER_RATE_LIMIT_PER_MINUTE: '6000',
});
const { invite, join, logIn } = createPeople(server);

const entriesOf = async ({ api }: TestOrganization, action?: string) =>
  (await api.call('listAuditLog', { query: { limit: 200, ...(action && { action }) } })).items;
const actionsOf = async (organization: TestOrganization) =>
  (await entriesOf(organization)).map(({ action }) => action);
const cookieOf = (refreshToken: string) => ({ cookie: `pacekeeper_refresh=${refreshToken}` });

/** Sends 30 requests at the same time, and counts them and the requests that a limit of ten per minute then allows again. */
async function flood(request: (index: number) => Promise<number | null>) {
  const startedAt = performance.now();
  const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => request(index)));
  return {
    succeeded: statuses.filter((status) => status === 200).length,
    limited: statuses.filter((status) => status === 429).length,
    refilled: Math.ceil((performance.now() - startedAt) / 6_000),
  };
}

/** Creates a person who belongs to both organizations. */
async function createPerson(first: TestOrganization, second: TestOrganization) {
  const person = await join(first.owner, 'member');
  const token = await invite(second.owner, person.email, 'viewer');
  await person.api.call('acceptInvitation', { body: { token } });
  return person;
}

test('the audit log records password changes and ended sessions', async () => {
  const organization = await server.createOrganization();
  const { owner, password } = organization;
  await logIn(organization);
  const { items } = await owner.call('listSessions');
  const other = items.find(({ is_current }) => !is_current)!;
  await owner.call('endSession', { path: { id: other.id } });
  expect(await actionsOf(organization)).toContain('member.session_ended');
  await logIn(organization);
  await owner.call('endOtherSessions');
  expect(await entriesOf(organization)).toContainEqual(
    expect.objectContaining({ action: 'member.other_sessions_ended', detail: { count: 1 } }),
  );
  await owner.call('changePassword', {
    body: { current_password: password, new_password: `${password} and more` },
  });
  expect(await actionsOf(organization)).toContain('member.password_changed');
});

test('each login with a password, a program, or a login link is in the audit log of all organizations of the person', async () => {
  const [first, second, third] = [
    await server.createOrganization(),
    await server.createOrganization(),
    await server.createOrganization(),
  ];
  const person = await createPerson(first, second);
  const { refreshToken, api } = await logIn(person);
  const { user_code, device_code } = await anonymousClient(server.url).call('startDeviceLogin');
  await api.send('approveDeviceLogin', { body: { user_code }, headers: cookieOf(refreshToken) });
  await anonymousClient(server.url).call('claimDeviceLogin', { body: { device_code } });
  const { token } = await createLoginLink(server.db, person.email);
  await anonymousClient(server.url).call('useLoginLink', { body: { token } });
  for (const organization of [first, second]) {
    const entries = await entriesOf(organization, 'member.logged_in');
    expect(entries.map(({ detail }) => detail)).toEqual([
      { method: 'login_link' },
      { method: 'program' },
      { method: 'password' },
    ]);
    const { items } = await organization.api.call('listMembers', { query: { q: person.email } });
    for (const entry of entries)
      expect(entry).toMatchObject({
        resource_id: items[0]!.id,
        actor: { type: 'user', id: person.userId },
        request_id: expect.any(String),
      });
    expect(await actionsOf(organization)).toEqual(
      expect.arrayContaining(['member.program_login_approved', 'member.login_link_created']),
    );
  }
  expect(await entriesOf(third, 'member.logged_in')).toEqual([]);
});

test('a failed login leaves no entry, and an account can add at most ten entries per minute by logging in', async () => {
  const organization = await server.createOrganization();
  const { email, password } = organization;
  const before = await actionsOf(organization);
  const wrong = anonymousClient(server.url).call('login', { body: { email, password: 'not the password' } });
  expect(await statusOf(wrong)).toBe(401);
  expect(await actionsOf(organization)).toEqual(before);
  const logInOnce = () => statusOf(anonymousClient(server.url).call('login', { body: { email, password } }));
  const { succeeded, limited, refilled } = await flood(logInOnce);
  expect(succeeded).toBeLessThanOrEqual(9 + refilled);
  expect(limited).toBeGreaterThan(0);
  expect(await entriesOf(organization, 'member.logged_in')).toHaveLength(succeeded);
});

test('a logout is recorded once, even if the request is repeated', async () => {
  const organization = await server.createOrganization();
  const { refreshToken } = await logIn(organization);
  const logOut = () => anonymousClient(server.url).send('logout', { headers: cookieOf(refreshToken) });
  await Promise.all([logOut(), logOut()]);
  await logOut();
  expect(await entriesOf(organization, 'member.logged_out')).toHaveLength(1);
});

test('a session that ends because its refresh token was reused is recorded, with the system as the actor', async () => {
  const organization = await server.createOrganization();
  const { refreshToken } = await logIn(organization);
  const refresh = () => anonymousClient(server.url).send('refreshLogin', { headers: cookieOf(refreshToken) });
  await refresh();
  await sql`UPDATE refresh_tokens SET used_at = used_at - interval '1 minute' WHERE used_at IS NOT NULL`.execute(
    server.db,
  );
  expect(await statusOf(refresh())).toBe(401);
  expect(await entriesOf(organization, 'member.session_ended')).toMatchObject([
    { actor: { type: 'system' }, detail: { reason: 'refresh_token_reused' } },
  ]);
});

test('a calendar URL is recorded when it is created, without its token', async () => {
  const organization = await server.createOrganization();
  const member = await join(organization.owner, 'viewer');
  const query = { days: 30, label: 'team=payments' };
  const { url } = await member.api.call('getForecastCalendar', { query });
  await member.api.call('getForecastCalendar', { query });
  await organization.api.call('getForecastCalendar', { query });
  await member.api.call('getSupportCalendar');
  const entries = await entriesOf(organization, 'calendar_url.created');
  expect(entries).toMatchObject([
    { resource_name: 'support', actor: { type: 'user' }, detail: { kind: 'support', days: 730 } },
    { resource_name: 'forecast', actor: { type: 'api_key' }, detail: query },
    { resource_name: 'forecast', actor: { type: 'user' }, detail: { ...query, severity: null } },
  ]);
  const token = /calendar\/(.+)\.ics$/.exec(url)![1]!;
  expect(JSON.stringify(entries)).not.toContain(token);
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(token));
  expect(entries[2]!.detail!['token_hash']).toBe(Buffer.from(hash).toString('hex').slice(0, 16));
});

test('a new password and a disabled setting, which revoke calendar URLs, are recorded, and so is the next URL', async () => {
  const organization = await server.createOrganization();
  const { owner, password } = organization;
  const created = () => entriesOf(organization, 'calendar_url.created');
  await owner.call('getSupportCalendar');
  const { access_token: token } = await owner.call('changePassword', {
    body: { current_password: password, new_password: `${password} and more` },
  });
  await createApiClient({ baseUrl: server.url, token }).call('getSupportCalendar');
  expect(await created()).toHaveLength(2);
  const path = { key: 'calendars.enabled' };
  await organization.api.call('putOrgOverride', { path, body: { value: false } });
  const [disabled] = await entriesOf(organization, 'setting.updated');
  expect(disabled).toMatchObject({ resource_name: 'calendars.enabled' });
});

test('a person can add at most ten entries per minute with new calendar URLs', async () => {
  const organization = await server.createOrganization();
  const { api } = await join(organization.owner, 'viewer');
  const calendar = (days: number) => statusOf(api.call('getForecastCalendar', { query: { days } }));
  expect(await calendar(1)).toBe(200);
  const { succeeded, limited, refilled } = await flood((index) => calendar(index + 2));
  expect(succeeded).toBeLessThanOrEqual(9 + refilled);
  expect(limited).toBeGreaterThan(0);
  // Known URLs, and those of other callers, aren't limited.
  expect(await calendar(1)).toBe(200);
  await organization.api.call('getForecastCalendar', { query: { days: 31 } });
  expect(await entriesOf(organization, 'calendar_url.created')).toHaveLength(1 + succeeded + 1);
});

test('shared views are recorded when they are created and deleted, and personal views are not', async () => {
  const organization = await server.createOrganization();
  const { api } = await join(organization.owner, 'member');
  const view = { page: 'software', name: 'Payments', search: { label: 'team=payments' } } as const;
  const own = await api.call('createSavedView', { body: view });
  await api.call('deleteSavedView', { path: { id: own.id } });
  const shared = await api.call('createSavedView', { body: { ...view, is_shared: true } });
  await api.call('deleteSavedView', { path: { id: shared.id } });
  const entries = await entriesOf(organization);
  expect(entries.filter(({ resource }) => resource === 'saved_view')).toMatchObject([
    { action: 'saved_view.deleted', resource_id: shared.id, resource_name: 'Payments' },
    {
      action: 'saved_view.created',
      resource_id: shared.id,
      changes: expect.arrayContaining([{ field: 'search', from: null, to: view.search, is_secret: false }]),
    },
  ]);
});

test('the retention of the audit log is at least 30 days, and changes to this setting are recorded', async () => {
  const { api, owner } = await server.createOrganization();
  const path = { key: 'retention.audit_log_days' };
  for (const client of [api, owner]) {
    await expect(client.call('putOrgOverride', { path, body: { value: 29 } })).rejects.toMatchObject({
      status: 400,
    });
    await client.call('putOrgOverride', { path, body: { value: 30 } });
    await client.call('deleteOrgOverride', { path });
  }
  const changes = (await api.call('listAuditLog')).items.filter(({ resource }) => resource === 'setting');
  expect(changes).toHaveLength(4);
});
