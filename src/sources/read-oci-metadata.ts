import { readRepositoryLink } from '../domain/identity/project-url.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { readDate, readDigest, readMember } from './release-fields.ts';
import type { FoundProject } from './release-source.ts';

/** The response of a token service. Null if it contains no valid token. */
export async function* readOciToken(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], { token: string | null }, undefined> {
  const root = await readJson(body, origin);
  yield [];
  const given = readMember(root, 'token') ?? readMember(root, 'access_token');
  return { token: typeof given === 'string' && /^[\x21-\x7e]{1,16000}$/u.test(given) ? given : null };
}

/** The date in a manifest, an index, or an image configuration, and where else it can be found. */
export interface OciManifest {
  /** By its annotation. */
  annotated: string | null;
  /** Of a configuration. */
  created: string | null;
  /** Of an index: the image that most have, else the first. */
  main: string | null;
  /** Of a single image. */
  config: string | null;
  /** The repository from which it was built. */
  project: FoundProject | null;
}

export async function* readOciManifest(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], OciManifest, undefined> {
  const root = await readJson(body, origin);
  yield [];
  return {
    annotated: readDate(readMember(readMember(root, 'annotations'), 'org.opencontainers.image.created')),
    created: readDate(readMember(root, 'created')),
    main: mainManifest(root),
    config: digestOf(readMember(root, 'config')),
    project: readProject(root),
  };
}

function mainManifest(index: unknown): string | null {
  const manifests = readMember(index, 'manifests');
  if (!Array.isArray(manifests)) return null;
  const entries: readonly unknown[] = manifests.slice(0, 100);
  const main = entries.find((entry) => {
    const platform = readMember(entry, 'platform');
    return readMember(platform, 'architecture') === 'amd64' && readMember(platform, 'os') === 'linux';
  });
  return digestOf(main ?? entries[0]);
}

function digestOf(descriptor: unknown): string | null {
  return readDigest(readMember(descriptor, 'digest'));
}

/** Annotations are of manifests, labels of configurations. */
function readProject(root: unknown): FoundProject | null {
  const annotations = readMember(root, 'annotations');
  const labels = readMember(readMember(root, 'config'), 'Labels');
  const stated: [FoundProject['source'], unknown][] = [
    ['annotation', readMember(annotations, sourceLabel)],
    ['label', readMember(labels, sourceLabel)],
    ['label', readMember(labels, 'org.label-schema.vcs-url')],
  ];
  for (const [source, value] of stated) {
    const url = typeof value === 'string' && value.length <= maxLinkLength ? readRepositoryLink(value) : null;
    if (url !== null) return { url, source };
  }
  return null;
}

const sourceLabel = 'org.opencontainers.image.source';
const maxLinkLength = 1_000;

export interface HubTagsInput extends BodyOrigin {
  wanted: readonly string[];
}

export interface HubTags {
  results: number;
  /** The wanted ones among them. `digest` is the one of the index if the image has several platforms. */
  tags: { tag: string; date: string | null; digest: string | null }[];
}

/** A page of tags from Docker Hub's own API. */
export async function* readHubTags(
  { wanted, ...origin }: HubTagsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], HubTags, undefined> {
  const results = readMember(await readJson(body, origin), 'results');
  yield [];
  if (!Array.isArray(results)) return { results: 0, tags: [] };
  const missing = new Set(wanted);
  const tags: HubTags['tags'] = [];
  for (const result of results as unknown[]) {
    const name = readMember(result, 'name');
    const date =
      readDate(readMember(result, 'tag_last_pushed')) ?? readDate(readMember(result, 'last_updated'));
    if (typeof name === 'string' && missing.delete(name))
      tags.push({ tag: name, date, digest: digestOf(result) });
  }
  return { results: results.length, tags };
}
