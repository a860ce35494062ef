import { isWanted, toFilePath } from './extract-file.ts';
import { isComposeFile } from './extractors/compose.ts';
import type { FilePath } from './extractors/extractor.ts';
import { matchesPath, type PathPattern } from './path-pattern.ts';
import { dotenvPathsOf } from './use-dotenv.ts';

/** Directories of third-party software, tests, documentation, and examples, from which nothing is deployed. */
export const defaultExcludes: readonly string[] = [
  'vendor/',
  'node_modules/',
  'testdata/',
  'fixtures/',
  'tests/',
  '.chainsaw-test/',
  'docs/',
  'examples/',
  '.git/',
];

export interface ScanPath extends FilePath {
  /** True if Helm renders the file, so its text isn't YAML. */
  isChartTemplate: boolean;
}

/** Returns the files of a repository that can contain versions, based on their names. */
export function chooseFiles(paths: readonly string[], excludes: readonly PathPattern[]): ScanPath[] {
  const charts = new Set(paths.flatMap((path) => /^(.*\/|)Chart\.ya?ml$/.exec(path)?.[1] ?? []));
  return paths
    .filter((path) => !excludes.some((pattern) => matchesPath(pattern, path)))
    .map(toFilePath)
    .filter(isWanted)
    .map((file) => ({ ...file, isChartTemplate: isTemplateOf(file.path, charts) }));
}

/**
 * Returns the parts of a path that extraction uses. Files with the same content and role have the same facts,
 * so the facts of one file are reused for the others.
 */
export function roleOf({ path, base, isChartTemplate }: ScanPath): string {
  const directories = path.split('/').slice(0, -1);
  const known = directories.map((name) => (relevantDirectories.has(name) ? name : '*'));
  const short = known.filter((name, at) => name !== '*' || known[at - 1] !== '*');
  return [...(isChartTemplate ? ['{{}}'] : []), ...short, base].join('/');
}

/** Names of directories that extractors depend on. */
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
  'collections',
  'defaults',
  'vars',
  'tasks',
  'handlers',
  'group_vars',
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

function isTemplateOf(path: string, charts: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('templates/'); at >= 0; at = path.indexOf('templates/', at + 1))
    if (charts.has(path.slice(0, at))) return true;
  return false;
}
