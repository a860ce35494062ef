import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  connectDatabase,
  type Database,
  type EmbeddedPostgres,
  readDatabaseIdentity,
  startEmbeddedPostgres,
} from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import {
  clientOf,
  createKey,
  freePort,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from '../faults/fault-world.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const log = createSilentLog();
const folder = temporaryFolder();
// Raise the WAL level, because a recovery requires more WAL than the embedded database normally writes.
const forTests = { fsync: false, walLevel: 'replica' } as const;
let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: folder, log, forTests });
let db: Database | undefined;
afterAll(async () => {
  await db?.destroy();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Restarts PostgreSQL so that it ends a recovery with a new timeline, as a promotion of a standby does. */
async function promote(): Promise<void> {
  await postgres.stop();
  const dataDir = path.join(folder, 'postgres');
  writeFileSync(path.join(dataDir, 'recovery.signal'), '');
  appendFileSync(path.join(dataDir, 'postgresql.auto.conf'), "\nrestore_command = '/bin/false'\n");
  postgres = await startEmbeddedPostgres({ dataDir: folder, log, forTests });
}

test('a server starts again after a promotion, ends its event streams, and records the promotion', {
  timeout: 180_000,
}, async () => {
  const server = await startServerProcess({
    ...sharedDatabaseEnvironment(postgres.connection),
    // The server listens on the same port after it has started again.
    PORT: String(await freePort()),
    PACEKEEPER_LOG_LEVEL: 'info',
  });
  db = await connectDatabase({ connection: postgres.connection, log });
  const before = await readDatabaseIdentity(db);
  const { apiKey } = await createKey(db, server);
  const api = clientOf(server, apiKey);
  await api.call('createRule', {
    body: { name: 'kept', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
  });
  const stream = await fetch(`${server.url}/api/v1/client/events`, { headers: { 'x-api-key': apiKey } });
  expect(stream.status).toBe(200);
  const ended = stream.text().catch(() => 'cut');

  await promote();
  const replacement = await until('the promotion is recorded', async () => {
    const page = await api.call('listAuditLog').catch(() => null);
    return page?.items.find(({ action }) => action === 'organization.database_replaced');
  });
  const after = await readDatabaseIdentity(db);
  expect(after).not.toBe(before);
  expect(after?.split('/')[0]).toBe(before?.split('/')[0]);
  expect(replacement).toMatchObject({ actor: { type: 'system' }, detail: { before, after } });
  await ended;
  await server.program.waitForOutput(/running again/);
  expect(server.program.stdout() + server.program.stderr()).toContain(
    'the database was promoted or replaced',
  );
  expect((await api.call('listRules')).items.map(({ name }) => name)).toContain('kept');
  const entries = (await api.call('listAuditLog')).items.filter(
    ({ action }) => action === 'organization.database_replaced',
  );
  expect(entries).toHaveLength(1);
  expect(await server.stop()).toBe(0);
});
