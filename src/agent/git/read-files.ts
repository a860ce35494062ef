import { checkTargetFile } from '../../domain/artifacts/repository-url.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import { type FetchedRef, fetchBlobs, fetchCommits } from './fetch-commits.ts';
import { createFileFinder } from './find-file.ts';
import type { GitSession } from './git-session.ts';
import type { FileContent, FileWant } from './repository-access.ts';

const maxFileBytes = 5 * 1024 * 1024;
/** Maximum number of fetches. Each level of nested symbolic links requires another one. */
const maxRounds = 12;
/**
 * Maximum number of sizes that are requested together, because each request stays in a queue until git returns its
 * result.
 */
const maxSizesAtOnce = 1_000;

export type OnFile = (want: FileWant, result: FileContent | Error) => Promise<void>;

/** Runs the work when there is memory for content of this size. All repositories share the limit. */
export type WithContentMemory = (bytes: number, work: () => Promise<void>) => Promise<void>;

/**
 * Reads files of one repository. One fetch gets the commits, and another one gets the files that aren't
 * stored locally.
 */
export async function readFiles(
  session: GitSession,
  wants: readonly FileWant[],
  hold: WithContentMemory,
  onFile: OnFile,
): Promise<void> {
  const refs = [...new Set(wants.map(({ ref }) => ref))];
  let commits = await fetchCommits(session, refs);
  let found = await findFiles(session, wants, commits);
  if (found === null) {
    // The server sends directories without files but can't send single files, so fetch everything.
    await session.reset();
    commits = await fetchCommits(session, refs, { isWhole: true });
    found = await findFiles(session, wants, commits);
  }
  const wantsByOid = new Map<string, FileWant[]>();
  const reports: Promise<void>[] = [];
  for (const want of wants) {
    const place = found?.places.get(want) ?? corruptRepositoryError();
    if (place instanceof Error) reports.push(onFile(want, place));
    else wantsByOid.set(place.oid, [...(wantsByOid.get(place.oid) ?? []), want]);
  }
  // The sizes of files that were already stored locally don't have to be requested again.
  const sizes = found?.sizes ?? new Map<string, number>();
  const fetched = [...wantsByOid.keys()].filter((oid) => !sizes.has(oid));
  for (const [oid, size] of await sizesOf(session, fetched)) sizes.set(oid, size);
  const objects = session.objects('contents');
  try {
    for (const [oid, same] of wantsByOid) {
      const size = sizes.get(oid) ?? 0;
      reports.push(
        hold(size, async () => {
          const text = size > maxFileBytes ? null : await objects.read(oid, maxFileBytes);
          await Promise.all(
            same.map((want) => onFile(want, contentOf(want, text?.content ?? null, commits))),
          );
        }),
      );
    }
    await Promise.all(reports);
  } finally {
    objects.close();
  }
}

type Place = { oid: string } | RunError;

interface FoundFiles {
  places: Map<FileWant, Place>;
  /** Sizes in bytes of files that didn't have to be fetched. */
  sizes: Map<string, number>;
}

/** Finds every file, and fetches missing objects during the search. Returns null if the server can't send them. */
async function findFiles(
  session: GitSession,
  wants: readonly FileWant[],
  commits: ReadonlyMap<string, FetchedRef>,
): Promise<FoundFiles | null> {
  const places = new Map<FileWant, Place>();
  const sizes = new Map<string, number>();
  const asked = new Set<string>();
  let open = wants;
  for (let round = 0; round < maxRounds; round += 1) {
    const missing = new Set<string>();
    const waiting: FileWant[] = [];
    const objects = session.objects('contents');
    try {
      const findFile = createFileFinder(objects);
      // The searches run concurrently, so git never waits between two directories.
      const found = await Promise.all(open.map((want) => findOne(want, commits, findFile)));
      for (const [index, want] of open.entries()) {
        const place = found[index]!;
        if (!(place instanceof Error) && place.kind === 'needs') {
          missing.add(place.oid);
          waiting.push(want);
        } else places.set(want, place);
      }
    } finally {
      objects.close();
    }
    const oids = [...places.values()].flatMap((place) => ('oid' in place ? [place.oid] : []));
    const unknown = oids.filter((oid) => !sizes.has(oid) && !asked.has(oid));
    for (const [oid, size] of await sizesOf(session, unknown)) sizes.set(oid, size);
    for (const oid of oids) if (!sizes.has(oid) && !asked.has(oid)) missing.add(oid);
    if (missing.size === 0) return { places, sizes };
    // The server didn't send an object that was already requested, so another request can't help.
    if ([...missing].some((oid) => asked.has(oid))) return null;
    for (const oid of missing) asked.add(oid);
    if (!(await fetchBlobs(session, [...missing]))) return null;
    open = waiting;
    if (open.length === 0) return { places, sizes };
  }
  return null;
}

async function findOne(
  want: FileWant,
  commits: ReadonlyMap<string, FetchedRef>,
  findFile: ReturnType<typeof createFileFinder>,
) {
  const commit = commits.get(want.ref);
  if (commit === undefined || commit instanceof RunError) return commit ?? corruptRepositoryError();
  const problem = want.file === '' ? 'must not be empty' : checkTargetFile(want.file);
  if (problem !== null) return new RunError('file_refused', `Can't read ${want.file}: the path ${problem}.`);
  try {
    return await findFile(commit.treeOid, want.file);
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
}

/** Returns the sizes of objects in bytes. Excludes objects that don't exist locally. */
export async function sizesOf(session: GitSession, oids: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  if (oids.length === 0) return sizes;
  const objects = session.objects('sizes');
  const distinct = [...new Set(oids)];
  try {
    for (let at = 0; at < distinct.length; at += maxSizesAtOnce) {
      const found = await Promise.all(
        distinct.slice(at, at + maxSizesAtOnce).map((oid) => objects.read(oid, 0)),
      );
      for (const object of found) if (object?.type === 'blob') sizes.set(object.oid, object.size);
    }
  } finally {
    objects.close();
  }
  return sizes;
}

function contentOf(
  want: FileWant,
  content: Buffer | null,
  commits: ReadonlyMap<string, FetchedRef>,
): FileContent | RunError {
  const commit = commits.get(want.ref);
  if (!commit || commit instanceof RunError) return commit ?? corruptRepositoryError();
  if (content === null) {
    return new RunError('too_large', `File ${want.file} exceeds the 5 MiB limit.`);
  }
  const text = new TextDecoder('utf-8').decode(content);
  // The file is a Git LFS pointer, whose text could be mistaken for a version.
  if (/^version https:\/\/(?:git-lfs|hawser)\.github\.com\//u.test(text.slice(0, 200))) {
    return new RunError('file_refused', `Can't read ${want.file}: it's stored in Git LFS.`);
  }
  return { text, commitSha: commit.commitSha };
}

export function corruptRepositoryError(): RunError {
  return new RunError('invalid_index', 'The repository data is corrupt: objects are missing.');
}
