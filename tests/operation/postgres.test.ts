import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { describeStartFailure } from '../../src/operator/commands/serve-command.ts';
import { checkDatabaseSettings, judgeDurability } from '../../src/operator/doctor/check-database.ts';
import { ConfigError, readConfig } from '../../src/platform/config.ts';
import {
  connectDatabase,
  createWakeUps,
  type Database,
  explainDatabaseError,
  findPooler,
  findUnsuitableSettings,
  isDatabaseUnavailable,
  type PostgresAddress,
  transaction,
  waitForUsableDatabase,
} from '../../src/platform/database/index.ts';
import { parsePostgresUrl } from '../../src/platform/database/postgres-url.ts';
import { createLog, createSilentLog } from '../../src/platform/log.ts';
import { openInstallation } from '../../src/server/open-installation.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { serverCertificates, serverKey } from '../helpers/tls-certificates.ts';

const log = createSilentLog();
const { db, connection } = await createTestDatabase();
const opened: Database[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.destroy();
});

async function open(target: string | PostgresAddress): Promise<Database> {
  const database = await connectDatabase({ connection: target, log, poolSize: 2 });
  opened.push(database);
  return database;
}

/** Creates a database for a single test, so that its settings don't affect other tests. */
async function createDatabase(name: string, options = ''): Promise<PostgresAddress> {
  await sql.raw(`CREATE DATABASE ${name} ${options}`).execute(db);
  return { ...connection, database: name };
}

