import { isEnvironmentRoot } from './guess-labels.ts';
import { push } from './push.ts';
import { directoryOf } from './repository-path.ts';

/**
 * Maximum number of directory levels between the values file of an installation and the chart's own values
 * file.
 */
export const maxVariantDepth = 2;

/**
 * Returns a function that finds the values files of all installations of a chart, given one of these files:
 * the files with the same base and the same form of name, such as `values-*.yaml`. The result doesn't depend
 * on which words are known to be environments.
 *
 * @param paths Paths of all files of the repository, with or without versions.
 * @param chartDirectories Directories with a `Chart.yaml`. Values in them belong to another chart than values
 * above.
 */
export function createVariantFinder(
  paths: Iterable<string>,
  chartDirectories: ReadonlySet<string>,
): (file: string, baseDirectory: string) => readonly string[] {
  const byForm = new Map<string, string[]>();
  for (const path of paths) {
    if (!/\.ya?ml$/.test(path) || isSharedValuesFile(path)) continue;
    let directory = directoryOf(path);
    for (let level = 0; level <= maxVariantDepth; level++) {
      const form = variantFormOf(path, directory);
      if (form !== null) push(byForm, form, path);
      if (directory === '' || chartDirectories.has(directory)) break;
      directory = directoryOf(directory);
    }
  }
  return (file, baseDirectory) => {
    const form = variantFormOf(file, baseDirectory);
    return (form === null ? undefined : byForm.get(form)) ?? [];
  };
}

/** True for a file with the name of a values file, such as `values-prod.yaml`. */
export function isValuesFile(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  return /values/i.test(base) && /\.ya?ml$/i.test(base);
}

/** True for a file with the name of the default values of a chart. */
export function isDefaultValuesFile(path: string): boolean {
  return /(?:^|\/)values\.ya?ml$/.test(path);
}

/** Returns the paths that the default values of a chart can have. */
export function defaultValuesFilesOf(directory: string): string[] {
  return ['values.yaml', 'values.yml'].map((name) => (directory === '' ? name : `${directory}/${name}`));
}

/**
 * Words in the names of values files that several installations share, or that only document the possible
 * values.
 */
const sharedWords =
  /^(?:values?|commons?|shared|globals?|defaults?|all|examples?|samples?|templates?|schema|ci)$/;

/** True for a values file that several installations share, or that only documents the possible values. */
export function isSharedValuesFile(path: string): boolean {
  const words = path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .split(/[-_.]/)
    .slice(0, -1);
  return words.some((word) => !/^values?$/.test(word)) && words.every((word) => sharedWords.test(word));
}

/**
 * Returns the path of a file below its base, with a placeholder for the part that names the installation.
 * That part is the directory. If the file is next to the base, or in a directory such as `values`, the part
 * is in the name of the file. Null if no part of the path names an installation.
 */
function variantFormOf(path: string, baseDirectory: string): string | null {
  const parts = (baseDirectory === '' ? path : path.slice(baseDirectory.length + 1)).split('/');
  const name = parts.pop()!;
  const directories = parts.map((part) => (isEnvironmentRoot(part) ? part : '*'));
  const form = directories.includes('*') ? name : formOfName(name, directories.length > 0);
  return form === null ? null : JSON.stringify([baseDirectory, ...directories, form]);
}

function formOfName(name: string, isInRoot: boolean): string | null {
  const stem = name.toLowerCase().replace(/\.ya?ml$/, '');
  if (stem === 'values') return null;
  if (/^values[-_.]/.test(stem)) return 'values*';
  if (/[-_.]values$/.test(stem)) return '*values';
  return isInRoot ? '*' : null;
}
