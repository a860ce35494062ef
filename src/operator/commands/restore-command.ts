import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../platform/config.ts';
import {
  type ConnectionTarget,
  describeConnection,
  openCopySession,
  servingPid,
  waitForUsableDatabase,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile, writeSecretKeyFile } from '../../platform/secrets/index.ts';
import { openEmbedded } from '../../server/open-installation.ts';
import { BackupError, type BackupManifest, type BackupStream, rowCount } from '../backup/backup-stream.ts';
import { ensureSchemaIsKnown, restoreIntoDatabase } from '../backup/fill-database.ts';
import { readArchive } from '../backup/read-archive.ts';
import { detachFromOriginal } from '../backup/supersede-original.ts';
import { runUntilInterrupted } from './interruption.ts';
import {
  type CommandContext,
  CommandError,
  type CommandOutput,
  type OperatorCommand,
  runOperatorCommand,
} from './operator-command.ts';

export const restore: OperatorCommand = {
  name: 'restore',
  synopsis: 'FILE',
  summary: 'Restore a backup into an empty database',
  help: `
  FILE  Backup file; - for standard input

Restores into an empty data directory or an empty DATABASE_URL database. Stop the server first. Verifies all checksums
and restores in one transaction. Backups from older versions are migrated. The secret key in the backup is written to
the data directory; with DATABASE_URL, set PACEKEEPER_SECRET_KEY to the key that belongs to the backup.

Afterward, everyone has to log in again, and open invitations and other one-time links no longer work. Keys
revoked and members removed since the backup have access again, and recovery codes used since work again: review
them.`,
  positionals: ['FILE'],
  options: {},
  async run(context) {
    const [file] = context.args as [string];
    const { config, log, note } = context;
    const name = file === '-' ? 'The backup' : file;
    const manifest = await runUntilInterrupted(async (signal) => {
      const input = openInput(file);
      try {
        const backup = await readArchive(input, name);
        await ensureSchemaIsKnown(backup.header, name);
        const missingKey = checkKey(backup, config, name);
        if (config.databaseUrl === null)
          return await restoreToDirectory(context, backup, name, missingKey, signal);
        await waitForUsableDatabase(config.databaseUrl, 0, log);
        return await into(config.databaseUrl, backup, name, signal);
      } finally {
        input.destroy();
      }
    });
    const place =
      config.databaseUrl === null
        ? config.dataDir
        : `the database at ${describeConnection(config.databaseUrl)}`;
    note(
      `${manifest.tables.length} tables with ${rowCount(manifest)} rows, as of ${manifest.takenAt}, ` +
        `restored to ${place}. Start the server.`,
    );
    note(
      'Everyone has to log in again, and invitations and other one-time links no longer work. ' +
        `Members and API keys are as they were at ${manifest.takenAt}: review what has changed since. ` +
        'Recovery codes used since then work again: have those users generate new ones.',
    );
  },
};

/**
 * Runs `pacekeeper restore FILE`.
 *
 * @returns The exit code.
 */
export function runRestoreCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  return runOperatorCommand(restore, argv, env, output);
}

function openInput(file: string): Readable {
  if (file === '-') return process.stdin;
  if (!existsSync(file)) throw new CommandError(`file not found: ${file}.`);
  return createReadStream(file, { highWaterMark: 262_144 });
}

/**
 * Verifies that the key that decrypts the restored data is available.
 *
 * @returns The key to store in the data directory, or `null` if the key is already configured.
 */
function checkKey(
  { header, secretKey }: BackupStream,
  config: Pick<Config, 'secretKey' | 'databaseUrl' | 'dataDir'>,
  name: string,
): Buffer | null {
  const fits = (key: Buffer) => keyFingerprint(key) === header.secretKeyFingerprint;
  const whereItIs = secretKey
    ? `the secret-key file it contains (tar -xzOf ${name} secret-key)`
    : 'the key of the original installation';
  if (config.secretKey !== null) {
    if (fits(config.secretKey)) return null;
    throw new BackupError(`PACEKEEPER_SECRET_KEY doesn't match ${name}. Set it to ${whereItIs}.`);
  }
  const file = path.join(config.dataDir, 'secret-key');
  const present = readSecretKeyFile(config.dataDir);
  if (present !== null) {
    if (fits(present)) return null;
    throw new BackupError(
      `${file} belongs to another installation. Set PACEKEEPER_DATA_DIR to an empty directory.`,
    );
  }
  if (secretKey !== null && fits(secretKey)) return secretKey;
  if (secretKey !== null) throw new BackupError(`${name} is corrupt (the key doesn't match the data).`);
  throw new BackupError(
    `${name} doesn't include the secret key. Put the key in ${file} or set PACEKEEPER_SECRET_KEY.`,
  );
}

async function into(
  connection: ConnectionTarget,
  backup: BackupStream,
  name: string,
  signal: AbortSignal,
  beforeCommit: () => void = () => undefined,
): Promise<BackupManifest> {
  const session = await openCopySession(connection, { mode: 'write', signal });
  try {
    const manifest = await restoreIntoDatabase(session, backup, name);
    await detachFromOriginal(session.db);
    signal.throwIfAborted();
    beforeCommit();
    await session.commit();
    return manifest;
  } finally {
    await session.close();
  }
}

/**
 * Restores a backup to the data directory. If the restore fails, everything that it created in the directory
 * is removed.
 */
async function restoreToDirectory(
  { config, log }: CommandContext,
  backup: BackupStream,
  name: string,
  missingKey: Buffer | null,
  signal: AbortSignal,
): Promise<BackupManifest> {
  const { dataDir } = config;
  const wasThere = existsSync(dataDir);
  const pid = wasThere ? servingPid(dataDir) : undefined;
  if (pid !== undefined) {
    throw new CommandError(
      `Pacekeeper is running with the data directory ${dataDir} (process ${pid}). Stop it first, or set PACEKEEPER_DATA_DIR ` +
        'to an empty directory.',
    );
  }
  const before = new Set(wasThere ? readdirSync(dataDir) : []);
  let isDone = false;
  try {
    const embedded = await openEmbedded(config, log);
    try {
      // Write the key to disk before the commit. A key without its rows is harmless, but rows without their
      // key can't be decrypted.
      const manifest = await into(embedded.connection, backup, name, signal, () => {
        if (missingKey) writeSecretKeyFile(dataDir, missingKey);
      });
      isDone = true;
      return manifest;
    } finally {
      await embedded.stop();
    }
  } finally {
    if (!isDone && existsSync(dataDir)) {
      for (const entry of readdirSync(dataDir).filter((each) => !before.has(each)))
        rmSync(path.join(dataDir, entry), { recursive: true, force: true });
      if (!wasThere) rmSync(dataDir, { recursive: true, force: true });
    }
  }
}
