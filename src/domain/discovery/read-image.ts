import type { ArtifactKind, FluxTemplate, Origin, VersionState } from './fact.ts';
import { isTemplated, readableText, readVersion } from './read-version.ts';
import type { Reason } from './reasons.ts';

/** The parts of an image reference, before validation. */
export interface ImageText {
  name: string;
  tag: string | null;
  digest: string | null;
}

/**
 * Splits `name:tag@digest`. A port is part of the name. Returns null if the text can't be an image reference.
 */
export function splitImage(text: string): ImageText | null {
  const trimmed = withoutScheme(text);
  return trimmed !== '' && isOneWord(trimmed) ? splitParts(trimmed) : null;
}

/** Splits `name:tag@digest` without validation. A port is part of the name. */
export function splitImageText(text: string): ImageText {
  return splitParts(withoutScheme(text));
}

/**
 * Maximum length of a text that is read as an image. Names have at most 255 characters, and templates add to
 * them.
 */
const maxWrittenLength = 2_000;

/**
 * Removes a scheme, and the variable for GitLab's dependency proxy, which serves only images of Docker Hub.
 */
function withoutScheme(text: string): string {
  return readableText(text.slice(0, maxWrittenLength).trim())
    .replace(/^(?:docker|oci):\/\//i, '')
    .replace(dependencyProxy, '');
}

/**
 * Matches the variable for GitLab's dependency proxy and the slash after it.
 *
 * @see https://docs.gitlab.com/ci/variables/predefined_variables/
 */
const dependencyProxy = /^\$\{?CI_DEPENDENCY_PROXY_(?:DIRECT_)?GROUP_IMAGE_PREFIX\}?\//;

function isOneWord(text: string): boolean {
  return text.length <= 1_000 && !/[\s"'<>|\\]/.test(text.replaceAll(templates, ''));
}

function splitParts(trimmed: string): ImageText {
  const at = trimmed.indexOf('@');
  const digest = at < 0 ? null : trimmed.slice(at + 1);
  const reference = at < 0 ? trimmed : trimmed.slice(0, at);
  // A colon inside a template, as in `${TAG:-1.2}`, is part of the template.
  const colon = lastColon(reference);
  const isTag = colon > reference.lastIndexOf('/') && colon > 0;
  return {
    name: isTag ? reference.slice(0, colon) : reference,
    tag: isTag ? reference.slice(colon + 1) : null,
    digest: digest === '' ? null : digest,
  };
}

/**
 * Templates and placeholders that can contain spaces and quotes: `{{ tag }}`, `${TAG:?set it}`, and
 * `<registry>/app:<tag>`. `<none>` is excluded, because Docker shows it for a missing name or tag.
 */
const templates = /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*\)|<(?!none>)[A-Za-z][\w-]*>/g;

function lastColon(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at];
    if (character === '}') depth++;
    else if (character === '{') depth--;
    else if (character === ':' && depth === 0) return at;
  }
  return -1;
}

const domainOrPath = /^[A-Za-z0-9](?:[A-Za-z0-9._-]|\/(?=[A-Za-z0-9])|:\d+\/(?=[A-Za-z0-9]))*$/;
const files = /\.(?:png|jpe?g|svg|gif|webp|ico|ya?ml|json|tar|tgz|gz|zip|iso|img|qcow2|raw|bin|txt|md)$/i;

/** True if a text under a key such as `image` is the name of an image rather than a picture or a file. */
export function looksLikeImage(text: string): boolean {
  const parts = splitImage(text);
  if (!parts) return false;
  if (isTemplated(parts.name)) return parts.tag !== null || parts.name.includes('/');
  return domainOrPath.test(parts.name) && !(parts.tag === null && files.test(parts.name));
}

/**
 * True if the first segment is a registry host. As in Docker, a host contains a dot or a port, or is
 * `localhost`.
 */
export function hasRegistryHost(repository: string): boolean {
  const [first = '', rest] = repository.split('/', 2);
  return rest !== undefined && (/[.:]/.test(first) || first === 'localhost');
}

