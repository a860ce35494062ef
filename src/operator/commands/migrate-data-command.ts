import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  describeConnection,
  openCopySession,
  servingPid,
  waitForUsableDatabase,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile } from '../../platform/secrets/index.ts';
import { openEmbedded } from '../../server/open-installation.ts';
import { BackupError, rowCount } from '../backup/backup-stream.ts';
import { ensureSchemaIsKnown, restoreIntoDatabase } from '../backup/fill-database.ts';
import { takeSnapshot } from '../backup/take-snapshot.ts';
import { runUntilInterrupted } from './interruption.ts';
import {
  CommandError,
  type CommandOutput,
  type OperatorCommand,
  runOperatorCommand,
  UsageError,
} from './operator-command.ts';

export const migrateData: OperatorCommand = {
  name: 'migrate-data',
  synopsis: '',
  summary: 'Copy the embedded database to an external PostgreSQL',
  help: `
1. Stop the server.
2. Set DATABASE_URL to an empty database, leave PACEKEEPER_DATA_DIR unchanged, and run this command.
3. The command copies and verifies all data in one transaction.
4. Set PACEKEEPER_SECRET_KEY to the key in the data directory (the command prints its location), and start the server
   with DATABASE_URL.

The data directory isn't changed. Keep it until you've verified the new database.`,
  positionals: [],
  options: {},
  // Don't require PACEKEEPER_SECRET_KEY yet, because the key may exist only in the data directory.
  role: 'client',
  async run({ config, log, note }) {
    const { dataDir, databaseUrl } = config;
    if (databaseUrl === null) throw new UsageError("DATABASE_URL isn't set. Set it to an empty database.");
    if (!existsSync(path.join(dataDir, 'postgres')))
      throw new CommandError(`no embedded database in ${dataDir}. Set PACEKEEPER_DATA_DIR.`);
    const pid = servingPid(dataDir);
    if (pid !== undefined) {
      throw new CommandError(
        `Pacekeeper is running with the data directory ${dataDir} (process ${pid}), and its new data would be lost. ` +
          'Stop it first.',
      );
    }
    await waitForUsableDatabase(databaseUrl, 0, log);
    const { manifest, keyAdvice } = await runUntilInterrupted(async (signal) => {
      const embedded = await openEmbedded(config, log);
      try {
        const from = await openCopySession(embedded.connection, { mode: 'snapshot', signal });
        try {
          const snapshot = await takeSnapshot(from);
          await ensureSchemaIsKnown(snapshot.header, dataDir);
          const advice = keyInstructions(snapshot.header.secretKeyFingerprint, dataDir, config.secretKey);
          const to = await openCopySession(databaseUrl, { mode: 'write', signal });
          try {
            const copied = await restoreIntoDatabase(to, snapshot, dataDir);
            signal.throwIfAborted();
            await to.commit();
            return { manifest: copied, keyAdvice: advice };
          } finally {
            await to.close();
          }
        } finally {
          await from.close();
        }
      } finally {
        await embedded.stop();
      }
    });
    note(
      `${manifest.tables.length} tables with ${rowCount(manifest)} rows are at ${describeConnection(databaseUrl)}, ` +
        'copied and verified.',
    );
    note(keyAdvice);
  },
};

/**
 * Runs `pacekeeper migrate-data`.
 *
 * @returns The exit code.
 */
export function runMigrateDataCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  return runOperatorCommand(migrateData, argv, env, output);
}

/** Returns instructions for setting PACEKEEPER_SECRET_KEY. They don't contain the key. */
function keyInstructions(fingerprint: string, dataDir: string, given: Buffer | null): string {
  const matchesFingerprint = (key: Buffer | null) => key !== null && keyFingerprint(key) === fingerprint;
  const file = path.join(dataDir, 'secret-key');
  if (given !== null) {
    if (matchesFingerprint(given))
      return 'Start the server with DATABASE_URL and the same PACEKEEPER_SECRET_KEY.';
    throw new BackupError(
      `PACEKEEPER_SECRET_KEY doesn't match ${dataDir}. Unset it, or set it to the contents of ${file}.`,
    );
  }
  if (!matchesFingerprint(readSecretKeyFile(dataDir))) {
    throw new BackupError(
      `${file} doesn't match the database in ${dataDir}. Set PACEKEEPER_SECRET_KEY to the original key.`,
    );
  }
  return `Set PACEKEEPER_SECRET_KEY to the contents of ${file}, keep a copy, and start the server with DATABASE_URL.`;
}
