import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { DB } from '../../generated/database.ts';
import { type ConnectionTarget, clientConfig, type Database } from './connect-database.ts';

/** One transaction on a connection of its own, through which whole tables stream in and out. */
export interface CopySession {
  /** Statements within the transaction. */
  db: Database;
  /** What `COPY … TO STDOUT` gives, as PostgreSQL sends it; no more of it is in memory than is being read. */
  copyOut(statement: string): AsyncIterable<Buffer>;
  /** Feeds `COPY … FROM STDIN`. */
  copyIn(statement: string, rows: AsyncIterable<Buffer>): Promise<void>;
  commit(): Promise<void>;
  /** Closes the connection; what is not committed is rolled back. */
  close(): Promise<void>;
}

export interface CopySessionOptions {
  /** `snapshot` sees the database as it is at its first statement and changes nothing. */
  mode: 'snapshot' | 'write';
  /** Cuts the connection, which fails what is under way. */
  signal?: AbortSignal;
}

/** Whatever the defaults of the server are: the same value is the same text on both sides. */
const settings = [
  ['client_encoding', 'UTF8'],
  ['timezone', 'UTC'],
  ['datestyle', 'ISO, YMD'],
  ['intervalstyle', 'postgres'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['row_security', 'off'],
  // A table is read from its beginning, so that the rows have the order in which they lie.
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
  // A connection that breaks fails the statement that is under way, or the next one.
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
    copyOut: (statement) => quietly(client.query(copyTo(statement))),
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

/** `name` or `"Name"`, as it has to stand in a statement. */
export const quoteName = (name: string) => pg.escapeIdentifier(name);

/** One that is given up is told of the end of its connection later on, when nobody listens any more. */
function quietly(stream: Readable): Readable {
  return stream.on('error', () => undefined);
}

/** Kysely on this one connection, whose transaction is ours to end. */
function statementsOn(client: pg.Client): Database {
  const lent: PostgresPoolClient = Object.assign(Object.create(client) as PostgresPoolClient, {
    query: (text: string, values: readonly unknown[] = []) => client.query(text, [...values]),
    release: () => undefined,
  });
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { connect: async () => lent, end: async () => undefined, options: {} },
    }),
  });
}
