import { createHash } from 'node:crypto';
import { checkRef } from '../../domain/artifacts/repository-url.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import type { GitSession } from './git-session.ts';

/** The commit of a ref and its tree, or the reason why the ref can't be fetched. */
export type FetchedRef = { commitSha: string; treeOid: string } | RunError;

const isSha = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;

/**
 * Fetches the commits of refs (branches, tags, commits, `HEAD`) in one fetch, with their directories, but
 * without history or files. If the server doesn't support such a partial fetch, also fetches data that isn't
 * required.
 * @throws RunError if the repository can't be read
 */
export async function fetchCommits(
  session: GitSession,
  refs: readonly string[],
  /** `isWhole` fetches all files, for servers that can't send single files. */
  options: { isWhole: boolean } = { isWhole: false },
): Promise<Map<string, FetchedRef>> {
  const fetched = new Map<string, FetchedRef>();
  const usable = refs.filter((ref) => {
    const problem = ref === '' ? 'must not be empty' : checkRef(ref);
    if (problem !== null)
      fetched.set(ref, new RunError('ref_not_found', `Can't read ref ${ref}: it ${problem}.`));
    return problem === null;
  });
  let existing = usable;
  if (existing.length > 0 && !(await tryFetch(session, existing, options))) {
    // If any ref is missing, git fetches none of them.
    existing = existing.length === 1 ? [] : await filterExisting(session, existing);
    if (existing.length > 0 && !(await tryFetch(session, existing, options)))
      existing = await fetchOneByOne(session, existing, options);
  }
  await resolve(session, existing, fetched);
  for (const ref of usable) {
    if (!fetched.has(ref)) fetched.set(ref, refNotFound(ref));
  }
  return fetched;
}

/** Fetches refs. Returns false if one of them is missing. */
async function tryFetch(
  session: GitSession,
  refs: readonly string[],
  { isWhole }: { isWhole: boolean },
): Promise<boolean> {
  const input = refs.map((ref) => `+${ref}:${localRef(ref)}\n`).join('');
  const filter = isWhole ? '--no-filter' : '--filter=blob:none';
  const shallow = await session.remote([...fetchArgs, '--depth=1', filter, 'origin', '--stdin'], {
    input,
    allows: either(refMissing, notByCommit, shallowUnsupported),
  });
  if (shallow.exitCode === 0) return true;
  if (notByCommit.test(shallow.stderr)) return fetchEverything(session, refs, filter);
  if (refMissing.test(shallow.stderr)) return false;
  const plain = await session.remote([...fetchArgs, '--no-filter', 'origin', '--stdin'], {
    input,
    allows: either(refMissing, notByCommit),
  });
  if (plain.exitCode === 0) return true;
  return notByCommit.test(plain.stderr) ? fetchEverything(session, refs, '--no-filter') : false;
}

/**
 * Fetches all branches and tags with their history, for servers that don't allow fetching a commit by its
 * hash.
 */
async function fetchEverything(
  session: GitSession,
  refs: readonly string[],
  filter: string,
): Promise<boolean> {
  const all = '+refs/heads/*:refs/everything/heads/*\n+refs/tags/*:refs/everything/tags/*\n';
  const named = refs.filter((ref) => !isSha.test(ref)).map((ref) => `+${ref}:${localRef(ref)}\n`);
  // Git treats this depth as unlimited, even if an earlier fetch was shallow.
  const result = await session.remote([...fetchArgs, '--depth=2147483647', filter, 'origin', '--stdin'], {
    input: all + named.join(''),
    allows: refMissing,
  });
  if (result.exitCode !== 0) return false;
  let hasAllCommits = true;
  for (const sha of refs.filter((ref) => isSha.test(ref))) {
    const { exitCode } = await session.local(['update-ref', localRef(sha), sha]);
    if (exitCode !== 0) hasAllCommits = false;
  }
  return hasAllCommits;
}

const fetchArgs = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--recurse-submodules=no',
  '--update-shallow',
  '--force',
];

const refMissing = /couldn't find remote ref|not our ref/iu;
const notByCommit = /unadvertised object/iu;
/**
 * Errors of servers that don't support shallow fetches, including HTTP servers that only serve static files.
 */
const shallowUnsupported = /does not support (?:shallow|--deepen)|shallow capabilities/iu;

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'iu');
}

async function filterExisting(session: GitSession, refs: readonly string[]): Promise<string[]> {
  const named = refs.filter((ref) => !isSha.test(ref));
  // List only the refs that can match, because a repository can have a million refs.
  const patterns = named.flatMap((ref) => [`refs/tags/${ref}`, `refs/heads/${ref}`, `refs/${ref}`, ref]);
  const { stdout } = await session.remote(['ls-remote', '--quiet', 'origin', ...new Set(patterns)], {
    maxOutputBytes: 4 * 1024 * 1024,
  });
  const known = new Set<string>();
  for (const line of stdout.toString('utf8').split('\n')) known.add(line.slice(line.indexOf('\t') + 1));
  // Git resolves short names in this order.
  const has = (ref: string) =>
    ['', 'refs/', 'refs/tags/', 'refs/heads/'].some((prefix) => known.has(`${prefix}${ref}`));
  return [...named.filter(has), ...refs.filter((ref) => isSha.test(ref))];
}

async function fetchOneByOne(
  session: GitSession,
  refs: readonly string[],
  options: { isWhole: boolean },
): Promise<string[]> {
  const found: string[] = [];
  for (const ref of refs) if (await tryFetch(session, [ref], options)) found.push(ref);
  return found;
}

async function resolve(
  session: GitSession,
  refs: readonly string[],
  fetched: Map<string, FetchedRef>,
): Promise<void> {
  if (refs.length === 0) return;
  const objects = session.objects('sizes');
  try {
    for (const ref of refs) {
      const commit = await objects.read(`${localRef(ref)}^{commit}`, 0);
      const tree = commit && (await objects.read(`${commit.oid}^{tree}`, 0));
      fetched.set(ref, tree ? { commitSha: commit.oid, treeOid: tree.oid } : refNotFound(ref));
    }
  } finally {
    objects.close();
  }
}

function refNotFound(ref: string): RunError {
  if (ref === 'HEAD') {
    return new RunError('ref_not_found', 'The repository has no commits. Check the URL.');
  }
  const hint = /^[0-9a-f]{7,39}$/u.test(ref) ? ' Use the full 40-character commit SHA.' : '';
  return new RunError('ref_not_found', `Branch, tag, or commit ${ref} not found in the repository.${hint}`);
}

/** Returns the name of the local copy of a ref. The hash is a valid ref name for any input. */
function localRef(ref: string): string {
  return `refs/pacekeeper/${createHash('sha256').update(ref).digest('hex').slice(0, 32)}`;
}

/** Fetches files by their IDs in one request. Returns false if the server can't send single files. */
export async function fetchBlobs(session: GitSession, oids: readonly string[]): Promise<boolean> {
  const result = await session.remote(
    ['-c', 'fetch.negotiationAlgorithm=noop', ...fetchArgs, '--filter=blob:none', 'origin', '--stdin'],
    { input: oids.map((oid) => `${oid}\n`).join(''), allows: either(refMissing, notByCommit) },
  );
  return result.exitCode === 0;
}
