import type { AgentCredential } from '../agent-credential.ts';

/** A repository, in whose name it is asked, and for how long. */
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
