import type { ScannedFile } from './link-facts.ts';
import { push } from './push.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/** The charts of a repository that are parts of other charts in it. */
export interface Subcharts {
  /** Returns the directory of the subchart whose values are under a key in the values of a chart, or null. */
  at(directory: string, key: string): string | null;
  /**
   * Returns the charts that contain a chart, each with the key under which its values contain those of the
   * subchart.
   */
  parentsOf(directory: string): readonly ParentChart[];
}

export interface ParentChart {
  directory: string;
  key: string;
}

/** Returns the directory of the chart that a template belongs to, or null for other files. */
export function chartOfTemplate(
  path: string,
  chartDirectories: Pick<ReadonlySet<string>, 'has'>,
): string | null {
  for (let at = path.indexOf('templates/'); at >= 0; at = path.indexOf('templates/', at + 1)) {
    if (at > 0 && path[at - 1] !== '/') continue;
    const directory = path.slice(0, Math.max(0, at - 1));
    if (chartDirectories.has(directory)) return directory;
  }
  return null;
}

/**
 * Finds the subcharts of all charts in a repository.
 *
 * @param chartDirectories Directories with a `Chart.yaml`.
 */
export function findSubcharts(
  files: readonly ScannedFile[],
  chartDirectories: ReadonlySet<string>,
): Subcharts {
  const children = new Map<string, Map<string, string>>();
  const parents = new Map<string, ParentChart[]>();
  const add = (directory: string, key: string, child: string) => {
    const own = children.get(directory) ?? new Map<string, string>();
    if (own.has(key) || child === directory) return;
    children.set(directory, own.set(key, child));
    push(parents, child, { directory, key });
  };
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'subcharts')
        for (const [key, relative] of link.directories) {
          const child = resolvePath(directoryOf(path), relative);
          if (child !== null && chartDirectories.has(child)) add(directoryOf(path), key, child);
        }
  // Helm also installs the charts in the directory `charts` that no dependency references.
  for (const child of chartDirectories) {
    const match = /^(?:(.*)\/)?charts\/([^/]+)$/.exec(child);
    const directory = match?.[1] ?? '';
    if (match && chartDirectories.has(directory) && !parents.has(child)) add(directory, match[2]!, child);
  }
  return {
    at: (directory, key) => children.get(directory)?.get(key) ?? null,
    parentsOf: (directory) => parents.get(directory) ?? [],
  };
}
