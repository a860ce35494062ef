import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open as openFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  type ConnectionTarget,
  ensureServerCanBeUsed,
  openCopySession,
} from '../../platform/database/index.ts';
import { keyFingerprint, readSecretKeyFile } from '../../platform/secrets/index.ts';
import { openEmbedded } from '../../server/open-installation.ts';
import { BackupError, type BackupManifest, type BackupStream, rowCount } from '../backup/backup-stream.ts';
import { takeSnapshot } from '../backup/take-snapshot.ts';
import { writeArchive } from '../backup/write-archive.ts';
import { untilInterrupted } from './interruption.ts';
import {
  type CommandContext,
  CommandError,
  type CommandOutput,
  type OperatorCommand,
  runOperatorCommand,
} from './operator-command.ts';

/** Fast enough to keep up with a disk, and the rest of the machine has the server to run. */
const compression = { level: 4 };

export const backup: OperatorCommand = {
  name: 'backup',
  synopsis: 'FILE [--without-key] [--replace]',
  summary: 'writes the whole database of one moment into a file',
  help: `
  FILE           where to, such as backup.tar.gz; - for standard output
  --without-key  leaves the secret key out, which is kept elsewhere then
  --replace      FILE may be there: it is replaced once the new one is complete

Works while the server runs or not, on the embedded database or the one of DATABASE_URL. The file is the state of one
moment, whoever writes meanwhile. It is a gzipped tar with a checksum of every table; nothing of that name is there before
it is complete. With the embedded database it holds the generated secret key: keep it as safe as a password.`,
  positionals: ['FILE'],
  options: { 'without-key': { type: 'boolean' }, replace: { type: 'boolean' } },
  async run(context) {
    const [file] = context.args as [string];
    const mayReplace = context.isSet('replace');
    if (file === '-' && process.stdout.isTTY)
      throw new CommandError('standard output is a terminal. Name a file, or send it to one.');
    if (file !== '-' && existsSync(file) && !mayReplace)
      throw new CommandError(`${file} is there already. Name another file, or give --replace.`);
    const manifest = await untilInterrupted((signal) =>
      withSnapshot(context, signal, (snapshot) =>
        file === '-'
          ? writeTo(process.stdout, snapshot, signal)
          : writeFileWhole(file, mayReplace, (output) => writeTo(output, snapshot, signal)),
      ),
    );
    context.note(
      `${manifest.tables.length} tables with ${rowCount(manifest)} rows, as they were at ${manifest.takenAt}` +
        `${file === '-' ? '' : `, are in ${file}`}.`,
    );
    context.note(
      manifest.hasSecretKey
        ? 'The secret key is in it: keep it as safe as a password.'
        : 'The secret key is not in it: keep that too, since without it the secrets cannot be read again.',
    );
  },
};

/** `pacekeeper backup FILE`. Answers the exit code. */
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
    await ensureServerCanBeUsed(databaseUrl, 0, log);
    return readFrom(databaseUrl, () => null);
  }
  if (!existsSync(path.join(dataDir, 'postgres')))
    throw new CommandError(`there is no database in ${dataDir}, so there is nothing to back up.`);
  const embedded = await openEmbedded(config, log, { mayJoin: true });
  // A key of the environment is the operator's to keep.
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
    `The key in ${path.join(dataDir, 'secret-key')} is ${key ? 'not that of the database' : 'missing'}. ` +
      'If a rotation of the key was interrupted, run it again; else give --without-key.',
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

/** Under another name until all of it is on the disk: what has the name is complete, whatever dies meanwhile. */
async function writeFileWhole<T>(
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
      throw new CommandError(`${file} is there by now. Name another file, or give --replace.`);
    await rename(half, file);
    await syncFolder(path.dirname(file));
    return result;
  } catch (error) {
    await rm(half, { force: true });
    const isOfFile = error instanceof Error && 'syscall' in error && fileCalls.has(String(error.syscall));
    if (isOfFile && 'code' in error)
      throw new CommandError(`${file} cannot be written (${String(error.code)}).`);
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
