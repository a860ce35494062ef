import { guessEnvironment, isEnvironmentRoot } from './guess-labels.ts';
import { directoryOf } from './repository-path.ts';

/** Number of charts that must have a values file with the same suffix. Two charts can share a suffix by chance. */
const minCharts = 3;

/** Suffixes of values files that are variants or parts of the values, not environments. */
const otherSuffixes =
  /^(?:base|commons?|shared|globals?|defaults?|all|examples?|samples?|templates?|schema|ci|secrets?|overrides?|images?|full|minimal|v?\d[\d.]*)$/;

/**
 * Returns a function that guesses the environment of a path. It knows the words of all repositories, such as
 * `prod`, and the suffixes that the values files of at least three charts share in this one, such as
 * `values-paris.yaml`.
 *
 * @param paths Paths of all files of the repository.
 */
export function createEnvironmentGuesser(paths: readonly string[]): (path: string) => string | null {
  const charts = new Set(
    paths.flatMap((path) => (/(?:^|\/)Chart\.ya?ml$/.test(path) ? directoryOf(path) : [])),
  );
  const directoriesOf = new Map<string, Set<string>>();
  const named = new Set<string>();
  for (const path of paths) {
    const suffix = suffixOf(path);
    const directory = directoryOf(path);
    if (suffix === null || !charts.has(directory)) continue;
    const known = directoriesOf.get(suffix);
    if (known) known.add(directory);
    else directoriesOf.set(suffix, new Set([directory]));
    // In `environments/values-base.yaml`, the directory says that the suffix is an environment.
    if (isEnvironmentRoot(directory.slice(directory.lastIndexOf('/') + 1))) named.add(suffix);
  }
  const isEnvironment = (suffix: string) =>
    (directoriesOf.get(suffix)?.size ?? 0) >= minCharts && (named.has(suffix) || !otherSuffixes.test(suffix));
  return (path) => {
    const known = guessEnvironment(path);
    if (known !== null) return known;
    const suffix = charts.has(directoryOf(path)) ? suffixOf(path) : null;
    return suffix !== null && isEnvironment(suffix) ? suffix : null;
  };
}

/** Returns `paris` for `values-paris.yaml` and `paris-values.yaml`, or null for any other file. */
function suffixOf(path: string): string | null {
  const stem = /^([\w.-]{1,100})\.ya?ml$/.exec(path.slice(path.lastIndexOf('/') + 1).toLowerCase())?.[1];
  if (stem === undefined) return null;
  if (/^values[-_.]./.test(stem)) return stem.slice('values-'.length);
  return /.[-_.]values$/.test(stem) ? stem.slice(0, -'-values'.length) : null;
}
