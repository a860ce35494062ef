import type { ReleaseEntry } from './read-release-page.ts';
import { readDate, readField, readNotes, readTag, readUrl } from './release-fields.ts';

/** Reads one release from a GitHub list. Gitea and Forgejo use the same format. */
export function readReleaseEntry(entry: unknown): ReleaseEntry {
  if (readField(entry, 'draft') === true) return { kind: 'draft' };
  const tag = readTag(readField(entry, 'tag_name'));
  if (tag === null) return entryWithoutTag(entry);
  return {
    kind: 'release',
    release: {
      tag,
      app_version: null,
      released_at: readDate(readField(entry, 'published_at')) ?? readDate(readField(entry, 'created_at')),
      is_prerelease: readField(entry, 'prerelease') === true,
      is_yanked: false,
      url: readUrl(readField(entry, 'html_url')),
      notes: readNotes(readField(entry, 'body')),
    },
  };
}

export function entryWithoutTag(entry: unknown): ReleaseEntry {
  const name = readField(entry, 'tag_name') ?? readField(entry, 'name');
  return {
    kind: 'skipped',
    name: typeof name === 'string' ? name : '',
    reason: 'no usable tag',
  };
}
