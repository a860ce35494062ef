import { maxFileBytes } from '../../domain/discovery/scan-limits.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import type { FairLimit } from '../../platform/fairness/index.ts';
import { createLimit } from '../../platform/fairness/index.ts';
import { createBodyCollector, type SourceBody } from '../../sources/source-body.ts';
import { fetchBlobs, fetchCommits } from './fetch-commits.ts';
import type { GitSession } from './git-session.ts';
import { corruptRepositoryError, sizesOf, type WithContentMemory } from './read-files.ts';

/** A file of the tree whose content is required. */
export interface WantedFile {
  path: string;
  oid: string;
}

export interface TreeScan<File extends WantedFile> {
  /** Branch, tag, commit, or `HEAD`. */
  ref: string;
  /** Commit of the last scan. If the ref still has this commit, its tree isn't read. */
  knownCommit: string | null;
  /** Paths of the files to read first, because they decide which other files are read. */
  readonly firstPaths: readonly string[];
  /**
   * Chooses the files to read from the output of `git ls-tree -r -z`.
   *
   * @param first The files of `firstPaths` that exist.
   */
  choose(listing: SourceBody, first: readonly SelectorFile[]): Promise<readonly File[]>;
  /** Processes the contents of one batch of files. */
  read(files: { file: File; bytes: Buffer }[]): Promise<void>;
  /** Reports the files that are larger than `maxFileBytes`, which aren't read. */
  skipFiles(files: readonly File[]): void;
}

export interface SelectorFile {
  path: string;
  /** Null if the file is too large. */
  bytes: Buffer | null;
}

export interface ScannedTree {
  commitSha: string;
  isUnchanged: boolean;
}

/** Maximum size of a listing, enough for the names and IDs of half a million files. */
const maxListingBytes = 48 * 1024 * 1024;
/** Maximum size of the files that are read before all others. Larger files are skipped in this step. */
const maxFirstBytes = 256 * 1024;
/**
 * Limits of a batch of contents. Batches are used because a call to another process takes longer than reading
 * a small file.
 */
const maxFilesOfBatch = 64;
const maxBytesOfBatch = 512 * 1024;
/** Maximum number of concurrent batches. Each uses a separate process of about 200 MB. */
const maxBatchesAtOnce = 1;

/**
 * Reads the tree of a ref. One fetch gets the commit and its directories. Another one gets those required
 * files that aren't stored locally. No file is ever written, and links aren't followed.
 */
export async function scanTree<File extends WantedFile>(
  session: GitSession,
  scan: TreeScan<File>,
  limits: { hold: WithContentMemory; room: FairLimit; fairKey: string; signal: AbortSignal },
): Promise<ScannedTree> {
  const { knownCommit } = scan;
  const commit = await fetchOne(session, scan.ref, false);
  if (commit.commitSha === knownCommit) return { commitSha: knownCommit, isUnchanged: true };
  const first = await readFirst(session, commit, scan.firstPaths);
  const wanted = await scan.choose(await listTree(session, commit.treeOid, limits), first);
  if (!(await fetchMissing(session, wanted))) {
    // The server sends directories without files but can't send single files, so fetch everything.
    await session.reset();
    await fetchOne(session, commit.commitSha, true);
  }
  const sizes = await sizesOf(session, oidsOf(wanted));
  if (wanted.some(({ oid }) => !sizes.has(oid))) throw corruptRepositoryError();
  const sizeOf = ({ oid }: File) => sizes.get(oid) ?? 0;
  scan.skipFiles(wanted.filter((file) => sizeOf(file) > maxFileBytes));
  const small = wanted.filter((file) => sizeOf(file) <= maxFileBytes);
  const objects = session.objects('contents');
  const atOnce = createLimit(maxBatchesAtOnce);
  try {
    await Promise.all(
      inBatches(small, sizeOf).map((batch) =>
        atOnce.run(() =>
          limits.hold(
            batch.reduce((bytes, file) => bytes + sizeOf(file), 0),
            async () => {
              limits.signal.throwIfAborted();
              const contents = await Promise.all(batch.map(({ oid }) => objects.read(oid, maxFileBytes)));
              await scan.read(
                batch.map((file, at) => ({
                  file,
                  bytes: contents[at]?.content ?? fail(corruptRepositoryError()),
                })),
              );
            },
          ),
        ),
      ),
    );
  } finally {
    objects.close();
  }
  return { commitSha: commit.commitSha, isUnchanged: false };
}

