import { normalizeGitlabName } from '../domain/artifacts/forge-names.ts';
import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { gatherPages, nextLink, type ReleaseEntry } from './paged-releases.ts';
import { entryWithoutTag } from './release-entry.ts';
import { readDate, readMember, readNotes, readTag, readUrl } from './release-fields.ts';
import type { ReleaseSource } from './release-source.ts';
import { unknownOptions } from './unknown-options.ts';

/** Releases of GitLab: `gitlab.com` or any host. Groups may be nested. */
export const gitlabReleases: ReleaseSource = {
  sourceType: 'gitlab_releases',
  defaultVersionScheme: 'auto',

  normalizeArtifactName: normalizeGitlabName,

  checkOptions: (sourceOptions) => unknownOptions(sourceOptions, [], 'gitlab_releases'),

  sharedRequestKey: ({ artifactName }) => `gitlab_releases ${apiPath(artifactName)}`,

  gather(request, context) {
    const { host, segments } = splitHostPath(request.artifactName);
    const project = segments.join('/');
    return gatherPages(request, context, {
      firstUrl: `${context.http.schemeFor(host)}://${apiPath(request.artifactName)}`,
      what: `the project ${project}`,
      accept: 'application/json',
      readEntry: (entry) => readEntry(entry, context.now),
      nextUrl: (answer) => nextLink(answer),
      emptyWarning: `The project ${project} has no releases. If it marks its versions with tags only, use the source type git_tags.`,
    });
  },
};

function apiPath(artifactName: string): string {
  const { host, segments } = splitHostPath(artifactName);
  const id = encodeURIComponent(segments.join('/'));
  return `${host}/api/v4/projects/${id}/releases?per_page=100&order_by=released_at&sort=desc`;
}

function readEntry(entry: unknown, now: Date): ReleaseEntry {
  const tag = readTag(readMember(entry, 'tag_name'));
  if (tag === null) return entryWithoutTag(entry);
  const releasedAt = readDate(readMember(entry, 'released_at')) ?? readDate(readMember(entry, 'created_at'));
  // Announced for a later day: it is there, but not yet released.
  const isUpcoming = readMember(entry, 'upcoming_release') === true;
  if (isUpcoming && (releasedAt === null || Date.parse(releasedAt) > now.getTime())) {
    return { kind: 'skipped', name: tag, reason: 'it is announced for a later day' };
  }
  return {
    kind: 'release',
    release: {
      tag,
      app_version: null,
      released_at: releasedAt,
      is_prerelease: false,
      is_yanked: false,
      url: readUrl(readMember(readMember(entry, '_links'), 'self')),
      notes: readNotes(readMember(entry, 'description')),
    },
  };
}
