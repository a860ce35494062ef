import { createNewReleaseCollector } from './collect-new.ts';
import { emptyListSummary } from './empty-list.ts';
import { maxGitTags } from './read-git-tags.ts';
import type { ReleaseSource } from './release-source.ts';

/**
 * Reads the tags of any Git repository with git, for projects that tag versions but don't publish releases.
 */
export const gitTags: ReleaseSource = {
  sourceType: 'git_tags',

  sharedRequestKey: ({ artifactName }) => `git_tags ${artifactName.replace(/^https?:\/\//u, '')}`,

  async *gather(request, { git, read, signal }) {
    const releases = createNewReleaseCollector();
    const lists = await git.listTags(request.artifactName, { signal });
    const found = yield* releases.take(read('git_tags', {}, lists));
    yield* releases.rest();
    return {
      isNotModified: false,
      isCompleteList: !found.isCut,
      ...(found.isCut && { listCut: 'anywhere' as const }),
      validators: null,
      found: found.tags,
      skipped: found.skipped.count,
      skippedExamples: found.skipped.examples,
      warnings: [
        ...(found.tags === 0 ? ['The repository has no tags.'] : []),
        ...(found.isCut ? [`Only the first ${maxGitTags} tags were read.`] : []),
      ],
      ...emptyListSummary(request, found.tags),
    };
  },
};
