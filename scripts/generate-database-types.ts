import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, PostgresDialect } from 'kysely-codegen';
import {
  connectDatabase,
  type Database,
  migrateDatabase,
  startEmbeddedPostgres,
} from '../src/platform/database/index.ts';
import { createLog } from '../src/platform/log.ts';

export const databaseTypesFile = join(import.meta.dirname, '../src/generated/database.ts');

/**
 * Writes the types of all tables, by default to src/generated/database.ts, read from a database that has just been made by
 * migrations/. Run it after every change there.
 */
export async function generateDatabaseTypes(outFile: string = databaseTypesFile): Promise<void> {
  const log = createLog({ level: 'warn', format: null });
  const dataDir = mkdtempSync(join(tmpdir(), 'pacekeeper-types-'));
  // As root, PostgreSQL's own user has to pass through.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log, forTests: { fsync: false } });
  const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
  try {
    await migrateDatabase(db);
    writeFileSync(outFile, await databaseTypes(db));
  } finally {
    await db.destroy();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The types of a migrated database, as TypeScript. */
export async function databaseTypes(db: Database): Promise<string> {
  const text = await generate({
    db,
    dialect: new PostgresDialect({ numericParser: 'number' }),
    outFile: null,
    excludePattern: 'public.schema_migrations',
    // As src/platform/database/postgres-types.ts parses them.
    typeMapping: { int8: 'number', date: 'string' },
  });
  return text.replace(jsonAsGenerated, jsonAsText);
}

/**
 * The driver turns an array into an array of PostgreSQL and sends a string as it is, neither of which is JSON. So
 * what is written to a column of JSON has to be JSON text: `JSON.stringify(value)`.
 */
const jsonAsGenerated = 'export type Json = JsonValue;';
const jsonAsText = 'export type Json = ColumnType<JsonValue, string, string>;';

if (import.meta.main) await generateDatabaseTypes();
