import { withoutTrailing } from '../text/trailing.ts';
import { type ArtifactNameResult, checkArtifactLength, invalidArtifact } from './artifact-result.ts';
import { readHost } from './host.ts';

/** Parts of `host/segment/segment…`. The host can include a port. */
export interface HostPath {
  host: string;
  segments: string[];
}

/**
 * Normalizes `host/segment/…`: no scheme, no trailing slash, a lowercase host, and no default port.
 *
 * @param shape Example of the expected form, for messages: `github.com/owner/repo`.
 */
export function normalizeHostPath(
  name: string,
  options: { shape: string; minSegments: number; maxSegments: number },
): ArtifactNameResult {
  const { shape, minSegments, maxSegments } = options;
  const withoutScheme = name.trim().replace(/^https?:\/\//iu, '');
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(withoutScheme))
    return invalidArtifact('only http and https URLs can be read', shape);
  const [hostPart = '', ...rest] = withoutTrailing(withoutScheme, '/').split('/');
  if (hostPart.includes('@')) return invalidArtifact("it can't contain a user name or password", shape);
  const host = readHost(hostPart);
  if (host === null) return invalidArtifact(`"${hostPart.slice(0, 100)}" isn't a host`, shape);
  return joinHostPath({ host, segments: rest }, { shape, minSegments, maxSegments });
}

/** Returns the normalized name for a host that `readHost` has already parsed. */
export function joinHostPath(
  { host, segments }: HostPath,
  { shape, minSegments, maxSegments }: { shape: string; minSegments: number; maxSegments: number },
): ArtifactNameResult {
  if (segments.length < minSegments) return invalidArtifact(`it's incomplete`, shape);
  if (segments.length > maxSegments) return invalidArtifact('it has too many parts', shape);
  const wrong = segments.find(
    (segment) => /^\.{0,2}$/u.test(segment) || !/^[^\s?#%\\@:[\]{}|^`"<>\p{Cc}]+$/u.test(segment),
  );
  if (wrong !== undefined) return invalidArtifact(`"${wrong.slice(0, 100)}" isn't a valid part`, shape);
  return checkArtifactLength([host, ...segments].join('/'));
}

/** Splits a name that `normalizeHostPath` returned. */
export function splitHostPath(artifactName: string): HostPath {
  const [host = '', ...segments] = artifactName.split('/');
  return { host, segments };
}
