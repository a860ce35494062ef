import type { Fact, ValuesFilesLink } from './fact.ts';
import { environmentOfName } from './guess-labels.ts';
import { environmentReference } from './helmfile-templates.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { isTemplated, templateMark } from './read-version.ts';
import { createPathExpander, directoryOf, resolvePath } from './repository-path.ts';

/** The uses of one values file. */
interface ValuesUse {
  /** Releases of helmfiles that reference the file, by namespace and name. */
  releases: Map<string, NonNullable<ValuesFilesLink['release']>>;
  /** Environments in which the file is used. Contains null if it's used in all of them. */
  environments: Set<string | null>;
  isInstalled: boolean;
  /** True if anything else than releases of helmfiles uses the file. */
  hasOtherUses: boolean;
}

/** An installed release of a helmfile with the files of its values in one environment. */
interface ReleaseValuesFiles {
  /** Chart as written in the helmfile. */
  chart: string;
  /** Directory that a path of the chart is relative to. */
  directory: string;
  /** Paths of the values files, which may not exist. */
  files: readonly string[];
  /** True if the release can have values that aren't in these files. */
  hasOtherValues: boolean;
}

export interface ValuesUses {
  byPath: ReadonlyMap<string, ValuesUse>;
  releases: readonly ReleaseValuesFiles[];
  /** Returns true if a release has a templated path for its values file that could refer to this path. */
  matchesTemplatedPath(path: string): boolean;
}

/** Maximum number of environments that paths are resolved with. Real helmfiles declare fewer than 30. */
const maxEnvironments = 100;
/** Maximum number of templated paths that are compared with files. */
export const maxTemplatedPaths = 1_000;

/**
 * Returns the values files of releases, each with its uses. The release can be in a helmfile, an Application,
 * a kustomization, or Terraform. The files can have any name.
 */
export function findValuesFileUses(files: readonly ScannedFile[]): ValuesUses {
  const byPath = new Map<string, ValuesUse>();
  const releases: ReleaseValuesFiles[] = [];
  const templated = new Set<string>();
  const everywhere = environmentNames(files);
  const inheriting = inheritingDirectories(files);
  const expand = createPathExpander(files.map(({ path }) => path));
  for (const { path, links } of files) {
    const own = links.some(({ type }) => type === 'helmfile_environments')
      ? environmentNames([{ links }])
      : everywhere;
    for (const link of links) {
      if (link.type !== 'values_files') continue;
      const directories = link.isFromRoot ? [''] : [directoryOf(path), ...(inheriting.get(path) ?? [])];
      for (const directory of directories)
        for (const [target, environment] of resolveEnvironments(link, own)) {
          if (isTemplated(target)) {
            const marked = resolvePath(directory, markTemplates(target));
            if (marked !== null && templated.size < maxTemplatedPaths) templated.add(marked);
            continue;
          }
          const joined = resolvePath(directory, target);
          for (const each of joined === null ? [] : expand(joined)) addUse(byPath, each, link, environment);
        }
      if (link.chart === undefined || link.isInstalled === false) continue;
      for (const directory of directories)
        releases.push(...releasesOf(link, link.chart, directory, own, expand));
    }
  }
  return { byPath, releases, matchesTemplatedPath: createTemplateMatcher(templated) };
}

/** Returns a release once for each environment that its paths contain, or once if they contain none. */
function releasesOf(
  { paths, environment, hasOtherValues: isInline }: ValuesFilesLink,
  chart: string,
  directory: string,
  names: readonly string[],
  expand: (path: string) => readonly string[],
): ReleaseValuesFiles[] {
  const isInEnvironments = paths.some((path) => path.includes(environmentReference));
  const environments = !isInEnvironments ? [''] : environment === undefined ? names : [environment];
  return environments.map((name) => {
    const found = paths.map((path) => {
      const target = path.replaceAll(environmentReference, name);
      const joined = isTemplated(target) ? null : resolvePath(directory, target);
      return joined === null ? [] : expand(joined);
    });
    const hasOtherValues = isInline === true || found.some((each) => each.length === 0);
    return { chart, directory, files: [...new Set(found.flat())], hasOtherValues };
  });
}

/** Replaces each template in a path with a mark. */
export function markTemplates(path: string): string {
  return path.replaceAll(/\{\{[^{}]*\}\}|\$\{[^{}]*\}/g, templateMark);
}

/**
 * Returns a function that returns true if one of the marked paths could be a given path.
 *
 * @param marked Paths in which marks replace templates.
 */
