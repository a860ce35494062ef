import { withoutTrailing } from '../text/trailing.ts';
import { hasControlCharacters } from '../text/visible-controls.ts';
import { normalizeGithubName } from './forge-names.ts';
import { dockerHub, normalizeOciReference } from './oci-reference.ts';
import { repositoryAddress } from './repository-address.ts';

/** The decoded parts of a package URL. */
export interface PackageUrl {
  type: string;
  namespace: string[];
  name: string;
  version: string | null;
  /** Qualifiers, sorted by key. */
  qualifiers: [key: string, value: string][];
}

const maxLength = 1_000;
/** Maximum length in characters, percent-encoded. A database index rejects entries of about 2,700 bytes. */
export const maxPurlLength = 2_000;
/** Types whose names are case-insensitive. */
const caseless: ReadonlySet<string> = new Set([
  'github',
  'gitlab',
  'bitbucket',
  'oci',
  'docker',
  'helm',
  'terraform',
  'generic',
]);

/**
 * Reads `pkg:type/namespace/name@version?qualifiers#subpath`. The subpath doesn't identify a package and is
 * dropped.
 */
export function parsePurl(text: string): PackageUrl | null {
  const trimmed = text.trim();
  if (trimmed.length > maxLength || !/^pkg:/i.test(trimmed)) return null;
  const [beforeSubpath = ''] = trimmed.slice('pkg:'.length).replace(/^\/+/, '').split('#');
  const question = beforeSubpath.indexOf('?');
  const [path, query] =
    question < 0
      ? [beforeSubpath, '']
      : [beforeSubpath.slice(0, question), beforeSubpath.slice(question + 1)];
  const at = path.lastIndexOf('@');
  const isVersion = at > path.lastIndexOf('/');
  const segments = (isVersion ? path.slice(0, at) : path).split('/').filter((segment) => segment !== '');
  const [type = '', ...rest] = segments;
  if (!/^[A-Za-z][A-Za-z0-9.-]*$/.test(type) || rest.length === 0) return null;
  const decoded = rest.map(decode);
  const version = isVersion ? decode(path.slice(at + 1)) : null;
  const qualifiers = query
    .split('&')
    .filter((pair) => pair.includes('='))
    .map((pair): [string, string | null] => {
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals).toLowerCase(), decode(pair.slice(equals + 1))];
    });
  if (
    decoded.includes(null) ||
    (isVersion && version === null) ||
    qualifiers.some(([, value]) => value === null)
  )
    return null;
  const lower = (value: string | null) => (caseless.has(type.toLowerCase()) ? value!.toLowerCase() : value!);
  return {
    type: type.toLowerCase(),
    namespace: decoded.slice(0, -1).map(lower),
    name: lower(decoded.at(-1)!),
    version: version === '' ? null : version,
    qualifiers: sortQualifiers(qualifiers.filter((pair): pair is [string, string] => pair[1] !== '')),
  };
}

/** Decodes a part. Returns null for control characters, because no package has them, and databases reject `%00`. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return hasControlCharacters(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

function sortQualifiers(qualifiers: [string, string][]): [string, string][] {
  return qualifiers.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

export function formatPurl({ type, namespace, name, version, qualifiers }: PackageUrl): string {
  const path = [...namespace, name].map(encode).join('/');
  const query = sortQualifiers(qualifiers).map(([key, value]) => `${key}=${encode(value)}`);
  return `pkg:${type}/${path}${version === null ? '' : `@${encode(version)}`}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** Percent-encodes text, except for colons, as in the package URL specification. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}

/**
 * Returns the canonical form of a package URL for comparisons, without a version. Every image is `pkg:oci/…`,
 * because some tools write `pkg:docker/argoproj/argocd` and others
 * `pkg:oci/argocd?repository_url=docker.io/argoproj/argocd`.
 */
export function normalizePurl(text: string): string | null {
  const normalized = canonicalPurl(text);
  return normalized === null || normalized.length > maxPurlLength ? null : normalized;
}

function canonicalPurl(text: string): string | null {
  const purl = parsePurl(text);
  if (!purl) return null;
  const repository = purl.qualifiers
    .find(([key]) => key === 'repository_url')?.[1]
    .replace(/^https?:\/\//i, '');
  if (purl.type === 'docker')
    return imagePurl([repository ?? dockerHub, ...purl.namespace, purl.name].join('/'));
  if (purl.type === 'oci' && repository !== undefined) {
    const path = withoutTrailing(repository, '/');
    return imagePurl(path.endsWith(`/${purl.name}`) ? path : `${path}/${purl.name}`);
  }
  const qualifiers = purl.qualifiers.filter(([key]) => identifying.has(key));
  return formatPurl({ ...purl, version: null, qualifiers });
}

/**
 * Qualifiers that identify a package. Other qualifiers specify a build of the package or the location of a
 * copy.
 */
const identifying: ReadonlySet<string> = new Set(['repository_url', 'vcs_url', 'download_url']);

/** Returns the package URL of an image or an OCI chart. Every spelling of a reference is accepted. */
export function imagePurl(reference: string): string | null {
  const normalized = normalizeOciReference(reference);
  if (!normalized.ok) return null;
  const { artifactName } = normalized;
  const name = artifactName.slice(artifactName.lastIndexOf('/') + 1);
  return formatUnversionedPurl('oci', [], name, [['repository_url', artifactName]]);
}

/** @param repository The URL of a Helm repository. */
export function chartPurl(repository: string, chart: string): string {
  const address = withoutTrailing(repository.replace(/^https?:\/\//i, ''), '/');
  const slash = address.indexOf('/');
  const host = slash < 0 ? address : address.slice(0, slash);
  return formatUnversionedPurl('helm', [], chart.toLowerCase(), [
    ['repository_url', host.toLowerCase() + (slash < 0 ? '' : address.slice(slash))],
  ]);
}

/**
 * @param url The URL of a Git repository. Hosts other than GitHub have no package type, so the package is
 * identified by the URL.
 */
export function gitPurl(url: string): string {
  const github = /^(?:[a-z+]+:\/\/)?(?:git@)?(?:www\.)?github\.com[/:]/i.test(url)
    ? normalizeGithubName(url)
    : null;
  if (github?.ok) {
    const [, owner = '', repository = ''] = github.artifactName.toLowerCase().split('/');
    return formatUnversionedPurl('github', [owner], repository, []);
  }
  const address = repositoryAddress(url);
  const name = address.slice(address.lastIndexOf('/') + 1).toLowerCase();
  return formatUnversionedPurl('generic', [], name === '' ? 'repository' : name, [
    ['vcs_url', `git+https://${address}`],
  ]);
}

/** @param segments The namespace and name of a provider, or the namespace, name, and provider of a module. */
export function terraformPurl(host: string, segments: readonly string[]): string {
  const lower = segments.map((segment) => segment.toLowerCase());
  return formatUnversionedPurl(
    'terraform',
    lower.slice(0, -1),
    lower.at(-1) ?? '',
    host === 'registry.terraform.io' ? [] : [['repository_url', host]],
  );
}

/** Returns the package URL of a Python package, whose name has one spelling for each of its separators. */
export function pypiPurl(name: string): string {
  return formatUnversionedPurl('pypi', [], name.toLowerCase().replaceAll(/[-_.]+/g, '-'), []);
}

function formatUnversionedPurl(
  type: string,
  namespace: string[],
  name: string,
  qualifiers: [string, string][],
): string {
  return formatPurl({ type, namespace, name, version: null, qualifiers });
}
