import { dockerHub } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { manifestTypes, maxAsked, maxManifestBytes, type OciDetailsContext } from './oci-dates.ts';
import type { HighestTags } from './read-oci-tags.ts';
import { readDigest } from './release-fields.ts';

/** Timeout of one request. A digest isn't worth waiting longer. */
const timeoutMs = 10_000;

/**
 * The digests of the highest tags: of new ones, and in a full run of all of them, because tags move. Each costs one HEAD
 * request, which has no body and counts as no pull. Docker Hub's list of tags already contained them.
 *
 * Failures don't fail the run. A tag without a digest keeps the stored one.
 *
 * @param found those that the requests for dates returned
 */
export async function readOciDigests(
  { plain, others }: HighestTags,
  found: ReadonlyMap<string, string>,
  { reference, requests, knownTags, isFull, signal }: OciDetailsContext,
): Promise<ReadonlyMap<string, string>> {
  if (reference.domain === dockerHub) return found;
  const digests = new Map(found);
  const known = new Set(isFull ? [] : knownTags);
  const highest = plain.length > 0 ? plain : others.slice(0, maxAsked);
  const tags = highest.filter((tag) => !known.has(tag) && !digests.has(tag));
  for (const tag of tags) {
    try {
      const { headers } = await requests.get(`manifests/${encodeURIComponent(tag)}`, {
        method: 'HEAD',
        accept: manifestTypes,
        maxBytes: maxManifestBytes,
        timeoutMs,
      });
      const digest = readDigest(headers['docker-content-digest']);
      // A registry that doesn't send it for one tag doesn't send it for the others.
      if (digest === null) break;
      digests.set(tag, digest);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RunError)) throw error;
      // A tag can be deleted after it was listed. Any other answer, such as a rate limit, is the same for the next tag.
      if (error.code !== 'not_found') break;
    }
  }
  return digests;
}
