import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { databaseUrl } from '../../../tests/helpers/database-url.ts';
import { createSilentLog } from '../log.ts';
import { canReceiveNotifications } from './can-receive-notifications.ts';
import {
  type ConnectDatabaseOptions,
  connectDatabase,
  type Database,
  DatabaseUnavailableError,
  poolStatistics,
} from './connect-database.ts';
import { isDatabaseUnavailable } from './is-database-unavailable.ts';
import { isStatementTimeout } from './is-statement-timeout.ts';
import { DatabaseResponseTimeoutError } from './response-timeout.ts';
import { createWakeUps } from './wake-ups.ts';

const log = createSilentLog();
const { db, connection } = await createTestDatabase({ schema: 'empty' });
const opened: Database[] = [];

async function connect(options: Partial<ConnectDatabaseOptions> = {}): Promise<Database> {
  const another = await connectDatabase({ connection, log, ...options });
  opened.push(another);
  return another;
}

afterAll(() => Promise.all(opened.map((each) => each.destroy())));

test.each<[string, unknown]>([
  ['9007199254740991::int8', 9_007_199_254_740_991],
  ['NULL::int8', null],
  ["'{1,2,NULL}'::int8[]", [1, 2, null]],
  ["'{}'::int8[]", []],
  ['sum(n) FROM (VALUES (1::int8), (2)) AS v(n)', 3],
  ['0.125::numeric', 0.125],
  ["'{0.5,1}'::numeric[]", [0.5, 1]],
  ["'2026-11-21T06:10:00.123+01'::timestamptz", new Date('2026-11-21T05:10:00.123Z')],
  ["'2026-11-21'::timestamptz", new Date('2026-11-21T00:00:00Z')],
  ["'2026-11-21T05:10:00.123999Z'::timestamptz", new Date('2026-11-21T05:10:00.123Z')],
  ["'2026-11-21T05:10:00.1Z'::timestamptz", new Date('2026-11-21T05:10:00.100Z')],
  ["'2026-11-21T05:10:00.02Z'::timestamptz", new Date('2026-11-21T05:10:00.020Z')],
  ["'0044-03-15'::timestamptz", new Date('0044-03-15T00:00:00Z')],
  ["'infinity'::timestamptz", Number.POSITIVE_INFINITY],
  ["'0044-03-15 BC'::timestamptz", new Date('-000043-03-15T00:00:00Z')],
  ["'12026-01-01'::timestamptz", new Date('+012026-01-01T00:00:00Z')],
  ["'2026-11-21'::date", '2026-11-21'],
  [`'{"a":[1,null]}'::jsonb`, { a: [1, null] }],
  ["'{a,b}'::text[]", ['a', 'b']],
  ['true', true],
])('%s is returned as the corresponding JavaScript value', async (expression, expected) => {
  const { rows } = await sql<{
    value: unknown;
  }>`SELECT ${sql.raw(expression.replace(/( FROM .*)?$/, ' AS value$1'))}`.execute(db);
  expect(rows).toEqual([{ value: expected }]);
});