export function createTemplateMatcher(marked: Iterable<string>): (path: string) => boolean {
  const patterns = Array.from(marked, (path) => path.split(templateMark));
  return (path) => patterns.some((parts) => containsInOrder(path, parts));
}

/** Maximum number of directories whose helmfiles inherit from one base. Real bases have a few. */
const maxInheriting = 100;

/**
 * Returns the directories of the helmfiles that inherit from each file. Helmfile resolves the paths in a base relative
 * to the helmfile that inherits from it.
 */
function inheritingDirectories(files: readonly ScannedFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const inheriting = new Map<string, Set<string>>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'helmfile_bases') continue;
      const directory = directoryOf(path);
      for (const relative of link.paths) {
        const base = resolvePath(directory, relative);
        if (base === null || directoryOf(base) === directory) continue;
        const known = inheriting.get(base) ?? new Set();
        if (known.size < maxInheriting) inheriting.set(base, known.add(directory));
      }
    }
  return inheriting;
}

/**
 * Returns the paths of a link, each with the environment that uses it. A helmfile declares its environments
 * itself, or inherits them from another helmfile of the repository.
 */
function* resolveEnvironments(
  { paths, environment: only, release }: ValuesFilesLink,
  names: readonly string[],
): Generator<[path: string, environment: string | null], void> {
  for (const path of paths) {
    if (!path.includes(environmentReference)) {
      yield [path, only ?? (release ? environmentInPath(path, names) : null)];
      continue;
    }
    for (const name of only === undefined ? names : [only])
      yield [path.replaceAll(environmentReference, name), name];
  }
}

/** Returns `production` for `production.values.yaml`, and `.github` unchanged. */
function withoutExtensions(segment: string): string {
  const dot = segment.indexOf('.', 1);
  return dot < 0 ? segment : segment.slice(0, dot);
}

/** Returns the declared environment whose name is in a segment of a path, if there is exactly one. */
function environmentInPath(path: string, names: readonly string[]): string | null {
  const segments = new Set(path.split('/').map(withoutExtensions));
  const found = names.filter((name) => segments.has(name));
  return found.length === 1 ? found[0]! : null;
}

/** Returns the declared environments. Without a declaration, Helmfile has the environment `default`. */
function environmentNames(files: readonly Pick<ScannedFile, 'links'>[]): string[] {
  const names = new Set(
    files.flatMap(({ links }) =>
      links.flatMap((link) => (link.type === 'helmfile_environments' ? link.names : [])),
    ),
  );
  return names.size === 0 ? ['default'] : [...names].slice(0, maxEnvironments);
}

function addUse(
  uses: Map<string, ValuesUse>,
  path: string,
  { release, isInstalled }: ValuesFilesLink,
  environment: string | null,
): void {
  const use = uses.get(path) ?? {
    releases: new Map(),
    environments: new Set(),
    isInstalled: false,
    hasOtherUses: false,
  };
  uses.set(path, use);
  if (release) use.releases.set(JSON.stringify([release.namespace, release.name]), release);
  else use.hasOtherUses = true;
  use.environments.add(environment === null ? null : environmentOfName(environment));
  use.isInstalled ||= isInstalled !== false;
}

function containsInOrder(path: string, parts: readonly string[]): boolean {
  const [start = '', ...rest] = parts;
  const end = rest.pop() ?? '';
  if (!path.startsWith(start) || !path.endsWith(end) || path.length < start.length + end.length) return false;
  let at = start.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= path.length - end.length;
}

/** Returns the images of files that a release references as its values. */
export function imagesOfNamedFiles(
  files: readonly ScannedFile[],
  { byPath }: ValuesUses,
): { path: string; fact: Fact }[] {
  return files.flatMap(({ path, links }) =>
    links.flatMap((link) =>
      link.type === 'possible_values' && byPath.has(path) ? link.images.map((fact) => ({ path, fact })) : [],
    ),
  );
}

/** An image that an earlier values file of the same release names for a tag without an image. */
export interface NamedBase {
  base: LinkedFact;
  /** False if the release can have values that weren't read. */
  isCertain: boolean;
}

/** Maximum number of images and tags that one scan compares. Real scans need a few thousand. */
const maxCompared = 1_000_000;

/**
 * Returns the image of each tag whose values file is behind the file with the image in the values of a
 * release. Helm merges the files in this order. Tags for which the releases that use the file name different
 * images are omitted.
 *
 * @param isReadable True for a file of the repository that could be read.
 * @param reportUnsearched Called for each file whose images weren't searched, because the scan reached a limit.
 */
