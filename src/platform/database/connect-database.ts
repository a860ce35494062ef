import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/database.ts';
import type { Log } from '../log.ts';
import type { PostgresAddress } from './embedded-postgres.ts';
import { postgresTypes } from './postgres-types.ts';
import { prepareHotStatements } from './prepare-hot-statements.ts';
import { withResponseTimeout } from './response-timeout.ts';

/** The database outside of a transaction. Inside of one only `Tx` is used. */
export type Database = Kysely<DB>;

/** `postgres://…`, or the socket of the embedded PostgreSQL. */
export type ConnectionTarget = string | PostgresAddress;

export type OnStatement = (text: string, durationMs: number, parameters: readonly unknown[]) => void;

export interface ConnectDatabaseOptions {
  connection: ConnectionTarget;
  log: Log;
  /** Connections at most (10). */
  poolSize?: number;
  /** A statement that takes longer is ended by PostgreSQL (30,000; 0: never). */
  statementTimeoutMs?: number;
  /** A transaction that is idle for longer is ended by PostgreSQL (60,000). */
  idleTransactionMs?: number;
  /** Behind a pooler that gives each transaction any connection: nothing is prepared on one. */
  isPooled?: boolean;
  /** Beyond the time that a statement may take: then the server is gone, whatever the network says (5,000). */
  silenceMs?: number;
  /** How long a server that does not answer yet is waited for (0), as when all start at once. */
  waitForServerMs?: number;
  /** Told of every statement when it is done, `begin` and `commit` included. */
  onStatement?: OnStatement;
}

/** The database cannot be used. The message is one line for the operator and holds no password. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * Statements are bounded and have their index, whatever the values. PostgreSQL has one plan for each, which it makes once:
 * planning a list takes longer than running it. And as a plan is kept while tables grow, none is to read a table from the
 * front because it was small.
 */
const planSettings = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off';
const oldestMajorVersion = 14;
/** Also for a free connection of the pool. */
const connectWithinMs = 10_000;
const pools = new WeakMap<Database, pg.Pool>();

/**
 * Connects, and makes sure that a PostgreSQL of version 14 or later answers; else throws a
 * `DatabaseUnavailableError`. `db.destroy()` closes all connections.
 */
export async function connectDatabase(options: ConnectDatabaseOptions): Promise<Database> {
  const { connection, log, waitForServerMs = 0 } = options;
  await ensureServerCanBeUsed(connection, waitForServerMs, log);
  const { statementTimeoutMs = 30_000, idleTransactionMs = 60_000, silenceMs = 5_000 } = options;
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max: options.poolSize ?? 10,
    // Each holds 5 MB, and as many as were ever needed at the same moment would stay.
    min: Math.min(3, options.poolSize ?? 10),
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: connectWithinMs,
    onConnect: async (client) => {
      // The pool listens only while nobody has the client. One that breaks between two statements of a transaction would
      // end the program; its next statement fails anyway.
      client.on('error', () => undefined);
      // By statement, since poolers refuse these as parameters of a connection.
      const settings =
        `SET statement_timeout = ${statementTimeoutMs}; ` +
        `SET idle_in_transaction_session_timeout = ${idleTransactionMs}; ` +
        `SET timezone = 'UTC'; SET datestyle = 'ISO'; SET jit = off; ${planSettings}`;
      // The pool makes clients of the class `Client`; its type says less.
      await withResponseTimeout(client as pg.Client, connectWithinMs, () => client.query(settings));
    },
  });
  // A connection that breaks while it is idle. The pool replaces it; without a listener it would end the program.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'database connection lost');
  });
  const { onStatement } = options;
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: prepareHotStatements(pool, {
        isPooled: options.isPooled ?? false,
        silentAfterMs: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + silenceMs,
      }),
    }),
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis, query.parameters),
    }),
  });
  pools.set(db, pool);
  return db;
}

/** How many connections there are, how many are free, and how many callers wait for one. */
export function poolStatistics(db: Database): { total: number; idle: number; waiting: number } {
  const pool = pools.get(db);
  return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
}

/** What every connection of ours has in common. */
export function clientConfig(connection: ConnectionTarget): pg.ClientConfig {
  return {
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    application_name: 'pacekeeper',
    keepAlive: true,
    // Else the system asks after two hours whether the other end is still there.
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectWithinMs,
    types: postgresTypes,
  };
}

/** `host:port/database`, without user and password. */
export function describeConnection(connection: ConnectionTarget): string {
  if (typeof connection !== 'string') return `the embedded database in ${connection.host}`;
  try {
    const url = new URL(connection);
    return `${url.hostname || url.searchParams.get('host') || 'localhost'}:${url.port || '5432'}${url.pathname}`;
  } catch {
    return 'an invalid URL';
  }
}

/** Throws a `DatabaseUnavailableError` unless a PostgreSQL of version 14 or later answers within the time. */
export async function ensureServerCanBeUsed(
  connection: ConnectionTarget,
  waitMs: number,
  log: Log,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
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
          `DATABASE_URL: can't connect to ${describeConnection(connection)}: ${reason(error)}.`,
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

/** Not reachable, or starting up, in contrast to a wrong password or name. */
function isStartingUp(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    code === '' || /^(ECONN|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOST|ENET|EPIPE|57P|08|53300)/.test(code)
  );
}

function reason(error: unknown): string {
  // A name with several addresses fails with one error for each.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const text = first instanceof Error ? first.message : String(first);
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}
