import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import packageJson from '../../../package.json' with { type: 'json' };
import type { AppliedMigration, CopySession } from '../../platform/database/index.ts';
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type BackupStream,
  backupFormat,
} from './backup-stream.ts';
import { copyStatement, listTables, readSequences } from './schema-queries.ts';

/** Approximate size of a part, in bytes. Rows are collected until they reach this size. */
const partBytes = 1_048_576;

/**
 * Returns a consistent snapshot of the database, even if other connections write at the same time. `session`
 * must be in `snapshot` mode.
 *
 * @param keyFor Returns the key with this fingerprint to include in the backup, or `null` to include none.
 */
export async function takeSnapshot(
  session: CopySession,
  keyFor: (fingerprint: string) => Buffer | null = () => null,
): Promise<BackupStream> {
  const { db } = session;
  const existing = await sql<{ found: string | null }>`
    SELECT coalesce(to_regclass('schema_migrations'), to_regclass('installation'))::text AS found`.execute(
    db,
  );
  if (existing.rows[0]?.found == null)
    throw new BackupError('Nothing to copy: the database has no Pacekeeper tables.');
  const tables = await listTables(db);
  // The lock prevents changes to the table definitions until all rows have been read. Rows can still be read
  // and written.
  await sql`LOCK TABLE ${sql.join(tables.map(({ name }) => sql.id(name)))} IN ACCESS SHARE MODE`.execute(db);
  const { rows: migrations } = await sql<AppliedMigration>`
    SELECT name, checksum FROM schema_migrations ORDER BY name COLLATE "C"`.execute(db);
  const { rows } = await sql<{ fingerprint: string; takenAt: Date; postgres: string }>`
    SELECT secret_key_fingerprint AS fingerprint, pacekeeper_now() AS "takenAt",
      current_setting('server_version') AS postgres FROM installation`.execute(db);
  const [installation] = rows;
  if (!installation) throw new BackupError('Nothing to copy: this database was never used by a server.');
  const secretKey = keyFor(installation.fingerprint);
  const header: BackupHeader = {
    format: backupFormat,
    programVersion: packageJson.version,
    postgresVersion: installation.postgres,
    takenAt: installation.takenAt.toISOString(),
    migrations,
    secretKeyFingerprint: installation.fingerprint,
    hasSecretKey: secretKey !== null,
    tables,
  };
  return { header, secretKey, parts: readTables(session, header) };
}

async function* readTables(session: CopySession, header: BackupHeader): BackupStream['parts'] {
  const sequences = await readSequences(session.db);
  const tables: BackupManifest['tables'] = [];
  for (const table of header.tables) {
    const digest = createRowDigest();
    for await (const bytes of inParts(session.copyOut(copyStatement(table, 'TO STDOUT')))) {
      digest.add(bytes);
      yield { type: 'rows', table: table.name, bytes };
    }
    tables.push({ ...table, ...digest.result() });
  }
  yield { type: 'manifest', manifest: { ...header, tables, sequences } };
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.byteLength;
    if (size < partBytes) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(held);
}

/**
 * Counts rows and calculates a checksum of their bytes. Rows are counted by their line feeds: in the `COPY` text
 * format, every row ends with a line feed and contains no other.
 */
export function createRowDigest() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(bytes: Buffer): void {
      hash.update(bytes);
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows++;
    },
    result: () => ({ rows, sha256: hash.digest('hex') }),
  };
}
