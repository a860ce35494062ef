import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { createTestDatabase, setClockOffset } from '../../../tests/helpers/database.ts';
import { databaseUrl } from '../../../tests/helpers/database-url.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { readConfig } from '../../platform/config.ts';
import type { PostgresAddress } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log.ts';
import { type RunningServer, startServer } from '../../server/start-server.ts';
import type { Check } from '../doctor/check.ts';
import { contentOf, runMaintenanceCommand } from './backup-fixture.ts';
import { createCommandWorld, environmentOf } from './command-fixture.ts';

async function examine(env: NodeJS.ProcessEnv) {
  const { code, stdout } = await runMaintenanceCommand('doctor', ['--json'], env);
  const { status, checks } = JSON.parse(stdout) as { status: string; checks: Check[] };
  return { code, status, of: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

const statuses = (of: Record<string, Check>) =>
  Object.fromEntries(Object.entries(of).map(([name, { status }]) => [name, status]));

describe('the doctor command with a running server', async () => {
  const world = await createCommandWorld();
  const env = { ...world.env, PORT: '0', PACEKEEPER_LOG_LEVEL: 'error' };
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(readConfig(env), createLog({ level: 'error', format: null }));
  });
  afterAll(() => server.stop());

  test('reports ok for a healthy installation', async () => {
    const overview = async () => {
      const { code, status, of } = await examine(env);
      return { code, status, checks: statuses(of), servers: of['servers']!.message };
    };
    // The agent connects shortly after the start. On a busy machine, the latency of the database can also cause a warning.
    await expect.poll(overview, { interval: 200 }).toEqual({
      code: 0,
      status: 'ok',
      checks: {
        configuration: 'ok',
        data_directory: 'ok',
        database: 'ok',
        migrations: 'ok',
        wake_ups: 'ok',
        clock: 'ok',
        secret_key: 'ok',
        servers: 'ok',
        agents: 'ok',
        queues: 'ok',
        dead_letters: 'ok',
        channels: 'ok',
        reference_data: 'ok',
        base_url: 'ok',
        egress: 'ok',
      },
      servers: '1 server is running.',
    });
  });

  test('prints a line for each check, and a remedy for each warning', async () => {
    const print = () =>
      runMaintenanceCommand('doctor', [], { ...env, PACEKEEPER_BASE_URL: 'http://x.example.org' });
    await expect.poll(print).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^ok {4}database {6,}PostgreSQL \d[^]*^warn {2}base_url .*\n +→ Put a TLS proxy[^]*\n\d+ passed, 1 warning, 0 failed\.\n$/m,
      ),
      stderr: '',
    });
  });
});

