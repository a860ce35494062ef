import { dotenvPathsOf } from './apply-dotenv.ts';
import { isWanted, toFilePath } from './extract-file.ts';
import { isComposeFile } from './extractors/compose.ts';
import type { FilePath } from './extractors/extractor.ts';
import { matchesPath, type PathPattern, parsePathPattern } from './path-pattern.ts';
import {
  addSkipped,
  createSilentFiles,
  type SilentFiles,
  type SkippedDirectories,
  silentReasonOfUnreadKind,
  summarizeSkipped,
} from './silent-files.ts';
import { unreadKindOf } from './unread-kinds.ts';

/**
 * Directories of third-party software, tests, documentation, examples, and retired files, from which nothing is
 * deployed.
 */
export const defaultExcludes: readonly string[] = [
  'vendor/',
  'node_modules/',
  'testdata/',
  'fixtures/',
  'tests/',
  '.chainsaw-test/',
  'molecule/',
  'docs/',
  'examples/',
  'samples/',
  '.archive/',
  'archive/',
  'archived/',
  '_archive/',
  'attic/',
  'decom/',
  'decommissioned/',
  'deprecated/',
  'disabled/',
  'obsolete/',
  'old/',
  'unused/',
  '.git/',
];

/** Directories of applications and environments. Up to two levels below them, `docs` is the name of a service. */
const deployedRoots: readonly string[] = [
  'apps',
  'applications',
  'cluster',
  'clusters',
  'env',
  'envs',
  'environments',
  'namespaces',
  'overlays',
  'releases',
  'services',
  'stacks',
  'workloads',
];

const exceptions: ReadonlyMap<string, number> = new Map(deployedRoots.map((name) => [name, 2]));

/** A chart called `docs` is a service, unlike a directory `docs` in a chart. */
const exceptionsOfDocs: ReadonlyMap<string, number> = new Map([...exceptions, ['charts', 1]]);

/** Helm renders all templates of a chart, including copies of those that other charts share. */
const exceptionsOfVendor: ReadonlyMap<string, number> = new Map([['templates', 1]]);

/** Directories whose names can also be those of services. The others are never deployed, wherever they are. */
const possibleServices: ReadonlySet<string> = new Set([
  'testdata/',
  'fixtures/',
  'tests/',
  '.chainsaw-test/',
  'molecule/',
  'docs/',
  'examples/',
  'samples/',
  'archive/',
  'archived/',
  // A cache of Nix packages.
  'attic/',
]);

export const defaultExclusions: readonly PathPattern[] = defaultExcludes.flatMap((name) => {
  const pattern = parsePathPattern(name);
  if (!pattern) return [];
  if (name === 'vendor/') return [{ ...pattern, exceptBelow: exceptionsOfVendor }];
  if (!possibleServices.has(name)) return [pattern];
  return [{ ...pattern, exceptBelow: name === 'docs/' ? exceptionsOfDocs : exceptions }];
});

export interface ScanPath extends FilePath {
  /** True if Helm renders the file, so its text isn't YAML. */
  isChartTemplate: boolean;
  /** Indexes of the custom patterns for the file. */
  patternIndexes: readonly number[];
}

/** The files of a repository to read, and why others aren't read. */
export interface ChosenPaths {
  /** Files that can contain versions, based on their names. */
  files: ScanPath[];
  /** Files of kinds that Pacekeeper doesn't read. */
  silent: SilentFiles[];
  /** Directories that are skipped although they contain files that could be read. */
  skipped: SkippedDirectories;
}

/**
 * Chooses the files to read, based on their names.
 *
 * @param options.isIncluded False for files that the job doesn't include.
 * @param options.matchOwn Returns the indexes of the custom patterns for a file.
 */
