import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { startAuditExportLoop } from '../../src/modules/audit-exports/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { openOutbound } from '../../src/platform/outbound/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { startTestServer, type TestOrganization, testSecretKey } from '../helpers/test-server.ts';
import { createWebhookInbox, type ReceivedWebhook } from '../helpers/webhook-inbox.ts';
import { createClock, rejectionStatus, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;
const clock = createClock(server);

type Entry = Schemas['AuditLogEntry'];

let count = 0;
async function createExport(
  organization: TestOrganization,
  body: Partial<Schemas['CreateAuditExportRequest']> = {},
) {
  const path = `/audit-${++count}`;
  const { api } = organization;
  const created = await api.call('createAuditExport', {
    body: { name: 'SIEM', url: new URL(`${path}?key=k-7f3a9c`, inbox.url).href, ...body },
  });
  const requests = () => inbox.requests.filter((request) => request.path.startsWith(path));
  return {
    path,
    created,
    requests,
    entries: () => requests().filter(wasAccepted).flatMap(entriesOf),
    read: async () => (await api.call('listAuditExports', {})).items.find(({ id }) => id === created.id)!,
  };
}

const bodyOf = ({ body }: ReceivedWebhook) =>
  JSON.parse(body) as { type: string; data: { organization_id: number; entries: Entry[] } };
const entriesOf = (request: ReceivedWebhook): Entry[] => bodyOf(request).data.entries;
let isDown = false;
let downStatus = 503;
const refused = new Set<ReceivedWebhook>();
const wasAccepted = (request: ReceivedWebhook) => !refused.has(request);

/** Makes all idle exports due and wakes the export loop. */
async function look(): Promise<void> {
  await sql`UPDATE audit_exports SET due_at = pacekeeper_now() WHERE lease_token IS NULL`.execute(db);
  await sql`SELECT pg_notify('pacekeeper_wake', 'audit_exports')`.execute(db);
}

const rename = ({ api }: TestOrganization, name: string) =>
  api.call('createScrapeJob', { body: { name, parser_type: 'manual' } });

const logOf = async ({ api }: TestOrganization): Promise<number[]> =>
  (await api.call('listAuditLog', { query: { limit: 200 } })).items
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);

beforeEach(() => {
  isDown = false;
  downStatus = 503;
  inbox.answerAlways((request) => {
    if (!isDown) return { status: 200 };
    refused.add(request);
    return { status: downStatus, body: `away, ${request.headers['authorization']}, ${request.path}` };
  });
});

