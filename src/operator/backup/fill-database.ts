import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import {
  type CopySession,
  compareMigrations,
  lockMigrations,
  migrateWithin,
} from '../../platform/database/index.ts';
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type BackupStream,
  headerOf,
  type ManifestPart,
  type RowsPart,
} from './backup-stream.ts';
import { corruptBackupError } from './read-archive.ts';
import {
  copyStatement,
  type DataTable,
  dropForeignKeys,
  findExistingRelation,
  listTables,
  setSequence,
} from './schema-queries.ts';
import { createRowDigest } from './take-snapshot.ts';

/** Throws if this version can't create the schema of the backup. Doesn't open a database connection. */
export async function ensureSchemaIsKnown(
  { migrations, programVersion }: BackupHeader,
  name: string,
): Promise<void> {
  const { unknown, changed } = await compareMigrations(migrations);
  if (unknown.length > 0) {
    throw new BackupError(
      `${name} has a newer schema (unknown: ${unknown.join(', ')}). ` +
        `Use Pacekeeper ${programVersion} or later.`,
    );
  }
  if (changed.length > 0) {
    throw new BackupError(
      `${name} has a different schema than this version (changed: ${changed.join(', ')}). ` +
        `Use Pacekeeper ${programVersion}.`,
    );
  }
}

/**
 * Fills an empty database: creates the schema of the backup, stores the rows, compares the stored rows with
 * the manifest, and updates the schema. All steps run in the transaction of `session`, which the caller
 * commits.
 *
 * @param name Name of the data source, for messages.
 */
export async function restoreIntoDatabase(
  session: CopySession,
  { header, parts }: BackupStream,
  name: string,
): Promise<BackupManifest> {
  const { db } = session;
  await lockMigrations(db);
  const found = await findExistingRelation(db);
  if (found !== undefined)
    throw new BackupError(`The database isn't empty (found "${found}"). Use an empty database.`);
  await migrateWithin(db, new Set(header.migrations.map((migration) => migration.name)));
  const tables = await listTables(db);
  if (!isSameSchema(tables, header.tables))
    throw corruptBackupError(name, "its tables don't match its migrations");

  const addForeignKeys = await dropForeignKeys(db);
  await sql`TRUNCATE ${sql.join(tables.map((table) => sql.id(table.name)))}`.execute(db);
  // Disable triggers, because the backup already contains the rows that they would write.
  const setTriggers = async (state: 'DISABLE' | 'ENABLE') => {
    for (const table of tables)
      await sql`ALTER TABLE ${sql.id(table.name)} ${sql.raw(state)} TRIGGER USER`.execute(db);
  };
  await setTriggers('DISABLE');
  const manifest = await storeRows(session, header, parts, name);
  await setTriggers('ENABLE');
  for (const sequence of manifest.sequences) await setSequence(db, sequence);
  await addForeignKeys();
  await compareWithManifest(session, manifest, name);
  for (const table of tables) await sql`ANALYZE ${sql.id(table.name)}`.execute(db);
  await migrateWithin(db);
  return manifest;
}

function isSameSchema(here: readonly DataTable[], there: BackupHeader['tables']): boolean {
  // The order of the columns can differ, because rows are always copied with column names.
  const sorted = (tables: readonly DataTable[]) =>
    tables
      .map((table) => JSON.stringify([table.name, table.columns.toSorted()]))
      .toSorted()
      .join('\n');
  return sorted(here) === sorted(there);
}

async function storeRows(
  session: CopySession,
  header: BackupHeader,
  parts: BackupStream['parts'],
  name: string,
): Promise<BackupManifest> {
  const tables = new Map(header.tables.map((table) => [table.name, { table, digest: createRowDigest() }]));
  const reader = parts[Symbol.asyncIterator]();
  try {
    let next = await reader.next();
    while (!next.done && next.value.type === 'rows') {
      const found = tables.get(next.value.table);
      if (!found) throw corruptBackupError(name, `it has rows of "${next.value.table}"`);
      const run = readRun(reader, next.value, found.digest);
      await store(session, found.table, run.rows, name);
      next = await run.after();
    }
    if (next.done || next.value.type !== 'manifest') throw corruptBackupError(name, 'it is truncated');
    const { manifest } = next.value;
    if (!isDeepStrictEqual(headerOf(manifest), header))
      throw corruptBackupError(name, "its header and manifest don't match");
    if (!(await reader.next()).done) throw corruptBackupError(name, 'it has trailing data');
    for (const { name: tableName, rows, sha256 } of manifest.tables) {
      const stored = tables.get(tableName)!.digest.result();
      if (stored.rows !== rows || stored.sha256 !== sha256)
        throw corruptBackupError(name, `the rows of "${tableName}" don't match their checksum`);
    }
    return manifest;
  } finally {
    await reader.return?.();
  }
}

/**
 * Reads the consecutive parts of one table. After `rows` has ended, `after` returns the part that follows these parts.
 */
function readRun(
  reader: AsyncIterator<RowsPart | ManifestPart>,
  first: RowsPart,
  digest: ReturnType<typeof createRowDigest>,
) {
  let next: IteratorResult<RowsPart | ManifestPart> = { done: false, value: first };
  async function* rows() {
    for (
      ;
      !next.done && next.value.type === 'rows' && next.value.table === first.table;
      next = await reader.next()
    ) {
      digest.add(next.value.bytes);
      yield next.value.bytes;
    }
  }
  return { rows: rows(), after: async () => next };
}

async function store(
  session: CopySession,
  table: DataTable,
  rows: AsyncIterable<Buffer>,
  name: string,
): Promise<void> {
  try {
    await session.copyIn(copyStatement(table, 'FROM STDIN'), rows);
  } catch (error) {
    // Codes 22 and 23 mean that PostgreSQL rejects the values for these columns. All other errors aren't
    // caused by the data.
    const isInvalidData = error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
    throw isInvalidData
      ? corruptBackupError(name, `the rows of "${table.name}": ${error.message}`, error)
      : error;
  }
}

/** Reads all stored rows and verifies that they match the backup byte for byte. */
async function compareWithManifest(
  session: CopySession,
  manifest: BackupManifest,
  name: string,
): Promise<void> {
  for (const { rows, sha256, ...table } of manifest.tables) {
    const digest = createRowDigest();
    for await (const bytes of session.copyOut(copyStatement(table, 'TO STDOUT'))) digest.add(bytes);
    const stored = digest.result();
    if (stored.rows !== rows || stored.sha256 !== sha256) {
      throw new BackupError(
        `"${table.name}" has ${stored.rows} rows after the restore, but ${name} has ${rows}.`,
      );
    }
  }
  const { rows } = await sql<{ fingerprint: string }>`
    SELECT secret_key_fingerprint AS fingerprint FROM installation`.execute(session.db);
  if (rows[0]?.fingerprint !== manifest.secretKeyFingerprint)
    throw corruptBackupError(name, "its key fingerprint doesn't match its rows");
}
