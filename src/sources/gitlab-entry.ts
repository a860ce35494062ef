import type { ReleaseEntry } from './read-release-page.ts';
import { entryWithoutTag } from './release-entry.ts';
import { readDate, readField, readNotes, readTag, readUrl } from './release-fields.ts';

/** Reads one release from a GitLab list. */
export function readGitlabEntry(entry: unknown, now: Date): ReleaseEntry {
  const tag = readTag(readField(entry, 'tag_name'));
  if (tag === null) return entryWithoutTag(entry);
  const releasedAt = readDate(readField(entry, 'released_at')) ?? readDate(readField(entry, 'created_at'));
  // GitLab also lists upcoming releases, which aren't released yet.
  const isUpcoming = readField(entry, 'upcoming_release') === true;
  if (isUpcoming && (releasedAt === null || Date.parse(releasedAt) > now.getTime())) {
    return { kind: 'skipped', name: tag, reason: 'scheduled for a later date' };
  }
  return {
    kind: 'release',
    release: {
      tag,
      app_version: null,
      released_at: releasedAt,
      is_prerelease: false,
      is_yanked: false,
      url: readUrl(readField(readField(entry, '_links'), 'self')),
      notes: readNotes(readField(entry, 'description')),
    },
  };
}
