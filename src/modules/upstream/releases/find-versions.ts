import { isSmallPattern } from '../../../domain/patterns/compile-pattern.ts';
import { type Sandbox, throwSandboxFailure } from '../../../platform/sandbox/index.ts';
import { findVersions, type TagsToMatch } from './find-versions-job.ts';

/**
 * Returns the version that a job's `version_pattern` extracts from each tag, or `null` if the tag doesn't
 * match.
 */
export type FindVersions = (organizationId: number, tags: TagsToMatch) => Promise<(string | null)[]>;

const jobModule = new URL('./find-versions-job.ts', import.meta.url);

/**
 * Deadline of a call. The most expensive pattern needs only a fraction of this time for the tags of a call.
 */
const deadlineMs = 10_000;

/**
 * Matches tags in the sandbox, because 1,000 tags can take a third of a second.
 *
 * @throws ApiError 503 if the sandbox is full.
 */
export function createFindVersions(sandbox: Pick<Sandbox, 'run'>): FindVersions {
  return async (organizationId, tags) => {
    if (isMatchedHere(tags)) return findVersions(tags);
    try {
      return await sandbox.run<TagsToMatch, ReturnType<typeof findVersions>>(
        jobModule,
        'findVersions',
        tags,
        {
          deadlineMs,
          fairKey: String(organizationId),
        },
      );
    } catch (error) {
      throwSandboxFailure(error, { busy: 'The server is reading too many releases. Try again shortly.' });
    }
  };
}

/** True if the tags are matched in this thread. Small patterns with few tags take at most 10 ms. */
function isMatchedHere({ pattern, tags }: TagsToMatch): boolean {
  return isSmallPattern(pattern) && tags.reduce((sum, tag) => sum + tag.length, 0) <= 10_000;
}