/** Starts a proxy on loopback for the test database, with TLS if `hasTls` is true and the client requests it. */
async function startProxy({
  hasTls,
}: {
  hasTls: boolean;
}): Promise<{ port: number; encrypted: () => number }> {
  let encrypted = 0;
  const server = createServer((socket) => {
    const sockets: Socket[] = [socket];
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      const asksForTls = first.length === 8 && first.readInt32BE(4) === 80_877_103;
      const upstream = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
      sockets.push(upstream);
      upstream.on('error', () => socket.destroy());
      upstream.on('close', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
      if (!asksForTls) {
        upstream.write(first);
        socket.pipe(upstream).pipe(socket);
      } else if (hasTls) {
        encrypted += 1;
        socket.write('S');
        const secure = new TLSSocket(socket, {
          isServer: true,
          key: serverKey,
          cert: serverCertificates.nothing,
        });
        secure.on('error', () => upstream.destroy());
        secure.pipe(upstream).pipe(secure);
      } else {
        socket.write('N');
        socket.pipe(upstream).pipe(socket);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOfFile(async () => void server.close());
  return { port: (server.address() as AddressInfo).port, encrypted: () => encrypted };
}

function urlVia(port: number, query: string): string {
  const { user, password, database } = connection;
  return `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port}/${database}${query}`;
}

describe('a connection string', () => {
  test.each<[string, object]>([
    ['postgres://u:p@h/db', { hosts: [{ host: 'h', port: 5432 }], user: 'u', password: 'p', database: 'db' }],
    [
      'postgresql://u:p@h1,h2:5433/db?target_session_attrs=read-write',
      {
        hosts: [
          { host: 'h1', port: 5432 },
          { host: 'h2', port: 5433 },
        ],
        database: 'db',
      },
    ],
    [
      'postgres://u@/db?host=a,b&port=1,2',
      {
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
      },
    ],
    ['postgres://u:p@/db?host=/var/run/postgresql', { hosts: [{ host: '/var/run/postgresql', port: 5432 }] }],
    ['postgres://u:p@%2Ftmp/db', { hosts: [{ host: '/tmp', port: 5432 }] }],
    [
      'postgres://u:p@[::1]:6432,[2001:db8::2]/db',
      {
        hosts: [
          { host: '::1', port: 6432 },
          { host: '2001:db8::2', port: 5432 },
        ],
      },
    ],
    ['postgres://u:p%40%2F%23@h/db', { password: 'p@/#' }],
    ['postgres://u:a@b@h/db', { password: 'a@b', hosts: [{ host: 'h', port: 5432 }] }],
    ['postgres://h/db?application_name=a@b', { hosts: [{ host: 'h', port: 5432 }], user: '' }],
    ['postgres://h:5433/db?options=a@b', { hosts: [{ host: 'h', port: 5433 }], user: '' }],
  ])('%s is parsed in the same way as by libpq', (text, expected) => {
    expect(parsePostgresUrl(text)).toMatchObject(expected);
  });

  test.each([
    'postgres://u:p#ss@h/db',
    'postgres://u:p/ss@h/db',
    'postgres://u:p?ss@h/db',
    'postgres://u:100%@h/db',
    'postgres://u:%zz@h/db',
  ])('%s is rejected with the advice to percent-encode its password', (text) => {
    const read = () =>
      readConfig({ DATABASE_URL: text, PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64') });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/percent-encoded: write @ as %40/);
    expect(read).not.toThrow(/ss@h|100%@|zz@/);
  });

  test.each([
    ['postgres://h/db?sslmode=on', /sslmode must be disable, allow, prefer/],
    ['postgres://h/db?target_session_attrs=standby', /Pacekeeper must write/],
    ['postgres://h1,h2,h3/db?port=1,2', /one port, or as many as hosts/],
    ['postgres://h:99999/db', /1 to 65535/],
    ['mysql://h/db', /postgres:\/\//],
  ])('%s is rejected with the reason', (text, reason) => {
    const read = () =>
      readConfig({ DATABASE_URL: text, PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64') });
    expect(read).toThrow(reason);
  });
});

describe('sslmode', () => {
  test.each([
    ['disable', 0],
    ['prefer', 1],
    ['require', 1],
  ])('%s connects to a server with a private certificate', async (mode, encrypted) => {
    const proxy = await startProxy({ hasTls: true });
    const warnings = vi.spyOn(process, 'emitWarning');
    const database = await open(urlVia(proxy.port, `?sslmode=${mode}`));
    await sql`SELECT 1`.execute(database);
    expect(proxy.encrypted() > 0).toBe(encrypted > 0);
    expect(warnings).not.toHaveBeenCalled();
    warnings.mockRestore();
  });

  test.each(['verify-ca', 'verify-full'])(
    '%s rejects a server with a private certificate, and the error names PACEKEEPER_CA_FILE',
    async (mode) => {
      const proxy = await startProxy({ hasTls: true });
      await expect(waitForUsableDatabase(urlVia(proxy.port, `?sslmode=${mode}`), 0, log)).rejects.toThrow(
        /Set PACEKEEPER_CA_FILE .* sslmode=require encrypts without verifying/,
      );
    },
  );

  test('`prefer` connects to a server without TLS, and `require` fails with a message that names the remedy', async () => {
    const proxy = await startProxy({ hasTls: false });
    await sql`SELECT 1`.execute(await open(urlVia(proxy.port, '?sslmode=prefer')));
    await expect(waitForUsableDatabase(urlVia(proxy.port, '?sslmode=require'), 0, log)).rejects.toThrow(
      /Use sslmode=prefer or sslmode=disable/,
    );
  });
});

describe('the host of a connection string', () => {
  test('is the server that responds and accepts writes if the connection string lists several servers', async () => {
    const proxy = await startProxy({ hasTls: false });
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const { user, password, database } = connection;
    const url = `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port},127.0.0.1:${proxy.port}/${database}?target_session_attrs=read-write`;
    const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(await open(url));
    expect(rows).toEqual([{ one: 1 }]);
  });

  test('can be a socket in the parameter host', async () => {
    const { user, password, database, host, port } = connection;
    const url = `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    await sql`SELECT 1`.execute(await open(url));
  });
});

describe('settings of the database', () => {
  test('a default isolation level that is set for the database has no effect', async () => {
    const address = await createDatabase('isolated');
    await sql`ALTER DATABASE isolated SET default_transaction_isolation = 'repeatable read'`.execute(db);
    await sql`ALTER DATABASE isolated SET default_transaction_deferrable = on`.execute(db);
    const database = await open(address);
    const level = await transaction(database, async (tx) => {
      const { rows } = await sql<{
        level: string;
      }>`SELECT current_setting('transaction_isolation') AS level`.execute(tx);
      return rows[0]!.level;
    });
    expect(level).toBe('read committed');
  });

  test('timeouts for idle sessions and for locks have no effect', async () => {
    const address = await createDatabase('impatient');
    await sql`ALTER DATABASE impatient SET idle_session_timeout = '100ms'`.execute(db);
    await sql`ALTER DATABASE impatient SET lock_timeout = '1ms'`.execute(db);
    const database = await open(address);
    const { rows } = await sql<{ session: string; lock: string }>`
      SELECT current_setting('idle_session_timeout') AS session, current_setting('lock_timeout') AS lock`.execute(
      database,
    );
    expect(rows).toEqual([{ session: '0', lock: '0' }]);

    const lost: unknown[] = [];
    const listening = createWakeUps({
      db,
      connection: address,
      log: createLog({
        level: 'warn',
        format: 'json',
        destination: { write: (line) => void lost.push(line) },
      }),
    });
    try {
      const listeners = async () => {
        const { rows: found } = await sql<{ pid: number }>`
          SELECT pid FROM pg_stat_activity
          WHERE datname = 'impatient' AND application_name = 'pacekeeper wake-ups' AND query LIKE 'LISTEN %'
            AND state = 'idle' AND state_change < now() - interval '500 milliseconds'`.execute(db);
        return found.length;
      };
      await expect.poll(listeners).toBe(1);
      expect(lost).toEqual([]);
    } finally {
      await listening.close();
    }
  });

  test('a connection that becomes read-only is dropped at the first write', async () => {
    const address = await createDatabase('failing_over');
    const database = await connectDatabase({ connection: address, log, poolSize: 1 });
    opened.push(database);
    await sql`CREATE TABLE written (id int)`.execute(database);
    // The session of the only connection becomes read-only, as after a failover.
    await sql`SET default_transaction_read_only = on`.execute(database);
    const failure = await sql`INSERT INTO written VALUES (1)`
      .execute(database)
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    await sql`INSERT INTO written VALUES (2)`.execute(database);
  });

  test('a read-only database prevents the start, with a clear message', async () => {
    const address = await createDatabase('read_only');
    await sql`ALTER DATABASE read_only SET default_transaction_read_only = on`.execute(db);
    const database = await open(databaseUrl(address));
    const failure = await sql`SELECT 1`.execute(database).catch((error: unknown) => error);
    expect(describeStartFailure(failure)).toMatch(/read_only is read-only: .* primary server/);
  });

  test.each([
    [
      'latin1',
      "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
      /encoding LATIN1, but Pacekeeper requires UTF8/,
    ],
    ['ascii', "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0", /encoding SQL_ASCII/],
  ])(
    'the unsuitable encoding %s is reported before the first migration, both at startup and by the doctor',
    async (name, options, problem) => {
      const address = await createDatabase(`encoding_${name}`, options);
      const config = readConfig({
        DATABASE_URL: databaseUrl(address),
        PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
      });
      const failure = await openInstallation(config, log).catch((error: unknown) => error);
      expect(describeStartFailure(failure)).toMatch(problem);
      expect(describeStartFailure(failure)).toContain('CREATE DATABASE');
      const database = await open(address);
      const { rows } = await sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`.execute(database);
      expect(rows).toEqual([]);
      expect(await checkDatabaseSettings(database)).toMatchObject([{ status: 'fail' }]);
    },
  );

  test('a character type that supports only ASCII letters causes a warning', async () => {
    const database = await open(
      await createDatabase('only_ascii', "ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0"),
    );
    const found = await findUnsuitableSettings(database);
    expect(found).toMatchObject([{ about: 'collation', isFatal: false }]);
  });

  test('indexes that were sorted by another version of the operating system cause a warning', async () => {
    const database = await open(await createDatabase('upgraded'));
    const { rows } = await sql<{ version: number; recorded: string | null }>`
      SELECT current_setting('server_version_num')::int AS version,
        (SELECT to_jsonb(d) ->> 'datcollversion' FROM pg_database d WHERE datname = 'upgraded') AS recorded`.execute(
      database,
    );
    // PostgreSQL 14 doesn't record the version, and collations such as C have none.
    if (rows[0]!.version < 150_000 || rows[0]!.recorded === null) {
      expect(await findUnsuitableSettings(database)).toEqual([]);
      return;
    }
    await sql`UPDATE pg_database SET datcollversion = '2.19' WHERE datname = 'upgraded'`.execute(db);
    expect(await findUnsuitableSettings(database)).toMatchObject([
      { about: 'collation', isFatal: false, remedy: expect.stringContaining('REINDEX DATABASE "upgraded"') },
    ]);
    expect(await checkDatabaseSettings(database)).toMatchObject([{ status: 'warn' }]);
  });

  test('a connection pooler that loses notifications is detected', async () => {
    expect(await findPooler(connection, db)).toEqual([]);
    // Notifications from another database don't arrive, so this database simulates a pooler that loses notifications.
    const other = await createDatabase('pooled');
    expect(await findPooler(other, db)).toMatchObject([
      { isFatal: true, remedy: expect.stringContaining('PACEKEEPER_DATABASE_LISTEN_URL') },
    ]);
  });
});

test.each([
  ['42501', 'permission denied for schema public', /GRANT CREATE ON SCHEMA public/],
  ['25006', 'cannot execute CREATE TABLE in a read-only transaction', /primary server/],
  ['53300', 'too many connections for role "pk"', /max_connections/],
])('the database error %s at startup is explained with a remedy', (code, message, remedy) => {
  const error = Object.assign(new Error(message), { code, severity: 'ERROR' });
  expect(explainDatabaseError(error)).toMatch(remedy);
  expect(describeStartFailure(new Error('migration failed', { cause: error }))).toContain(message);
});

test.each([
  ['on', '', 1, 'warn'],
  ['local', 'standby1', 1, 'warn'],
  ['off', '*', 2, 'warn'],
  ['on', 'standby1', 1, 'ok'],
  ['remote_apply', '*', 1, 'ok'],
  ['off', '', 0, undefined],
])(
  'the doctor reports whether a failover can lose transactions (%s, %j, %i)',
  (commit, names, standbys, status) => {
    expect(judgeDurability({ commit, names, standbys })[0]?.status).toBe(status);
  },
);