describe('the doctor command without a server', async () => {
  const { db, env, run, connection } = await createCommandWorld();
  expect((await run('feedback')).code).toBe(0);
  await sql`INSERT INTO organizations (name) VALUES ('Acme')`.execute(db);

  test('works, reports that no server is running, and changes nothing', async () => {
    const before = await contentOf(db);
    const { code, of } = await examine(env);
    expect(code).toBe(0);
    expect(of['servers']).toMatchObject({ status: 'warn', message: 'No server is running.' });
    expect(of['agents']).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('no heartbeat received yet'),
    });
    expect(await contentOf(db)).toEqual(before);
  });

  test('fails with another secret key', async () => {
    const { code, status, of } = await examine({
      ...env,
      PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    });
    expect(of['secret_key']).toMatchObject({
      status: 'fail',
      remedy: expect.stringMatching(/^Use the key/),
    });
    expect([code, status]).toEqual([1, 'fail']);
  });

  test('reports a clock difference', async () => {
    await setClockOffset(db, '90 seconds');
    const { of } = await examine(env).finally(() => setClockOffset(db, '0'));
    expect(of['clock']).toMatchObject({
      status: 'warn',
      message: 'The database clock is 90 s ahead of this machine.',
    });
  });

  test('reports offline agents, overdue work, dead letters, and failing channels', async () => {
    const agent = (name: string, kind: string, silent: string) =>
      sql`
      INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
      VALUES (2, ${name}, ${kind}, 'h', '1', '{}', '{}', pacekeeper_now() - ${silent}::interval)`.execute(db);
    await agent('alive', 'remote', '1 second');
    await agent('gone', 'remote', '3 hours');
    await agent('of another process', 'embedded', '3 hours');
    const channel = (name: string, url: string, failures: number, inactive: string | null) =>
      sql`
      INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked, consecutive_failures, is_active, inactive_reason)
      VALUES (2, ${name}, '', ${url}, ${failures}, ${inactive === null}, ${inactive})`.execute(db);
    await channel('works', 'https://localhost/…', 0, null);
    await channel('fails', 'https://10.1.2.3/…', 4, null);
    await channel('given up', 'https://gone.invalid/…', 9, 'too many failures');
    await sql`UPDATE notification_channels SET due_at = pacekeeper_now() - interval '20 minutes' WHERE name = 'works'`.execute(
      db,
    );
    await sql`
      WITH entry AS (INSERT INTO audit_entries (organization_id, action, actor_type, actor_name) VALUES (2, 'x', 'system', 'x') RETURNING id)
      INSERT INTO notification_deliveries (organization_id, channel_name, audit_entry_id, event_id, event_type, status, max_attempts)
      SELECT 2, 'fails', id, gen_random_uuid(), 'alert.created', 'dead_letter', 3 FROM entry, generate_series(1, 2)`.execute(
      db,
    );
    const { code, of } = await examine(env);
    expect(of['agents']!.message).toBe('1 of 2 online. Offline: gone (3 h).');
    expect(of['queues']).toMatchObject({ status: 'warn', message: 'Overdue work: delivery for 20 min.' });
    expect(of['dead_letters']!.message).toContain('2 dead letters in the last 24 hours: fails (2)');
    expect(of['channels']!.message).toBe(
      'Failing: fails (4 times in a row). Disabled: given up (too many failures).',
    );
    expect(of['egress']!.message).toContain('10.1.2.3 is a private address');
    expect(of['egress']!.message).toContain('localhost is a loopback address');
    expect(of['egress']!.message).not.toContain('gone.invalid');
    expect(code).toBe(0);
    const allowed = await examine({ ...env, PACEKEEPER_EGRESS_ALLOW: '10.0.0.0/8,127.0.0.0/8,::1' });
    expect(allowed.of['egress']).toMatchObject({ status: 'ok' });
    expect(allowed.of['egress']!.message).toContain('10.0.0.0/8, 127.0.0.0/8, ::1/128');
  });

  test('reports the age of reference data that an enabled rule uses, and warns if the data is old or missing', async () => {
    const referenceData = async () => (await examine(env)).of['reference_data']!;
    expect(await referenceData()).toMatchObject({
      status: 'ok',
      message: 'No enabled rule uses reference data.',
    });
    await sql`
      INSERT INTO rules (organization_id, name, rule_type, threshold_critical) VALUES (2, 'Supported', 'end_of_life', 0)`.execute(
      db,
    );
    expect(await referenceData()).toMatchObject({
      status: 'warn',
      message:
        'No data from endoflife.date is loaded, so alert configurations with an end-of-life rule have no data.',
      remedy: expect.stringContaining('pacekeeper admin load-reference end_of_life'),
    });
    const load = (age: string) =>
      sql`UPDATE reference_sources SET as_of = pacekeeper_now() - ${age}::interval, loaded_at = pacekeeper_now()`.execute(
        db,
      );
    await load('3 days');
    expect(await referenceData()).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^The data from endoflife\.date is from \d{4}-\d\d-\d\d \(3 d old\)\.$/),
    });
    await load('31 days');
    expect(await referenceData()).toMatchObject({
      status: 'warn',
      message: expect.stringContaining("It's older than 30 days"),
    });
    await load('1 day');
    await sql`UPDATE reference_sources SET url = 'https://mirror.example/eol.json'`.execute(db);
    await sql`
      INSERT INTO runs (organization_id, kind, reference_source_id, trigger, capability, status, error_code, error_message)
      SELECT 1, 'reference', id, 'schedule', 'reference:end_of_life', 'failed', 'timeout', 'mirror.example didn''t respond.'
      FROM reference_sources`.execute(db);
    await sql`
      INSERT INTO waiting_reference_loads (source_name, as_of, changes) VALUES ('end_of_life', pacekeeper_now(),
        '[{"organization_id": 2, "changed": 25, "total": 30}, {"organization_id": 3, "changed": 40, "total": 50}]')`.execute(
      db,
    );
    expect(await referenceData()).toMatchObject({
      status: 'warn',
      message:
        "Newer data from endoflife.date would change 65 results of 2 organizations, so it waits for confirmation. The data from endoflife.date wasn't fetched: mirror.example didn't respond.",
      remedy: expect.stringMatching(/admin confirm-reference end_of_life.*PACEKEEPER_END_OF_LIFE_URL/),
    });
    await sql`DELETE FROM waiting_reference_loads`.execute(db);
    const summary = {
      skipped: 2,
      skipped_examples: [
        {
          name: 'npm/left-pad',
          reason: 'has too many records',
        },
      ],
      warnings: ["7 packages didn't fit into this run."],
    };
    await sql`
      INSERT INTO runs (organization_id, kind, reference_source_id, trigger, capability, status, summary)
      SELECT 1, 'reference', id, 'schedule', 'reference:end_of_life', 'succeeded', ${JSON.stringify(summary)}::jsonb
      FROM reference_sources WHERE name = 'end_of_life'`.execute(db);
    expect(await referenceData()).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(
        /skipped 2 packages, such as npm\/left-pad \(has too many records\)\. Their stored data is kept\. 7 packages didn't fit/,
      ),
    });
    await sql`UPDATE reference_sources SET url = NULL`.execute(db);
    expect(await referenceData()).toMatchObject({ status: 'ok' });
  });

  test('detects a connection pooler that drops NOTIFY messages', async () => {
    const proxy = await startDeafProxy(connection);
    try {
      const url = databaseUrl(connection, proxy);
      const pooled = await examine({ ...env, DATABASE_URL: url });
      expect(pooled.of['database']!.status).not.toBe('fail');
      expect(pooled.of['wake_ups']).toMatchObject({
        status: 'fail',
        remedy: expect.stringContaining('Set PACEKEEPER_DATABASE_LISTEN_URL'),
      });
      expect(pooled.code).toBe(1);
      const beside = { ...env, DATABASE_URL: url, PACEKEEPER_DATABASE_LISTEN_URL: env['DATABASE_URL'] };
      expect((await examine(beside)).of['wake_ups']).toMatchObject({ status: 'ok' });
    } finally {
      await proxy.close();
    }
  });

  test('warns about pending migrations, and fails only if a migration of a newer version requires that version', async () => {
    const database = await createTestDatabase();
    const other = database.db;
    const otherEnv = environmentOf(database, randomBytes(32));
    const apply = (name: string, servedBy: string) =>
      sql`INSERT INTO schema_migrations (name, checksum, served_by) VALUES (${name}, '', ${servedBy})`.execute(
        other,
      );
    await apply('9998_later.sql', packageJson.version);
    expect((await examine(otherEnv)).of['migrations']).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('which this one can serve: 9998_later.sql'),
    });
    await sql`DELETE FROM schema_migrations WHERE name LIKE '0015%'`.execute(other);
    expect((await examine(otherEnv)).of['migrations']).toMatchObject({ status: 'warn' });
    await apply('9999_later.sql', '9.0.0');
    const { of, code } = await examine(otherEnv);
    expect(of['migrations']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('requires Pacekeeper 9.0.0 or later'),
    });
    expect(code).toBe(1);
  });
});

