import path from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../platform/config.ts';
import {
  type AppliedMigration,
  type ConnectionTarget,
  compareMigrations,
  type Database,
  describeConnection,
  hearsNotifications,
  listPendingMigrations,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile, SecretKeyError } from '../../platform/secrets/index.ts';
import { type Check, duration, fail, listSome, ok, reasonOf, warn } from './check.ts';

/** A page of a list takes three statements one after another. */
const slowMs = 50;
const hearWithinMs = 3_000;
/** What leads nobody astray. */
const clockToleranceSeconds = 2;

export async function checkLatency(db: Database, connection: ConnectionTarget): Promise<Check> {
  const times: number[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const begin = performance.now();
    await sql`SELECT 1`.execute(db);
    times.push(performance.now() - begin);
  }
  const { rows } = await sql<{ version: string; size: string; isReadOnly: boolean }>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      pg_size_pretty(pg_database_size(current_database())) AS size,
      current_setting('transaction_read_only') = 'on' AS "isReadOnly"`.execute(db);
  const { version, size, isReadOnly } = rows[0]!;
  const median = times.toSorted((a, b) => a - b)[2]!;
  const found = `PostgreSQL ${version} at ${describeConnection(connection)} answers in ${median.toFixed(1)} ms; the database has ${size}.`;
  if (isReadOnly)
    return fail('database', `${found} It only reads.`, 'Set DATABASE_URL to the server that writes.');
  return median > slowMs
    ? warn('database', found, 'Put the server nearer to its database, or find out what slows it down.')
    : ok('database', found);
}

/** `isReady`: the schema is that of this version, so that its tables can be looked at. */
export async function checkMigrations(db: Database): Promise<{ check: Check; isReady: boolean }> {
  const name = 'migrations';
  const of = (check: Check, isReady = false) => ({ check, isReady });
  const pending = await listPendingMigrations(db);
  const isThere = await sql<{ found: string | null }>`
    SELECT to_regclass('schema_migrations')::text AS found`.execute(db);
  if (isThere.rows[0]?.found == null)
    return of(warn(name, 'The database is empty.', 'The first start of a server fills it.'));
  const { rows: applied } = await sql<AppliedMigration>`
    SELECT name, checksum FROM schema_migrations ORDER BY name`.execute(db);
  const { unknown, changed } = await compareMigrations(applied);
  if (unknown.length > 0) {
    return of(
      fail(
        name,
        `The database was migrated by a newer Pacekeeper (${listSome(unknown)}).`,
        'Use that version or a later one.',
      ),
    );
  }
  if (changed.length > 0) {
    return of(
      fail(
        name,
        `${listSome(changed)} of this version is not what was applied.`,
        'Install the version that was used before.',
      ),
    );
  }
  if (pending.length > 0) {
    return of(
      warn(
        name,
        `${listSome(pending)} is still to be applied.`,
        'The next start does it, or pacekeeper migrate.',
      ),
    );
  }
  return of(ok(name, `All ${applied.length} are applied.`), true);
}

export async function checkWakeUps(
  db: Database,
  connection: ConnectionTarget,
  { databaseListenUrl }: Pick<Config, 'databaseListenUrl'>,
): Promise<Check> {
  const name = 'wake_ups';
  const target = databaseListenUrl ?? connection;
  try {
    if (await hearsNotifications(target, db, hearWithinMs))
      return ok(name, 'Servers hear of work at once (LISTEN and NOTIFY).');
  } catch (error) {
    return fail(
      name,
      `Nobody can listen at ${describeConnection(target)} (${reasonOf(error)}).`,
      'Correct PACEKEEPER_DATABASE_LISTEN_URL.',
    );
  }
  return databaseListenUrl === null
    ? fail(
        name,
        'Notifications do not arrive: a pooler stands between the server and its database.',
        'Set PACEKEEPER_DATABASE_LISTEN_URL to the address of the database without the pooler.',
      )
    : fail(
        name,
        'Notifications do not arrive at PACEKEEPER_DATABASE_LISTEN_URL: it leads through a pooler, or to another database.',
        'Set it to the database of DATABASE_URL, without a pooler.',
      );
}

/** Nothing is decided by the clock of this machine, but logs and logins have it. */
export async function checkClock(db: Database): Promise<Check> {
  const before = new Date().getTime();
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  const after = new Date().getTime();
  const ahead = (rows[0]!.now.getTime() - (before + after) / 2) / 1_000;
  const uncertain = (after - before) / 2_000;
  if (Math.abs(ahead) - uncertain <= clockToleranceSeconds)
    return ok('clock', 'This machine and the database agree on the time.');
  return warn(
    'clock',
    `The clock of the database is ${duration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`,
    'Set both by the same time server (NTP).',
  );
}

export async function checkSecretKey(
  db: Database,
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
): Promise<Check> {
  const name = 'secret_key';
  const { rows } = await sql<{ fingerprint: string }>`
    SELECT secret_key_fingerprint AS fingerprint FROM installation`.execute(db);
  const expected = rows[0]?.fingerprint;
  if (expected === undefined) return ok(name, 'No server has started yet that would need one.');
  const file = path.join(dataDir, 'secret-key');
  const place = secretKey === null ? file : 'PACEKEEPER_SECRET_KEY';
  let key: Buffer | null;
  try {
    key = secretKey ?? readSecretKeyFile(dataDir);
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    return fail(name, error.message, 'Put the key back from where you keep it.');
  }
  if (key === null)
    return fail(
      name,
      `${file} is missing, and PACEKEEPER_SECRET_KEY is not set.`,
      'Put the key back from a backup (tar -xzOf BACKUP secret-key).',
    );
  const found = keyFingerprint(key);
  return found === expected
    ? ok(name, `${place} is the key of this database (fingerprint ${found.slice(0, 8)}).`)
    : fail(
        name,
        `${place} has the fingerprint ${found.slice(0, 8)}, and the secrets were encrypted with ${expected.slice(0, 8)}.`,
        'Give the key that the database was made with; if a rotation was interrupted, run it again.',
      );
}
