import type { ReleaseEntry } from './read-release-page.ts';
import { readDate, readMember, readNotes, readTag, readUrl } from './release-fields.ts';

/** Reads one release from a GitHub list. Gitea and Forgejo use the same format. */
export function readReleaseEntry(entry: unknown): ReleaseEntry {
  if (readMember(entry, 'draft') === true) return { kind: 'draft' };
  const tag = readTag(readMember(entry, 'tag_name'));
  if (tag === null) return entryWithoutTag(entry);
  return {
    kind: 'release',
    release: {
      tag,
      app_version: null,
      released_at: readDate(readMember(entry, 'published_at')) ?? readDate(readMember(entry, 'created_at')),
      is_prerelease: readMember(entry, 'prerelease') === true,
      is_yanked: false,
      url: readUrl(readMember(entry, 'html_url')),
      notes: readNotes(readMember(entry, 'body')),
    },
  };
}

export function entryWithoutTag(entry: unknown): ReleaseEntry {
  const name = readMember(entry, 'tag_name') ?? readMember(entry, 'name');
  return {
    kind: 'skipped',
    name: typeof name === 'string' ? name : '',
    reason: 'no usable tag',
  };
}
