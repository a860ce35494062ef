import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createDirectory } from '../create-directory.ts';
import type { Log } from '../log.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainPostgresFailure } from './explain-postgres-failure.ts';
import { readPassword, secureAccess, superuser } from './postgres-access.ts';
import {
  assertDirectoryAccessible,
  choosePostgresAccount,
  type PostgresAccount,
  spawnOptionsFor,
} from './postgres-account.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { runPostmaster } from './postmaster.ts';
import { cleanUpOrphanedPostgres, readPostmasterPid } from './postmaster-pid.ts';
import { servingPid, takeServeLock } from './serve-lock.ts';
import { makeSocketFolder } from './socket-folder.ts';

/** Address of a PostgreSQL server with a Unix socket, in the format of `pg`. */
export interface PostgresAddress {
  /** Directory of the socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedPostgres {
  connection: PostgresAddress;
  /** Stops the server and releases the data directory. Call it last, when the database is no longer used. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /**
   * Data directory, which is created if it doesn't exist. It contains the database in `postgres/`, its log,
   * its socket, and the lock.
   */
  dataDir: string;
  log: Log;
  /** Disables syncing to disk, for databases that can be lost, and optionally allows recovery to a new timeline. */
  forTests?: { fsync: false; walLevel?: 'replica' };
}

/**
 * Runs PostgreSQL as a child process with its data in `dataDir`. Clients connect through a Unix socket with a
 * password. The first start creates the database.
 *
 * @throws EmbeddedPostgresError with a remedy for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await makeDataFolder(options.dataDir);
  const pgDataDir = join(dataDir, 'postgres');
  const releaseLock = takeLock(dataDir);
  try {
    const account = choosePostgresAccount(pgDataDir);
    if (account) assertDirectoryAccessible(dataDir, account);
    const binaries = findPostgresBinaries(dataDir, account);
    const found = await cleanUpOrphanedPostgres(pgDataDir);
    if (found !== 'nothing') options.log.warn({ found }, 'cleaned up after a killed process');
    if (!existsSync(pgDataDir)) await initialize(dataDir, binaries, account, options);
    restrictFolder(pgDataDir);
    ensureSameMajorVersion(pgDataDir, binaries);
    const { postgres } = binaries;
    const password = await secureAccess({ dataDir, pgDataDir, postgres, account });

    const { socketDir, removeSocketDir } = await makeSocketFolder(dataDir, account);
    const postmaster = await runPostmaster({
      dataDir,
      pgDataDir,
      socketDir,
      postgres,
      account,
      settings: { ...defaultSettings, ...settingsForTests(options.forTests) },
      log: options.log,
    });
    const connection = addressIn(socketDir, password);
    let stopped: Promise<void> | undefined;
    const stop = () =>
      (stopped ??= postmaster.stop().finally(() => {
        removeSocketDir();
        releaseLock();
      }));
    await createDatabaseOnce(connection).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { connection, stop };
  } catch (error) {
    releaseLock();
    throw explainSystemError(error, dataDir);
  }
}

/**
 * Returns the address of the embedded PostgreSQL that a running Pacekeeper uses in `dataDir`. `undefined` if
 * none is running.
 */
export function findRunningEmbeddedPostgres(dataDir: string): PostgresAddress | undefined {
  if (!existsSync(dataDir) || servingPid(realpathSync(dataDir)) === undefined) return undefined;
  const pgDataDir = join(realpathSync(dataDir), 'postgres');
  const running = readPostmasterPid(pgDataDir);
  return running?.isReady ? addressIn(running.socketDir, readPassword(pgDataDir)) : undefined;
}

/**
 * Stops a PostgreSQL process that a killed Pacekeeper process left running in `dataDir`. Returns false
 * without changes if the owner is running or the data belongs to another user.
 */
export async function stopAbandonedPostgres(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return true;
  try {
    const folder = realpathSync(dataDir);
    const releaseLock = takeServeLock(folder);
    await cleanUpOrphanedPostgres(join(folder, 'postgres')).finally(releaseLock);
    return true;
  } catch {
    return false;
  }
}

const databaseName = 'pacekeeper';

/** Settings that need little memory and never lose an acknowledged write. */
const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 40,
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '512MB',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '10min',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // The minimal level is sufficient, because an embedded database isn't replicated.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  io_method: 'sync',
  max_worker_processes: 2,
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  autovacuum_max_workers: 2,
  autovacuum_worker_slots: 2,
  jit: 'off',
  huge_pages: 'off',
  dynamic_shared_memory_type: 'mmap',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Pacekeeper logs errors of statements. PostgreSQL logs only events of the server itself, without row data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

