import { type BodyOrigin, readJson } from './json-body.ts';
import { readMember } from './release-fields.ts';

export interface RepositoryState {
  /** Null: the forge doesn't say. */
  isArchived: boolean | null;
}

/** What GitHub, GitLab, Gitea, and Forgejo return of a repository. They use the same name for it. */
export async function* readRepositoryState(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], RepositoryState, undefined> {
  const archived = readMember(await readJson(body, origin), 'archived');
  yield [];
  return { isArchived: typeof archived === 'boolean' ? archived : null };
}
