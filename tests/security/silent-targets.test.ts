import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';

const inbox = await createWebhookInbox();
const server = await startTestServer();
const { db } = server;
afterAll(() => inbox.close());

beforeEach(() => {
  inbox.requests.length = 0;
  inbox.answerAlways(({ path }) => (path.startsWith('/silent') ? { kind: 'silence' } : { status: 200 }));
});

test('tests of channels whose receivers never respond are queued, up to 12 at a time', async () => {
  const { api } = await server.createOrganization();
  const { id } = await api.call('createNotificationChannel', {
    body: { name: 'Silent', url: new URL('/silent', inbox.url).href },
  });
  const ends: number[] = [];
  const sent = Array.from({ length: 20 }, () =>
    api.call('testNotificationChannel', { path: { id } }).then(
      () => ends.push(200),
      ({ status }: { status: number }) => ends.push(status),
    ),
  );
  await expect.poll(() => ends).toEqual(Array.from({ length: 8 }, () => 429));
  expect(inbox.requests).toHaveLength(2);
  inbox.answerAlways({ status: 200 });
  inbox.closeConnections();
  await Promise.all(sent);
  expect(ends.filter((status) => status === 200)).toHaveLength(12);
});

test('audit exports of one organization to receivers that never respond don’t delay those of others', async () => {
  const [silent, other] = [await server.createOrganization(), await server.createOrganization()];
  const createExport = ({ api }: TestOrganization, path: string) =>
    api.call('createAuditExport', { body: { name: 'SIEM', url: new URL(path, inbox.url).href } });
  for (let count = 0; count < 40; count++) await createExport(silent, '/silent');
  await expect.poll(() => inbox.requests.length).toBeGreaterThan(3);
  await createExport(other, '/other');
  await other.api.call('createScrapeJob', { body: { name: 'a change', parser_type: 'manual' } });
  await expect.poll(() => inbox.requests.map(({ path }) => path)).toContain('/other');
  expect(inbox.requests.filter(({ path }) => path === '/silent').length).toBeLessThan(16);
  await sql`DELETE FROM audit_exports`.execute(db);
  inbox.closeConnections();
});
