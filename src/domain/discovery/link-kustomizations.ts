import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { push } from './push.ts';
import { isTemplated } from './read-version.ts';
import { baseOf, directoryOf, resolvePath } from './repository-path.ts';

interface Kustomization {
  directory: string;
  /** Files and directories that the kustomization names, as paths from the root of the repository. */
  targets: ReadonlySet<string>;
  /** True if some of the targets come from a template, so that it can include any file. */
  isOpen: boolean;
}

/** A Flux Kustomization or an Application that applies a directory, and the file that contains it. */
interface Applied {
  file: string;
  directory: string;
}

/**
 * Maximum number of rounds in the search for directories that only unused directories refer to. Real
 * repositories need a few rounds.
 */
const maxRounds = 20;

const unlistedFile = 'no kustomization includes this file';
const unlistedDirectory = 'no kustomization in use includes this directory';

/**
 * Finds the versions in manifests that no kustomization includes: files next to a kustomization that doesn't list them,
 * and directories that a kustomization omits although it lists their neighbors, unless a Flux Kustomization or an
 * Application applies them. A directory that nothing refers to can be the root of a deployment, so it counts as used.
 *
 * @returns The unused facts, each with a note that says why it isn't deployed.
 */
export function findUnlistedFacts(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  paths: readonly string[],
): ReadonlyMap<LinkedFact, string> {
  const unused = new Map<LinkedFact, string>();
  const kustomizations = readKustomizations(files);
  if (kustomizations.size === 0 || [...kustomizations.values()].some(({ isOpen }) => isOpen)) return unused;
  const dead = findUnlisted(kustomizations, files, paths);
  const charts = new Set(paths.filter((path) => /(?:^|\/)Chart\.ya?ml$/.test(path)).map(directoryOf));
  for (const fact of facts) {
    const { extractor, place, file } = fact;
    const isManifest =
      (extractor === 'kubernetes' || extractor === 'flux' || extractor === 'argocd') && place.kind;
    if (!(isManifest || extractor === 'kustomize') || charts.has(directoryOf(file))) continue;
    const note = dead.get(file);
    if (note !== undefined) unused.set(fact, note);
  }
  return unused;
}

/** Returns the kustomizations by directory. */
function readKustomizations(files: readonly ScannedFile[]): Map<string, Kustomization> {
  const found = new Map<string, Kustomization>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'kustomization' || !isKustomizationFile(path)) continue;
      const directory = directoryOf(path);
      const targets = link.paths.flatMap((each) => resolvePath(directory, each) ?? []);
      const isOpen = link.resources.some(isTemplated);
      found.set(directory, { directory, targets: new Set(targets), isOpen });
    }
  return found;
}

function isKustomizationFile(path: string): boolean {
  return /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(path);
}

/** Returns the unused files, each with a note. */
function findUnlisted(
  kustomizations: ReadonlyMap<string, Kustomization>,
  files: readonly ScannedFile[],
  paths: readonly string[],
): ReadonlyMap<string, string> {
  const applied = files.flatMap(({ path, links }) =>
    links.flatMap((link): Applied[] => {
      const written =
        link.type === 'flux_kustomization' ? link.path : link.type === 'application' ? link.directory : null;
      const directory = written === null ? null : resolvePath('', written);
      return directory === null ? [] : [{ file: path, directory }];
    }),
  );
  const applying = new Set([
    ...applied.map(({ file }) => file),
    ...files.flatMap(({ path, facts }) =>
      facts.some(({ extractor }) => extractor === 'argocd') ? path : [],
    ),
  ]);
  const includers = new Map<string, Kustomization[]>();
  for (const each of kustomizations.values())
    for (const target of each.targets) push(includers, target, each);
  const dead = new Map<string, string>();
  const isUnlisted = createUnlistedCheck(kustomizations, includers, applying);
  for (const path of paths) if (isUnlisted(path)) dead.set(path, unlistedFile);
  const isGenerated = files.some(
    ({ links, facts }) =>
      facts.some(({ place }) => place.kind === 'ApplicationSet') ||
      links.some((link) => link.type === 'flux_kustomization' && isTemplated(link.path)),
  );
  if (isGenerated) return dead;
  const pathsIn = Map.groupBy(paths, directoryOf);
  const deadDirectories = new Set<string>();
  const neighbors = omittedNeighbors(kustomizations);
  for (let round = 0, isChanged = true; isChanged && round < maxRounds; round++) {
    isChanged = false;
    const appliedDirectories = directoriesInUse(applied, dead, kustomizations);
    for (const own of kustomizations.values()) {
      const { directory } = own;
      if (deadDirectories.has(directory)) continue;
      const including = (includers.get(directory) ?? []).filter((each) => each !== own);
      const isIncluded = including.some((each) => !deadDirectories.has(each.directory));
      const isReferred = including.length > 0 || appliedDirectories.before.has(directory);
      if (isIncluded || appliedDirectories.inUse.has(directory)) continue;
      if (!isReferred && !neighbors.has(directory)) continue;
      deadDirectories.add(directory);
      isChanged = true;
      const listed = [...own.targets, ...(pathsIn.get(directory) ?? []).filter(isKustomizationFile)];
      for (const path of listed) {
        const others = (includers.get(path) ?? []).some((each) => !deadDirectories.has(each.directory));
        if (!others && !dead.has(path)) dead.set(path, unlistedDirectory);
      }
    }
  }
  return dead;
}