export function chooseFiles(
  paths: readonly string[],
  excludes: readonly PathPattern[],
  {
    isIncluded = () => true,
    matchOwn = () => [],
  }: { isIncluded?: (path: string) => boolean; matchOwn?: (path: string) => number[] } = {},
): ChosenPaths {
  const charts = new Set(paths.flatMap((path) => /^(.*\/|)Chart\.ya?ml$/.exec(path)?.[1] ?? []));
  const files: ScanPath[] = [];
  const silent = createSilentFiles();
  const skipped = new Set<string>();
  for (const path of paths) {
    const file = toFilePath(path);
    const patternIndexes = matchOwn(path);
    const canBeRead = patternIndexes.length > 0 || isWanted(file);
    // If a file can be read, its kind is determined only after reading, because extractors may find versions
    // in it.
    const kind = canBeRead ? null : unreadKindOf(file);
    if ((!canBeRead && kind === null) || !isIncluded(path)) continue;
    const directory = excludedPart(path, excludes) ?? testDirectoryOf(path, charts);
    if (directory !== null) {
      // Don't report a file that a pattern excludes individually, because that is a decision of the user.
      if (directory !== path) addSkipped(skipped, directory);
    } else if (canBeRead)
      files.push({ ...file, isChartTemplate: isTemplateOf(path, charts), patternIndexes });
    else if (kind !== null) silent.add(silentReasonOfUnreadKind(kind), path);
  }
  return { files, silent: silent.all(), skipped: summarizeSkipped(skipped) };
}

/**
 * Returns the first directory of a path that a pattern excludes, or the path itself. Null if no pattern
 * excludes it.
 */
function excludedPart(path: string, excludes: readonly PathPattern[]): string | null {
  if (!excludes.some((pattern) => matchesPath(pattern, path))) return null;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const directory = path.slice(0, slash);
    if (excludes.some((pattern) => matchesPath(pattern, directory))) return directory;
  }
  return path;
}

/**
 * Returns the role of a file: the parts of its path that affect extraction. Files with the same content and
 * role have the same facts, so the facts of one file are reused for the others.
 */
export function roleOf({ path, base, isChartTemplate }: Omit<ScanPath, 'patternIndexes'>): string {
  const directories = path.split('/').slice(0, -1);
  const known = directories.map((name) =>
    relevantDirectories.has(name) ? name : /[._-]inventor(?:y|ies)$/.test(name) ? 'inventory' : '*',
  );
  const short = known.filter((name, at) => name !== '*' || known[at - 1] !== '*');
  return [...(isChartTemplate ? ['{{}}'] : []), ...short, base].join('/');
}

/** Names of directories that affect how extractors read a file. */
const relevantDirectories: ReadonlySet<string> = new Set([
  '.github',
  '.gitea',
  '.forgejo',
  'workflows',
  'actions',
  'helmfile.d',
  'mise',
  '.mise',
  '.config',
  'values',
  '.gitlab',
  '.gitlab-ci',
  '.woodpecker',
  '.drone',
  '.circleci',
  '.azure-pipelines',
  '.azuredevops',
  '.pipelines',
  'roles',
  'templates',
  'collections',
  'defaults',
  'vars',
  'tasks',
  'handlers',
  'group_vars',
  'all',
  'host_vars',
  'inventory',
  'inventories',
  'playbooks',
]);

/** Returns the `.env` files to read: those next to chosen Compose files, unless a pattern excludes them. */
export function chooseDotenvFiles(
  chosen: readonly FilePath[],
  excludes: readonly PathPattern[],
  exists: (path: string) => boolean,
): string[] {
  const composeFiles = chosen.filter(({ base }) => isComposeFile(base)).map(({ path }) => path);
  return dotenvPathsOf(composeFiles, exists).filter(
    (path) => !excludes.some((pattern) => matchesPath(pattern, path)),
  );
}

/**
 * Returns the directory of a file in the `ci` or `test` directory of a chart, which contains values for its
 * tests. Null for other files.
 */
function testDirectoryOf(path: string, charts: ReadonlySet<string>): string | null {
  const match = /^(.*\/|)(?:ci|test)\/[^/]+$/.exec(path);
  return match !== null && charts.has(match[1]!) ? path.slice(0, path.lastIndexOf('/')) : null;
}

function isTemplateOf(path: string, charts: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('templates/'); at >= 0; at = path.indexOf('templates/', at + 1))
    if (charts.has(path.slice(0, at))) return true;
  return false;
}
