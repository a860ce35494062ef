import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { processIdentity } from './process-identity.ts';

interface LockOwner {
  pid: number;
  identity: string;
}

/**
 * Makes this process the only one that serves `dataDir`: the file `serve.lock` names it. A lock whose process is
 * gone, even when another one has got its pid, is taken over. Returns what gives the lock back.
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
        // A full disk leaves an empty file.
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

/** The process that serves `dataDir` now. */
export function servingPid(dataDir: string): number | undefined {
  return livingOwner(readLock(join(dataDir, 'serve.lock')))?.pid;
}

function livingOwner(lock: string | undefined): LockOwner | undefined {
  try {
    const { pid, identity } = JSON.parse(lock ?? 'null') as LockOwner;
    return Number.isInteger(pid) && processIdentity(pid) === identity ? { pid, identity } : undefined;
  } catch {
    // Written in half, or by something else: nobody owns it.
    return undefined;
  }
}

/** Two may find the same stale lock. Moving it away first shows whether it is still the one that was seen. */
function removeStaleLock(path: string, seen: string | undefined): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readLock(aside) !== seen) linkSync(aside, path);
  } catch {
    // Another one was faster, which the next try sees.
  } finally {
    rmSync(aside, { force: true });
  }
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