/**
 * Kinds of manifests that a kustomization lists in one directory, or in the directories directly below it.
 */
interface Listed {
  isAny: boolean;
  /** True if one of the listed manifests applies other directories. */
  isApplying: boolean;
}

/**
 * Returns the kinds of manifests that a kustomization lists in its own directory, and in the directories
 * directly below it.
 */
function listedBy(
  { directory, targets }: Kustomization,
  applying: ReadonlySet<string>,
): { own: Listed; below: Listed } {
  const own = { isAny: false, isApplying: false };
  const below = { isAny: false, isApplying: false };
  for (const target of targets) {
    if (!/\.ya?ml$/.test(target)) continue;
    const parent = directoryOf(target);
    const place =
      parent === directory ? own : parent !== '' && directoryOf(parent) === directory ? below : null;
    if (place === null) continue;
    place.isAny = true;
    place.isApplying ||= applying.has(target);
  }
  return { own, below };
}

/**
 * Returns a function that is true for a manifest that no kustomization lists, although the kustomization in
 * its directory, or in the directory above, lists other manifests.
 */
function createUnlistedCheck(
  kustomizations: ReadonlyMap<string, Kustomization>,
  includers: ReadonlyMap<string, readonly Kustomization[]>,
  applying: ReadonlySet<string>,
): (path: string) => boolean {
  const listed = new Map(
    Array.from(kustomizations.values(), (each) => [each.directory, listedBy(each, applying)] as const),
  );
  return (path) => {
    if (!/\.ya?ml$/.test(path) || isKustomizationFile(path)) return false;
    if (includers.has(path) || isOtherConfiguration(path)) return false;
    const directory = directoryOf(path);
    const nearest = listed.get(directory);
    const isBelow = nearest === undefined && directory !== '' && !includers.has(directory);
    const place = nearest?.own ?? (isBelow ? listed.get(directoryOf(directory))?.below : undefined);
    // An unlisted Application can be the one that deploys the directory, unless the kustomization lists other
    // Applications.
    return (applying.has(path) ? place?.isApplying : place?.isAny) ?? false;
  };
}

/** True for files that tools other than Kustomize read. */
function isOtherConfiguration(path: string): boolean {
  if (!/\.ya?ml$/i.test(path)) return false;
  const base = baseOf(path);
  return /^(?:talconfig|talenv|fleet|skaffold|helmfile|Chart)\.[a-z]+$/i.test(base) || /values/i.test(base);
}

/** Returns the directories that a kustomization above them omits, although it lists a directory next to them. */
function omittedNeighbors(kustomizations: ReadonlyMap<string, Kustomization>): ReadonlySet<string> {
  const listing = new Map<string, string[]>();
  for (const { directory, targets } of kustomizations.values())
    for (const target of targets) {
      const parent = directoryOf(target);
      const isBelow = directory === '' || target.startsWith(`${directory}/`);
      if (isBelow && kustomizations.has(target)) push(listing, parent, directory);
    }
  const omitted = new Set<string>();
  for (const { directory, targets } of kustomizations.values()) {
    // A kustomization that includes a directory above its own is an overlay.
    const isOverlay = [...targets].some((target) => directory.startsWith(`${target}/`));
    if (!isOverlay && listing.has(directoryOf(directory))) omitted.add(directory);
  }
  return omitted;
}

/**
 * Returns the directories with a kustomization that a Flux Kustomization or an Application applies. `inUse`
 * ignores Flux Kustomizations and Applications in unused (`dead`) files, and `before` includes them. If the
 * applied directory has no kustomization, Flux applies all directories below it.
 */
function directoriesInUse(
  applied: readonly Applied[],
  dead: ReadonlyMap<string, string>,
  kustomizations: ReadonlyMap<string, Kustomization>,
): { inUse: ReadonlySet<string>; before: ReadonlySet<string> } {
  const [inUse, before] = [new Set<string>(), new Set<string>()];
  const roots = new Map<string, boolean>();
  for (const { file, directory } of applied)
    roots.set(directory, (roots.get(directory) ?? false) || !dead.has(file));
  for (const { directory } of kustomizations.values())
    for (let at = directory; ; at = directoryOf(at)) {
      const isUsed = roots.get(at);
      // An unused Application refers only to its own directory, because it can belong to another repository.
      if (isUsed === true || (isUsed === false && at === directory)) before.add(directory);
      if (isUsed === true) inUse.add(directory);
      if (isUsed === true || at === '' || kustomizations.has(directoryOf(at))) break;
    }
  return { inUse, before };
}
