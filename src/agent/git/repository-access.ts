import type { SourceCredential } from '../../sources/source-credential.ts';

/** A repository with the organization, credential, and signal for its requests. */
export interface RepositoryAccess {
  /** Organization of the request. Each organization has separate caches. */
  organizationId: number;
  /** URL as entered by the user. */
  url: string;
  credential: SourceCredential | null;
  signal: AbortSignal;
}

export interface FileWant {
  /** Branch, tag, commit, or `HEAD`. */
  ref: string;
  /** Path relative to the root of the repository. */
  file: string;
}

export interface FileContent {
  text: string;
  commitSha: string;
}
