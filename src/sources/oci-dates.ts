import { dockerHub, type OciReference } from '../domain/artifacts/oci-reference.ts';
import { autoScheme } from '../domain/versions/auto-scheme.ts';
import type { Version } from '../domain/versions/version-scheme.ts';
import { RunError } from '../platform/errors.ts';
import { parseJsonBody } from './json-body.ts';
import type { OciRequests } from './oci-requests.ts';
import { readDate, readMember } from './release-fields.ts';
import type { SourceHead, SourceHttp } from './source-http.ts';

/**
 * A list of tags has no dates; each costs two requests or three. So only the highest versions are asked for, and only
 * those that are not known from before: this many at the first run, and then one or two when something new comes.
 */
const maxDated = 40;
/** Docker Hub tells them a hundred at a time. Manifests are not read there: each would count as a pull of the user. */
const maxHubPages = 3;
/** Of one request; a date is not worth more. */
const timeoutMs = 10_000;

/**
 * When the highest of the new tags were made, as far as the registry says so. A tag without a date is dated by the time
 * at which it was first seen. What fails here is no failure of the run.
 */
export async function readOciDates(
  tags: ReadonlySet<string>,
  context: {
    knownTags: readonly string[];
    reference: OciReference;
    requests: OciRequests;
    http: SourceHttp;
    /** The answer that the list came with. */
    listed: SourceHead;
    signal: AbortSignal;
  },
): Promise<Map<string, string>> {
  const known = new Set(context.knownTags);
  const wanted = highest(tags, maxDated).filter((tag) => !known.has(tag));
  const dates = new Map<string, string>();
  if (wanted.length === 0) return dates;
  try {
    if (context.reference.domain === dockerHub) await readFromHub(dates, wanted, context);
    else await readFromManifests(dates, wanted, context.requests);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
  }
  return dates;
}

/** Stable versions without a variant where there are any: what deployments are compared with. */
function highest(tags: ReadonlySet<string>, count: number): string[] {
  const plain = createTop(count);
  const others = createTop(count);
  for (const tag of tags) {
    const version = tag.length <= 256 ? autoScheme.parse(tag) : null;
    if (!version || version.isPrerelease) continue;
    // A single number is a line of versions (`16`) more often than one of them.
    (version.hasSuffix || version.numbers.length < 2 ? others : plain).add(version);
  }
  return (plain.versions.length > 0 ? plain : others).versions.map(({ text }) => text);
}

/** The highest so many, highest first. Not all are kept to be sorted: 200,000 of them take 60 MB. */
function createTop(count: number) {
  const versions: Version[] = [];
  return {
    versions,
    add(version: Version): void {
      const last = versions.at(-1);
      if (versions.length >= count && last && autoScheme.compare(version, last) <= 0) return;
      const at = versions.findIndex((other) => autoScheme.compare(version, other) > 0);
      versions.splice(at < 0 ? versions.length : at, 0, version);
      if (versions.length > count) versions.pop();
    },
  };
}

async function readFromHub(
  dates: Map<string, string>,
  wanted: readonly string[],
  { reference, http, listed }: { reference: OciReference; http: SourceHttp; listed: SourceHead },
): Promise<void> {
  const missing = new Set(wanted);
  for (let page = 1; page <= maxHubPages && missing.size > 0; page += 1) {
    const url = `https://hub.docker.com/v2/repositories/${reference.path}/tags?page_size=100&page=${page}&ordering=last_updated`;
    const answer = await http.get(url, {
      what: `the dates of ${reference.path}`,
      accept: 'application/json',
      maxBytes: 16 * 1024 * 1024,
      timeoutMs,
      // Another origin, so that no credential goes along.
      from: listed,
    });
    const results = readMember(parseJsonBody(answer, { what: 'the dates' }), 'results');
    if (!Array.isArray(results) || results.length === 0) return;
    for (const result of results as unknown[]) {
      const name = readMember(result, 'name');
      const date =
        readDate(readMember(result, 'tag_last_pushed')) ?? readDate(readMember(result, 'last_updated'));
      if (typeof name === 'string' && missing.delete(name) && date !== null) dates.set(name, date);
    }
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
  requests: OciRequests,
): Promise<void> {
  for (const tag of wanted) {
    const date = await readFromManifest(requests, tag);
    if (date !== null) dates.set(tag, date);
    // A registry that tells it of none of the first few does not tell it at all.
    if (dates.size === 0 && wanted.indexOf(tag) >= 2) return;
  }
}

async function readFromManifest(requests: OciRequests, tag: string): Promise<string | null> {
  const top = await getJson(requests, `manifests/${encodeURIComponent(tag)}`, manifestTypes);
  const said = annotatedDate(top);
  if (said !== null) return said;
  const digest = mainManifest(top);
  const manifest = digest === null ? top : await getJson(requests, `manifests/${digest}`, manifestTypes);
  const saidThere = annotatedDate(manifest);
  if (saidThere !== null) return saidThere;
  const config = readDigest(readMember(manifest, 'config'));
  if (config === null) return null;
  return builtDate(
    readMember(await getJson(requests, `blobs/${config}`, 'application/json, */*;q=0.5'), 'created'),
  );
}

/** Of an index: the image that most have, else the first. Null for a single image. */
function mainManifest(index: unknown): string | null {
  const manifests = readMember(index, 'manifests');
  if (!Array.isArray(manifests)) return null;
  const entries: readonly unknown[] = manifests.slice(0, 100);
  const main = entries.find((entry) => {
    const platform = readMember(entry, 'platform');
    return readMember(platform, 'architecture') === 'amd64' && readMember(platform, 'os') === 'linux';
  });
  return readDigest(main ?? entries[0]);
}

function readDigest(descriptor: unknown): string | null {
  const digest = readMember(descriptor, 'digest');
  return typeof digest === 'string' && /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/u.test(digest)
    ? digest
    : null;
}

function annotatedDate(manifest: unknown): string | null {
  return builtDate(readMember(readMember(manifest, 'annotations'), 'org.opencontainers.image.created'));
}

/** Builds that shall come out the same every time say 1970 or 1980. */
function builtDate(value: unknown): string | null {
  const date = readDate(value);
  return date === null || date < '2000' ? null : date;
}

async function getJson(requests: OciRequests, path: string, accept: string): Promise<unknown> {
  const answer = await requests.get(path, { accept, maxBytes: 4 * 1024 * 1024, timeoutMs });
  return parseJsonBody(answer, { what: 'a manifest' });
}
