import { existsSync } from 'node:fs';
import path from 'node:path';
import { RunError } from '../../domain/runs/run-error.ts';
import type { Log } from '../../platform/log.ts';
import type { AllowHttp, OutboundClient } from '../../platform/outbound/index.ts';
import { createFairLimit, type FairLimit } from '../../sources/fair-limit.ts';
import { createBodyRoom, type SourceBody } from '../../sources/source-body.ts';
import type { AgentCredential } from '../agent-credential.ts';
import { createGitSessions, type GitSession, readTarget } from './git-session.ts';
import { listTags } from './list-tags.ts';
import { type HoldContent, type OnFile, readFiles } from './read-files.ts';
import type { FileWant, RepositoryAccess } from './repository-access.ts';
import { createRepositoryCache } from './repository-cache.ts';
import { createRedirects } from './repository-redirects.ts';
import { type ScannedTree, scanTree, type TreeScan, type WantedFile } from './scan-tree.ts';

/** What the agent reads of git repositories: single files at a ref, and lists of tags. Throws RunErrors only. */
export interface RepositoryReader {
  /**
   * Reads files with one fetch for all of them, and calls `onFile` once for each. What is wrong with one file or ref (a
   * RunError) does not touch the others. Rejects when the repository as a whole cannot be read, or with the reason of
   * the signal.
   */
  readFiles(repository: RepositoryAccess, wants: readonly FileWant[], onFile: OnFile): Promise<void>;
  /** What git says of every tag and its date, as far as that can be had: see `read-git-tags.ts`. */
  listTags(repository: RepositoryAccess): Promise<SourceBody>;
  /** Reads the tree of a ref. Its functions may be called again from the beginning, when the cache was damaged. */
  scanTree<File extends WantedFile>(repository: RepositoryAccess, scan: TreeScan<File>): Promise<ScannedTree>;
  /** Works in a folder that is kept for the repository, alone. It counts like the cache of the repository itself. */
  useFolder<T>(repository: RepositoryAccess, work: (folder: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface RepositoryReaderOptions {
  /** Of the caches; this reader's alone. */
  folder: string;
  client: OutboundClient;
  allowHttp: AllowHttp;
  log: Log;
  /** Of all caches together. Default 2 GB. */
  maxCacheBytes?: number;
  /** Certificate authorities that Git trusts in addition to the default ones (PEM). */
  caCertificates?: string | null;
  /** Of one repository in one run. Default 200 MB. */
  maxTransferBytes?: number;
  /** For long lists; that of the process. */
  room?: FairLimit;
}

/**
 * Repositories at the same time, of all organizations and of one: each is a process or two and a connection, and may
 * take minutes.
 */
const maxSessions = { max: 6, maxPerKey: 4 };
/** Contents of files that are held at the same time, in bytes; a file has 5 MiB at most. */
const maxContentBytes = { max: 20 * 1024 * 1024, maxPerKey: 15 * 1024 * 1024 };

export function createRepositoryReader(options: RepositoryReaderOptions): RepositoryReader {
  const { client, allowHttp, log } = options;
  const cache = createRepositoryCache({
    folder: path.resolve(options.folder),
    maxBytes: options.maxCacheBytes ?? 2_000_000_000,
  });
  const sessions = createGitSessions({
    // Not inside: everything there counts as a cached repository.
    homesFolder: `${path.resolve(options.folder)}-sessions`,
    connect: client.connect,
    allowHttp,
    caCertificates: options.caCertificates ?? null,
    maxTransferBytes: options.maxTransferBytes ?? 200_000_000,
  });
  const redirects = createRedirects(client);
  const room = options.room ?? createBodyRoom();
  const inMemory = createFairLimit(maxContentBytes);
  const running = createFairLimit(maxSessions);

  /** The work with a repository, which may be empty. It is repeated where beginning anew or elsewhere can help. */
  async function open<T>(
    repository: RepositoryAccess,
    kind: 'files' | 'tags',
    work: (session: GitSession) => Promise<T>,
    hasBegun: () => boolean,
  ): Promise<T> {
    const { organizationId, url, signal } = repository;
    const credentialName = repository.credential?.name ?? null;
    const attempt = (address: string, credential: AgentCredential | null) =>
      cache.use({ organizationId, url, credentialName, kind }, async (gitDir) => {
        const target = readTarget(address);
        const request = { target, gitDir, credential, signal };
        return sessions.run(request, async (session) => {
          const isKept = existsSync(path.join(gitDir, 'HEAD'));
          if (!isKept) await session.startAnew();
          try {
            return await work(session);
          } catch (error) {
            if (hasBegun() || !(error instanceof RunError)) throw error;
            const isOtherFormat = matchesFailure(
              error,
              /mismatched algorithms|unsupported.*object.?format/iu,
            );
            if (!isOtherFormat && !(isKept && mayBeOurs.has(error.code))) throw error;
            log.debug({ err: error }, 'refetching cached repository');
            await session.startAnew(isOtherFormat ? 'sha256' : 'sha1');
            return work(session);
          }
        });
      });
    const inTurn = async () => {
      signal.throwIfAborted();
      const known = redirects.known(repository);
      if (known) {
        try {
          return await attempt(known.url, known.credential);
        } catch (error) {
          if (hasBegun() || signal.aborted || !(error instanceof RunError)) throw error;
          redirects.forget(repository);
        }
      }
      try {
        return await attempt(url, repository.credential);
      } catch (error) {
        if (hasBegun() || !matchesFailure(error, /returned error: 30[12378]/iu)) throw error;
        const moved = await redirects.find(repository);
        if (!moved) throw error;
        return attempt(moved.url, moved.credential);
      }
    };
    return running.run(String(organizationId), inTurn, { signal });
  }

  return {
    async readFiles(repository, wants, onFile) {
      const { signal } = repository;
      const fairKey = String(repository.organizationId);
      const hold: HoldContent = (weight, work) => inMemory.run(fairKey, work, { weight, signal });
      let hasBegun = false;
      await toRunErrors(signal, () =>
        open(
          repository,
          'files',
          (session) =>
            readFiles(session, wants, hold, (want, result) => {
              hasBegun = true;
              return onFile(want, result);
            }),
          () => hasBegun,
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
        const hold: HoldContent = (weight, work) => inMemory.run(fairKey, work, { weight, signal });
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

/** Failures that a damaged or half written cache may be the reason of. */
const mayBeOurs: ReadonlySet<string> = new Set(['upstream_error', 'invalid_index', 'internal']);

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
