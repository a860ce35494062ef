import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../platform/config.ts';
import {
  type ConnectionTarget,
  connectDatabase,
  type Database,
  ensureMigrated,
  findPooler,
  findRunningEmbeddedPostgres,
  findUnsuitableSettings,
  migrateDatabase,
  type OnStatement,
  startEmbeddedPostgres,
} from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { keyFingerprint, readOrCreateSecretKeyFile, readSecretKeyFile } from '../platform/secrets/index.ts';

/** The database of an installation and its matching secret key. */
export interface Installation {
  db: Database;
  connection: ConnectionTarget;
  secretKey: Buffer;
  isEmbedded: boolean;
  /** Closes the connections, then stops the embedded database if this process started it. */
  close(): Promise<void>;
}

const closeWithinMs = 5_000;

/** The server can't start. The message is written for the operator. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}

export interface OpenOptions {
  poolSize?: number;
  /** True to use an embedded database that is already running, for commands that run while the server is running. */
  mayJoin?: boolean;
  /**
   * `if-empty` rejects a database with pending migrations unless it's empty. By default, migrations are
   * applied.
   */
  migrate?: 'if-empty';
  onStatement?: OnStatement;
}

/**
 * Opens the configured or embedded database, migrates it, and verifies that the secret key is the one that
 * sealed its secrets.
 */
export async function openInstallation(
  config: Config,
  log: Log,
  options: OpenOptions = {},
): Promise<Installation> {
  const embedded = config.databaseUrl === null ? await openEmbedded(config, log, options) : null;
  const connection = config.databaseUrl ?? embedded!.connection;
  try {
    const configuredKey = config.secretKey ?? readSecretKeyFile(config.dataDir);
    const db = await connectDatabase({
      connection,
      log,
      poolSize: options.poolSize ?? 10,
      idleTransactionMs: config.idleTransactionSeconds * 1_000,
      isPooled: config.databaseListenUrl !== null,
      waitForServerMs: config.databaseUrl === null ? 5_000 : 0,
      ...(options.onStatement && { onStatement: options.onStatement }),
    });
    let secretKey;
    try {
      if (config.databaseUrl !== null) await assertSuitable(db, connection, config, log);
      await (options.migrate === 'if-empty' ? ensureMigrated(db) : migrateDatabase(db));
      secretKey = configuredKey ?? (await createSecretKey(db, config.dataDir));
      await checkSecretKey(db, secretKey, config);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    return {
      db,
      connection,
      secretKey,
      isEmbedded: embedded !== null,
      async close() {
        // Don't wait longer for running queries. Their connections break when the database or the program stops.
        await Promise.race([db.destroy(), sleep(closeWithinMs, undefined, { ref: false })]);
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/**
 * Checks the database before anything is created: its encoding and collation, which can't be changed later, and whether
 * it's behind a pooler that would make requests fail at random.
 * @throws StartError
 */
async function assertSuitable(
  db: Database,
  connection: ConnectionTarget,
  { databaseListenUrl }: Pick<Config, 'databaseListenUrl'>,
  log: Log,
): Promise<void> {
  const found = [
    ...(await findUnsuitableSettings(db)),
    ...(databaseListenUrl === null ? await findPooler(connection, db) : []),
  ];
  const fatal = found.find(({ isFatal }) => isFatal);
  if (fatal) throw new StartError(`DATABASE_URL: ${fatal.problem} ${fatal.remedy}`);
  for (const { problem, remedy } of found) log.warn({ remedy }, problem);
}

/** Opens the embedded database without migrating it or checking the secret key. */
export async function openEmbedded(
  config: Pick<Config, 'dataDir'>,
  log: Log,
  options: Pick<OpenOptions, 'mayJoin'> = {},
): Promise<{ connection: ConnectionTarget; stop(): Promise<void> }> {
  const running = options.mayJoin ? findRunningEmbeddedPostgres(config.dataDir) : null;
  if (running) return { connection: running, stop: async () => undefined };
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}

/**
 * Creates a secret key only if the database isn't bound to one yet, because a new key can't decrypt existing
 * secrets.
 */
async function createSecretKey(db: Database, dataDir: string): Promise<Buffer> {
  const row = await db.selectFrom('installation').select('secret_key_fingerprint').executeTakeFirst();
  if (!row) return readOrCreateSecretKeyFile(dataDir).key;
  // Another process may have just created the key and bound the database to it.
  const present = readSecretKeyFile(dataDir);
  if (present !== null) return present;
  throw new StartError(
    `The secret key is missing: ${keyFileOf(dataDir)} doesn't exist. Restore the file from a backup ` +
      '(tar -xzOf BACKUP secret-key), or set PACEKEEPER_SECRET_KEY to the original key.',
  );
}

async function checkSecretKey(
  db: Database,
  secretKey: Buffer,
  { secretKey: fromEnvironment, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
): Promise<void> {
  const fingerprint = keyFingerprint(secretKey);
  await sql`INSERT INTO installation (secret_key_fingerprint) VALUES (${fingerprint}) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  const { secret_key_fingerprint } = await db
    .selectFrom('installation')
    .select('secret_key_fingerprint')
    .executeTakeFirstOrThrow();
  if (secret_key_fingerprint !== fingerprint) {
    const name = fromEnvironment === null ? keyFileOf(dataDir) : 'PACEKEEPER_SECRET_KEY';
    throw new StartError(
      `${name} doesn't match this database. Use the original key; stored secrets can't be decrypted without it.`,
    );
  }
}

function keyFileOf(dataDir: string): string {
  return path.join(dataDir, 'secret-key');
}