/** Reads the files that decide which others are read. They're small, so they don't count against the memory limit. */
async function readFirst(
  session: GitSession,
  { commitSha, treeOid }: { commitSha: string; treeOid: string },
  paths: readonly string[],
): Promise<SelectorFile[]> {
  if (paths.length === 0) return [];
  const { stdout, exitCode } = await session.local(['ls-tree', '-z', '--full-tree', treeOid, '--', ...paths]);
  if (exitCode !== 0) throw corruptRepositoryError();
  const found = stdout
    .toString('utf8')
    .split('\0')
    .flatMap((line): WantedFile[] => {
      const [, oid, path] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return oid !== undefined && path !== undefined ? [{ oid, path }] : [];
    });
  if (found.length === 0) return [];
  if (!(await fetchMissing(session, found))) {
    await session.reset();
    await fetchOne(session, commitSha, true);
  }
  const sizes = await sizesOf(session, oidsOf(found));
  const objects = session.objects('contents');
  try {
    return await Promise.all(
      found.map(async ({ oid, path }) => {
        if ((sizes.get(oid) ?? Number.POSITIVE_INFINITY) > maxFirstBytes) return { path, bytes: null };
        const content = (await objects.read(oid, maxFirstBytes))?.content;
        return { path, bytes: content ?? fail(corruptRepositoryError()) };
      }),
    );
  } finally {
    objects.close();
  }
}

async function fetchOne(session: GitSession, ref: string, isWhole: boolean) {
  const commit = (await fetchCommits(session, [ref], { isWhole })).get(ref) ?? corruptRepositoryError();
  if (commit instanceof RunError) throw commit;
  return commit;
}

async function listTree(
  session: GitSession,
  treeOid: string,
  { room, fairKey, signal }: { room: FairLimit; fairKey: string; signal: AbortSignal },
): Promise<SourceBody> {
  const listing = createBodyCollector(room, { fairKey, maxBytes: maxListingBytes, signal });
  try {
    const result = await session.local(['ls-tree', '-r', '-z', '--full-tree', treeOid], {
      maxOutputBytes: maxListingBytes,
      onOutput: (piece) => listing.add(piece),
    });
    if (result.end === 'too_much_output' || result.end === 'timeout')
      throw new RunError('too_large', 'The repository has too many files.');
    if (result.exitCode !== 0) throw corruptRepositoryError();
    return listing.body();
  } catch (error) {
    listing.free();
    throw error;
  }
}

/** Fetches missing contents. Returns false if the server can't send single files. */
async function fetchMissing(session: GitSession, wanted: readonly WantedFile[]): Promise<boolean> {
  const sizes = await sizesOf(session, oidsOf(wanted));
  const missing = new Set(oidsOf(wanted).filter((oid) => !sizes.has(oid)));
  return missing.size === 0 || fetchBlobs(session, [...missing]);
}

function oidsOf(files: readonly WantedFile[]): string[] {
  return files.map(({ oid }) => oid);
}

function inBatches<File>(files: readonly File[], sizeOf: (file: File) => number): File[][] {
  const batches: File[][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = batches.at(-1);
    const size = sizeOf(file);
    if (last && last.length < maxFilesOfBatch && bytes + size <= maxBytesOfBatch) {
      last.push(file);
      bytes += size;
    } else {
      batches.push([file]);
      bytes = size;
    }
  }
  return batches;
}

function fail(error: RunError): never {
  throw error;
}
