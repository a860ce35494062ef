import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { DB } from '../../generated/database.ts';
import { type ConnectionTarget, clientConfig, type Database } from './connect-database.ts';

/** One transaction on a separate connection, through which complete tables are copied in and out. */
export interface CopySession {
  /** Runs statements within the transaction. */
  db: Database;
  /**
   * Streams the output of a `COPY` statement with `TO STDOUT`. Memory contains only the data that is being
   * read.
   */
  copyOut(statement: string): AsyncIterable<Buffer>;
  /** Streams rows to a `COPY` statement with `FROM STDIN`. */
  copyIn(statement: string, rows: AsyncIterable<Buffer>): Promise<void>;
  commit(): Promise<void>;
  /** Closes the connection. Uncommitted changes are rolled back. */
  close(): Promise<void>;
}

export interface CopySessionOptions {
  /** `snapshot` reads the state of the database at the first statement and can't change data. */
  mode: 'snapshot' | 'write';
  /** Closes the connection when aborted, so running statements fail. */
  signal?: AbortSignal;
}

/** Settings that override the server defaults, so that a value has the same text format on both sides. */
const settings = [
  ['client_encoding', 'UTF8'],
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, YMD'],
  ['intervalstyle', 'postgres'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['row_security', 'off'],
  // Scan tables from the beginning, so that rows are read in their physical order.
  ['synchronize_seqscans', 'off'],
  ['statement_timeout', '0'],
  ['idle_in_transaction_session_timeout', '0'],
  ['lock_timeout', '60s'],
] as const;

export async function openCopySession(
  connection: ConnectionTarget,
  { mode, signal }: CopySessionOptions,
): Promise<CopySession> {
  const client = new pg.Client({ ...clientConfig(connection), application_name: 'pacekeeper copy' });
  // A broken connection fails the running statement or the next one, so this error can be ignored.
  client.on('error', () => undefined);
  const close = () => client.end().catch(() => undefined);
  await client.connect();
  signal?.addEventListener('abort', () => void close());
  try {
    signal?.throwIfAborted();
    await client.query(mode === 'snapshot' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN');
    for (const [name, value] of settings) await client.query(`SET LOCAL ${name} = '${value}'`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db: statementsOn(client),
    copyOut: (statement) => ignoreErrors(client.query(copyTo(statement))),
    async copyIn(statement, rows) {
      const target = client.query(copyFrom(statement));
      target.on('error', () => undefined);
      await pipeline(Readable.from(rows, { objectMode: false }), target);
    },
    async commit() {
      await client.query('COMMIT');
    },
    close,
  };
}

/** Returns `name` or `"Name"`, as required in a statement. */
export const quoteName = (name: string) => pg.escapeIdentifier(name);

/**
 * Ignores errors of a stream. A stream that wasn't read completely emits an error when its connection closes. At that
 * time, it has no other listener, so the error would end the process.
 */
function ignoreErrors(stream: Readable): Readable {
  return stream.on('error', () => undefined);
}

/** Creates a Kysely instance that uses only this connection. The caller ends the transaction. */
function statementsOn(client: pg.Client): Database {
  const sharedClient: PostgresPoolClient = Object.assign(Object.create(client) as PostgresPoolClient, {
    query: (text: string, values: readonly unknown[] = []) => client.query(text, [...values]),
    release: () => undefined,
  });
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { connect: async () => sharedClient, end: async () => undefined, options: {} },
    }),
  });
}
