import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/database.ts';
import type { Log } from '../log.ts';
import { type ConnectionShares, createConnectionShares } from './connection-shares.ts';
import type { PostgresAddress } from './embedded-postgres.ts';
import { explainDatabaseError } from './explain-database-error.ts';
import { describeHosts, primarySearchOf } from './find-primary.ts';
import { postgresTypes } from './postgres-types.ts';
import { prepareHotStatements } from './prepare-hot-statements.ts';
import { withResponseTimeout } from './response-timeout.ts';

/** Database outside a transaction. Inside a transaction, use only `Tx`. */
export type Database = Kysely<DB>;

/** URL of the form `postgres://…`, or the socket of the embedded PostgreSQL. */
export type ConnectionTarget = string | PostgresAddress;

export type OnStatement = (text: string, durationMs: number, parameters: readonly unknown[]) => void;

export interface ConnectDatabaseOptions {
  connection: ConnectionTarget;
  log: Log;
  /** Maximum number of connections. Default: 10. */
  poolSize?: number;
  /** Time after which PostgreSQL cancels a statement. Default: 30,000; 0 for no timeout. */
  statementTimeoutMs?: number;
  /** Time after which PostgreSQL ends an idle transaction. Default: 60,000. */
  idleTransactionMs?: number;
  /** Time after which an idle connection is closed if more than a few are open. Default: 10,000. */
  idleConnectionMs?: number;
  /**
   * True if the database is behind a pooler that assigns a connection to each transaction. In that case, statements
   * aren't prepared.
   */
  isPooled?: boolean;
  /**
   * Additional time to wait for a response after the statement timeout. After this time, the server is considered
   * unavailable, even if the network connection is still open. Default: 5,000.
   */
  silenceMs?: number;
  /**
   * Maximum time to wait for a server that doesn't respond yet, for example because all services start at the
   * same time. Default: 0.
   */
  waitForServerMs?: number;
  /** True to accept a read-only database, which only `doctor` does. */
  acceptsReadOnly?: boolean;
  /** Called after every statement, including `begin` and `commit`. */
  onStatement?: OnStatement;
}

/** The database can't be used. The message is one line for the operator and contains no password. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * Settings that make PostgreSQL create one generic plan for each statement and reuse it, because planning a list takes
 * longer than running it. Generic plans are suitable, because statements are bounded and can use an index for all
 * values. A plan is kept while tables grow, so it must not contain a sequential scan that was chosen for a small table.
 */
const planSettings = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off';
const oldestMajorVersion = 14;
/** Timeout for connecting, and for waiting for a free connection of the pool. */
const connectTimeoutMs = 10_000;
const pools = new WeakMap<Database, { pool: pg.Pool; shares: ConnectionShares }>();

/**
 * Connects to PostgreSQL 14 or later. `db.destroy()` closes all connections.
 *
 * @throws DatabaseUnavailableError if the server doesn't respond or is too old.
 */
export async function connectDatabase(options: ConnectDatabaseOptions): Promise<Database> {
  const { connection, log, waitForServerMs = 0 } = options;
  const search = primarySearchOf(connection);
  await waitForUsableDatabase(connection, waitForServerMs, log);
  const { statementTimeoutMs = 30_000, idleTransactionMs = 60_000, silenceMs = 5_000 } = options;
  const pool = new pg.Pool({
    // Determine the configuration for each connection, so that it goes to the server that accepts writes at
    // that time.
    Client: class extends pg.Client {
      constructor() {
        super(clientConfig(connection));
      }
    },
    max: options.poolSize ?? 10,
    // Keep few idle connections, because each uses 5 MB. With a higher minimum, connections that were opened
    // during a peak would stay open.
    min: Math.min(3, options.poolSize ?? 10),
    idleTimeoutMillis: options.idleConnectionMs ?? 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    onConnect: async (client) => {
      // Ignore errors here, because the next statement fails anyway. The pool handles errors only while a client is
      // idle, so without this listener, a connection that breaks between two statements of a transaction would end the
      // process.
      client.on('error', () => undefined);
      // Set these in a statement, because poolers reject them as connection parameters.
      const settings =
        `SET statement_timeout = ${statementTimeoutMs}; ` +
        `SET idle_in_transaction_session_timeout = ${idleTransactionMs}; ` +
        `SET idle_session_timeout = 0; SET lock_timeout = 0; ` +
        `SET default_transaction_isolation = 'read committed'; SET default_transaction_deferrable = off; ` +
        `SET timezone = 'UTC'; SET datestyle = 'ISO'; SET jit = off; ${planSettings}`;
      // The cast is correct, because the pool creates instances of `Client`. Its type doesn't guarantee this.
      const { rows } = await withResponseTimeout(client as pg.Client, connectTimeoutMs, async () => {
        await client.query(settings);
        return client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      });
      // After a failover, a connection can lead to the former primary, where every write would fail.
      if (rows[0]?.transaction_read_only === 'on' && !options.acceptsReadOnly) {
        search.start(log);
        throw readOnly(connection);
      }
    },
  });
  // The pool replaces a connection that breaks while idle. Without this listener, the error would end the
  // process.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'database connection lost');
  });
  const { onStatement } = options;
  const shares = createConnectionShares(options.poolSize ?? 10, { waitMs: connectTimeoutMs });
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: prepareHotStatements(pool, {
        isPooled: options.isPooled ?? false,
        beginUse: () => shares.begin(),
        onConnectFailure: () => search.start(log),
        silentAfterMs: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + silenceMs,
      }),
    }),
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis, query.parameters),
    }),
  });
  pools.set(db, { pool, shares });
  return db;
}