test('a statement that exceeds its timeout fails, but the database is not considered unavailable', async () => {
  const hasty = await connect({ statementTimeoutMs: 500 });
  const slow = sql`SELECT pg_sleep(60)`.execute(hasty);
  await expect(slow).rejects.toMatchObject({ code: '57014' });
  const patient = await connect();
  const blocked = db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(4711)`.execute(tx);
    return patient.transaction().execute(async (other) => {
      await sql`SET LOCAL lock_timeout = '20ms'`.execute(other);
      await sql`SELECT pg_advisory_xact_lock(4711)`.execute(other);
    });
  });
  await expect(blocked).rejects.toMatchObject({ code: '55P03' });
  for (const work of [slow, blocked]) {
    const error: unknown = await work.catch((failure: unknown) => failure);
    expect(isStatementTimeout(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(false);
  }
});

test('every connection has the statement timeout, the application name, and the time zone UTC', async () => {
  const { rows } =
    await sql`SELECT current_setting('statement_timeout') AS timeout, current_setting('timezone') AS zone,
    current_setting('application_name') AS name`.execute(db);
  expect(rows).toEqual([{ timeout: '30s', zone: 'UTC', name: 'pacekeeper' }]);
});

/** Uses `count` connections of a pool at the same time, until the returned function is called. */
function occupy(pool: Database, count: number): () => Promise<unknown> {
  const released = Promise.withResolvers<void>();
  const transactions = Array.from({ length: count }, () =>
    pool.transaction().execute(() => released.promise),
  );
  return () => {
    released.resolve();
    return Promise.all(transactions);
  };
}

test('the pool opens no more connections than its size, and reports waiting requests', async () => {
  const small = await connect({ poolSize: 2 });
  const release = occupy(small, 3);
  await expect.poll(() => poolStatistics(small)).toEqual({ total: 2, idle: 0, waiting: 1 });
  await release();
  expect(poolStatistics(small)).toEqual({ total: 2, idle: 2, waiting: 0 });
});

test('idle connections are closed until a few remain', async () => {
  const busy = await connect({ idleConnectionMs: 1_000 });
  const release = occupy(busy, 8);
  await expect.poll(() => poolStatistics(busy)).toEqual({ total: 8, idle: 0, waiting: 0 });
  await release();
  await expect.poll(() => poolStatistics(busy).total).toBe(3);
});

test('a connection that is terminated while idle is replaced', async () => {
  const cut = await connect({ poolSize: 1 });
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(cut);
  await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(db);
  await expect.poll(() => poolStatistics(cut).total).toBe(0);
  await expect(sql`SELECT 1 AS one`.execute(cut)).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('a connection lost between two statements of a transaction fails only that transaction', async () => {
  const another = await connect({ poolSize: 1 });
  const work = another.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(db);
    await sleep(50);
    await sql`SELECT 1`.execute(tx);
  });
  await expect(work).rejects.toThrow(/Connection terminated|not queryable|connection error/);
  expect((await sql`SELECT 1`.execute(another)).rows).toHaveLength(1);
});

test('an unresponsive server fails the pending statements, and its connection is replaced', async () => {
  const proxy = await startProxy();
  const patient = await connect({
    connection: proxy.url,
    poolSize: 1,
    statementTimeoutMs: 200,
    silenceMs: 100,
  });
  await sql`SELECT 1`.execute(patient);
  proxy.silence();
  const failure = await sql`SELECT 1`.execute(patient).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseResponseTimeoutError);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  const work = patient.transaction().execute(async (tx) => {
    await sql`SELECT 1`.execute(tx);
    proxy.silence();
    await sql`SELECT 1`.execute(tx);
  });
  // The caller receives the error of the rollback, which fails because the connection is closed.
  expect(isDatabaseUnavailable(await work.catch((error: unknown) => error))).toBe(true);
  await expect(sql`SELECT 1 AS one`.execute(patient)).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test.each(['53100', '53200', '58030', '25006', '57P01'])(
  'a database that fails with %s is considered unavailable',
  async (code) => {
    const failure = await sql`
      DO ${sql.lit(`BEGIN RAISE EXCEPTION 'as a full disk' USING ERRCODE = '${code}'; END`)}`
      .execute(db)
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  },
);

test('an unreachable server is reported in one line, without the password', async () => {
  const failing = connectDatabase({ connection: 'postgres://me:hunter2@127.0.0.1:1/things', log });
  await expect(failing).rejects.toThrow(DatabaseUnavailableError);
  await expect(failing).rejects.toThrow(
    /^DATABASE_URL: can't connect to 127\.0\.0\.1:1\/things: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
  );
});

test('a database that does not exist fails immediately, even with a long waitForServerMs', async () => {
  const failing = connectDatabase({
    connection: { ...connection, database: 'nowhere' },
    log,
    waitForServerMs: 60_000,
  });
  await expect(failing).rejects.toThrow(/database "nowhere" does not exist\.$/);
});

test('the connection waits for a server that starts later', async () => {
  const proxy = await startProxy();
  await proxy.stop();
  const connecting = connectDatabase({ connection: proxy.url, log, waitForServerMs: 10_000 });
  await sleep(300);
  await proxy.start();
  const late = await connecting;
  opened.push(late);
  await expect(sql`SELECT 1 AS one`.execute(late)).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

test('a server that accepts connections but never reports whether it is writable is skipped', async () => {
  const silent = await startProxy((answer) =>
    answer.startsWith('T') && answer.includes('transaction_read_only') ? '' : answer,
  );
  const working = await startProxy();
  const [silentPort, workingPort] = [silent.url, working.url].map((url) => new URL(url).port);
  const url = silent.url.replace(`:${silentPort}`, `:${silentPort},127.0.0.1:${workingPort}`);
  const another = await connect({ connection: url });
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(another)).rows).toEqual([{ one: 1 }]);
});

test('the connection for notifications skips hosts of its URL that do not respond', async () => {
  const working = await startProxy();
  const gone = await startProxy();
  const [gonePort, workingPort] = [gone.url, working.url].map((url) => new URL(url).port);
  await gone.stop();
  const hostsOf = (name: string) =>
    `${working.url.replace(`:${workingPort}`, `:${gonePort},127.0.0.1:${workingPort}`)}?application_name=${name}`;
  expect(await canReceiveNotifications(hostsOf('doctor'), db, 5_000)).toBe(true);
  const wakeUps = createWakeUps({ db, connection: hostsOf('wake_ups'), log });
  onTestFinished(() => wakeUps.close());
  const listening = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups' AND query LIKE 'LISTEN%'`.execute(
      db,
    );
    return rows.length;
  };
  await expect.poll(listening).toBe(1);
});

test('a server older than version 14 is rejected with an error that names its version', async () => {
  const proxy = await startProxy((answer) => answer.replace(/18(\d{4})/, '13$1'));
  await expect(connectDatabase({ connection: proxy.url, log })).rejects.toThrow(
    /the server at 127\.0\.0\.1:\d+\/test_\w+ is PostgreSQL 13; Pacekeeper requires 14 or later\.$/,
  );
});

const proxies: Server[] = [];
afterAll(() => proxies.forEach((proxy) => proxy.close()));

/**
 * Starts a TCP proxy in front of the test server. `rewrite` transforms the server's responses as Latin-1
 * text, so that every byte is preserved.
 */
async function startProxy(rewrite: (answer: string) => string = (answer) => answer) {
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = createConnection(join(connection.host, `.s.PGSQL.${connection.port}`));
    pairs.add([client, upstream]);
    client.pipe(upstream);
    upstream.on('data', (answer) => client.write(rewrite(answer.toString('latin1')), 'latin1'));
    upstream.on('end', () => client.end());
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  proxies.push(server);
  let port = 0;
  const start = async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  };
  await start();
  return {
    url: databaseUrl(connection, { port }),
    start,
    /**
     * Discards all traffic in both directions without closing the connections. New connections work as usual.
     */
    silence() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).resume();
        upstream.removeAllListeners('data').resume();
      }
      pairs.clear();
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
