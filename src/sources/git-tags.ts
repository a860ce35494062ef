import { normalizeGitName } from '../domain/artifacts/git-names.ts';
import { createPartCollector } from './collect-parts.ts';
import { readTag } from './release-fields.ts';
import type { GatheredRelease, ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import { unknownOptions } from './unknown-options.ts';

/** As many as are listed of a registry too. */
const maxTags = 200_000;

/** Tags of any git repository, by git itself: for projects that mark versions and publish no releases. */
export const gitTags: ReleaseSource = {
  sourceType: 'git_tags',
  defaultVersionScheme: 'auto',

  normalizeArtifactName: normalizeGitName,

  checkOptions: (sourceOptions) => unknownOptions(sourceOptions, [], 'git_tags'),

  sharedRequestKey: ({ artifactName }) => `git_tags ${artifactName.replace(/^https?:\/\//u, '')}`,

  async *gather(request, { git, signal }) {
    const skipped = createSkippedItems();
    const parts = createPartCollector<GatheredRelease>();
    const seen = new Set<string>();
    let isCut = false;
    for await (const batch of git.listTags(request.artifactName, { signal })) {
      for (const entry of batch) {
        const tag = readTag(entry.tag);
        if (tag === null) skipped.skip(entry.tag, 'it is no tag that can be used');
        if (tag === null || seen.has(tag)) continue;
        if (seen.size >= maxTags) {
          isCut = true;
          break;
        }
        seen.add(tag);
        const full = parts.add(toRelease(tag, entry.date));
        if (full) yield { releases: full };
      }
      if (isCut) break;
    }
    const rest = parts.rest();
    if (rest.length > 0) yield { releases: rest };
    return {
      isNotModified: false,
      isCompleteList: !isCut,
      validators: null,
      found: seen.size,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      warnings: [
        ...(seen.size === 0 ? ['The repository has no tags.'] : []),
        ...(isCut ? [`The repository has more than ${maxTags} tags; the rest was not read.`] : []),
      ],
    };
  },
};

function toRelease(tag: string, date: string | null): GatheredRelease {
  return {
    tag,
    app_version: null,
    released_at: date,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  };
}
