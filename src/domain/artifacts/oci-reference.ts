import { type ArtifactNameResult, invalidArtifact } from './artifact-result.ts';
import { readHost } from './host.ts';
import { readImagePage } from './image-pages.ts';

/** Where an image, a Helm chart or anything else in a registry is. */
export interface OciReference {
  /** In its one spelling: `docker.io`, `ghcr.io`, `localhost:5000`. */
  domain: string;
  /** `library/redis` */
  path: string;
}

/** Parts of lower case letters and digits, between them a dot, one or two underscores, or dashes. */
const pathPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/u;
/** As the reference grammar of container images has it, for domain and path together. */
const maxNameLength = 255;

const shape = 'ghcr.io/owner/image';

/**
 * A reference as people paste it: `redis`, `grafana/grafana:11.2.0`, `ghcr.io/owner/app@sha256:…`,
 * `oci://host/charts/app`, a line with `docker pull`, the page of an image. Tag and digest are left out, because all tags
 * are followed. A first part without dot and port is no host, unless it is `localhost` or has capital letters: it is
 * Docker Hub's, where a single name is `library/NAME`.
 */
export function normalizeOciReference(name: string): ArtifactNameResult {
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
  // 64 hexadecimal digits are the id of an image, never its name.
  if (domain === dockerHub && /^[0-9a-f]{64}$/u.test(path))
    return invalidArtifact("image IDs aren't supported", shape);
  const isOfficial = domain === dockerHub && !path.includes('/');
  const artifactName = `${domain}/${isOfficial ? `library/${path}` : path}`;
  return artifactName.length <= maxNameLength
    ? { ok: true, artifactName }
    : invalidArtifact(`it has more than ${maxNameLength} characters`, shape);
}

/** As registries and their pages offer it to be copied. */
function withoutCommand(text: string): string {
  return text.replace(
    /^(?:(?:sudo\s+)?(?:docker|podman|nerdctl|crictl|buildah)\s+pull|helm\s+pull)\s+/iu,
    '',
  );
}

/** Without trailing slash, digest, and tag; a port is neither. */
function withoutTag(text: string): string {
  return text
    .replace(/(\/.*[^/])\/+$/u, '$1')
    .replace(/@sha256:[0-9a-f]{64}$/u, '')
    .replace(/^(.+\/[^/:]+|[^/:]+):[\w][\w.-]{0,127}$/u, '$1');
}

/** Of a name that `normalizeOciReference` gave. */
export function splitOciReference(artifactName: string): OciReference {
  const slash = artifactName.indexOf('/');
  return { domain: artifactName.slice(0, slash), path: artifactName.slice(slash + 1) };
}

export const dockerHub = 'docker.io';

/** Docker Hub's registry has another name than its images. */
export function registryHost(domain: string): string {
  return domain === dockerHub ? 'registry-1.docker.io' : domain;
}

function normalizeDomain(text: string): string | null {
  const host = readHost(text);
  if (host === null) return null;
  if (['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com'].includes(host)) return dockerHub;
  // In lower case it would be read as a part of the path, so that the capitals stay.
  return /[.:]/u.test(host) || host === 'localhost' ? host : text;
}
