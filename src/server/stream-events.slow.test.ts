import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startTestServer, type TestOrganization } from '../../tests/helpers/test-server.ts';

const server = await startTestServer();

interface OpenStream {
  status: number;
  events: { resource: string; id: number | null; change: string }[];
  ended: Promise<void>;
  close(): void;
}

async function openStream(apiKey: string): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/v1/client/events`, {
    headers: { 'x-api-key': apiKey },
    signal: abort.signal,
  });
  const events: OpenStream['events'] = [];
  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) if (part.startsWith('data: ')) events.push(JSON.parse(part.slice(6)));
    }
  })().catch(() => undefined);
  return { status: response.status, events, ended, close: () => abort.abort() };
}

function manualJob({ api }: Pick<TestOrganization, 'api'>) {
  return api.call('createScrapeJob', { body: { name: 'by hand', parser_type: 'manual' } });
}

async function told(stream: OpenStream, event: OpenStream['events'][number]): Promise<void> {
  await expect.poll(() => stream.events).toContainEqual(event);
}

describe('the event stream', () => {
  test('reports only created, updated, and deleted resources', async () => {
    const organization = await server.createOrganization();
    const stream = await openStream(organization.apiKey);
    const { api } = organization;
    const job = await manualJob(organization);
    await told(stream, { resource: 'scrape_job', id: job.id, change: 'created' });
    await api.call('setScrapeJobVersion', { path: { id: job.id }, body: { version: '1.0.0' } });
    await told(stream, { resource: 'scrape_job', id: job.id, change: 'updated' });
    await api.call('deleteScrapeJob', { path: { id: job.id } });
    await told(stream, { resource: 'scrape_job', id: job.id, change: 'deleted' });

    const rule = await api.call('createRule', {
      body: { name: 'r', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    await told(stream, { resource: 'rule', id: rule.id, change: 'created' });
    await api.call('toggleRule', { path: { id: rule.id } });
    await told(stream, { resource: 'rule', id: rule.id, change: 'updated' });
    await api.call('deleteRule', { path: { id: rule.id } });
    await told(stream, { resource: 'rule', id: rule.id, change: 'deleted' });
    stream.close();
  });

  test('starts with changes from just before it opened, for clients that have already loaded data', async () => {
    const organization = await server.createOrganization();
    const other = await server.createOrganization();
    const early = await openStream(organization.apiKey);
    const job = await manualJob(organization);
    await told(early, { resource: 'scrape_job', id: job.id, change: 'created' });
    const late = await openStream(organization.apiKey);
    await told(late, { resource: 'scrape_job', id: null, change: 'updated' });
    const elsewhere = await openStream(other.apiKey);
    await other.api.call('createRule', {
      body: { name: 'r', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    await expect.poll(() => elsewhere.events.map(({ resource }) => resource)).toContain('rule');
    expect(elsewhere.events.map(({ resource }) => resource)).not.toContain('scrape_job');
    for (const stream of [early, late, elsewhere]) stream.close();
  });

  test('reports changes to channels, notification rules, templates, and settings', async () => {
    const organization = await server.createOrganization();
    const stream = await openStream(organization.apiKey);
    const { api } = organization;
    const channel = await api.call('createNotificationChannel', {
      body: { name: 'Operations', url: 'http://127.0.0.1:9/hook' },
    });
    await told(stream, { resource: 'notification_channel', id: channel.id, change: 'created' });
    const monitoringRule = await api.call('createRule', {
      body: { name: 'r', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const rule = await api.call('createNotificationRule', {
      body: { name: 'all', rule_ids: [monitoringRule.id] },
    });
    await told(stream, { resource: 'notification_rule', id: rule.id, change: 'created' });
    // Deleting the monitoring rule removes the only criterion of the notification rule.
    await api.call('deleteRule', { path: { id: monitoringRule.id } });
    await told(stream, { resource: 'notification_rule', id: rule.id, change: 'updated' });
    await api.call('deleteNotificationRule', { path: { id: rule.id } });
    await told(stream, { resource: 'notification_rule', id: rule.id, change: 'deleted' });

    await api.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
    await told(stream, { resource: 'notification_settings', id: null, change: 'updated' });
    const told1 = stream.events.length;
    await api.call('deleteNotificationChannel', { path: { id: channel.id } });
    await told(stream, { resource: 'notification_channel', id: channel.id, change: 'deleted' });
    // The deleted channel was the default channel, so the settings change too.
    await expect
      .poll(() => stream.events.slice(told1))
      .toContainEqual({ resource: 'notification_settings', id: null, change: 'updated' });

    const path = { category: 'new_alert' } as const;
    await api.call('updateNotificationTemplate', { path, body: { body: '{{ event }}' } });
    await told(stream, { resource: 'notification_template', id: null, change: 'updated' });
    await api.call('putOrgOverride', { path: { key: 'retention.runs_days' }, body: { value: 30 } });
    await told(stream, { resource: 'setting', id: null, change: 'updated' });
    stream.close();
  });

  test('reports changes to API keys, members, and invitations', async () => {
    const organization = await server.createOrganization();
    const stream = await openStream(organization.apiKey);
    const { owner } = organization;
    const { api_key } = await owner.call('createAPIKey', { body: { name: 'Pipeline' } });
    await told(stream, { resource: 'api_key', id: api_key.id, change: 'created' });
    await owner.call('deactivateAPIKey', { path: { id: api_key.id } });
    await told(stream, { resource: 'api_key', id: api_key.id, change: 'updated' });

    const email = `nora-${organization.id}@example.org`;
    const { accept_url } = await owner.call('inviteMember', { body: { email, role: 'member' } });
    await told(stream, { resource: 'member', id: null, change: 'updated' });
    const token = accept_url.slice(accept_url.indexOf('#token=') + '#token='.length);
    const body = { token, name: 'Nora', password: 'a password of Nora' };
    await server.anonymous.call('acceptInvitation', { body });
    const { items } = await owner.call('listMembers', { query: { q: 'Nora' } });
    const { id } = items[0]!;
    await told(stream, { resource: 'member', id, change: 'created' });
    await owner.call('updateMember', { path: { id }, body: { role: 'viewer' } });
    await told(stream, { resource: 'member', id, change: 'updated' });
    await owner.call('deleteMember', { path: { id } });
    await told(stream, { resource: 'member', id, change: 'deleted' });
    stream.close();
  });

  test('reports nothing about other organizations or about private resources of the Global organization', async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    const stream = await openStream(own.apiKey);
    await manualJob(other);
    await manualJob({ api: server.system });
    const globalJob = await server.system.call('createGatherJob', {
      body: {
        name: 'global',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/web',
        is_active: false,
      },
    });
    const last = await manualJob(own);
    await told(stream, { resource: 'scrape_job', id: last.id, change: 'created' });
    expect(stream.events.filter((event) => event.resource === 'scrape_job').map((event) => event.id)).toEqual(
      [last.id],
    );
    expect(stream.events).toContainEqual(
      expect.objectContaining({ resource: 'gather_job', id: globalJob.id }),
    );
    stream.close();
  });

  test('is limited to five connections per caller, and closing one allows another', async () => {
    const { apiKey } = await server.createOrganization();
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(apiKey)));
    expect(streams.map((stream) => stream.status)).toEqual([200, 200, 200, 200, 200]);
    expect((await openStream(apiKey)).status).toBe(429);
    streams[0]!.close();
    await expect
      .poll(async () => {
        const stream = await openStream(apiKey);
        stream.close();
        return stream.status;
      })
      .toBe(200);
    for (const stream of streams) stream.close();
  });

  test('does not count callers that disconnected before the response', async () => {
    const { apiKey } = await server.createOrganization();
    const { port } = new URL(server.url);
    // The caller disconnects while authentication waits for the table lock.
    await server.db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`.execute(tx);
      for (let count = 0; count < 6; count++) {
        const socket = net.connect(Number(port), '127.0.0.1');
        socket.write(`GET /api/v1/client/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\n\r\n`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        socket.destroy();
      }
    });
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(apiKey)));
    expect(streams.map((stream) => stream.status)).toEqual([200, 200, 200, 200, 200]);
    for (const stream of streams) stream.close();
  });
});
