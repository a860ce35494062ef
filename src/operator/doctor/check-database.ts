import path from 'node:path';
import { sql } from 'kysely';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Config } from '../../platform/config.ts';
import {
  type AppliedMigration,
  type ConnectionTarget,
  canReceiveNotifications,
  compareMigrations,
  type Database,
  describeConnection,
  findRequiredVersion,
  findUnsuitableSettings,
  listPendingMigrations,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile, SecretKeyError } from '../../platform/secrets/index.ts';
import { type Check, duration, failedCheck, listSome, ok, reasonOf, warn } from './check.ts';

/**
 * Latency above which the database is considered slow. A page of a list takes three sequential statements, and thus at
 * least three times the latency.
 */
const slowMs = 50;
const notificationTimeoutMs = 3_000;
/** Clock difference that is too small to mislead users. */
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
  const found = `PostgreSQL ${version} at ${describeConnection(connection)}: latency ${median.toFixed(1)} ms, database size ${size}.`;
  if (isReadOnly)
    return failedCheck('database', `${found} It is read-only.`, 'Set DATABASE_URL to the primary server.');
  return median > slowMs
    ? warn(
        'database',
        found,
        'Move the server closer to the database, or find out what slows the database down.',
      )
    : ok('database', found);
}

/** Checks the encoding and the collation, which can't be changed later. No result if they are suitable. */
export async function checkDatabaseSettings(db: Database): Promise<Check[]> {
  const found = await findUnsuitableSettings(db);
  return found.map(({ isFatal, problem, remedy }) =>
    (isFatal ? failedCheck : warn)('database_settings', problem, remedy),
  );
}

/**
 * Checks that a failover can't lose transactions that the server has acknowledged. With an asynchronous
 * standby, a failover can lose the last transactions, such as the revocation of an API key. No result without
 * a standby.
 */
export async function checkDurability(db: Database): Promise<Check[]> {
  const { rows } = await sql<{ commit: string; names: string; standbys: number }>`
    SELECT current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS names,
      (SELECT count(*)::int FROM pg_stat_replication) AS standbys`.execute(db);
  return judgeDurability(rows[0]!);
}

export function judgeDurability({
  commit,
  names,
  standbys,
}: {
  commit: string;
  names: string;
  standbys: number;
}): Check[] {
  if (standbys === 0) return [];
  const name = 'durability';
  if (names !== '' && commit !== 'off' && commit !== 'local')
    return [ok(name, 'Standby servers replicate synchronously, so a failover loses nothing.')];
  return [
    warn(
      name,
      `A failover can lose the last transactions, such as the revocation of a key: synchronous_commit is ${commit}, and synchronous_standby_names is ${names === '' ? 'empty' : names}.`,
      'Set both if nothing may be lost (docs/operations.md, "Failover").',
    ),
  ];
}

/**
 * Checks the migrations. `isReady` is true if this version can serve the database, so its tables can be queried.
 */
export async function checkMigrations(db: Database): Promise<{ check: Check; isReady: boolean }> {
  const name = 'migrations';
  const of = (check: Check, isReady = false) => ({ check, isReady });
  const pending = await listPendingMigrations(db);
  const isThere = await sql<{ found: string | null }>`
    SELECT to_regclass('schema_migrations')::text AS found`.execute(db);
  if (isThere.rows[0]?.found == null)
    return of(warn(name, 'The database is empty.', 'Start the server once to initialize it.'));
  const { rows: applied } = await sql<AppliedMigration>`
    SELECT name, checksum FROM schema_migrations ORDER BY name`.execute(db);
  const required = await findRequiredVersion(db);
  if (required !== undefined) {
    return of(
      failedCheck(
        name,
        `The database schema requires Pacekeeper ${required} or later, and this is ${packageJson.version}.`,
        'Use a newer version.',
      ),
    );
  }
  const { unknown, changed } = await compareMigrations(applied);
  if (changed.length > 0) {
    return of(
      failedCheck(
        name,
        `${listSome(changed)} differs from the applied migration.`,
        'Install the previous version.',
      ),
    );
  }
  if (pending.length > 0) {
    return of(warn(name, `Pending: ${listSome(pending)}.`, "Start the server or run 'pacekeeper migrate'."));
  }
  const newer =
    unknown.length > 0
      ? ` A newer version applied more, which this one can serve: ${listSome(unknown)}.`
      : '';
  return of(ok(name, `All ${applied.length - unknown.length} migrations applied.${newer}`), true);
}

export async function checkWakeUps(
  db: Database,
  connection: ConnectionTarget,
  { databaseListenUrl }: Pick<Config, 'databaseListenUrl'>,
): Promise<Check> {
  const name = 'wake_ups';
  const target = databaseListenUrl ?? connection;
  try {
    if (await canReceiveNotifications(target, db, notificationTimeoutMs))
      return ok(name, 'Wake-ups work (LISTEN/NOTIFY).');
  } catch (error) {
    return failedCheck(
      name,
      `Can't LISTEN on ${describeConnection(target)} (${reasonOf(error)}).`,
      'Fix PACEKEEPER_DATABASE_LISTEN_URL.',
    );
  }
  return databaseListenUrl === null
    ? failedCheck(
        name,
        "Notifications don't arrive: a connection pooler is in the way.",
        'Set PACEKEEPER_DATABASE_LISTEN_URL to a direct database connection.',
      )
    : failedCheck(
        name,
        'PACEKEEPER_DATABASE_LISTEN_URL receives no notifications: it points to a pooler or another database.',
        'Point it directly to the database of DATABASE_URL.',
      );
}

/**
 * Compares the clocks of the database and this machine. Decisions depend only on the database clock, but logs and
 * logins use the clock of this machine.
 */
export async function checkClock(db: Database): Promise<Check> {
  const before = new Date().getTime();
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  const after = new Date().getTime();
  const ahead = (rows[0]!.now.getTime() - (before + after) / 2) / 1_000;
  const uncertain = (after - before) / 2_000;
  if (Math.abs(ahead) - uncertain <= clockToleranceSeconds) return ok('clock', 'Clocks are in sync.');
  return warn(
    'clock',
    `The database clock is ${duration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this machine.`,
    'Synchronize both with NTP.',
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
  if (expected === undefined) return ok(name, 'Not needed until the first server start.');
  const file = path.join(dataDir, 'secret-key');
  const place = secretKey === null ? file : 'PACEKEEPER_SECRET_KEY';
  let key: Buffer | null;
  try {
    key = secretKey ?? readSecretKeyFile(dataDir);
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    return failedCheck(name, error.message, 'Restore the key from your secret store.');
  }
  if (key === null)
    return failedCheck(
      name,
      `${file} is missing, and PACEKEEPER_SECRET_KEY isn't set.`,
      'Restore the key from a backup (tar -xzOf BACKUP secret-key).',
    );
  const found = keyFingerprint(key);
  return found === expected
    ? ok(name, `${place} matches this database (fingerprint ${found.slice(0, 8)}).`)
    : failedCheck(
        name,
        `${place} has fingerprint ${found.slice(0, 8)}, but the secrets were encrypted with ${expected.slice(0, 8)}.`,
        'Use the key the database was created with. If a rotation was interrupted, run it again.',
      );
}
