import { RunError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { AllowHttp, GuardedConnect } from '../../platform/outbound/index.ts';
import type { AgentCredential } from '../agent-credential.ts';

/** What the agent reads of git repositories: single files at a ref, and lists of tags. Throws RunErrors only. */
export interface RepositoryReader {
  /**
   * Reads files with one fetch for all of them. Resolves when every file was tried; what is wrong with one file or
   * ref (a RunError) does not touch the others. Rejects when the repository as a whole cannot be read.
   */
  readFiles(
    repository: RepositoryAccess,
    wants: readonly FileWant[],
    onFile: (want: FileWant, result: FileContent | Error) => Promise<void>,
  ): Promise<void>;
  /** Every tag with its date as far as that can be had, in batches of at most 1,000. */
  listTags(repository: RepositoryAccess): AsyncIterable<{ tag: string; date: string | null }[]>;
  /** Stops what is running and removes what is temporary. */
  close(): Promise<void>;
}

export interface RepositoryAccess {
  /** Caches are kept apart by it. */
  organizationId: number;
  /** As the user wrote it. */
  url: string;
  credential: AgentCredential | null;
  signal: AbortSignal;
}

export interface FileWant {
  /** Branch, tag, commit, or `HEAD`. */
  ref: string;
  /** From the root of the repository. */
  file: string;
}

export interface FileContent {
  text: string;
  commitSha: string;
}

export function createRepositoryReader(_options: {
  folder: string;
  connect: GuardedConnect;
  allowHttp: AllowHttp;
  log: Log;
}): RepositoryReader {
  return {
    async readFiles() {
      throw new RunError('internal', 'git is being written.');
    },
    // oxlint-disable-next-line require-yield
    async *listTags() {
      throw new RunError('internal', 'git is being written.');
    },
    async close() {},
  };
}
