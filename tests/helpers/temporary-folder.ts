import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Fastest directory for temporary files: in memory, if there is enough free space. Creating a test database
 * takes 30 ms there, and up to 20 times as long on a busy disk. Starting a server is twice as fast there.
 */
export const fastestTemporaryFolder = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

const folders: string[] = [];

/**
 * Creates an empty directory that other users can traverse, because PostgreSQL runs as a different user when
 * the tests run as root. The directory is removed when the process of the test file exits.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(fastestTemporaryFolder, 'pacekeeper-'));
  chmodSync(folder, 0o711);
  if (folders.length === 0) process.once('exit', removeFolders);
  folders.push(folder);
  return folder;
}

/**
 * Creates a temporary data directory for an embedded agent. All these directories share one cache of compiled
 * code, because with an empty cache, an agent compiles several hundred files.
 */
export function createAgentDataFolder(): string {
  const folder = temporaryFolder();
  const cache = process.env['NODE_COMPILE_CACHE'];
  if (cache !== undefined) symlinkSync(cache, path.join(folder, 'compile-cache'));
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2_000_000_000;
  } catch {
    return false;
  }
}