test('the doctor command reports every error in the configuration', async () => {
  const { code, of } = await examine({
    PORT: 'eighty',
    DATABASE_URL: 'postgres://x/y',
    PACEKEEPER_EGRESS_ALLOW: 'all',
  });
  expect(code).toBe(1);
  expect(Object.keys(of)).toEqual(['configuration']);
  for (const name of ['PORT', 'PACEKEEPER_EGRESS_ALLOW', 'PACEKEEPER_SECRET_KEY'])
    expect(of['configuration']!.message).toContain(name);
});

test('the doctor command fails if the database is unavailable, but runs the other checks', async () => {
  const secretKey = randomBytes(32).toString('base64');
  const { code, of } = await examine({
    DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none',
    PACEKEEPER_SECRET_KEY: secretKey,
    PACEKEEPER_DATA_DIR: temporaryFolder(),
    HOST: '0.0.0.0',
  });
  expect(of['database']).toMatchObject({
    status: 'fail',
    message: expect.stringContaining("can't connect to"),
  });
  expect(of['base_url']).toMatchObject({ status: 'warn' });
  expect(JSON.stringify(of)).not.toContain('hidden');
  expect(code).toBe(1);
});

test('the doctor command creates nothing in a data directory without a database', async () => {
  const folder = path.join(temporaryFolder(), 'data');
  const { code, of } = await examine({ PACEKEEPER_DATA_DIR: folder });
  expect(of['database']).toMatchObject({ status: 'warn', message: expect.stringContaining('No database') });
  expect(of['data_directory']).toMatchObject({ status: 'warn' });
  expect(code).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

test('the doctor command fails with the reason if the embedded database cannot start', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'postgres'));
  writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), '9\n');
  const { code, of } = await examine({ PACEKEEPER_DATA_DIR: folder });
  expect(of['database']).toMatchObject({ status: 'fail', message: expect.stringContaining('PostgreSQL 9') });
  expect(code).toBe(1);
});

/**
 * Starts a proxy that forwards everything except notifications, like a pooler that assigns a connection for
 * one transaction.
 */
async function startDeafProxy({ host, port }: PostgresAddress) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = createConnection(path.join(host, `.s.PGSQL.${port}`));
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => database.write(bytes)).on('end', () => database.end());
    database.on('end', () => client.end());
    let held = Buffer.alloc(0);
    database.on('data', (bytes) => {
      held = Buffer.concat([held, bytes]);
      // Each message of the PostgreSQL protocol begins with a type letter and a length, which includes the length
      // field. Type A is a notification.
      while (held.length >= 5 && held.length > held.readUInt32BE(1)) {
        const end = held.readUInt32BE(1) + 1;
        if (held[0] !== 'A'.charCodeAt(0)) client.write(held.subarray(0, end));
        held = held.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
