import { normalizeHost } from '../platform/outbound/index.ts';
import type { ArtifactNameResult } from './release-source.ts';

/** `host/segment/segment…`, taken apart. The host may bear a port. */
export interface HostPath {
  host: string;
  segments: string[];
}

/**
 * `host/segment/…` in its one spelling: no scheme, no trailing slash, the host in lower case, a default
 * port left out.
 * @param shape how it should look, for messages: `github.com/owner/repo`.
 */
export function normalizeHostPath(
  name: string,
  options: { shape: string; minSegments: number; maxSegments: number },
): ArtifactNameResult {
  const { shape, minSegments, maxSegments } = options;
  const fail = (what: string): ArtifactNameResult => ({
    ok: false,
    message: `${what}; write it as ${shape}`,
  });
  const withoutScheme = name.trim().replace(/^https?:\/\//iu, '');
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(withoutScheme))
    return fail('only http and https addresses can be read');
  const [hostPart = '', ...rest] = withoutScheme.replace(/\/+$/u, '').split('/');
  if (hostPart.includes('@')) return fail('a user name or password must not stand in it');
  const host = normalizeHostPart(hostPart);
  if (host === null) return fail(`"${hostPart.slice(0, 100)}" is not a host`);
  if (rest.length < minSegments || rest.length > maxSegments)
    return fail('it has not the right number of parts');
  for (const segment of rest) {
    if (
      segment === '' ||
      segment === '.' ||
      segment === '..' ||
      !/^[^\s?#%\\@:[\]{}|^`"<>\p{Cc}]+$/u.test(segment)
    ) {
      return fail(`"${segment.slice(0, 100)}" cannot be a part of it`);
    }
  }
  const artifactName = [host, ...rest].join('/');
  return artifactName.length <= 1_000
    ? { ok: true, artifactName }
    : fail('it has more than 1,000 characters');
}

/** Of a name that `normalizeHostPath` gave. */
export function splitHostPath(artifactName: string): HostPath {
  const [host = '', ...segments] = artifactName.split('/');
  return { host, segments };
}

/** `host` or `host:port`, in the spelling of a URL; null when it is neither. */
export function normalizeHostPart(text: string): string | null {
  const [, name = text, port] = /^(.*[^:]|\[.*\]):(\d{1,5})$/u.exec(text) ?? [];
  const bare = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  const host = normalizeHost(bare);
  if (host === null || !(host.includes(':') || /^[a-z0-9._-]+$/u.test(host))) return null;
  const written = host.includes(':') ? `[${host}]` : host;
  if (port === undefined || Number(port) === 443) return written;
  return Number(port) >= 1 && Number(port) <= 65_535 ? `${written}:${Number(port)}` : null;
}
