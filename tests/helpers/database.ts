import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { connectDatabase, type Database, type PostgresAddress } from '../../src/platform/database/index.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import { atEndOfFile } from './end-of-file.ts';
import { requestRunResource } from './run/ask-run.ts';
import { countStart } from './run/count-starts.ts';
import { templateDatabase } from './run/run-resources.ts';

export interface TestDatabase {
  db: Database;
  connection: PostgresAddress;
  /** Opens another connection pool to the same database, as a second server does. */
  connectAgain: (options?: { poolSize?: number }) => Promise<Database>;
  /**
   * Returns the SQL of every statement that `db`, or another pool from `connectAgain`, runs during `work`.
   */
  statementsOf: (work: () => Promise<unknown>) => Promise<string[]>;
}

export interface TestDatabaseOptions {
  /** Initial schema: `migrated` (default) has all migrations applied; `empty` has no tables. */
  schema?: 'migrated' | 'empty';
  poolSize?: number;
  log?: Log;
  /**
   * True if all test files of a worker share the database. The cluster then removes it at the end of the run. Default:
   * false.
   */
  isShared?: boolean;
}

const sharedDatabases = new Set<Database>();

/**
 * Creates a separate database for the test file (or the test) that calls it, and drops the database at the
 * end of the file. Call it with `await` at the top of a file, or in `beforeAll`.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const cluster = await requestRunResource('cluster');
  const log = options.log ?? createLog({ level: 'error', format: null });
  const database = `test_${randomBytes(6).toString('hex')}`;
  const template = options.schema === 'empty' ? 'template0' : templateDatabase;
  await runOnCluster(cluster, `CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY file_copy`);

  const connection = { ...cluster, database };
  const opened: Database[] = [];
  let statements: string[] | undefined;
  const connectAgain = async ({ poolSize = options.poolSize ?? 5 } = {}) => {
    const db = await connectDatabase({
      connection,
      log,
      poolSize,
      onStatement: (text) => statements?.push(text),
    });
    opened.push(db);
    return db;
  };
  const db = await connectAgain();
  countStart('databases');
  const close = async () => {
    await Promise.all(opened.map((each) => each.destroy()));
    await runOnCluster(cluster, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  };
  if (options.isShared) sharedDatabases.add(db);
  else atEndOfFile(close);
  const statementsOf = async (work: () => Promise<unknown>) => {
    const own: string[] = (statements = []);
    await work().finally(() => (statements = undefined));
    return own;
  };
  return { db, connection, connectAgain, statementsOf };
}

/**
 * Moves the product's current time in this database, for example by `2 hours` or `-1 year`. This requires
 * permission to change the schema, so no one can do it in production.
 */
export async function setClockOffset(db: Database, interval: string): Promise<void> {
  if (sharedDatabases.has(db))
    throw new Error('All files of this worker use this database. Call startTestServer().');
  const { rows } = await sql<{ definition: string; interval: string }>`
    SELECT pg_get_functiondef('pacekeeper_now()'::regprocedure) AS definition, ${interval}::interval::text AS interval
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('pacekeeper_now() is missing.');
  const unmoved = row.definition.replace(
    /\(statement_timestamp\(\) \+ interval '[^']*'\)/i,
    'statement_timestamp()',
  );
  const moved = unmoved.replace(
    /statement_timestamp\(\)/i,
    `(statement_timestamp() + interval '${row.interval}')`,
  );
  if (moved === unmoved) throw new Error('pacekeeper_now() does not read statement_timestamp().');
  await sql.raw(moved).execute(db);
}

export async function resetClockOffset(db: Database): Promise<void> {
  await setClockOffset(db, '0');
}

/** Runs one statement outside all test databases. */
async function runOnCluster(cluster: PostgresAddress, statement: string): Promise<void> {
  const client = new pg.Client(cluster);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
