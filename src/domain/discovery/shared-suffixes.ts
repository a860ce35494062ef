import { environmentOfFile, guessEnvironment, isEnvironmentRoot } from './guess-labels.ts';
import { baseOf, directoryOf } from './repository-path.ts';

/** Number of charts that must have a values file with the same suffix. Two charts can share a suffix by chance. */
const minCharts = 3;

/**
 * Words in the suffixes of values files that are parts or variants of the values, not environments: shared values, sizes,
 * features, and platforms, such as in `values-ha.yaml` and `values-openshift.yaml`.
 */
const otherWords = new Set(
  [
    'base common commons shared global globals default defaults all example examples sample samples template templates',
    'schema ci secret secrets override overrides image images full minimal',
    'small medium large tiny micro xs xl single standalone cluster clustered distributed replicated replicas ha',
    'resource resources limits persistence storage autoscaling hpa vpa gpu cpu debug',
    'tls ssl mtls auth oidc sso ingress gateway istio linkerd cilium traefik nginx vault sops',
    'monitoring metrics logging tracing prometheus grafana backup migration migrations crds psp rbac',
    'aws eks fargate azure aks gcp gke openshift ocp okd rancher rke rke2 kind minikube k3s k3d microk8s',
    'airgap airgapped offline arm arm64 amd64 ipv4 ipv6 dualstack windows linux',
  ].flatMap((words) => words.split(' ')),
);

/** True for a version, and for a suffix that consists of such words. `cluster-1` is the name of a cluster. */
function isVariant(suffix: string): boolean {
  return /^v?\d[\d.]*$/.test(suffix) || suffix.split(/[-_.]/).every((word) => otherWords.has(word));
}

/** Names of files with the variables of a group that apply to all of its environments. */
const sharedVariables = /^(?:all|common|defaults?|main|secrets?|shared|vars|vault)\.ya?ml$/i;

/**
 * Returns the directories of groups in Ansible that have one file for each environment, such as `group_vars/shop` with
 * `production.yml` and `staging.yml`. The other files there are shared. A word such as `test` can also be the subject of
 * a file, so at least one name must be clear.
 */
function findGroupsWithEnvironments(paths: readonly string[]): ReadonlySet<string> {
  const isClear = new Map<string, boolean>();
  const others = new Set<string>();
  for (const path of paths) {
    if (!/(?:^|\/)group_vars\/[^/]+\/[^/]+\.ya?ml$/.test(path)) continue;
    const [directory, base] = [directoryOf(path), baseOf(path)];
    const found = environmentOfFile(base);
    if (found !== null) isClear.set(directory, isClear.get(directory) === true || !found.isAmbiguous);
    else if (!sharedVariables.test(base)) others.add(directory);
  }
  return new Set(
    [...isClear].flatMap(([directory, each]) => (each && !others.has(directory) ? directory : [])),
  );
}

/**
 * Returns a function that guesses the environment of a path. It knows the words of all repositories, such as
 * `prod`, the suffixes that the values files of at least three charts share in this one, such as `values-paris.yaml`,
 * and the groups of Ansible that have one file for each environment.
 *
 * @param paths Paths of all files of the repository.
 */
export function createEnvironmentGuesser(paths: readonly string[]): (path: string) => string | null {
  const charts = new Set(
    paths.flatMap((path) => (/(?:^|\/)Chart\.ya?ml$/.test(path) ? directoryOf(path) : [])),
  );
  const groups = findGroupsWithEnvironments(paths);
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
    if (isEnvironmentRoot(baseOf(directory))) named.add(suffix);
  }
  const isEnvironment = (suffix: string) =>
    (directoriesOf.get(suffix)?.size ?? 0) >= minCharts && (named.has(suffix) || !isVariant(suffix));
  return (path) => {
    const known = guessEnvironment(path);
    if (known !== null) return known;
    if (groups.has(directoryOf(path))) return environmentOfFile(baseOf(path))?.name ?? null;
    const suffix = charts.has(directoryOf(path)) ? suffixOf(path) : null;
    return suffix !== null && isEnvironment(suffix) ? suffix : null;
  };
}

/** Returns `paris` for `values-paris.yaml` and `paris-values.yaml`, or null for any other file. */
function suffixOf(path: string): string | null {
  const stem = /^([\w.-]{1,100})\.ya?ml$/.exec(baseOf(path).toLowerCase())?.[1];
  if (stem === undefined) return null;
  if (/^values[-_.]./.test(stem)) return stem.slice('values-'.length);
  return /.[-_.]values$/.test(stem) ? stem.slice(0, -'-values'.length) : null;
}
