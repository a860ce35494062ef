import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Database } from './connect-database.ts';
import { hasSqlState } from './transaction.ts';

/** The migration files don't match the database. The message is for the operator. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

interface Migration {
  name: string;
  checksum: string;
  text: string;
  /** The oldest version of Pacekeeper that can serve a database with this migration. */
  servedBy: string;
}

/** Arbitrary lock number, which other programs are unlikely to use in the same database. */
const migrationLock = 7_223_540_118_904_261;

/**
 * Applies the missing files of `migrations/` in the order of their names, each in one transaction with its
 * record. If several servers start at the same time, one server applies the migrations and the others wait.
 *
 * Throws if this version can't serve the database, because a newer version has applied a migration that
 * requires that newer version. Other migrations of newer versions are accepted, so that servers of both
 * versions can run during an upgrade.
 *
 * @returns The names of the migrations that this call applied.
 */
export async function migrateDatabase(
  db: Database,
  folder: string = findMigrations(),
  { lockTimeoutMs = 5_000 }: { lockTimeoutMs?: number } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(db, migrations, lockTimeoutMs);
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/**
 * Throws unless this version can serve the database as it is. Only `serve` and commands with `migrates` apply
 * migrations, because servers of the previous version may still be running. An empty database is migrated,
 * because no server uses it yet.
 */
export async function ensureMigrated(db: Database, folder: string = findMigrations()): Promise<void> {
  const records = await findRecords(db);
  if (records.length === 0) {
    await migrateDatabase(db, folder);
    return;
  }
  const migrations = await readMigrations(folder);
  const next = nextOf(migrations, records);
  if (next) {
    const applied = new Set(records.map(({ name }) => name));
    const count = migrations.filter(({ name }) => !applied.has(name)).length;
    throw new MigrationError(
      `The database schema is older than this version of Pacekeeper (${count} ${count === 1 ? 'migration' : 'migrations'} pending). ` +
        "Run 'pacekeeper migrate' or start the server, then retry.",
    );
  }
}

/** A migration that was applied to a database. Backups contain these entries, too. */
export interface AppliedMigration {
  name: string;
  checksum: string;
}

/** A row of `schema_migrations`. */
interface MigrationRecord extends AppliedMigration {
  servedBy: string;
}

/**
 * Returns the version that the database requires because of migrations that this version doesn't know.
 * `undefined` if this version can serve the database.
 */
export async function findRequiredVersion(
  db: Database,
  folder: string = findMigrations(),
): Promise<string | undefined> {
  return requiredVersion(await listNames(folder), await findRecords(db));
}

function requiredVersion(known: readonly string[], records: readonly MigrationRecord[]): string | undefined {
  const newest = records
    .filter(({ name }) => !known.includes(name))
    .map(({ servedBy }) => servedBy)
    .toSorted(compareVersions)
    .at(-1);
  return newest !== undefined && compareVersions(newest, packageJson.version) > 0 ? newest : undefined;
}

/**
 * Compares versions of Pacekeeper, which consist of three numbers. A pre-release isn't considered older than its
 * release.
 */
function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Returns which of these migrations are unknown to this version, and which have different content. */
export async function compareMigrations(
  applied: readonly AppliedMigration[],
  folder: string = findMigrations(),
): Promise<{ unknown: string[]; changed: string[] }> {
  const known = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]));
  return {
    unknown: applied.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: applied
      .filter(({ name, checksum }) => known.has(name) && known.get(name) !== checksum)
      .map(({ name }) => name),
  };
}

/**
 * Prevents other servers from migrating until the end of the transaction. A server that starts in this time
 * waits.
 */
export async function lockMigrations(db: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db);
}

/**
 * Applies missing migrations, or only those in `names`, in the transaction of the caller. The caller must
 * hold the migration lock.
 */
export async function migrateWithin(
  db: Database,
  names?: ReadonlySet<string>,
  folder: string = findMigrations(),
): Promise<void> {
  const migrations = (await readMigrations(folder)).filter(({ name }) => names?.has(name) ?? true);
  for (;;) {
    const next = nextOf(migrations, await readRecords(db));
    if (!next) return;
    await apply(db, next, 0);
  }
}