/**
 * Returns the total number of connections, the number of idle connections, and the number of callers that wait for a
 * connection.
 */
export function poolStatistics(db: Database): { total: number; idle: number; waiting: number } {
  const { pool, shares } = pools.get(db) ?? {};
  return {
    total: pool?.totalCount ?? 0,
    idle: pool?.idleCount ?? 0,
    waiting: (pool?.waitingCount ?? 0) + (shares?.waitingCount ?? 0),
  };
}

/** Returns the configuration that all connections share. */
export function clientConfig(connection: ConnectionTarget): pg.ClientConfig {
  return {
    ...(typeof connection === 'string' ? primarySearchOf(connection).config() : connection),
    application_name: 'pacekeeper',
    keepAlive: true,
    // Send the first keepalive probe after ten seconds. By default, the operating system sends it after two
    // hours.
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    types: postgresTypes,
  };
}

/** Returns `host:port/database`, without user and password. */
export function describeConnection(connection: ConnectionTarget): string {
  if (typeof connection !== 'string') return `the embedded database in ${connection.host}`;
  return describeHosts(connection);
}

/**
 * Waits until PostgreSQL 14 or later responds.
 *
 * @throws DatabaseUnavailableError if the server doesn't respond in time, rejects the connection, or is too
 * old.
 */
export async function waitForUsableDatabase(
  connection: ConnectionTarget,
  waitMs: number,
  log: Log,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      await primarySearchOf(connection).find();
      const version = await serverVersion(connection);
      if (version < oldestMajorVersion) {
        throw new DatabaseUnavailableError(
          `DATABASE_URL: the server at ${describeConnection(connection)} is PostgreSQL ${version}; ` +
            `Pacekeeper requires ${oldestMajorVersion} or later.`,
        );
      }
      return;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      if (!isStartingUp(error) || performance.now() + pauseMs > deadline) {
        throw new DatabaseUnavailableError(
          `DATABASE_URL: can't connect to ${describeConnection(connection)}: ${reason(error)}.${remedyOf(error)}`,
          error,
        );
      }
      log.info({ reason: reason(error) }, 'waiting for the database');
      await sleep(pauseMs);
    }
  }
}

async function serverVersion(connection: ConnectionTarget): Promise<number> {
  const client = new pg.Client(clientConfig(connection));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  } finally {
    await client.end();
  }
}

/**
 * True if the server isn't reachable or is starting up. False for errors such as a wrong password or database
 * name.
 */
function isStartingUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    code === '' || /^(ECONN|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOST|ENET|EPIPE|57P|08|53300)/.test(code)
  );
}

function readOnly(connection: ConnectionTarget): DatabaseUnavailableError {
  return new DatabaseUnavailableError(
    `DATABASE_URL: ${describeConnection(connection)} is read-only: it is a standby, or default_transaction_read_only is on. ` +
      'Use the address of the primary server, or name all servers (postgres://…@db1,db2/name).',
  );
}

/** Returns a sentence with a remedy for the operator, or an empty string if the error is clear enough. */
function remedyOf(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/certificate|altnames/i.test(text) || /CERT|ALTNAME|ISSUER/.test(code))
    return ' Set PACEKEEPER_CA_FILE (or sslrootcert) to the PEM file of the authority that signed it. sslmode=verify-ca accepts another host name, and sslmode=require encrypts without verifying the server.';
  if (/does not support SSL/i.test(text))
    return ' Use sslmode=prefer or sslmode=disable for a server without TLS.';
  const explained = explainDatabaseError(error);
  return explained === null ? '' : ` ${explained.slice(explained.indexOf('. ') + 2)}`;
}

function reason(error: unknown): string {
  // A connection attempt to a host name with several addresses fails with one error per address. The first one is
  // enough.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const text = first instanceof Error ? first.message : String(first);
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}
