import { type BodyOrigin, readJson } from './json-body.ts';
import { readField } from './release-fields.ts';

export interface RepositoryState {
  /** True if the repository is archived, or `null` if the forge doesn't report it. */
  isArchived: boolean | null;
}

/** Reads repository metadata from GitHub, GitLab, Gitea, or Forgejo. All of them use the same field name. */
export async function* readRepositoryState(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], RepositoryState, undefined> {
  const archived = readField(await readJson(body, origin), 'archived');
  yield [];
  return { isArchived: typeof archived === 'boolean' ? archived : null };
}
