import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open as openFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  type ConnectionTarget,
  openCopySession,
  waitForUsableDatabase,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile } from '../../platform/secrets/index.ts';
import { openEmbedded } from '../../server/open-installation.ts';
import { BackupError, type BackupManifest, type BackupStream, rowCount } from '../backup/backup-stream.ts';
import { takeSnapshot } from '../backup/take-snapshot.ts';
import { writeArchive } from '../backup/write-archive.ts';
import { runUntilInterrupted } from './interruption.ts';
import {
  type CommandContext,
  CommandError,
  type CommandOutput,
  type OperatorCommand,
  requireDatabase,
  runOperatorCommand,
} from './operator-command.ts';

/** This compression level keeps up with a disk and leaves CPU time for the server. */
const compression = { level: 4 };

export const backup: OperatorCommand = {
  name: 'backup',
  synopsis: 'FILE [--without-key] [--replace]',
  summary: 'Back up the database to a file',
  help: `
  FILE           Output file, such as backup.tar.gz; - for standard output
  --without-key  Exclude the secret key
  --replace      Overwrite FILE if it exists

Works while the server is running or stopped, with the embedded database or DATABASE_URL. The backup is a consistent
snapshot. It is a gzipped tar file with a checksum for every table, and FILE appears only when the backup is complete.
With the embedded database, the backup contains the generated secret key: store it as securely as a password.`,
  positionals: ['FILE'],
  options: { 'without-key': { type: 'boolean' }, replace: { type: 'boolean' } },
  async run(context) {
    const [file] = context.args as [string];
    const mayReplace = context.isSet('replace');
    if (file === '-' && process.stdout.isTTY)
      throw new CommandError('refusing to write to a terminal. Specify a file or redirect the output.');
    if (file !== '-' && existsSync(file) && !mayReplace)
      throw new CommandError(`${file} already exists. Choose another file or use --replace.`);
    const manifest = await runUntilInterrupted((signal) =>
      withSnapshot(context, signal, (snapshot) =>
        file === '-'
          ? writeTo(process.stdout, snapshot, signal)
          : writeFileAtomically(file, mayReplace, (output) => writeTo(output, snapshot, signal)),
      ),
    );
    context.note(
      `${manifest.tables.length} tables with ${rowCount(manifest)} rows, as of ${manifest.takenAt}` +
        `${file === '-' ? '' : `, written to ${file}`}.`,
    );
    context.note(
      manifest.hasSecretKey
        ? 'The backup contains the secret key. Store it as securely as a password.'
        : "The backup doesn't contain the secret key. Keep the key: without it, secrets can't be decrypted.",
    );
  },
};

/**
 * Runs `pacekeeper backup FILE`.
 *
 * @returns The exit code.
 */
export function runBackupCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  return runOperatorCommand(backup, argv, env, output);
}

async function withSnapshot<T>(
  { config, log, isSet }: CommandContext,
  signal: AbortSignal,
  work: (snapshot: BackupStream) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== null) {
    await waitForUsableDatabase(databaseUrl, 0, log);
    return readFrom(databaseUrl, () => null);
  }
  requireDatabase(config);
  const embedded = await openEmbedded(config, log, { mayJoin: true });
  // Exclude a key that is set in the environment, because the operator already stores it elsewhere.
  const isKeyWanted = config.secretKey === null && !isSet('without-key');
  return readFrom(embedded.connection, (fingerprint) =>
    isKeyWanted ? keyOf(fingerprint, dataDir) : null,
  ).finally(() => embedded.stop());

  async function readFrom(connection: ConnectionTarget, keyFor: (fingerprint: string) => Buffer | null) {
    const session = await openCopySession(connection, { mode: 'snapshot', signal });
    try {
      return await work(await takeSnapshot(session, keyFor));
    } finally {
      await session.close();
    }
  }
}

function keyOf(fingerprint: string, dataDir: string): Buffer {
  const key = readSecretKeyFile(dataDir);
  if (key !== null && keyFingerprint(key) === fingerprint) return key;
  throw new BackupError(
    `The key in ${path.join(dataDir, 'secret-key')} ${key ? "doesn't match the database" : 'is missing'}. ` +
      'If a key rotation was interrupted, run it again. Otherwise use --without-key.',
  );
}

async function writeTo(
  output: Writable,
  snapshot: BackupStream,
  signal: AbortSignal,
): Promise<BackupManifest> {
  let manifest: BackupManifest | undefined;
  async function* parts() {
    for await (const part of snapshot.parts) {
      if (part.type === 'manifest') ({ manifest } = part);
      yield part;
    }
  }
  const bytes = writeArchive({ ...snapshot, parts: parts() });
  await pipeline(bytes, createGzip(compression), output, { signal, end: output !== process.stdout });
  return manifest!;
}

const fileCalls = new Set(['open', 'write', 'writev', 'fsync', 'close', 'rename']);

/**
 * Writes a file under a temporary name until all data is on disk. A file with the final name is therefore
 * always complete, even after a crash.
 */
async function writeFileAtomically<T>(
  file: string,
  mayReplace: boolean,
  write: (output: Writable) => Promise<T>,
): Promise<T> {
  const half = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(4).toString('hex')}.partial`,
  );
  try {
    const result = await write(createWriteStream(half, { flags: 'wx', mode: 0o600, flush: true }));
    if (existsSync(file) && !mayReplace)
      throw new CommandError(`${file} was created in the meantime. Choose another file or use --replace.`);
    await rename(half, file);
    await syncFolder(path.dirname(file));
    return result;
  } catch (error) {
    await rm(half, { force: true });
    const isFileError = error instanceof Error && 'syscall' in error && fileCalls.has(String(error.syscall));
    if (isFileError && 'code' in error)
      throw new CommandError(`can't write ${file} (${String(error.code)}).`);
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
