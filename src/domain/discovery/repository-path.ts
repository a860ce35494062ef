import { matchesPath, parsePathPattern } from './path-pattern.ts';

/** Returns the directory of a path in a repository, or an empty string for the root. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** Returns the directories that contain a path, from the nearest one to the root of the repository. */
export function directoriesAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = path; at !== ''; found.push(at)) at = directoryOf(at);
  return found;
}

/** Returns the last part of a path or of a name with slashes. */
export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Resolves a path relative to a directory of the repository. Returns null if the path leads out of the
 * repository.
 */
export function resolvePath(directory: string, relative: string): string | null {
  const parts = directory === '' ? [] : directory.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** Maximum number of different patterns that are compared with all files. Real repositories have a few dozen. */
const maxPatterns = 500;

/** Maximum number of files that one expander returns for all patterns. Real repositories need a few thousand. */
const maxExpanded = 200_000;

/**
 * Returns a function that returns the files that a path with wildcards matches, or a path without them as it is. Beyond
 * the maximum numbers of patterns and of files, the function returns no files for patterns.
 */
export function createPathExpander(paths: readonly string[]): (path: string) => readonly string[] {
  const expanded = new Map<string, readonly string[]>();
  let left = maxExpanded;
  return (path) => {
    if (!path.includes('*')) return [path];
    let found = expanded.get(path);
    if (!found && expanded.size < maxPatterns && left > 0) {
      const pattern = parsePathPattern(`/${path}`);
      found = pattern ? paths.filter((each) => matchesPath(pattern, each)) : [];
      expanded.set(path, found);
    }
    left -= found?.length ?? 0;
    return left < 0 ? [] : (found ?? []);
  };
}
