import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { processIdentity } from './process-identity.ts';

interface LockOwner {
  pid: number;
  identity: string;
}

/**
 * Ensures that this process is the only one that serves `dataDir` by recording it in the file `serve.lock`.
 * Takes over a lock if its process no longer exists, even if another process has the same PID. Returns a
 * function that releases the lock.
 */
export function takeServeLock(dataDir: string): () => void {
  const path = join(dataDir, 'serve.lock');
  const own = JSON.stringify({
    pid: process.pid,
    identity: processIdentity(process.pid) ?? '',
  } satisfies LockOwner);
  for (let tries = 0; tries < 10; tries++) {
    try {
      writeFileSync(path, `${own}\n`, { flag: 'wx', mode: 0o644 });
      return () => {
        if (readLock(path)?.trim() === own) rmSync(path, { force: true });
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
        // Remove the empty file that a failed write leaves on a full disk.
        rmSync(path, { force: true });
        throw error;
      }
    }
    const seen = readLock(path);
    const owner = livingOwner(seen);
    if (owner) {
      throw new EmbeddedPostgresError(
        'already_running',
        `Pacekeeper is already running with the data directory ${dataDir} (process ${owner.pid}). ` +
          'Stop it first, or use a different PACEKEEPER_DATA_DIR.',
      );
    }
    removeStaleLock(path, seen);
  }
  throw new EmbeddedPostgresError('already_running', `Couldn't acquire ${path}. Try again.`);
}

/** Returns the ID of the process that currently serves `dataDir`. */
export function servingPid(dataDir: string): number | undefined {
  return livingOwner(readLock(join(dataDir, 'serve.lock')))?.pid;
}

function livingOwner(lock: string | undefined): LockOwner | undefined {
  try {
    const { pid, identity } = JSON.parse(lock ?? 'null') as LockOwner;
    return Number.isInteger(pid) && processIdentity(pid) === identity ? { pid, identity } : undefined;
  } catch {
    // The file is incomplete or was written by another program, so the lock has no owner.
    return undefined;
  }
}

/**
 * Removes a stale lock. Two processes can find the same stale lock. To avoid removing a new lock of the other process,
 * this function renames the file first and then compares its content with `seen`.
 */
function removeStaleLock(path: string, seen: string | undefined): void {
  const movedPath = `${path}.${process.pid}`;
  try {
    renameSync(path, movedPath);
    if (readLock(movedPath) !== seen) linkSync(movedPath, path);
  } catch {
    // Another process was faster. The next attempt finds its lock.
  } finally {
    rmSync(movedPath, { force: true });
  }
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
