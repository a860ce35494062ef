import { type BodyOrigin, readJson } from './json-body.ts';
import { readDate, readMember } from './release-fields.ts';

/** What a token service answers. Null when it is no token that can be sent. */
export async function* readOciToken(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], { token: string | null }, undefined> {
  const root = await readJson(body, origin);
  yield [];
  const given = readMember(root, 'token') ?? readMember(root, 'access_token');
  return { token: typeof given === 'string' && /^[\x21-\x7e]{1,16000}$/u.test(given) ? given : null };
}

/** What a manifest, an index of them or the configuration of an image says of its age, and where else it may stand. */
export interface OciManifest {
  /** By its annotation. */
  annotated: string | null;
  /** Of a configuration. */
  created: string | null;
  /** Of an index: the image that most have, else the first. */
  main: string | null;
  /** Of a single image. */
  config: string | null;
}

export async function* readOciManifest(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], OciManifest, undefined> {
  const root = await readJson(body, origin);
  yield [];
  return {
    annotated: builtDate(readMember(readMember(root, 'annotations'), 'org.opencontainers.image.created')),
    created: builtDate(readMember(root, 'created')),
    main: mainManifest(root),
    config: readDigest(readMember(root, 'config')),
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
  return readDigest(main ?? entries[0]);
}

function readDigest(descriptor: unknown): string | null {
  const digest = readMember(descriptor, 'digest');
  return typeof digest === 'string' && /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/u.test(digest)
    ? digest
    : null;
}

/** Builds that shall come out the same every time say 1970 or 1980. */
function builtDate(value: unknown): string | null {
  const date = readDate(value);
  return date === null || date < '2000' ? null : date;
}

export interface HubTagsInput extends BodyOrigin {
  wanted: readonly string[];
}

/** A page of what Docker Hub tells of tags beside the registry. */
export async function* readHubTags(
  { wanted, ...origin }: HubTagsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<never[], { results: number; dates: [tag: string, date: string | null][] }, undefined> {
  const results = readMember(await readJson(body, origin), 'results');
  yield [];
  if (!Array.isArray(results)) return { results: 0, dates: [] };
  const missing = new Set(wanted);
  const dates: [string, string | null][] = [];
  for (const result of results as unknown[]) {
    const name = readMember(result, 'name');
    const date =
      readDate(readMember(result, 'tag_last_pushed')) ?? readDate(readMember(result, 'last_updated'));
    if (typeof name === 'string' && missing.delete(name)) dates.push([name, date]);
  }
  return { results: results.length, dates };
}
