import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  describeConnection,
  ensureServerCanBeUsed,
  openCopySession,
  servingPid,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile } from '../../platform/secrets/index.ts';
import { openEmbedded } from '../../server/open-installation.ts';
import { BackupError, rowCount } from '../backup/backup-stream.ts';
import { ensureSchemaIsKnown, fillDatabase } from '../backup/fill-database.ts';
import { takeSnapshot } from '../backup/take-snapshot.ts';
import { untilInterrupted } from './interruption.ts';
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
  summary: 'copies the embedded database into the PostgreSQL of DATABASE_URL',
  help: `
1. Stop the server.
2. Set DATABASE_URL to an empty database, and leave PACEKEEPER_DATA_DIR as it was. Run this.
3. Everything is copied, counted and compared: all of it is there afterwards, or nothing is changed.
4. Set PACEKEEPER_SECRET_KEY to the key of the data folder (the command says where it is), and start the server with
   DATABASE_URL.

The data folder is not changed. Keep it until you have seen that all is well.`,
  positionals: [],
  options: {},
  // The key is asked for by what comes afterwards: it may still be in the data folder only.
  role: 'client',
  async run({ config, log, note }) {
    const { dataDir, databaseUrl } = config;
    if (databaseUrl === null)
      throw new UsageError('DATABASE_URL is not set; it names the empty database to copy to.');
    if (!existsSync(path.join(dataDir, 'postgres')))
      throw new CommandError(`there is no embedded database in ${dataDir}. Set PACEKEEPER_DATA_DIR.`);
    const pid = servingPid(dataDir);
    if (pid !== undefined) {
      throw new CommandError(
        `Pacekeeper runs with the data folder ${dataDir} (process ${pid}), and what it writes meanwhile would be lost. ` +
          'Stop it first.',
      );
    }
    await ensureServerCanBeUsed(databaseUrl, 0, log);
    const { manifest, keyAdvice } = await untilInterrupted(async (signal) => {
      const embedded = await openEmbedded(config, log);
      try {
        const from = await openCopySession(embedded.connection, { mode: 'snapshot', signal });
        try {
          const snapshot = await takeSnapshot(from);
          await ensureSchemaIsKnown(snapshot.header, dataDir);
          const advice = adviseOnKey(snapshot.header.secretKeyFingerprint, dataDir, config.secretKey);
          const to = await openCopySession(databaseUrl, { mode: 'write', signal });
          try {
            const copied = await fillDatabase(to, snapshot, dataDir);
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
        'counted and compared.',
    );
    note(keyAdvice);
  },
};

/** `pacekeeper migrate-data`. Answers the exit code. */
export function runMigrateDataCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  return runOperatorCommand(migrateData, argv, env, output);
}

/** What to set PACEKEEPER_SECRET_KEY to, without showing it. */
function adviseOnKey(fingerprint: string, dataDir: string, given: Buffer | null): string {
  const fits = (key: Buffer | null) => key !== null && keyFingerprint(key) === fingerprint;
  const file = path.join(dataDir, 'secret-key');
  if (given !== null) {
    if (fits(given)) return 'Start the server with DATABASE_URL, and with PACEKEEPER_SECRET_KEY as it is.';
    throw new BackupError(
      `PACEKEEPER_SECRET_KEY is not the key of ${dataDir}. Leave it out, or set it to the content of ${file}.`,
    );
  }
  if (!fits(readSecretKeyFile(dataDir))) {
    throw new BackupError(
      `${file} is not the key of the database in ${dataDir}. Set PACEKEEPER_SECRET_KEY to the key that it was made with.`,
    );
  }
  return `Set PACEKEEPER_SECRET_KEY to the content of ${file}, keep a copy of it, and start the server with DATABASE_URL.`;
}
