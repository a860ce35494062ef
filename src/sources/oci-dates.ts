import { dockerHub, type OciReference } from '../domain/artifacts/oci-reference.ts';
import { maxCheckedTags } from '../domain/rules/release-changes.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { autoScheme } from '../domain/versions/auto-scheme.ts';
import { readWhole } from './body-reader.ts';
import type { OciRequests } from './oci-requests.ts';
import type { OciManifest } from './read-oci-metadata.ts';
import type { HighestTags } from './read-oci-tags.ts';
import { readDigest } from './release-fields.ts';
import type { FoundProject, SourceContext } from './release-source.ts';
import type { SourceHead } from './source-http.ts';

/** Maximum number of tags that are requested one by one. */
export const maxRequestedTags = maxCheckedTags;
/**
 * Maximum number of Docker Hub pages, which have 100 tags each. Manifests aren't read from Docker Hub,
 * because each would count as a pull of the user.
 */
const maxHubPages = 3;
/** Timeout of one request. A date isn't worth a longer wait. */
const timeoutMs = 10_000;

export interface OciDetailsContext extends Pick<SourceContext, 'http' | 'read' | 'signal'> {
  knownTags: readonly string[];
  undatedTags: readonly string[];
  isFull: boolean;
  readsDigests: boolean;
  reference: OciReference;
  requests: OciRequests;
  /** The response that contained the list. */
  listed: SourceHead;
}

export interface OciDates {
  tags: { tag: string; date: string | null }[];
  /** Digests by tag, from the responses that contained the dates. */
  digests: ReadonlyMap<string, string>;
  /** Source repository of the software, if one of the fetched manifests contains it. */
  project: FoundProject | null;
  /** A tag for each kind of artifact among the fetched manifests. */
  examples: ReadonlyMap<ArtifactType, string>;
  /** True if the highest tag is a deprecated chart. Null if it isn't a chart, or its manifest wasn't fetched. */
  isDeprecated: boolean | null;
}

export type ArtifactType = NonNullable<OciManifest['artifactType']>;

/**
 * Returns the highest tags, and the dates of the new tags among them if the registry provides dates. A tag
 * without a date gets the time when it was first seen. Failures here don't fail the run.
 *
 * Tag lists contain no dates, and each date takes two or three requests. So only the dates of new tags among
 * the highest versions are requested: 40 in the first run, and one or two after each release. Dates that a
 * run couldn't read are requested again by later runs, a few at a time. A variant of a version belongs to the
 * same release, so it has the same date.
 *
 * If the list hasn't changed, only the tags whose dates were found are returned.
 */