export interface ImageFact {
  artifact: { kind: ArtifactKind; name: string };
  origin: Origin;
  version: string | null;
  state: VersionState;
  digest: string | null;
  reason: Reason | null;
  /** True if the registry is known only from a convention. */
  isOriginGuessed?: true;
  /** The image as written, if it contains variables in braces. */
  template?: FluxTemplate;
}

/**
 * Matches an image whose registry is a template and whose namespace is the one for official images of Docker
 * Hub. No other registry has this namespace, so the registry is a mirror of Docker Hub.
 */
const mirrored =
  /^(?:\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Za-z_]\w*|<[A-Za-z][\w-]*>)\/(library\/[a-z0-9][\w.-]*)$/;

/** Reads an image that a file specifies. */
export function readImage(text: ImageText): ImageFact {
  const image = readParts(text);
  const template = templateOf(text);
  return template ? { ...image, template } : image;
}

/** Returns the parts of an image that contains variables in braces, such as `${TAG}`. */
export function templateOf({ name, tag, digest }: ImageText): FluxTemplate | undefined {
  const hasVariables = [name, tag, digest].some((part) => part?.includes('${'));
  return hasVariables ? { name, version: tag, digest } : undefined;
}

function readParts({ name, tag, digest }: ImageText): ImageFact {
  const isNameKnown = !isTemplated(name);
  const read = readVersion(tag, 'tag');
  const artifact = { kind: 'image' as const, name };
  const origin: Origin = isNameKnown ? { type: 'oci', reference: name } : { type: 'unknown' };
  const official = isNameKnown ? undefined : mirrored.exec(name)?.[1];
  if (official !== undefined && tag !== null && read.state !== 'templated')
    return {
      artifact,
      origin: { type: 'oci', reference: official },
      ...read,
      digest,
      isOriginGuessed: true,
    };
  if (!isNameKnown) {
    const version = read.state === 'templated' ? null : read.version;
    return { artifact, origin, version, state: 'templated', digest, reason: 'templated' };
  }
  if (digest !== null && isTemplated(digest))
    return { artifact, origin, ...read, digest: null, ...(tag === null && templated) };
  if (tag === null && digest !== null)
    return { artifact, origin, version: null, state: 'digest', digest, reason: 'digest' };
  return { artifact, origin, ...read, digest };
}

export type WrittenImage = ImageFact & { note: string | null };

/**
 * Reads an image from a field that can't contain anything but an image. An invalid image is returned and
 * marked as invalid, so that the mistake is shown.
 *
 * @returns The image, or null for an empty text.
 */
export function readWrittenImage(text: string): WrittenImage | null {
  const trimmed = withoutScheme(text);
  return trimmed === '' ? null : readWrittenParts(splitParts(trimmed), trimmed);
}

/**
 * Reads an image like `readWrittenImage`, but from parts that are already split.
 *
 * @param text The image as written in the file, for the note.
 */
export function readWrittenParts(parts: ImageText, text: string): WrittenImage {
  if (isValid(parts)) return { ...readImage(parts), note: null };
  return {
    artifact: {
      kind: 'image',
      name: parts.name.slice(0, maxNameLength),
    },
    origin: { type: 'unknown' },
    version: null,
    state: 'floating',
    digest: null,
    reason: 'invalid',
    note: `not a valid image: ${text.slice(0, 100)}`,
  };
}

/** Maximum length of an image name. Docker allows the same number of characters. */
export const maxNameLength = 255;

function isValid({ name, tag, digest }: ImageText): boolean {
  const isValidName = isTemplated(name) ? isOneWord(name) : name.length <= 1_000 && domainOrPath.test(name);
  const isValidTag =
    tag === null || tag === '' || (isTemplated(tag) ? isOneWord(tag) : /^\w[\w.-]{0,127}$/.test(tag));
  return isValidName && isValidTag && isOneWord(digest ?? '');
}

const templated = { version: null, state: 'templated', reason: 'templated' } as const;
