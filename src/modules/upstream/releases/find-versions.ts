import { ApiError } from '../../../platform/errors.ts';
import { type Sandbox, SandboxError, SandboxJobError } from '../../../platform/sandbox/index.ts';
import { findVersions, type TagsToMatch } from './find-versions-job.ts';

/** What a job's `version_pattern` finds in each of these tags; null where it doesn't match. */
export type FindVersions = (organizationId: number, tags: TagsToMatch) => Promise<(string | null)[]>;

const jobModule = new URL('./find-versions-job.ts', import.meta.url);

/** The costliest pattern takes a small part of it for the tags of one call. */
const deadlineMs = 10_000;

/** In the sandbox: a thousand tags can take a third of a second. @throws ApiError 503 when it has no room now */
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
      if (!(error instanceof SandboxError) || error instanceof SandboxJobError) throw error;
      throw new ApiError('unavailable', 'The server is reading too many releases.', {
        retryAfterSeconds: 2,
        cause: error,
      });
    }
  };
}

/** Compiled in a moment, and few enough that the costliest pattern takes 10 ms. */
function isMatchedHere({ pattern, tags }: TagsToMatch): boolean {
  const isSmallPattern = pattern.length <= 100 && !pattern.includes('{');
  return isSmallPattern && tags.reduce((sum, tag) => sum + tag.length, 0) <= 10_000;
}
