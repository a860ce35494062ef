import { readRepositoryLink } from '../domain/identity/project-url.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { readDate, readDigest, readField } from './release-fields.ts';
import type { FoundProject } from './release-source.ts';

/** Returns the token in the response of a token service, or `null` if it contains no valid token. */
export async function* readOciToken(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], { token: string | null }, undefined> {
  const root = await readJson(body, origin);
  yield [];
  // Some services send both fields, but one of them is empty.
  const given = [readField(root, 'token'), readField(root, 'access_token')];
  const isToken = (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]{1,16000}$/u.test(value);
  return { token: given.filter((value) => typeof value === 'string').find(isToken) ?? null };
}

/**
 * Date in a manifest, an index, or an image configuration, and references to objects that can also contain
 * it.
 */
export interface OciManifest {
  /** Date in the annotation, if any. */
  annotated: string | null;
  /** Creation date in an image configuration. */
  created: string | null;
  /**
   * Digest of the linux/amd64 image in an index, or of the first image if the index has none for that
   * platform.
   */
  main: string | null;
  /** Digest of the configuration of a single image. */
  config: string | null;
  /** Source repository from which the image was built. */
  project: FoundProject | null;
  /** Kind of the artifact. Null for a configuration, and for artifacts of other kinds. */
  artifactType: 'image' | 'chart' | null;
  /** True in the configuration of a chart that is deprecated. */
  isDeprecated: boolean;
}

export async function* readOciManifest(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], OciManifest, undefined> {
  const root = await readJson(body, origin);
  yield [];
  return {
    annotated: readDate(readField(readField(root, 'annotations'), 'org.opencontainers.image.created')),
    created: readDate(readField(root, 'created')),
    main: mainManifest(root),
    config: digestOf(readField(root, 'config')),
    project: readProject(root),
    artifactType: artifactTypeOf(root),
    isDeprecated: readField(root, 'deprecated') === true,
  };
}

/**
 * Returns the kind of an artifact. An index of platforms always belongs to an image. In a manifest, the media
 * type of the configuration shows the kind.
 */
function artifactTypeOf(manifest: unknown): OciManifest['artifactType'] {
  if (Array.isArray(readField(manifest, 'manifests'))) return 'image';
  const mediaType = readField(readField(manifest, 'config'), 'mediaType');
  if (mediaType === 'application/vnd.cncf.helm.config.v1+json') return 'chart';
  return mediaType === 'application/vnd.oci.image.config.v1+json' ||
    mediaType === 'application/vnd.docker.container.image.v1+json'
    ? 'image'
    : null;
}

function mainManifest(index: unknown): string | null {
  const manifests = readField(index, 'manifests');
  if (!Array.isArray(manifests)) return null;
  const entries: readonly unknown[] = manifests.slice(0, 100);
  const main = entries.find((entry) => {
    const platform = readField(entry, 'platform');
    return readField(platform, 'architecture') === 'amd64' && readField(platform, 'os') === 'linux';
  });
  // Skip attestations, whose platform is unknown.
  const image = entries.find((entry) => readField(readField(entry, 'platform'), 'os') !== 'unknown');
  return digestOf(main ?? image ?? entries[0]);
}

function digestOf(descriptor: unknown): string | null {
  return readDigest(readField(descriptor, 'digest'));
}

/** Returns the source repository from the annotations of a manifest or the labels of a configuration. */
function readProject(root: unknown): FoundProject | null {
  const annotations = readField(root, 'annotations');
  const labels = readField(readField(root, 'config'), 'Labels');
  const candidates: [FoundProject['source'], unknown][] = [
    ['annotation', readField(annotations, sourceLabel)],
    ['label', readField(labels, sourceLabel)],
    ['label', readField(labels, 'org.label-schema.vcs-url')],
  ];
  for (const [source, value] of candidates) {
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
  /** The requested tags on this page. For an image with several platforms, `digest` is that of its index. */
  tags: { tag: string; date: string | null; digest: string | null }[];
}

/** Reads a page of tags from the API of Docker Hub. */
export async function* readHubTags(
  { wanted, ...origin }: HubTagsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], HubTags, undefined> {
  const results = readField(await readJson(body, origin), 'results');
  yield [];
  if (!Array.isArray(results)) return { results: 0, tags: [] };
  const missing = new Set(wanted);
  const tags: HubTags['tags'] = [];
  for (const result of results as unknown[]) {
    const name = readField(result, 'name');
    const date =
      readDate(readField(result, 'tag_last_pushed')) ?? readDate(readField(result, 'last_updated'));
    if (typeof name === 'string' && missing.delete(name))
      tags.push({ tag: name, date, digest: digestOf(result) });
  }
  return { results: results.length, tags };
}