export async function readOciDates(
  { plain, others }: HighestTags,
  context: OciDetailsContext,
): Promise<OciDates> {
  const known = new Set(context.knownTags);
  const undated = new Set(context.undatedTags);
  const isNew = (tag: string) => !known.has(tag) || undated.has(tag);
  const dates = new Map<string, string>();
  const found: Found = { dates, digests: new Map(), project: null, examples: new Map(), isDeprecated: null };
  const isHub = context.reference.domain === dockerHub;
  const asked = others.slice(0, maxRequestedTags);
  const isUnchanged = plain.length + others.length === 0;
  try {
    if (isUnchanged) {
      if (isHub) await readFromHub(found, context.undatedTags, context);
      else await readFromManifests(found, context.undatedTags, context);
    } else if (isHub) {
      // The tag list of Docker Hub contains dates, including those of tags with variants.
      const isWanted = (tag: string) => isNew(tag) || (context.readsDigests && context.isFull);
      await readFromHub(found, [...plain, ...asked].filter(isWanted), context);
    } else {
      const highest = plain.length > 0 ? plain : asked;
      await readFromManifests(found, highest.filter(isNew), context, highest[0]);
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
  }
  const datesByRank = new Map(
    plain.flatMap((tag) => {
      const date = dates.get(tag);
      const version = autoScheme.parse(tag);
      return date === undefined || version === null ? [] : [[version.rank, date] as const];
    }),
  );
  const dateOf = (tag: string) =>
    dates.get(tag) ?? datesByRank.get(autoScheme.parse(tag)?.rank ?? '') ?? null;
  return {
    tags: (isUnchanged ? [...dates.keys()] : [...plain, ...others]).map((tag) => ({
      tag,
      date: dateOf(tag),
    })),
    digests: found.digests,
    project: found.project,
    examples: found.examples,
    isDeprecated: found.isDeprecated,
  };
}

async function readFromHub(
  found: Found,
  wanted: readonly string[],
  { reference, http, read, listed }: OciDetailsContext,
): Promise<void> {
  let missing = wanted;
  for (let page = 1; page <= maxHubPages && missing.length > 0; page += 1) {
    const url = `https://hub.docker.com/v2/repositories/${reference.path}/tags?page_size=100&page=${page}&ordering=last_updated`;
    const answer = await http.get(url, {
      what: `the dates of ${reference.path}`,
      accept: 'application/json',
      maxBytes: 16 * 1024 * 1024,
      timeoutMs,
      // The date list has a different origin. With `from`, the request doesn't include credentials.
      from: listed,
    });
    const origin = { host: new URL(answer.url).host, what: 'the dates' };
    const listedTags = await readWhole(read('hub_tags', { ...origin, wanted: missing }, answer.body));
    if (listedTags.results === 0) return;
    for (const { tag, date, digest } of listedTags.tags) {
      if (date !== null) found.dates.set(tag, date);
      if (digest !== null) found.digests.set(tag, digest);
    }
    const seen = new Set(listedTags.tags.map(({ tag }) => tag));
    missing = missing.filter((tag) => !seen.has(tag));
  }
}

export const maxManifestBytes = 4 * 1024 * 1024;

export const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

interface Found {
  dates: Map<string, string>;
  digests: Map<string, string>;
  project: FoundProject | null;
  examples: Map<ArtifactType, string>;
  isDeprecated: boolean | null;
}

async function readFromManifests(
  found: Found,
  wanted: readonly string[],
  context: OciDetailsContext,
  highest?: string,
): Promise<void> {
  let undated = 0;
  for (const tag of wanted) {
    const date = await readFromManifest(found, context, tag, tag === highest).catch((error: unknown) => {
      // The tag was deleted, or it's listed without its manifest.
      if (error instanceof RunError && error.code === 'not_found') return 'missing' as const;
      throw error;
    });
    if (date === 'missing') continue;
    // Don't count tags that are already known to have no date. They are requested first, so three of them
    // would make a registry that provides dates look as if it didn't.
    if (date === null) undated += context.undatedTags.includes(tag) ? 0 : 1;
    else found.dates.set(tag, date);
    // A registry that provides no date for the first three tags doesn't provide dates at all.
    if (found.dates.size === 0 && undated >= 3) return;
  }
}

/**
 * Returns the date of a tag from its manifest.
 *
 * @param found Collects the digest, and the project named by the first manifest or configuration.
 */
async function readFromManifest(
  found: Found,
  context: OciDetailsContext,
  tag: string,
  isHighest: boolean,
): Promise<string | null> {
  const get = async (path: string, accept: string) => {
    const manifest = await getManifest(context, path, accept);
    found.project ??= manifest.project;
    return manifest;
  };
  const { digest, ...top } = await get(`manifests/${encodeURIComponent(tag)}`, manifestTypes);
  if (digest !== null) found.digests.set(tag, digest);
  if (top.artifactType !== null && !found.examples.has(top.artifactType))
    found.examples.set(top.artifactType, tag);
  if (top.annotated !== null) found.dates.set(tag, top.annotated);
  // The configuration of a chart is its Chart.yaml. It's read only for the highest version, which decides whether the
  // chart is deprecated.
  if (isHighest && top.artifactType === 'chart' && top.config !== null)
    found.isDeprecated = (await get(`blobs/${top.config}`, 'application/json, */*;q=0.5')).isDeprecated;
  if (top.annotated !== null) return top.annotated;
  const manifest = top.main === null ? top : await get(`manifests/${top.main}`, manifestTypes);
  if (manifest.annotated !== null) return manifest.annotated;
  if (manifest.config === null) return null;
  const config = await get(`blobs/${manifest.config}`, 'application/json, */*;q=0.5');
  return config.created;
}

/** Requests a manifest or a configuration. */
export async function getManifest(
  { requests, read }: Pick<OciDetailsContext, 'requests' | 'read'>,
  path: string,
  accept: string,
): Promise<OciManifest & { digest: string | null }> {
  const answer = await requests.get(path, { accept, maxBytes: maxManifestBytes, timeoutMs });
  const origin = { host: new URL(answer.url).host, what: 'a manifest' };
  const manifest = await readWhole(read('oci_manifest', origin, answer.body));
  return { ...manifest, digest: readDigest(answer.headers['docker-content-digest']) };
}
