import { withoutTrailing } from '../text/trailing.ts';
import { type ArtifactNameResult, invalidArtifact } from './artifact-result.ts';
import { readHost } from './host.ts';
import { readImagePage } from './image-pages.ts';

/** Location of an image, a Helm chart, or another artifact in a registry. */
export interface OciReference {
  /** Normalized domain: `docker.io`, `ghcr.io`, `localhost:5000`. */
  domain: string;
  /** Path without the domain, such as `library/redis`. */
  path: string;
}

/**
 * Matches the path of a reference. Each segment consists of lowercase letters and digits, which can be
 * separated by a dot, one or two underscores, or dashes.
 */
const pathPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/u;
/** Maximum length of domain and path together, from the reference grammar of container images. */
const maxNameLength = 255;

/**
 * Maximum length of pasted text, which can be a name with a pull command, a tag, and a digest, or the URL of
 * a web page.
 */
const maxPastedLength = 1_000;

const shape = 'ghcr.io/owner/image';

/**
 * Normalizes a pasted reference: `redis`, `grafana/grafana:11.2.0`, `ghcr.io/owner/app@sha256:…`,
 * `oci://host/charts/app`, a `docker pull` command, or the page of an image. Tags and digests are removed,
 * because a job tracks all tags. The first part is a host if it contains a dot, a port, or uppercase letters,
 * or is `localhost`. References without a host are on Docker Hub, where a single name means `library/NAME`.
 */
export function normalizeOciReference(name: string): ArtifactNameResult {
  // Reject long text before matching any pattern, because it can come from anyone who can send a hook.
  if (name.length > maxPastedLength)
    return invalidArtifact(`it has more than ${maxPastedLength.toLocaleString('en-US')} characters`, shape);
  const pasted = withoutCommand(name.trim());
  if (/^(?:https?:\/\/)?artifacthub\.io\//iu.test(pasted))
    return invalidArtifact("it's a page about the artifact; its reference is needed", shape);
  const text = withoutTag(readImagePage(pasted) ?? pasted.replace(/^(?:oci|docker|https?):\/\//iu, ''));
  if (text === '') return invalidArtifact("it's empty", shape);
  if (/:\/\//u.test(text)) return invalidArtifact('only registries can be read', shape);
  if (text.includes('@')) return invalidArtifact("it can't contain a user name or password", shape);
  if (text.includes('%')) return invalidArtifact("it can't be percent-encoded", shape);
  const slash = text.indexOf('/');
  const first = slash < 0 ? '' : text.slice(0, slash);
  const isDomain = /[.:]/u.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const path = isDomain ? text.slice(slash + 1) : text;
  if (!pathPattern.test(path)) {
    return path === path.toLowerCase()
      ? invalidArtifact(`"${path.slice(0, 100)}" isn't a valid image name`, shape)
      : invalidArtifact('image names must be lowercase', shape);
  }
  const domain = isDomain ? normalizeDomain(first) : dockerHub;
  if (domain === null) return invalidArtifact(`"${first.slice(0, 100)}" isn't a host`, shape);
  // 64 hexadecimal digits are an image ID, so they can't be the name of a repository.
  if (domain === dockerHub && /^[0-9a-f]{64}$/u.test(path))
    return invalidArtifact("image IDs aren't supported", shape);
  const isOfficial = domain === dockerHub && !path.includes('/');
  const artifactName = `${domain}/${isOfficial ? `library/${path}` : path}`;
  return artifactName.length <= maxNameLength
    ? { ok: true, artifactName }
    : invalidArtifact(`it has more than ${maxNameLength} characters`, shape);
}

/** Removes a pull command such as `docker pull`, which web pages of images offer for copying. */
function withoutCommand(text: string): string {
  return text.replace(
    /^(?:(?:sudo\s+)?(?:docker|podman|nerdctl|crictl|buildah)\s+pull|helm\s+pull)\s+/iu,
    '',
  );
}

/** Removes a trailing slash, a digest, and a tag, but keeps a port. */
function withoutTag(text: string): string {
  // Keep trailing slashes if the text contains no others, so that a host such as `ghcr.io/` isn't read as the
  // name of an image.
  const bare = withoutTrailing(text, '/');
  return (bare.indexOf('/') < 0 ? text : bare)
    .replace(/@sha256:[0-9a-f]{64}$/u, '')
    .replace(/^(.+\/[^/:]+|[^/:]+):[\w][\w.-]{0,127}$/u, '$1');
}

/** Splits a name that `normalizeOciReference` returned. */
export function splitOciReference(artifactName: string): OciReference {
  const slash = artifactName.indexOf('/');
  return { domain: artifactName.slice(0, slash), path: artifactName.slice(slash + 1) };
}

export const dockerHub = 'docker.io';

/** Hosts that are normalized to `docker.io`. */
export const dockerHubHosts: ReadonlySet<string> = new Set([
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
]);

/** Returns the host of the registry API. For Docker Hub, this host differs from the domain in image names. */
export function registryHost(domain: string): string {
  return domain === dockerHub ? 'registry-1.docker.io' : domain;
}

function normalizeDomain(text: string): string | null {
  const host = readHost(text);
  if (host === null) return null;
  if (dockerHubHosts.has(host)) return dockerHub;
  // Keep the uppercase letters, because a lowercase name without a dot or port would be parsed as part of the
  // path.
  return /[.:]/u.test(host) || host === 'localhost' ? host : text;
}
