import { dockerHub } from '../artifacts/oci-reference.ts';
import { parsePurl } from '../artifacts/purl.ts';
import { ownValue } from '../json/own-value.ts';

/** A package, with the names that OSV uses. */
export interface OsvPackage {
  readonly ecosystem: string;
  readonly name: string;
}

const githubActions = 'GitHub Actions';

/**
 * Returns the key under which a package is stored and configured: `Go/k8s.io/kubernetes`. The path of a Go module
 * contains the major version from version 2 on. Because all major versions belong to one project, `…/v2` has the same
 * key as the module without it.
 */
export function packageKey({ ecosystem, name }: OsvPackage): string {
  if (ecosystem === 'Go') return `Go/${splitModulePath(name).base}`;
  // Repository names on GitHub are case-insensitive, and users don't always enter them in the original case.
  if (ecosystem === githubActions) return `${ecosystem}/${name.toLowerCase()}`;
  return `${ecosystem}/${name}`;
}

/**
 * Splits the path of a Go module into its base and its major version, which is 0 if the path has none. The base is
 * converted to lowercase, because repository names on GitHub are case-insensitive and users don't always enter the
 * original case.
 */
export function splitModulePath(path: string): { base: string; major: number } {
  const lower = path.toLowerCase();
  const [, base = lower, major = '0'] = /^(.+)\/v([2-9]|[1-9][0-9]{1,5})$/.exec(lower) ?? [];
  return { base, major: Number(major) };
}

/**
 * Highest major version for which records are looked up. No list of a Go module's major versions exists. In
 * 2026, the highest one in the Go vulnerability database is 25.
 */
const maxMajor = 30;

/**
 * Returns all names under which OSV can have records of a package. In OSV, each major version of a Go module is a
 * separate package.
 */
export function osvNamesOf({ ecosystem, name }: OsvPackage): string[] {
  if (ecosystem !== 'Go') return [name];
  return [name, ...Array.from({ length: maxMajor - 1 }, (_, index) => `${name}/v${index + 2}`)];
}

const maxLength = 300;

/** Parses `ECOSYSTEM/NAME`. Returns `null` for any other format. */
export function parsePackage(text: string): OsvPackage | null {
  const trimmed = text.trim();
  const slash = trimmed.indexOf('/');
  const ecosystem = trimmed.slice(0, Math.max(slash, 0));
  const name = trimmed.slice(slash + 1);
  if (trimmed.length > maxLength || name === '' || /[\s\p{Cc}]/u.test(name)) return null;
  return /^[A-Za-z][A-Za-z0-9.:_ -]*$/.test(ecosystem) ? { ecosystem, name } : null;
}

/**
 * Returns the keys under which packages are stored, without duplicates. If any text isn't a package, returns
 * the index of the first such text.
 */
export function normalizePackages(
  texts: readonly string[],
): { readonly ok: true; readonly packages: string[] } | { readonly ok: false; readonly index: number } {
  const packages = texts.map(parsePackage);
  const index = packages.indexOf(null);
  if (index >= 0) return { ok: false, index };
  return { ok: true, packages: [...new Set(packages.map((each) => packageKey(each!)))].toSorted() };
}

/** Ecosystems by package URL type, for types in which the namespace and the name form the package name. */
const ecosystemsByType: Readonly<Record<string, string>> = {
  bitnami: 'Bitnami',
  cargo: 'crates.io',
  composer: 'Packagist',
  gem: 'RubyGems',
  golang: 'Go',
  hex: 'Hex',
  npm: 'npm',
  nuget: 'NuGet',
  pub: 'Pub',
  pypi: 'PyPI',
};

const bitnamiImages = [`${dockerHub}/bitnami/`, `${dockerHub}/bitnamilegacy/`];
const bitnamiCharts = 'charts.bitnami.com/bitnami';

/**
 * Returns the packages under which vulnerabilities of an artifact can be published. For example, a project on
 * GitHub can be a Go module or an action. Some of the returned packages may not exist. That's harmless,
 * because they have no records.
 *
 * @param purl A normalized package URL.
 */
export function packagesFromPurl(purl: string): OsvPackage[] {
  const parsed = parsePurl(purl);
  if (parsed === null) return [];
  const { type, namespace, name, qualifiers } = parsed;
  const parts = [...namespace, name];
  const path = parts.join('/');
  const repository = qualifiers.find(([key]) => key === 'repository_url')?.[1] ?? '';
  // An action can be in a subdirectory of its repository, but its name in OSV doesn't include the subdirectory.
  const action = { ecosystem: githubActions, name: parts.slice(0, 2).join('/') };
  if (type === 'githubactions') return [action];
  if (type === 'github') return [{ ecosystem: 'Go', name: `github.com/${path}` }, action];
  if (type === 'maven') return [{ ecosystem: 'Maven', name: `${namespace.join('.')}:${name}` }];
  if (type === 'oci' && bitnamiImages.includes(repository.slice(0, -name.length)))
    return [{ ecosystem: 'Bitnami', name }];
  if (type === 'helm' && repository === bitnamiCharts) return [{ ecosystem: 'Bitnami', name }];
  const ecosystem = ownValue(ecosystemsByType, type);
  return ecosystem === undefined ? [] : [{ ecosystem, name: path }];
}
