import { existsSync } from 'node:fs';
import path from 'node:path';
import { RunError } from '../../domain/runs/run-error.ts';
import { createFairLimit, type FairLimit } from '../../platform/fairness/index.ts';
import type { Log } from '../../platform/log.ts';
import type { AllowHttp, OutboundClient } from '../../platform/outbound/index.ts';
import { createBodyMemoryLimit, type SourceBody } from '../../sources/source-body.ts';
import type { SourceCredential } from '../../sources/source-credential.ts';
import { createGitSessions, type GitSession, readTarget } from './git-session.ts';
import { listTags } from './list-tags.ts';
import { type OnFile, readFiles, type WithContentMemory } from './read-files.ts';
import type { FileWant, RepositoryAccess } from './repository-access.ts';
import { createRepositoryCache } from './repository-cache.ts';
import { createRedirectCache } from './repository-redirects.ts';
import { type ScannedTree, scanTree, type TreeScan, type WantedFile } from './scan-tree.ts';

/**
 * Reads git repositories for the agent: single files at a ref, lists of tags, and trees. Throws only
 * RunErrors.
 */
export interface RepositoryReader {
  /**
   * Reads files with one shared fetch, and calls `onFile` once for each. A problem with one file or ref (a
   * RunError) doesn't affect the others. Rejects if the repository can't be read at all, or with the reason
   * of the signal.
   */
  readFiles(repository: RepositoryAccess, wants: readonly FileWant[], onFile: OnFile): Promise<void>;
  /** Returns git's output about every tag, with its date if available. See `read-git-tags.ts`. */
  listTags(repository: RepositoryAccess): Promise<SourceBody>;
  /**
   * Reads the tree of a ref. If the cache is corrupt, the functions of `scan` are called again from the
   * start.
   */
  scanTree<File extends WantedFile>(repository: RepositoryAccess, scan: TreeScan<File>): Promise<ScannedTree>;
  /**
   * Runs the work with exclusive use of a directory that is kept for the repository. The directory counts
   * toward the cache limit like the repository's cache.
   */
  useFolder<T>(repository: RepositoryAccess, work: (folder: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface RepositoryReaderOptions {
  /** Directory of the caches. No other reader can use it. */
  folder: string;
  client: OutboundClient;
  allowHttp: AllowHttp;
  log: Log;
  /** Maximum size of all caches together, in bytes. Default: 2 GB. */
  maxCacheBytes?: number;
  /** Certificate authorities (PEM) that Git trusts in addition to the default authorities. */
  caCertificates?: string | null;
  /** Maximum transfer from one repository in one run, in bytes. Default: 200 MB. */
  maxTransferBytes?: number;
  /** Memory limit for long lists, shared by the process. */
  room?: FairLimit;
}

/**
 * Maximum number of repositories that are read concurrently, in total and for one organization. Each uses one
 * or two processes and a connection, and can take minutes.
 */
const maxSessions = { max: 6, maxPerKey: 4 };
/**
 * Maximum size of file contents in memory, in bytes, in total and for one organization. A file has at most 5
 * MiB.
 */
const maxContentBytes = { max: 20 * 1024 * 1024, maxPerKey: 15 * 1024 * 1024 };

export function createRepositoryReader(options: RepositoryReaderOptions): RepositoryReader {
  const { client, allowHttp, log } = options;
  const cache = createRepositoryCache({
    folder: path.resolve(options.folder),
    maxBytes: options.maxCacheBytes ?? 2_000_000_000,
  });
  const sessions = createGitSessions({
    // This directory isn't inside the cache, because everything there counts as a cached repository.
    homesFolder: `${path.resolve(options.folder)}-sessions`,
    connect: client.connect,
    allowHttp,
    caCertificates: options.caCertificates ?? null,
    maxTransferBytes: options.maxTransferBytes ?? 200_000_000,
  });
  const redirects = createRedirectCache(client);
  const room = options.room ?? createBodyMemoryLimit();
  const inMemory = createFairLimit(maxContentBytes);
  const running = createFairLimit(maxSessions);

  /**
   * Runs the work with a repository, which may be empty. Retries with an empty repository or a different URL
   * if that can help.
   */
  async function open<T>(
    repository: RepositoryAccess,
    kind: 'files' | 'tags',
    work: (session: GitSession) => Promise<T>,
    hasReportedResults: () => boolean,
  ): Promise<T> {
    const { organizationId, url, signal } = repository;
    const credentialName = repository.credential?.name ?? null;
    const attempt = (address: string, credential: SourceCredential | null) =>
      cache.use({ organizationId, url, credentialName, kind }, async (gitDir) => {
        const target = readTarget(address);
        const request = { target, gitDir, credential, signal };
        return sessions.run(request, async (session) => {
          const isKept = existsSync(path.join(gitDir, 'HEAD'));
          if (!isKept) await session.reset();
          try {
            return await work(session);
          } catch (error) {
            if (hasReportedResults() || !(error instanceof RunError)) throw error;
            const isOtherFormat = matchesFailure(
              error,
              /mismatched algorithms|unsupported.{0,100}object.?format/iu,
            );
            if (!isOtherFormat && !(isKept && cacheFailureCodes.has(error.code))) throw error;
            log.debug({ err: error }, 'refetching cached repository');
            await session.reset(isOtherFormat ? 'sha256' : 'sha1');
            return work(session);
          }
        });
      });
    const read = async (credential: SourceCredential | null) => {
      signal.throwIfAborted();
      const known = redirects.known(repository);
      if (known) {
        try {
          return await attempt(known.url, known.getsCredential ? credential : null);
        } catch (error) {
          if (hasReportedResults() || signal.aborted || !(error instanceof RunError)) throw error;
          redirects.forget(repository);
        }
      }
      try {
        return await attempt(url, credential);
      } catch (error) {
        if (hasReportedResults() || !matchesFailure(error, /returned error: 30[12378]/iu)) throw error;
        const moved = await redirects.find({ ...repository, credential });
        if (!moved) throw error;
        return attempt(moved.url, moved.getsCredential ? credential : null);
      }
    };
    const inTurn = async () => {
      const { credential } = repository;
      try {
        return await read(credential);
      } catch (error) {
        const isRejected = error instanceof RunError && error.code === 'unauthorized';
        const next = isRejected && !hasReportedResults() ? await credential?.renew?.() : null;
        if (!next) throw error;
        return read(next);
      }
    };
    return running.run(String(organizationId), inTurn, { signal });
  }

  return {
    async readFiles(repository, wants, onFile) {
      const { signal } = repository;
      const fairKey = String(repository.organizationId);
      const hold: WithContentMemory = (weight, work) => inMemory.run(fairKey, work, { weight, signal });
      let hasReportedResults = false;
      await toRunErrors(signal, () =>
        open(
          repository,
          'files',
          (session) =>
            readFiles(session, wants, hold, (want, result) => {
              hasReportedResults = true;
              return onFile(want, result);
            }),
          () => hasReportedResults,
        ),
      );
    },

    listTags: (repository) =>
      toRunErrors(repository.signal, () => {
        const reading = { fairKey: String(repository.organizationId), signal: repository.signal };
        return open(
          repository,
          'tags',
          (session) => listTags(session, room, reading),
          () => false,
        );
      }),

    scanTree: (repository, scan) =>
      toRunErrors(repository.signal, () => {
        const { signal } = repository;
        const fairKey = String(repository.organizationId);
        const hold: WithContentMemory = (weight, work) => inMemory.run(fairKey, work, { weight, signal });
        return open(
          repository,
          'files',
          (session) => scanTree(session, scan, { hold, room, fairKey, signal }),
          () => false,
        );
      }),

    useFolder: ({ organizationId, url, credential }, work) =>
      cache.use({ organizationId, url, credentialName: credential?.name ?? null, kind: 'facts' }, work),

    close: () => sessions.close(),
  };
}

/** Codes of failures that a corrupt or partially written cache can cause. */
const cacheFailureCodes: ReadonlySet<string> = new Set(['upstream_error', 'invalid_index', 'internal']);

function matchesFailure(error: unknown, pattern: RegExp): boolean {
  return error instanceof RunError && error.cause instanceof Error && pattern.test(error.cause.message);
}

async function toRunErrors<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RunError) throw error;
    throw new RunError('internal', undefined, { cause: error });
  }
}
