import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createDirectory } from '../../platform/create-directory.ts';

/**
 * Directories of Git sessions. Those of a process that was killed are removed by the next one that uses the same folder
 * for long enough. They contain no private keys, unless the platform requires keys to have a name (`createPrivateFile`).
 */
export interface SessionHomes {
  /** An empty directory, which the caller removes. */
  open(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Several processes can share the folder, even from different containers, where process IDs mean nothing. So each process
 * touches its directory, and one that wasn't touched for a while is abandoned. Only changes between two readings count,
 * because clocks can be set and machines suspended.
 */
const usualTimes = { touchMs: 15_000, abandonedMs: 180_000 };

export function createSessionHomes(folder: string, times = usualTimes): SessionHomes {
  const own = path.join(folder, randomUUID());
  const touching = setInterval(() => {
    const now = new Date();
    utimes(own, now, now).catch(() => {});
  }, times.touchMs).unref();
  let creating: Promise<void> | null = null;
  const atStart = lookAt(folder);
  const removing = setTimeout(() => void removeAbandoned().catch(() => {}), times.abandonedMs).unref();

  async function removeAbandoned(): Promise<void> {
    const before = await atStart;
    for (const [name, touchedAt] of await lookAt(folder)) {
      if (before.get(name) === touchedAt) await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }

  return {
    async open() {
      // Once at a time: the sessions of an agent start together.
      creating ??= createDirectory(own, 0o700).finally(() => (creating = null));
      await creating;
      return mkdtemp(path.join(own, 'home-'));
    },
    async close() {
      clearInterval(touching);
      clearTimeout(removing);
      await rm(own, { recursive: true, force: true });
      // If it's empty.
      await rmdir(folder).catch(() => {});
    },
  };
}

/** When each directory was touched last. */
async function lookAt(folder: string): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found) seen.set(name, found.mtimeMs);
  }
  return seen;
}
