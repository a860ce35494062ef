import path from 'node:path';

/** Assumed duration of a test file without a measured one. */
export const assumedSeconds = 30;

/**
 * Returns the test files, those most likely to detect a change to `source` first: the test of the file, the
 * tests in its directory, those of its module, those of its area, and then all others. Files at the same
 * distance are ordered by their duration.
 */
export function orderFiles(
  source: string,
  files: readonly string[],
  secondsOf: (file: string) => number | undefined,
): string[] {
  const seconds = (file: string) => secondsOf(file) ?? assumedSeconds;
  return files.toSorted(
    (one, other) => distance(source, one) - distance(source, other) || seconds(one) - seconds(other),
  );
}

function distance(source: string, file: string): number {
  const withoutEnding = source.replace(/\.tsx?$/, '');
  if (file.replace(/(\.slow)?(\.isolated)?\.test\.ts$/, '') === withoutEnding) return 0;
  const folders = path.posix.dirname(source).split('/');
  if (path.posix.dirname(file) === folders.join('/')) return 1;
  const shared = (depth: number) => file.startsWith(`${folders.slice(0, depth).join('/')}/`);
  if (folders.length >= 3 && shared(3)) return 2;
  const area = source.startsWith('web/') ? 'e2e' : folders[1]!;
  if (shared(2) || file.startsWith(`tests/${area}/`)) return 3;
  return 4;
}

/** Splits a list into groups of 1, 2, 4, 8 items, and so on, because every test run takes seconds to start. */
export function growingGroups<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (let start = 0, size = 1; start < items.length; start += size, size *= 2) {
    groups.push(items.slice(start, start + size));
  }
  return groups;
}
