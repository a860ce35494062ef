import { dockerHub, type OciReference } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { readWhole } from './body-reader.ts';
import type { OciRequests } from './oci-requests.ts';
import type { OciManifest } from './read-oci-metadata.ts';
import type { HighestTags } from './read-oci-tags.ts';
import type { SourceContext } from './release-source.ts';
import type { SourceHead } from './source-http.ts';

/** Docker Hub tells them a hundred at a time. Manifests are not read there: each would count as a pull of the user. */
const maxHubPages = 3;
/** Of one request; a date is not worth more. */
const timeoutMs = 10_000;

export interface OciDatesContext extends Pick<SourceContext, 'http' | 'read' | 'signal'> {
  knownTags: readonly string[];
  reference: OciReference;
  requests: OciRequests;
  /** The answer that the list came with. */
  listed: SourceHead;
}

/**
 * The highest tags, and when the new ones of them were made as far as the registry says so. A tag without a date is dated
 * by the time at which it was first seen. What fails here is no failure of the run.
 *
 * A list of tags has no dates; each costs two requests or three. So only the highest versions are asked for, and only
 * those that are not known from before: 40 at the first run, and then one or two when something new comes.
 */
export async function readOciDates(
  { plain, others }: HighestTags,
  context: OciDatesContext,
): Promise<{ tag: string; date: string | null }[]> {
  const known = new Set(context.knownTags);
  const wanted = (plain.length > 0 ? plain : others).filter((tag) => !known.has(tag));
  const dates = new Map<string, string>();
  if (wanted.length > 0) {
    try {
      if (context.reference.domain === dockerHub) await readFromHub(dates, wanted, context);
      else await readFromManifests(dates, wanted, context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof RunError)) throw error;
    }
  }
  return [...plain, ...others].map((tag) => ({ tag, date: dates.get(tag) ?? null }));
}

async function readFromHub(
  dates: Map<string, string>,
  wanted: readonly string[],
  { reference, http, read, listed }: OciDatesContext,
): Promise<void> {
  let missing = wanted;
  for (let page = 1; page <= maxHubPages && missing.length > 0; page += 1) {
    const url = `https://hub.docker.com/v2/repositories/${reference.path}/tags?page_size=100&page=${page}&ordering=last_updated`;
    const answer = await http.get(url, {
      what: `the dates of ${reference.path}`,
      accept: 'application/json',
      maxBytes: 16 * 1024 * 1024,
      timeoutMs,
      // Another origin, so that no credential goes along.
      from: listed,
    });
    const origin = { host: new URL(answer.url).host, what: 'the dates' };
    const found = await readWhole(read('hub_tags', { ...origin, wanted: missing }, answer.body));
    if (found.results === 0) return;
    const told = new Map(found.dates);
    missing = missing.filter((tag) => !told.has(tag));
    for (const [tag, date] of told) if (date !== null) dates.set(tag, date);
  }
}

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

async function readFromManifests(
  dates: Map<string, string>,
  wanted: readonly string[],
  context: OciDatesContext,
): Promise<void> {
  for (const tag of wanted) {
    const date = await readFromManifest(context, tag);
    if (date !== null) dates.set(tag, date);
    // A registry that tells it of none of the first few does not tell it at all.
    if (dates.size === 0 && wanted.indexOf(tag) >= 2) return;
  }
}

async function readFromManifest(context: OciDatesContext, tag: string): Promise<string | null> {
  const top = await getManifest(context, `manifests/${encodeURIComponent(tag)}`, manifestTypes);
  if (top.annotated !== null) return top.annotated;
  const manifest =
    top.main === null ? top : await getManifest(context, `manifests/${top.main}`, manifestTypes);
  if (manifest.annotated !== null) return manifest.annotated;
  if (manifest.config === null) return null;
  const config = await getManifest(context, `blobs/${manifest.config}`, 'application/json, */*;q=0.5');
  return config.created;
}

async function getManifest(
  { requests, read }: OciDatesContext,
  path: string,
  accept: string,
): Promise<OciManifest> {
  const answer = await requests.get(path, { accept, maxBytes: 4 * 1024 * 1024, timeoutMs });
  const origin = { host: new URL(answer.url).host, what: 'a manifest' };
  return readWhole(read('oci_manifest', origin, answer.body));
}
