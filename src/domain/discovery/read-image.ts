import type { ArtifactKind, Origin, VersionState } from './fact.ts';
import { isTemplated, readVersion } from './read-version.ts';
import type { Reason } from './reasons.ts';

/** The parts of an image reference, before validation. */
export interface ImageText {
  name: string;
  tag: string | null;
  digest: string | null;
}

/** `name:tag@digest`. A port belongs to the name. Null when the text can't be a reference. */
export function splitImage(text: string): ImageText | null {
  const trimmed = text.trim().replace(/^(?:docker|oci):\/\//i, '');
  if (trimmed === '' || trimmed.length > 1_000 || /[\s"'<>|\\]/.test(trimmed.replaceAll(placeholders, '')))
    return null;
  const at = trimmed.indexOf('@');
  const digest = at < 0 ? null : trimmed.slice(at + 1);
  const reference = at < 0 ? trimmed : trimmed.slice(0, at);
  // A colon within a template, such as the one of `${TAG:-1.2}`, belongs to the template.
  const colon = lastColon(reference);
  const isTag = colon > reference.lastIndexOf('/') && colon > 0;
  return {
    name: isTag ? reference.slice(0, colon) : reference,
    tag: isTag ? reference.slice(colon + 1) : null,
    digest: digest === '' ? null : digest,
  };
}

/** As in `<registry>/app:<tag>`. Docker shows `<none>` for what has no name or tag. */
const placeholders = /<(?!none>)[A-Za-z][\w-]*>/g;

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

/** Whether a text under a key such as `image` names an image rather than a picture or a file. */
export function looksLikeImage(text: string): boolean {
  const parts = splitImage(text);
  if (!parts) return false;
  if (isTemplated(parts.name)) return parts.tag !== null || parts.name.includes('/');
  return domainOrPath.test(parts.name) && !(parts.tag === null && files.test(parts.name));
}

export interface ImageFact {
  artifact: { kind: ArtifactKind; name: string };
  origin: Origin;
  version: string | null;
  state: VersionState;
  digest: string | null;
  reason: Reason | null;
}

/** An image as a file specifies it. */
export function readImage({ name, tag, digest }: ImageText): ImageFact {
  const isNameKnown = !isTemplated(name);
  const read = readVersion(tag, 'tag');
  const artifact = { kind: 'image' as const, name };
  const origin: Origin = isNameKnown ? { type: 'oci', reference: name } : { type: 'unknown' };
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

const templated = { version: null, state: 'templated', reason: 'templated' } as const;
