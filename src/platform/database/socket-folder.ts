import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, externalServerRemedy } from './embedded-postgres-error.ts';
import type { PostgresAccount } from './postgres-account.ts';

/**
 * Maximum length of a Unix socket path. The limit is 108 bytes on Linux and 104 on macOS, including the
 * terminating zero.
 */
const maxSocketPathBytes = 103;

export const temporarySocketFolderPrefix = 'pacekeeper-socket-';

/**
 * Creates a directory with mode 0700 for PostgreSQL's socket: `run` in the data directory, or a temporary
 * directory if that path is too long or its file system doesn't support sockets (such as some shared folders
 * of virtual machines).
 */
export async function makeSocketFolder(
  dataDir: string,
  account: PostgresAccount | undefined,
): Promise<{ socketDir: string; removeSocketDir: () => void }> {
  const candidates = [
    () => ownFolder(join(dataDir, 'run')),
    () => mkdtempSync(join(tmpdir(), temporarySocketFolderPrefix)),
    () => mkdtempSync(join('/tmp', temporarySocketFolderPrefix)),
  ];
  for (const make of candidates) {
    const socketDir = tryTo(make);
    if (socketDir === undefined) continue;
    const removeSocketDir = () => rmSync(socketDir, { recursive: true, force: true });
    const isShort = Buffer.byteLength(join(socketDir, '.s.PGSQL.5432')) <= maxSocketPathBytes;
    if (isShort && (await supportsSockets(socketDir))) {
      chmodSync(socketDir, 0o700);
      if (account) chownSync(socketDir, account.uid, account.gid);
      return { socketDir, removeSocketDir };
    }
    removeSocketDir();
  }
  throw new EmbeddedPostgresError(
    'folder_not_usable',
    `Can't create a Unix socket in ${dataDir}, ${tmpdir()}, or /tmp. Make /tmp writable. ${externalServerRemedy}`,
  );
}

function ownFolder(path: string): string {
  // A symbolic link at this path would redirect chown and PostgreSQL to another directory.
  if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  return path;
}

function supportsSockets(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(join(folder, '.try'), () => server.close(() => resolve(true)));
  });
}

function tryTo(make: () => string): string | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
