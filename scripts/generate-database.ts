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
import { databaseSchema } from './database-schema.ts';

/** The files that are generated from a migrated database, and their texts. */
export const databaseFiles: Readonly<Record<string, (db: Database) => Promise<string>>> = {
  'src/generated/database.ts': databaseTypes,
  'migrations/schema.sql': databaseSchema,
};

/** Writes `databaseFiles` from a new database with all migrations. Run it after every change in migrations/. */
export async function generateDatabase(): Promise<void> {
  const log = createLog({ level: 'warn', format: null });
  const dataDir = mkdtempSync(join(tmpdir(), 'pacekeeper-types-'));
  // When this process runs as root, the user of PostgreSQL must be able to traverse this directory.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log, forTests: { fsync: false } });
  const db = await connectDatabase({ connection: postgres.connection, log, poolSize: 2 });
  try {
    await migrateDatabase(db);
    for (const [file, generated] of Object.entries(databaseFiles))
      writeFileSync(join(import.meta.dirname, '..', file), await generated(db));
  } finally {
    await db.destroy();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Returns the types of a migrated database as TypeScript. */
async function databaseTypes(db: Database): Promise<string> {
  const text = await generate({
    db,
    dialect: new PostgresDialect({ numericParser: 'number' }),
    outFile: null,
    excludePattern: 'public.schema_migrations',
    // src/platform/database/postgres-types.ts parses values into these types.
    typeMapping: { int8: 'number', date: 'string' },
  });
  return text.replace(jsonAsGenerated, jsonAsText);
}

/**
 * The generated type of JSON columns, and its replacement. Values for a JSON column must be JSON text:
 * `JSON.stringify(value)`. Otherwise, the driver converts arrays to PostgreSQL arrays and sends strings
 * unchanged, and neither is valid JSON.
 */
const jsonAsGenerated = 'export type Json = JsonValue;';
const jsonAsText = 'export type Json = ColumnType<JsonValue, string, string>;';