const withoutSync = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Autovacuum workers could connect to the template database and prevent copying it.
  autovacuum: 'off',
  // Each test worker keeps one shared server running, and some test files start three more. Each of these servers uses
  // up to 15 connections.
  max_connections: 300,
};

function settingsForTests(forTests: EmbeddedPostgresOptions['forTests']): Record<string, string | number> {
  if (forTests === undefined) return {};
  return { ...withoutSync, ...(forTests.walLevel && { wal_level: forTests.walLevel }) };
}

async function makeDataFolder(path: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  try {
    // If Pacekeeper runs as root, the PostgreSQL user must be able to traverse this directory.
    await createDirectory(path, isRoot ? 0o711 : 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    const explained = explainSystemError(error, path);
    if (explained !== error || !(error instanceof Error && 'code' in error)) throw explained;
    throw new EmbeddedPostgresError(
      'folder_not_usable',
      `Can't create the data directory ${path} (${String(error.code)}). Set PACEKEEPER_DATA_DIR to a directory that can be created.`,
      error,
    );
  }
}

function takeLock(dataDir: string): () => void {
  try {
    return takeServeLock(dataDir);
  } catch (error) {
    throw explainSystemError(error, dataDir);
  }
}

/**
 * Initializes the database under a temporary name first, so `postgres/` is complete even if this process is
 * killed.
 */
async function initialize(
  dataDir: string,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
  { log, forTests }: EmbeddedPostgresOptions,
): Promise<void> {
  const half = join(dataDir, 'postgres.initializing');
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { mode: 0o700 });
  if (account) chownSync(half, account.uid, account.gid);
  log.info({ data_dir: dataDir }, 'initializing the embedded database');
  const args = [
    ['-D', half, '-U', superuser, '--auth=reject', '--encoding=UTF8'],
    ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ['--set', 'dynamic_shared_memory_type=mmap', ...(forTests ? ['--no-sync'] : [])],
  ].flat();
  await new Promise<void>((resolve, reject) => {
    execFile(
      binaries.initdb,
      args,
      { ...spawnOptionsFor(account), env: { LC_ALL: 'C', TZ: 'UTC' } },
      (error, stdout, stderr) => {
        if (error) reject(explainPostgresFailure(`${stdout}\n${stderr}`.trim() || error.message, dataDir));
        else resolve();
      },
    );
  });
  renameSync(half, join(dataDir, 'postgres'));
}

function ensureSameMajorVersion(pgDataDir: string, { majorVersion }: PostgresBinaries): void {
  const written = readFileSync(join(pgDataDir, 'PG_VERSION'), 'utf8').trim();
  if (written === String(majorVersion)) return;
  throw new EmbeddedPostgresError(
    'other_major_version',
    `The database in ${pgDataDir} uses PostgreSQL ${written}, but this Pacekeeper includes PostgreSQL ${majorVersion}. ` +
      'Run "pacekeeper backup" with the previous Pacekeeper version, then "pacekeeper restore" with this one ' +
      'into a new PACEKEEPER_DATA_DIR.',
  );
}

function addressIn(socketDir: string, password: string): PostgresAddress {
  return { host: socketDir, port: 5432, user: superuser, password, database: databaseName };
}

async function createDatabaseOnce(connection: PostgresAddress): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

function explainSystemError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new EmbeddedPostgresError(
        'folder_not_usable',
        `Can't write to the data directory ${dataDir}. Make it writable for the user that runs Pacekeeper, ` +
          'or set PACEKEEPER_DATA_DIR to a writable directory.',
        error,
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedPostgresError(
        'folder_not_usable',
        `${dataDir} isn't a directory. Set PACEKEEPER_DATA_DIR to a directory.`,
        error,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new EmbeddedPostgresError(
        'disk_full',
        `The disk that holds ${dataDir} is full. Free up space.`,
        error,
      );
    default:
      return error;
  }
}

/**
 * Removes the access of other users to the data directory, because PostgreSQL doesn't start if they have
 * access. Kubernetes gives access to the group when it applies `fsGroup` to a restored volume.
 */
function restrictFolder(pgDataDir: string): void {
  const { mode, uid } = statSync(pgDataDir);
  const ownUid = process.getuid?.();
  if ((mode & 0o7077) !== 0 && (ownUid === 0 || uid === ownUid)) chmodSync(pgDataDir, 0o700);
}
