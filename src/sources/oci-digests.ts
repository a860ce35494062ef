import { dockerHub } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { manifestTypes, maxManifestBytes, maxRequestedTags, type OciDetailsContext } from './oci-dates.ts';
import type { HighestTags } from './read-oci-tags.ts';
import { readDigest } from './release-fields.ts';

/** Timeout of one request. A digest isn't worth a longer wait. */
const timeoutMs = 10_000;

/**
 * Returns the digests of the highest tags: those of new tags, and those of all highest tags in a full run,
 * because tags can move. Each digest takes one HEAD request, which has no body and doesn't count as a pull.
 * The tag list of Docker Hub already contains the digests.
 *
 * Failures don't fail the run. A tag without a digest keeps the stored one.
 *
 * @param found Digests that the requests for dates returned.
 */
export async function readOciDigests(
  { plain, others }: HighestTags,
  found: ReadonlyMap<string, string>,
  { reference, requests, knownTags, isFull, signal }: OciDetailsContext,
): Promise<ReadonlyMap<string, string>> {
  if (reference.domain === dockerHub) return found;
  const digests = new Map(found);
  const known = new Set(isFull ? [] : knownTags);
  const highest = plain.length > 0 ? plain : others.slice(0, maxRequestedTags);
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
      // A registry that doesn't send a digest for one tag doesn't send it for the others.
      if (digest === null) break;
      digests.set(tag, digest);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RunError)) throw error;
      // Continue if the tag was deleted after it was listed. Other errors, such as a rate limit, would also affect the
      // next tag.
      if (error.code !== 'not_found') break;
    }
  }
  return digests;
}