export function findNamedBases(
  facts: readonly LinkedFact[],
  { releases }: ValuesUses,
  isReadable: (path: string) => boolean,
  reportUnsearched: (path: string) => void,
): ReadonlyMap<LinkedFact, NamedBase> {
  const named = new Map<LinkedFact, NamedBase | null>();
  const byFile = Map.groupBy(
    facts.filter(({ extractor, artifact }) => extractor === 'helm_values' && artifact.kind === 'image'),
    ({ file }) => file,
  );
  const withTags = new Set(
    facts.flatMap(({ origin, file }) =>
      origin.type === 'overlay' && origin.base === undefined ? [file] : [],
    ),
  );
  let left = maxCompared;
  for (const { files, hasOtherValues } of releases) {
    if (files.length < 2 || !files.some((file) => withTags.has(file))) continue;
    left -= files.reduce((sum, file) => sum + (byFile.get(file)?.length ?? 0), files.length);
    if (left < 0) {
      for (const file of withTags) reportUnsearched(file);
      return new Map();
    }
    const isWhole = !hasOtherValues && files.every(isReadable);
    const last = new Map<string, { base: LinkedFact; at: number }>();
    for (const [at, file] of files.entries())
      for (const base of byFile.get(file) ?? [])
        if (base.origin.type === 'oci') last.set(base.place.field, { base, at });
    for (const [at, file] of files.entries())
      for (const tag of byFile.get(file) ?? []) {
        if (tag.origin.type !== 'overlay' || tag.origin.base !== undefined) continue;
        const found = last.get(tag.place.field);
        const known = named.get(tag);
        const isOther =
          !found || found.at > at || (known && known.base.artifact.name !== found.base.artifact.name);
        if (isOther || known === null) named.set(tag, null);
        else named.set(tag, { base: found.base, isCertain: isWhole && (known?.isCertain ?? true) });
      }
  }
  return new Map([...named].filter((each): each is [LinkedFact, NamedBase] => each[1] !== null));
}

/**
 * Finds the images in values files whose version a later file replaces in every release and environment that uses the
 * file, as with `values: [web.yaml, "web-{{ .Environment.Name }}.yaml"]` and a version in each file of an environment.
 */
export function findReplacedValues(
  facts: readonly LinkedFact[],
  { byPath, releases }: ValuesUses,
): ReadonlySet<LinkedFact> {
  const byFile = Map.groupBy(
    facts.filter(
      ({ extractor, artifact, version, digest }) =>
        extractor === 'helm_values' && artifact.kind === 'image' && (version ?? digest) !== null,
    ),
    ({ file }) => file,
  );
  const replaced = new Set<LinkedFact>();
  const deployed = new Set<LinkedFact>();
  let left = maxCompared;
  for (const { files } of releases) {
    left -= files.reduce((sum, file) => sum + (byFile.get(file)?.length ?? 0), files.length);
    if (left < 0) return new Set();
    const later = new Set<string>();
    for (const file of files.toReversed()) {
      const own = byFile.get(file) ?? [];
      for (const fact of own) (later.has(fact.place.field) ? replaced : deployed).add(fact);
      for (const { place } of own) later.add(place.field);
    }
  }
  return new Set(
    [...replaced].filter(
      (fact) =>
        !deployed.has(fact) && fact.state === 'exact' && byPath.get(fact.file)?.hasOtherUses === false,
    ),
  );
}

/**
 * Sets the release of the images in a values file if exactly one release uses the file, and their environment
 * if it's used in exactly one environment. If none of the releases is installed, the images get the reason
 * `not_installed`.
 */
export function setReleasesOfValues(facts: readonly LinkedFact[], { byPath }: ValuesUses): void {
  for (const fact of facts) {
    const use = fact.extractor === 'helm_values' ? byPath.get(fact.file) : undefined;
    if (!use) continue;
    const [release] = use.releases.values();
    if (release && use.releases.size === 1 && release.name !== null && !isTemplated(release.name)) {
      const { name, namespace } = release;
      const isKnown = namespace !== null && !isTemplated(namespace);
      fact.place = { ...fact.place, kind: 'Release', namespace: isKnown ? namespace : null, name };
    }
    const [environment = null] = use.environments;
    if (use.environments.size === 1 && environment !== null) fact.environment = environment;
    if (!use.isInstalled) fact.reason = 'not_installed';
  }
}