describe('an audit export', () => {
  test('sends every entry as the API returns it, in order, with the signature of channel webhooks', async () => {
    const organization = await server.createOrganization();
    await rename(organization, 'before');
    const audit = await createExport(organization, { headers: { Authorization: 'Bearer t-91c4e2' } });
    expect(audit.created).toMatchObject({
      name: 'SIEM',
      url: `${new URL(inbox.url).origin}/…`,
      header_names: ['Authorization'],
      signing_secret: expect.stringMatching(/^whsec_/),
    });
    await rename(organization, 'after');
    await look();
    await until('both entries were received', async () => audit.entries().length === 2);
    const { items } = await organization.api.call('listAuditLog', { query: { limit: 2 } });
    expect(audit.entries()).toEqual(items.toReversed());
    expect(audit.entries().map(({ action }) => action)).toEqual([
      'audit_export.created',
      'scrape_job.created',
    ]);

    const [request] = audit.requests();
    expect(request!.headers['authorization']).toBe('Bearer t-91c4e2');
    expect(bodyOf(request!)).toMatchObject({
      type: 'audit_log.entries',
      data: { organization_id: organization.id },
    });
    const { signing_secret } = audit.created;
    const headers = request!.headers as Record<string, string>;
    expect(() => new Webhook(signing_secret!).verify(request!.body, headers)).not.toThrow();
    // Neither the audit log nor the export itself contains secrets.
    expect(JSON.stringify(items)).not.toMatch(/k-7f3a9c|t-91c4e2|whsec_/);
    expect(JSON.stringify(await audit.read())).not.toMatch(/k-7f3a9c|t-91c4e2|whsec_/);
    expect(await audit.read()).toMatchObject({ pending_count: 0, failing_since: null, last_error: null });
  });

  test('starts with earlier entries on request, with up to 100 entries per webhook', async () => {
    const organization = await server.createOrganization();
    await sql`
      INSERT INTO audit_log (organization_id, action, resource, actor_type, actor_name)
      SELECT ${organization.id}, 'rule.created', 'rule', 'system', 'Test' FROM generate_series(1, 250)`.execute(
      db,
    );
    const audit = await createExport(organization, { since: clock.daysAgo(1) });
    await look();
    await until('all entries were received', async () => audit.entries().length >= 250);
    const ids = audit.entries().map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(audit.requests().map((request) => entriesOf(request).length)[0]).toBe(100);
    expect(Math.max(...audit.requests().map((request) => entriesOf(request).length))).toBe(100);
  });

  test('includes every entry since its start time, regardless of the order of their IDs', async () => {
    const organization = await server.createOrganization();
    await sql`
      INSERT INTO audit_log (organization_id, action, resource, actor_type, actor_name, created_at)
      SELECT ${organization.id}, 'rule.created', 'rule', 'system', 'Test', pacekeeper_now() - n * interval '1 second'
      FROM generate_series(1, 3) AS n`.execute(db);
    const audit = await createExport(organization, { since: clock.daysAgo(1) });
    await look();
    // Creating the export also adds an entry.
    await until('the export itself was received', async () =>
      audit.entries().some(({ resource }) => resource === 'audit_export'),
    );
    expect(audit.entries().filter(({ action }) => action === 'rule.created')).toHaveLength(3);
  });

  test('skips no entry of a slow transaction, even if a later entry commits first', async () => {
    const organization = await server.createOrganization();
    const audit = await createExport(organization);
    await look();
    await until('the first entry was received', async () => audit.entries().length === 1);
    const insert = (name: string) => sql`
      INSERT INTO audit_log (organization_id, action, resource, resource_name, actor_type, actor_name)
      VALUES (${organization.id}, 'rule.created', 'rule', ${name}, 'system', 'Test')`;
    await db.transaction().execute(async (slow) => {
      await insert('slow').execute(slow);
      await insert('fast').execute(db);
      await look();
      await until('the export has looked', async () => {
        const { rows } = await sql<{ horizon_id: number | null }>`
          SELECT horizon_id FROM audit_exports WHERE organization_id = ${organization.id}`.execute(db);
        return rows[0]!.horizon_id !== null;
      });
      expect(audit.entries()).toHaveLength(1);
    });
    await look();
    await until('both were received', async () => audit.entries().length === 3);
    expect(audit.entries().map(({ resource_name }) => resource_name)).toEqual(['SIEM', 'slow', 'fast']);
  });

  test('does not wait for unrelated transactions', async () => {
    const organization = await server.createOrganization();
    const audit = await createExport(organization);
    await db.transaction().execute(async (other) => {
      await sql`SELECT pg_current_xact_id()`.execute(other);
      await look();
      await until('the entry was received', async () => audit.entries().length === 1);
    });
  });

  test('reports why its requests fail, and catches up when the receiver recovers days later', async () => {
    const organization = await server.createOrganization();
    isDown = true;
    const audit = await createExport(organization, { headers: { Authorization: 'Bearer t-91c4e2' } });
    await look();
    await until('a request failed', async () => (await audit.read()).last_error);
    const failing = await audit.read();
    expect(failing).toMatchObject({
      pending_count: 1,
      last_success_at: null,
      last_entry_at: null,
      last_error: {
        code: 'http_status',
        message: 'The receiver returned 503.',
      },
    });
    for (let day = 0; day < 4; day++) {
      await rename(organization, `day ${day}`);
      await clock.pass(24 * 60);
      const before = audit.requests().length;
      await look();
      await until('it was tried again', async () => audit.requests().length > before);
      await until('the failure was recorded', async () => {
        const { rows } = await sql<{ is_free: boolean }>`
          SELECT lease_token IS NULL AS is_free FROM audit_exports WHERE organization_id = ${organization.id}`.execute(
          db,
        );
        return rows[0]!.is_free;
      });
    }
    expect(await audit.read()).toMatchObject({ failing_since: failing.failing_since, pending_count: 5 });
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM due_at - pacekeeper_now())::float8 AS seconds FROM audit_exports
      WHERE organization_id = ${organization.id}`.execute(db);
    expect(rows[0]!.seconds).toBeLessThanOrEqual(1_200);
    isDown = false;
    await look();
    await until('all entries were received', async () => audit.entries().length === 5);
    expect(audit.entries().map(({ id }) => id)).toEqual((await logOf(organization)).slice(-5));
    expect(await audit.read()).toMatchObject({ failing_since: null, last_error: null, pending_count: 0 });
  });

  test('continues after a receiver returns 410, which would disable a channel', async () => {
    const organization = await server.createOrganization();
    isDown = true;
    downStatus = 410;
    const audit = await createExport(organization);
    await look();
    await until('a request failed', async () => (await audit.read()).last_error);
    expect((await audit.read()).last_error).toMatchObject({
      code: 'gone',
      message: 'The receiver returned 410 Gone.',
    });
    isDown = false;
    await look();
    await until('the entry was received', async () => audit.entries().length === 1);
  });

  test("records its deliveries even if another organization's secrets can't be read", async () => {
    const [lost, organization] = [await server.createOrganization(), await server.createOrganization()];
    const [unreadable, audit] = [await createExport(lost), await createExport(organization)];
    await look();
    for (const each of [unreadable, audit])
      await until('the first entry was recorded', async () => (await each.read()).pending_count === 0);
    await sql`UPDATE audit_exports SET url_sealed = '\\x00' WHERE organization_id = ${lost.id}`.execute(db);
    // Delay the response until the other export has failed.
    inbox.answerNext({ status: 200, afterMs: 500 });
    await db.transaction().execute(async (tx) => {
      await sql`UPDATE audit_exports SET due_at = pacekeeper_now() WHERE lease_token IS NULL`.execute(tx);
      // Insert both entries with one statement, so that the same claim includes both exports.
      await sql`
        INSERT INTO audit_log (organization_id, action, resource, actor_type, actor_name)
        SELECT unnest(${[lost.id, organization.id]}::bigint[]), 'rule.created', 'rule', 'system', 'Test'`.execute(
        tx,
      );
    });
    await sql`SELECT pg_notify('pacekeeper_wake', 'audit_exports')`.execute(db);
    await until('it was recorded', async () => (await audit.read()).pending_count === 0);
    expect(audit.requests()).toHaveLength(2);
    await until('the failure was recorded', async () => (await unreadable.read()).last_error);
    expect(await unreadable.read()).toMatchObject({
      pending_count: 1,
      failing_since: expect.any(String),
      last_error: {
        code: 'secrets_unreadable',
        message: expect.stringMatching(/create it again/),
      },
    });
    await lost.api.call('deleteAuditExport', { path: { id: unreadable.created.id } });
  });

  test('resends entries that a killed server sent but did not record', async () => {
    const organization = await server.createOrganization();
    const audit = await createExport(organization);
    // Delay the response until the lease has expired.
    inbox.answerNext({ status: 200, afterMs: 1_000 });
    await look();
    await until('it was received', async () => audit.requests().length === 1);
    await sql`
      UPDATE audit_exports SET lease_token = gen_random_uuid(), lease_until = pacekeeper_now() - interval '1 second'
      WHERE organization_id = ${organization.id}`.execute(db);
    await until('it was received twice', async () => {
      await sql`SELECT pg_notify('pacekeeper_wake', 'audit_exports')`.execute(db);
      return audit.requests().length === 2;
    });
    const [first, second] = audit.requests();
    expect(entriesOf(second!)).toEqual(entriesOf(first!));
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await until('it was recorded', async () => (await audit.read()).last_success_at);
    await look();
    await rename(organization, 'next');
    await look();
    await until('the next one was received', async () => audit.requests().length === 3);
    expect(entriesOf(audit.requests()[2]!)).toMatchObject([{ resource_name: 'next' }]);
  });

  test('sends each entry once when two servers run', async () => {
    const log = createSilentLog();
    const { client: outbound } = openOutbound(
      {
        egressAllow: ['127.0.0.1/32'],
        insecureHosts: ['127.0.0.1'],
        proxyUrl: null,
        noProxy: [],
        proxyHosts: [],
        caCertificates: null,
      },
      { allowHttpWebhooks: true },
    );
    const secretBox = createSecretBox({ current: testSecretKey });
    const second = startAuditExportLoop({
      db,
      log,
      outbound,
      secretBox,
      baseUrl: server.url,
      version: 'test',
    });
    try {
      const organization = await server.createOrganization();
      const audit = await createExport(organization);
      for (let edit = 0; edit < 20; edit++) {
        await rename(organization, `edit ${edit}`);
        await look();
      }
      await until('all entries were received', async () => {
        await look();
        return audit.entries().length >= 21;
      });
      expect(audit.entries().map(({ id }) => id)).toEqual((await logOf(organization)).slice(-21));
    } finally {
      await second.stop();
      await outbound.close();
    }
  });

  test('rejects invalid URLs and headers, more than 50 exports, and access from another organization', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const send = (body: Partial<Schemas['CreateAuditExportRequest']>) =>
      api.call('createAuditExport', { body: { name: 'SIEM', url: inbox.url, ...body } });
    const create = (body: Partial<Schemas['CreateAuditExportRequest']>) => rejectionStatus(send(body));
    expect(await create({ url: 'https://10.0.0.1/' })).toBe(400);
    expect(await create({ url: 'https://user:password@siem.example.org/' })).toBe(400);
    expect(await create({ url: 'ftp://siem.example.org/' })).toBe(400);
    expect(await create({ headers: { 'Webhook-Id': '1' } })).toBe(400);
    for (let number = 0; number < 50; number++) await send({});
    expect(await create({})).toBe(409);
    const other = await server.createOrganization();
    const [first] = (await api.call('listAuditExports', {})).items;
    expect(await rejectionStatus(other.api.call('deleteAuditExport', { path: { id: first!.id } }))).toBe(404);
    await api.call('deleteAuditExport', { path: { id: first!.id } });
    expect((await api.call('listAuditExports', {})).items).toHaveLength(49);
  });
});
