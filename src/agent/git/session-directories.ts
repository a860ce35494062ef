import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createDirectory } from '../../platform/create-directory.ts';

/**
 * Directories of git sessions and of large downloads. If a process is killed, another process with the same
 * parent directory deletes its directories when they have been unused for long enough. They contain no
 * private keys, unless the platform requires keys to have a name (`createPrivateFile`).
 */
export interface SessionDirectories {
  /** Creates an empty directory, which the caller deletes. */
  open(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Each process touches its directory at intervals. A directory that wasn't touched for `abandonedMs` is
 * abandoned. Process IDs can't be used for this check, because the processes that share the parent directory
 * can run in different containers. The touch times of two readings are compared with each other, not with the
 * current time, because clocks can be set and machines can be suspended.
 */
const defaultTimes = { touchMs: 15_000, abandonedMs: 180_000 };

export function createSessionDirectories(folder: string, times = defaultTimes): SessionDirectories {
  const own = path.join(folder, randomUUID());
  const touching = setInterval(() => {
    const now = new Date();
    utimes(own, now, now).catch(() => {});
  }, times.touchMs).unref();
  const atStart = readTouchTimes(folder);
  const removing = setTimeout(() => void removeAbandoned().catch(() => {}), times.abandonedMs).unref();

  async function removeAbandoned(): Promise<void> {
    const before = await atStart;
    for (const [name, touchedAt] of await readTouchTimes(folder)) {
      if (before.get(name) === touchedAt) await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }

  return {
    async open() {
      await createDirectory(own, 0o700);
      return mkdtemp(path.join(own, 'home-'));
    },
    async close() {
      clearInterval(touching);
      clearTimeout(removing);
      await rm(own, { recursive: true, force: true });
      // `rmdir` deletes the parent directory only if it's empty.
      await rmdir(folder).catch(() => {});
    },
  };
}

/** Returns the time at which each directory was last touched. */
async function readTouchTimes(folder: string): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found) seen.set(name, found.mtimeMs);
  }
  return seen;
}
