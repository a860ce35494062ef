import { createHash } from 'node:crypto';
import { lstat, opendir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { createDirectory } from '../../platform/create-directory.ts';

/**
 * Bare repositories that are kept between runs, so that only new objects are fetched. Each combination of repository,
 * organization, and credential has a separate cached repository, so that no organization can read the data of another.
 */
export interface RepositoryCache {
  /**
   * Runs the work with exclusive use of the directory for the key. The directory exists, but the work must
   * check whether it contains a repository.
   */
  use<T>(key: CacheKey, work: (gitDir: string) => Promise<T>): Promise<T>;
}

export interface CacheKey {
  organizationId: number;
  url: string;
  credentialName: string | null;
  /**
   * `files` are fetched without history, and `tags` without files. `facts` contains facts read from files,
   * without git data.
   */
  kind: 'files' | 'tags' | 'facts';
}

/**
 * Maximum number of packs. Each fetch adds one. Beyond this limit, fetching everything again is cheaper than
 * merging the packs.
 */
const maxPacks = 50;
/** Block size of the disk, in bytes. */
const blockBytes = 4_096;

/**
 * @param options.maxBytes Limit for all repositories. When it is exceeded, the least recently used repositories of the
 * organization with the most bytes are removed, so no organization can evict the repositories of organizations that use
 * less space.
 */
export function createRepositoryCache(options: { folder: string; maxBytes: number }): RepositoryCache {
  const { folder, maxBytes } = options;
  const queues = new Map<string, Promise<unknown>>();
  const sizes = new Map<string, number>();
  let isMeasured = false;

  async function use<T>(key: CacheKey, work: (gitDir: string) => Promise<T>): Promise<T> {
    const name = nameOf(key);
    return inTurn(name, () => useAlone(name, key.kind, work));
  }

  async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(name) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => {});
    queues.set(name, settled);
    try {
      return await turn;
    } finally {
      if (queues.get(name) === settled) queues.delete(name);
    }
  }

  async function useAlone<T>(
    name: string,
    kind: CacheKey['kind'],
    work: (gitDir: string) => Promise<T>,
  ): Promise<T> {
    const gitDir = path.join(folder, name);
    await createDirectory(gitDir, 0o700);
    const now = new Date();
    await utimes(gitDir, now, now);
    try {
      return await work(gitDir);
    } finally {
      const { bytes, packs } = await measure(gitDir, maxBytes / 2);
      // Without a pack, the repository is empty or doesn't exist, so don't cache it.
      const isRepository = packs > 0 && packs <= maxPacks;
      if ((kind !== 'facts' && !isRepository) || bytes > maxBytes / 2) await forget(name);
      else sizes.set(name, bytes);
      await evict();
    }
  }

  async function forget(name: string): Promise<void> {
    sizes.delete(name);
    await rm(path.join(folder, name), { recursive: true, force: true });
  }

  async function evict(): Promise<void> {
    if (!isMeasured) {
      isMeasured = true;
      for (const name of await readdir(folder)) {
        if (!sizes.has(name)) sizes.set(name, (await measure(path.join(folder, name), maxBytes)).bytes);
      }
    }
    const ofOwner = new Map<string, number>();
    for (const [name, bytes] of sizes) ofOwner.set(ownerOf(name), (ofOwner.get(ownerOf(name)) ?? 0) + bytes);
    let total = [...ofOwner.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (total <= maxBytes) return;
    const idle = [...sizes.keys()].filter((name) => !queues.has(name));
    const usedAt = await Promise.all(
      idle.map(async (name) => ({
        name,
        at: (await stat(path.join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
      })),
    );
    const oldestFirst = Map.groupBy(
      usedAt.toSorted((one, other) => one.at - other.at),
      ({ name }) => ownerOf(name),
    );
    while (total > maxBytes && oldestFirst.size > 0) {
      const owner = [...oldestFirst.keys()].reduce((most, each) =>
        (ofOwner.get(each) ?? 0) > (ofOwner.get(most) ?? 0) ? each : most,
      );
      const next = oldestFirst.get(owner)?.shift();
      if (!next) {
        oldestFirst.delete(owner);
        continue;
      }
      // Skip a repository that is in use again.
      if (queues.has(next.name)) continue;
      const bytes = sizes.get(next.name) ?? 0;
      total -= bytes;
      ofOwner.set(owner, (ofOwner.get(owner) ?? 0) - bytes);
      // A run that starts during the deletion waits for its turn, so the directory isn't deleted while in
      // use.
      await inTurn(next.name, () => forget(next.name));
    }
  }

  return { use };
}

/**
 * Disk usage of a directory in whole blocks, because a repository can have millions of refs and nearly empty packs. Stops
 * counting at `enough`.
 */
async function measure(gitDir: string, enough: number): Promise<{ bytes: number; packs: number }> {
  let bytes = blockBytes;
  let packs = 0;
  const folders = [gitDir];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(folder).catch(() => null);
    for await (const entry of entries ?? []) {
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(at);
      else if (entry.name.endsWith('.pack')) packs += 1;
      const size = (await lstat(at).catch(() => null))?.size ?? 0;
      bytes += Math.max(1, Math.ceil(size / blockBytes)) * blockBytes;
      if (bytes > enough) return { bytes, packs };
    }
  }
  return { bytes, packs };
}

/** Returns the directory name of a key: `<organization>-<digest>`. */
function nameOf({ organizationId, url, credentialName, kind }: CacheKey): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([organizationId, url, credentialName, kind]))
    .digest('hex')
    .slice(0, 32);
  return `${organizationId}-${digest}`;
}

/** Returns the owner of a repository directory. Directories with other names share one owner. */
function ownerOf(name: string): string {
  return /^(\d+)-/u.exec(name)?.[1] ?? '';
}