/**
 * Returns the migrations that `migrateDatabase` would apply. The list is empty if the database is ready for
 * this version.
 */
export async function listPendingMigrations(
  db: Database,
  folder: string = findMigrations(),
): Promise<string[]> {
  const names = await listNames(folder);
  const applied = new Set((await findRecords(db)).map(({ name }) => name));
  return names.filter((name) => !applied.has(name));
}

async function findRecords(db: Database): Promise<MigrationRecord[]> {
  const existing = await sql<{
    found: string | null;
  }>`SELECT to_regclass('schema_migrations')::text AS found`.execute(db);
  if (existing.rows[0]?.found == null) return [];
  return selectRecords(db);
}

async function selectRecords(db: Database): Promise<MigrationRecord[]> {
  const { rows } = await sql<MigrationRecord>`
    SELECT name, checksum, served_by AS "servedBy" FROM schema_migrations`.execute(db);
  return rows;
}

/**
 * Finds the migrations directory in the parent directories of this file, which works for both the sources and
 * a bundle.
 */
function findMigrations(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'migrations');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new MigrationError('The migrations directory is missing.');
  }
}

/** Migrations start with a number, unlike `schema.sql`, which is only for reading. */
async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).toSorted();
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await listNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const servedBy = /^-- Served by: (\d+\.\d+\.\d+) and later\n/.exec(text)?.[1];
      if (servedBy === undefined) {
        throw new MigrationError(
          `Migration ${name} doesn't start with the oldest version that can serve it: ` +
            "'-- Served by: 1.2.3 and later'.",
        );
      }
      return { name, text, servedBy, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Applies the next missing migration. While a migration waits for a table lock, it blocks all later
 * statements on the table, so its wait for the lock times out and it's retried. The transaction holds the
 * migration lock, because a lock of the session wouldn't work through a transaction pooler.
 */
async function applyNext(
  db: Database,
  migrations: Migration[],
  lockTimeoutMs: number,
): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`SET LOCAL statement_timeout = 0`.execute(tx);
        await lockMigrations(tx);
        const next = nextOf(migrations, await readRecords(tx));
        if (next) await apply(tx, next, lockTimeoutMs);
        return next?.name;
      });
    } catch (error) {
      if (!hasSqlState(error, '55P03') || tries >= 20) throw error;
      await sleep(250 * tries);
    }
  }
}

async function readRecords(tx: Database): Promise<MigrationRecord[]> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    served_by text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`.execute(tx);
  return selectRecords(tx);
}

/** Returns the next missing migration. Throws if this version can't serve or migrate the database. */
function nextOf(
  migrations: readonly Migration[],
  records: readonly MigrationRecord[],
): Migration | undefined {
  const required = requiredVersion(
    migrations.map(({ name }) => name),
    records,
  );
  if (required !== undefined) {
    throw new MigrationError(
      `The database schema requires Pacekeeper ${required} or later, and this is ${packageJson.version}. ` +
        'Use a newer version.',
    );
  }
  const applied = new Map(records.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if ((applied.get(name) ?? checksum) !== checksum) {
      throw new MigrationError(
        `Migration ${name} differs from the one applied to this database. Applied migrations must not change: ` +
          'restore the released file and add a new migration.',
      );
    }
  }
  const next = migrations.find(({ name }) => !applied.has(name));
  const later = next && [...applied.keys()].toSorted().find((name) => name > next.name);
  if (later !== undefined)
    throw new MigrationError(`Migration ${next!.name} is older than ${later}, which is already applied.`);
  return next;
}

async function apply(
  tx: Database,
  { name, text, checksum, servedBy }: Migration,
  lockTimeoutMs: number,
): Promise<void> {
  try {
    await sql`SET LOCAL lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx);
    await sql.raw(text).execute(tx);
  } catch (error) {
    if (hasSqlState(error, '55P03')) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${reason}`, error);
  }
  await sql`
    INSERT INTO schema_migrations (name, checksum, served_by) VALUES (${name}, ${checksum}, ${servedBy})`.execute(
    tx,
  );
}
