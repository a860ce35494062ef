import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import {
  anonymousClient,
  createPeople,
  refreshTokenOf,
  statusOf,
  tokenOf,
  trustedProxyEnvironment,
} from '../../../tests/security/people.ts';
import { createApiClient } from '../../client/api-client.ts';
import { createSystemKey } from '../accounts/index.ts';

const server = await startTestServer({
  ...trustedProxyEnvironment,
  PACEKEEPER_RATE_LIMIT_PER_MINUTE: '6000',
});
const { join, logIn } = createPeople(server);
const { db } = server;

const withToken = (token: string) => createApiClient({ baseUrl: server.url, token });

/** Loads the sample data of a person, and returns a client that is logged in to it. */
async function openSampleData(api: TestOrganization['owner']) {
  const sample = await api.call('loadSampleData');
  const { access_token, organization } = await api.call('switchOrganization', {
    body: { organization_id: sample.id },
  });
  expect(organization).toEqual(sample);
  return { sample, viewer: withToken(access_token) };
}

/** Counts the rows of an organization in each table that has some, except the counters, which housekeeping folds. */
async function countRows(organizationId: number): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'organization_id'
      AND table_name <> 'row_counts'`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM ${sql.table(name)} WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    if (rows[0]!.count > 0) counts[name] = rows[0]!.count;
  }
  return counts;
}

const alertsOf = async (api: TestOrganization['owner']) =>
  (await api.call('listAlerts', { query: { limit: 200 } })).items;

describe('sample data', () => {
  test('opens alerts that lead to upgrades with breaking changes, in three environments', async () => {
    const { owner } = await server.createOrganization();
    const { viewer } = await openSampleData(owner);
    await expect.poll(async () => (await alertsOf(viewer)).length).toBeGreaterThan(8);
    const { items: upgrades } = await viewer.call('listUpgrades', { query: { limit: 50 } });
    expect(upgrades.map(({ gather_job }) => gather_job?.name)).toContain('sample-queue');
    const queue = (await alertsOf(viewer)).find(({ latest_version }) => latest_version === '4.1.0');
    const { totals } = await viewer.call('getAlertConfigReleaseNotes', {
      path: { id: queue!.alert_config_id! },
    });
    expect(totals.breaking).toBeGreaterThan(0);
    const matrix = await viewer.call('getEnvironmentMatrix');
    expect(matrix.environments).toEqual(['integration', 'staging', 'production']);
    expect(new Set((await alertsOf(viewer)).map(({ severity }) => severity)).size).toBe(3);
  });

  test('is separate from the organization of the user, who can only read it', async () => {
    const organization = await server.createOrganization();
    await organization.api.call('createNotificationChannel', {
      body: { name: 'Team', url: 'https://hooks.example.com/team' },
    });
    await createMonitoredSoftware(server, organization);
    await expect.poll(async () => (await alertsOf(organization.api)).length).toBe(1);
    const { sample, viewer } = await openSampleData(organization.owner);
    expect(sample).toMatchObject({ name: 'Sample data', role: 'viewer', is_sample: true });
    await expect.poll(async () => (await alertsOf(viewer)).length).toBeGreaterThan(8);
    expect(await alertsOf(organization.api)).toHaveLength(1);
    expect((await organization.api.call('listSoftware')).items).toHaveLength(1);
    const other = await server.createOrganization();
    expect(
      await statusOf(other.owner.call('switchOrganization', { body: { organization_id: sample.id } })),
    ).toBe(404);
    const [alert] = await alertsOf(viewer);
    for (const change of [
      () => viewer.call('acknowledgeAlert', { path: { id: alert!.id } }),
      () =>
        viewer.call('createNotificationChannel', { body: { name: 'x', url: 'https://hooks.example.com/x' } }),
      () => viewer.call('createScrapeJob', { body: { name: 'x', parser_type: 'manual' } }),
    ])
      expect(await statusOf(change())).toBe(403);
  });

  test('notifies no one, reads no source, and is in no metrics', async () => {
    const { owner } = await server.createOrganization();
    await sql`INSERT INTO settings (organization_id, key, value) VALUES (1, 'metrics.alert_configs', 'true')`.execute(
      db,
    );
    const { key } = await createSystemKey(db, { name: 'metrics', role: 'viewer' });
    const readMetrics = async () =>
      (await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': key } })).text();
    const openAlerts = async () => (await readMetrics()).match(/pacekeeper_open\{what="alerts"\} (\d+)/)?.[1];
    const before = await openAlerts();
    const { sample, viewer } = await openSampleData(owner);
    await expect.poll(async () => (await alertsOf(viewer)).length).toBeGreaterThan(8);
    const counts = await countRows(sample.id);
    for (const table of ['notification_deliveries', 'notification_channels', 'runs', 'agents', 'owner_mails'])
      expect([table, counts[table]]).toEqual([table, undefined]);
    expect(await openAlerts()).toBe(before);
    expect(await readMetrics()).not.toContain('sample-database');
    await sql`DELETE FROM settings WHERE organization_id = 1 AND key = 'metrics.alert_configs'`.execute(db);
  });

  test('is created once, even by requests at the same time, and belongs to one user', async () => {
    const organization = await server.createOrganization();
    const [first, second] = await Promise.all([
      organization.owner.call('loadSampleData'),
      organization.owner.call('loadSampleData'),
    ]);
    expect(second).toEqual(first);
    const colleague = await join(organization.owner, 'viewer');
    expect((await colleague.api.call('loadSampleData')).id).not.toBe(first.id);
    const { organizations } = await organization.owner.call('getMe');
    expect(organizations.map(({ id, is_sample }) => [id, is_sample])).toEqual([
      [organization.id, false],
      [first.id, true],
    ]);
  });

  test('is created at most 5 times a minute per user, but can always be opened and deleted', async () => {
    const organization = await server.createOrganization();
    const colleague = await join(organization.owner, 'viewer');
    for (let count = 0; count < 5; count += 1) {
      const sample = await organization.owner.call('loadSampleData');
      expect(await organization.owner.call('loadSampleData')).toEqual(sample);
      await organization.owner.call('deleteSampleData');
    }
    await expect(organization.owner.call('loadSampleData')).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: expect.any(Number),
    });
    await colleague.api.call('loadSampleData');
    await colleague.api.call('deleteSampleData');
  });

  test('is deleted completely, and nothing else is', async () => {
    const organization = await server.createOrganization();
    const colleague = await join(organization.owner, 'viewer');
    const kept = await colleague.api.call('loadSampleData');
    await createMonitoredSoftware(server, organization);
    await expect.poll(async () => (await alertsOf(organization.api)).length).toBe(1);
    const { sample, viewer } = await openSampleData(organization.owner);
    await expect.poll(async () => (await alertsOf(viewer)).length).toBeGreaterThan(8);
    const before = await countRows(organization.id);
    await organization.owner.call('deleteSampleData');
    expect(await countRows(sample.id)).toEqual({});
    const after = await countRows(organization.id);
    // Only the audit log of the organization grows, by one entry.
    expect({ ...after, audit_log: 0 }).toEqual({ ...before, audit_log: 0 });
    expect(after['audit_log']).toBe(before['audit_log']! + 1);
    expect((await organization.owner.call('getMe')).organizations).toHaveLength(1);
    expect(await statusOf(organization.owner.call('deleteSampleData'), 204)).toBe(404);
    expect((await colleague.api.call('getMe')).organizations).toMatchObject([
      { id: organization.id },
      { id: kept.id },
    ]);
  });

  test("can be deleted only from another organization, in which the user's other sessions continue", async () => {
    const organization = await server.createOrganization();
    const person = await join(organization.owner, 'member');
    const { sample, viewer } = await openSampleData(person.api);
    expect(await statusOf(viewer.call('deleteSampleData'), 204)).toBe(409);
    const elsewhere = await logIn(person);
    const { headers } = await elsewhere.api.send('switchOrganization', {
      body: { organization_id: sample.id },
      headers: { cookie: `pacekeeper_refresh=${elsewhere.refreshToken}` },
    });
    await person.api.call('deleteSampleData');
    const renewed = await anonymousClient(server.url).send('refreshLogin', {
      headers: { cookie: `pacekeeper_refresh=${refreshTokenOf(headers)!}` },
    });
    expect(renewed.body.organization.id).toBe(organization.id);
  });

  test('ends with the last membership of the user, and does not prevent a reset of the password', async () => {
    const organization = await server.createOrganization();
    const person = await join(organization.owner, 'member');
    const sample = await person.api.call('loadSampleData');
    const { items } = await organization.owner.call('listMembers', { query: { q: person.email } });
    const path = { id: items[0]!.id };
    const { reset_url } = await organization.owner.call('createMemberResetLink', { path });
    const body = { token: tokenOf(reset_url), new_password: 'a long new password' };
    await server.anonymous.call('resetPassword', { body });
    await organization.owner.call('deleteMember', { path });
    expect(await countRows(sample.id)).toEqual({});
    expect(
      await statusOf(
        server.anonymous.call('login', { body: { email: person.email, password: 'a long new password' } }),
      ),
    ).toBe(403);
  });
});
