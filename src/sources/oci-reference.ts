import { normalizeHostPart } from './artifact-names.ts';
import type { ArtifactNameResult } from './release-source.ts';

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

/**
 * A reference as people write it, without tag: `redis`, `grafana/grafana`, `ghcr.io/owner/app`, `oci://host/charts/app`.
 * A first part without dot and port is no host, unless it is `localhost` or has capital letters: it is Docker Hub's,
 * where a single name is `library/NAME`.
 */
export function normalizeOciReference(name: string): ArtifactNameResult {
  const fail = (what: string): ArtifactNameResult => ({
    ok: false,
    message: `${what}; write it as ghcr.io/owner/image`,
  });
  const text = name
    .trim()
    .replace(/^(?:oci|docker|https?):\/\//iu, '')
    .replace(/(\/.*[^/])\/+$/u, '$1');
  if (text === '') return fail('it is empty');
  if (/:\/\//u.test(text)) return fail('only registries can be read');
  if (text.includes('@')) return fail('a user name or a digest must not stand in it');
  if (text.includes('%')) return fail('it must not be encoded');
  const slash = text.indexOf('/');
  const first = slash < 0 ? '' : text.slice(0, slash);
  const isDomain = /[.:]/u.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const path = isDomain ? text.slice(slash + 1) : text;
  if (/:[^/]*$/u.test(path)) return fail('a tag must not stand in it: all tags are followed');
  if (!pathPattern.test(path)) {
    return fail(
      path === path.toLowerCase()
        ? `"${path.slice(0, 100)}" is no name of an image`
        : 'the name of an image has no capital letters',
    );
  }
  const domain = isDomain ? normalizeDomain(first) : dockerHub;
  if (domain === null) return fail(`"${first.slice(0, 100)}" is not a host`);
  // 64 hexadecimal digits are the id of an image, never its name.
  if (domain === dockerHub && /^[0-9a-f]{64}$/u.test(path)) return fail('it is the id of an image');
  const isOfficial = domain === dockerHub && !path.includes('/');
  const artifactName = `${domain}/${isOfficial ? `library/${path}` : path}`;
  return artifactName.length <= maxNameLength
    ? { ok: true, artifactName }
    : fail(`it has more than ${maxNameLength} characters`);
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
  const host = normalizeHostPart(text);
  if (host === null) return null;
  if (['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com'].includes(host)) return dockerHub;
  // In lower case it would be read as a part of the path, so that the capitals stay.
  return /[.:]/u.test(host) || host === 'localhost' ? host : text;
}
