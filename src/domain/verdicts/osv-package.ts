import { dockerHub } from '../artifacts/oci-reference.ts';
import { parsePurl } from '../identity/purl.ts';

/** A package as OSV names it. */
export interface OsvPackage {
  readonly ecosystem: string;
  readonly name: string;
}

/**
 * The name under which a package is stored and set: `Go/k8s.io/kubernetes`. The path of a Go module has its major version
 * from 2 on, but a project has one history, so `…/v2` has the key of the module without it.
 */
export function packageKeyOf({ ecosystem, name }: OsvPackage): string {
  if (ecosystem === 'Go') return `Go/${splitModule(name).base}`;
  return `${ecosystem}/${name}`;
}

/** A Go module without its major version, and that: 0 for none. GitHub ignores case, and so do people. */
export function splitModule(path: string): { base: string; major: number } {
  const lower = path.toLowerCase();
  const [, base = lower, major = '0'] = /^(.+)\/v([2-9]|[1-9][0-9]{1,5})$/.exec(lower) ?? [];
  return { base, major: Number(major) };
}

/** Go modules have no list of their major versions. In 2026, the highest in the Go vulnerability database is 25. */
const maxMajor = 30;

/** All names under which OSV can have records of a package. In OSV, each major version of a Go module is a package. */
export function namesInOsv({ ecosystem, name }: OsvPackage): string[] {
  if (ecosystem !== 'Go') return [name];
  return [name, ...Array.from({ length: maxMajor - 1 }, (_, index) => `${name}/v${index + 2}`)];
}

const maxLength = 300;

/** Reads `ECOSYSTEM/NAME`. `null` if it isn't that. */
export function parsePackage(text: string): OsvPackage | null {
  const trimmed = text.trim();
  const slash = trimmed.indexOf('/');
  const ecosystem = trimmed.slice(0, Math.max(slash, 0));
  const name = trimmed.slice(slash + 1);
  if (trimmed.length > maxLength || name === '' || /[\s\p{Cc}]/u.test(name)) return null;
  return /^[A-Za-z][A-Za-z0-9.:_ -]*$/.test(ecosystem) ? { ecosystem, name } : null;
}

/** The names under which packages are stored, each once. The index of the first that isn't a package otherwise. */
export function normalizePackages(
  texts: readonly string[],
): { readonly ok: true; readonly packages: string[] } | { readonly ok: false; readonly index: number } {
  const packages = texts.map(parsePackage);
  const index = packages.indexOf(null);
  if (index >= 0) return { ok: false, index };
  return { ok: true, packages: [...new Set(packages.map((each) => packageKeyOf(each!)))].toSorted() };
}

/** The ecosystems in which the path of a package URL is the name. */
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
 * The package that vulnerabilities of an artifact are published for. A project on GitHub may be a Go module: if it isn't, it
 * has no records. `null` if unknown.
 *
 * @param purl normalized
 */
export function packageOfPurl(purl: string): OsvPackage | null {
  const parsed = parsePurl(purl);
  if (parsed === null) return null;
  const { type, namespace, name, qualifiers } = parsed;
  const path = [...namespace, name].join('/');
  const repository = qualifiers.find(([key]) => key === 'repository_url')?.[1] ?? '';
  if (type === 'github') return { ecosystem: 'Go', name: `github.com/${path}` };
  if (type === 'maven') return { ecosystem: 'Maven', name: `${namespace.join('.')}:${name}` };
  if (type === 'oci' && bitnamiImages.includes(repository.slice(0, -name.length)))
    return { ecosystem: 'Bitnami', name };
  if (type === 'helm' && repository === bitnamiCharts) return { ecosystem: 'Bitnami', name };
  const ecosystem = ecosystemsByType[type];
  return ecosystem === undefined ? null : { ecosystem, name: path };
}
