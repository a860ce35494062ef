import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { noRsyslogSuffix, rsyslogPath, type SyslogServer, startRsyslog } from '../helpers/syslog-server.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { until } from './pipeline-world.ts';

const server = await startTestServer({ PACEKEEPER_BASE_URL: 'https://pacekeeper.example.com' });
const { db } = server;

/** Makes all exports due now. */
async function look(): Promise<void> {
  await sql`UPDATE audit_exports SET due_at = pacekeeper_now() WHERE lease_token IS NULL`.execute(db);
  await sql`SELECT pg_notify('pacekeeper_wake', 'audit_exports')`.execute(db);
}

const create = ({ api }: TestOrganization, body: Partial<Schemas['CreateAuditExportRequest']>) =>
  api.call('createAuditExport', {
    body: { name: 'SIEM', url: 'syslog+tls://siem.example.org', ...body },
  });
const edit = ({ api }: TestOrganization, name: string) =>
  api.call('createScrapeJob', { body: { name, parser_type: 'manual' } });
const read = async ({ api }: TestOrganization) => (await api.call('listAuditExports', {})).items[0]!;

const entriesAt = (receiver: SyslogServer) =>
  receiver
    .messages()
    .map(({ msg }) => JSON.parse(msg) as { organization_id: number; entry: Schemas['AuditLogEntry'] });

describe.skipIf(rsyslogPath === null)(`an audit export to rsyslog${noRsyslogSuffix}`, () => {
  test('sends each entry as one message with the same content as in the API', async () => {
    const receiver = await startRsyslog();
    const organization = await server.createOrganization();
    const url = `syslog+tcp://127.0.0.1:${receiver.port}`;
    const created = await create(organization, { url });
    expect(created).toMatchObject({ url, header_names: [], signing_secret: null });
    await edit(organization, 'quo"te ] back\\slash é 😀');
    await look();
    await until('both were received', async () => entriesAt(receiver).length === 2);
    const { items } = await organization.api.call('listAuditLog', { query: { limit: 2 } });
    expect(entriesAt(receiver)).toEqual(
      items.toReversed().map((entry) => ({
        organization_id: organization.id,
        audit_export_id: created.id,
        is_shortened: false,
        entry,
      })),
    );
    expect(receiver.messages()[1]).toMatchObject({
      time: items[0]!.created_at,
      hostname: 'pacekeeper.example.com',
      msgid: 'scrape_job.created',
    });
    await until('it was recorded', async () => (await read(organization)).pending_count === 0);
    expect(await read(organization)).toMatchObject({
      last_success_at: expect.any(String),
      failing_since: null,
      last_error: null,
    });
  });

  test('keeps the order of many entries and shortens an entry that is too long for the receiver', async () => {
    const receiver = await startRsyslog();
    const organization = await server.createOrganization();
    await sql`
      INSERT INTO audit_log (organization_id, action, resource, resource_name, actor_type, actor_name, changes)
      SELECT ${organization.id}, 'rule.created', 'rule', number::text, 'system', 'Test',
        CASE WHEN number = 120 THEN jsonb_build_object('body', jsonb_build_object('from', null, 'to', repeat('é', 9000))) END
      FROM generate_series(1, 250) AS number`.execute(db);
    await create(organization, {
      url: `syslog+tcp://127.0.0.1:${receiver.port}`,
      since: '2020-01-01T00:00:00Z',
    });
    await look();
    const own = () => entriesAt(receiver).filter(({ entry }) => entry.action === 'rule.created');
    await until('all were received', async () => own().length >= 250);
    expect(own().map(({ entry }) => Number(entry.resource_name))).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
    expect(own()[119]).toMatchObject({ is_shortened: true, entry: { changes: [] } });
  });

  test('reports an unavailable receiver and catches up when the receiver is available again', async () => {
    const receiver = await startRsyslog();
    const organization = await server.createOrganization();
    await receiver.stop();
    await create(organization, { url: `syslog+tcp://127.0.0.1:${receiver.port}` });
    await look();
    await until('it failed', async () => (await read(organization)).last_error);
    expect(await read(organization)).toMatchObject({
      pending_count: 1,
      failing_since: expect.any(String),
      last_error: {
        code: 'connection_failed',
        message: `127.0.0.1:${receiver.port}: connection refused`,
      },
    });
    await edit(organization, 'meanwhile');
    await receiver.start();
    await until('both were recorded', async () => {
      await look();
      return (await read(organization)).pending_count === 0;
    });
    expect(entriesAt(receiver).map(({ entry }) => entry.action)).toEqual([
      'audit_export.created',
      'scrape_job.created',
    ]);
  });
});

describe('a syslog receiver', () => {
  test.each<[string, Partial<Schemas['CreateAuditExportRequest']>, RegExp]>([
    ['over UDP', { url: 'syslog+udp://siem.example.org:514' }, /UDP isn't supported/],
    ['with an unsupported scheme', { url: 'syslog://siem.example.org:514' }, /must be syslog\+tls:/],
    ['with a path', { url: 'syslog+tls://siem.example.org:6514/logs' }, /must be syslog\+tls:/],
    ['with a password', { url: 'syslog+tls://user:password@siem.example.org' }, /must be syslog\+tls:/],
    ['at a private address', { url: 'syslog+tls://10.0.0.1:6514' }, /isn't allowed/],
    ['at a private address in another notation', { url: 'syslog+tls://0xa.1:6514' }, /isn't allowed/],
    ['with headers', { headers: { Authorization: 'Bearer t' } }, /headers must be empty/],
  ])('%s is rejected', async (_, body, message) => {
    const organization = await server.createOrganization();
    await expect(create(organization, body)).rejects.toMatchObject({
      status: 400,
      detail: expect.stringMatching(message),
    });
  });

  test('without TLS is rejected unless the operator allows it', async () => {
    const strict = await startTestServer({ PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'false' });
    const organization = await strict.createOrganization();
    await expect(create(organization, { url: 'syslog+tcp://siem.example.org:601' })).rejects.toMatchObject({
      status: 400,
      detail: expect.stringContaining('must start with syslog+tls://'),
    });
    expect((await create(organization, {})).url).toBe('syslog+tls://siem.example.org:6514');
  });
});
