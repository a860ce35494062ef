import { isWanted, toFilePath } from './extract-file.ts';
import type { FilePath } from './extractors/extractor.ts';
import { matchesPath, type PathPattern } from './path-pattern.ts';

/** Directories of other people's software, of test data, and of examples: nothing there is deployed. */
export const defaultExcludes: readonly string[] = [
  'vendor/',
  'node_modules/',
  'testdata/',
  'fixtures/',
  'examples/',
  '.git/',
];

export interface ScanPath extends FilePath {
  /** Helm renders it, so that its text isn't YAML. */
  isChartTemplate: boolean;
}

/** The files of a repository that could hold something, from their names alone. */
export function chooseFiles(paths: readonly string[], excludes: readonly PathPattern[]): ScanPath[] {
  const charts = new Set(paths.flatMap((path) => /^(.*\/|)Chart\.ya?ml$/.exec(path)?.[1] ?? []));
  return paths
    .filter((path) => !excludes.some((pattern) => matchesPath(pattern, path)))
    .map(toFilePath)
    .filter(isWanted)
    .map((file) => ({ ...file, isChartTemplate: isTemplateOf(file.path, charts) }));
}

function isTemplateOf(path: string, charts: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('templates/'); at >= 0; at = path.indexOf('templates/', at + 1))
    if (charts.has(path.slice(0, at))) return true;
  return false;
}
