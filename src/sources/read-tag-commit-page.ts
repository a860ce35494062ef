import { createHash } from 'node:crypto';
import { type BodyOrigin, readJson } from './json-body.ts';
import { readCommit, readField, readTag } from './release-fields.ts';

export interface TagCommitPage {
  /** Number of entries, including unreadable ones. */
  entries: number;
  commits: { tag: string; commit: string }[];
  /** Hash of the entries, which is equal for pages with the same entries. */
  key: string;
}

/**
 * Reads a page of tags from GitHub, GitLab, Gitea, or Forgejo. All of them return the commit of an annotated
 * tag, not the tag object: `commit.id` on GitLab, and `commit.sha` on the others.
 */
export async function* readTagCommitPage(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], TagCommitPage, undefined> {
  const root = await readJson(body, origin);
  yield [];
  const entries: readonly unknown[] = Array.isArray(root) ? root : [];
  const key = createHash('sha256');
  const commits: TagCommitPage['commits'] = [];
  for (const entry of entries) {
    const tag = readTag(readField(entry, 'name'));
    const target = readField(entry, 'commit');
    const commit = readCommit(readField(target, 'sha')) ?? readCommit(readField(target, 'id'));
    key.update(`${tag} ${commit}\n`);
    if (tag !== null && commit !== null) commits.push({ tag, commit });
  }
  return { entries: entries.length, commits, key: key.digest('hex') };
}
