import { readWebAddress } from '../artifacts/web-address.ts';
import { withoutTrailing } from '../text/trailing.ts';

export const maxProjectUrlLength = 1_000;

export type ProjectUrl = { ok: true; url: string } | { ok: false; message: string };

/**
 * Returns the URL of a project's repository without `.git`, query, and fragment, so that different spellings
 * are equal.
 */
export function normalizeProjectUrl(text: string): ProjectUrl {
  const address = readWebAddress(text.trim().replace(/^git\+(?=https?:)/iu, ''));
  if (!address.ok) return address;
  const { url } = address;
  const path = withoutTrailing(url.pathname, '/').replace(/\.git$/iu, '');
  const normalized = `${url.protocol}//${url.host}${path}`;
  if (normalized.length > maxProjectUrlLength)
    return { ok: false, message: 'it has more than 1,000 characters' };
  return { ok: true, url: normalized };
}

/** Hosts whose repositories are `owner/name`. The rest of a path is a location inside the repository. */
const twoSegmentHosts: ReadonlySet<string> = new Set(['github.com', 'codeberg.org', 'bitbucket.org']);

/**
 * Returns the repository that contains the target of a link in an image or a chart. Returns null if the link
 * doesn't point to a repository.
 */
export function readRepositoryLink(text: string): string | null {
  const project = normalizeProjectUrl(text.replace(/^git:\/\/(?=github\.com\/)/iu, 'https://'));
  if (!project.ok) return null;
  const url = new URL(project.url);
  const host = url.host.replace(/^www\./u, '');
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (twoSegmentHosts.has(host)) {
    const [owner, name] = segments;
    if (owner === undefined || name === undefined) return null;
    return `https://${host}/${owner}/${name.replace(/\.git$/iu, '')}`;
  }
  if (segments.length === 0) return null;
  return project.url.split('/-/', 1)[0] ?? null;
}
