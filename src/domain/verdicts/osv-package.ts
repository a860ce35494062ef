import { dockerHub } from '../artifacts/oci-reference.ts';
import { parsePurl } from '../identity/purl.ts';

/** A package as OSV names it. */
export interface OsvPackage {
  readonly ecosystem: string;
  readonly name: string;
}

const githubActions = 'GitHub Actions';

/**
 * Returns the key under which a package is stored and configured: `Go/k8s.io/kubernetes`. From major version
 * 2 on, the path of a Go module contains the major version. A project has one history, so `…/v2` has the key
 * of the module without it.
 */
export function packageKey({ ecosystem, name }: OsvPackage): string {
  if (ecosystem === 'Go') return `Go/${splitModule(name).base}`;
  // GitHub ignores the case of repository names, and so do users.
  if (ecosystem === githubActions) return `${ecosystem}/${name.toLowerCase()}`;
  return `${ecosystem}/${name}`;
}

/**
 * Splits the path of a Go module into its base and its major version, which is 0 if the path has none. The
 * base is lowercase, because GitHub ignores case and users do too.
 */
export function splitModule(path: string): { base: string; major: number } {
  const lower = path.toLowerCase();
  const [, base = lower, major = '0'] = /^(.+)\/v([2-9]|[1-9][0-9]{1,5})$/.exec(lower) ?? [];
  return { base, major: Number(major) };
}

/**
 * Highest major version to check, because Go modules have no list of their major versions. In 2026, the
 * highest in the Go vulnerability database is 25.
 */
const maxMajor = 30;

/**
 * Returns all names under which OSV can have records of a package. In OSV, each major version of a Go module
 * is a package.
 */
export function namesInOsv({ ecosystem, name }: OsvPackage): string[] {
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
 * Returns the keys under which packages are stored, without duplicates. If a text isn't a package, returns
 * the index of the first one that isn't.
 */
export function normalizePackages(
  texts: readonly string[],
): { readonly ok: true; readonly packages: string[] } | { readonly ok: false; readonly index: number } {
  const packages = texts.map(parsePackage);
  const index = packages.indexOf(null);
  if (index >= 0) return { ok: false, index };
  return { ok: true, packages: [...new Set(packages.map((each) => packageKey(each!)))].toSorted() };
}

/** Ecosystems by package URL type, for types whose path is the package name. */
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
 * Returns the packages under which vulnerabilities of an artifact can be published. A project on GitHub can
 * be a Go module or an action. A package that doesn't exist has no records.
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
  // An action can be in a directory of its repository, which isn't part of its name in OSV.
  const action = { ecosystem: githubActions, name: parts.slice(0, 2).join('/') };
  if (type === 'githubactions') return [action];
  if (type === 'github') return [{ ecosystem: 'Go', name: `github.com/${path}` }, action];
  if (type === 'maven') return [{ ecosystem: 'Maven', name: `${namespace.join('.')}:${name}` }];
  if (type === 'oci' && bitnamiImages.includes(repository.slice(0, -name.length)))
    return [{ ecosystem: 'Bitnami', name }];
  if (type === 'helm' && repository === bitnamiCharts) return [{ ecosystem: 'Bitnami', name }];
  const ecosystem = ecosystemsByType[type];
  return ecosystem === undefined ? [] : [{ ecosystem, name: path }];
}
