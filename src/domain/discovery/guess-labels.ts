import { compileCheapPattern } from '../patterns/compile-pattern.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { roleOfExtractor } from './extractor-roles.ts';
import type { LabelSource } from './label-sources.ts';
import type { LinkedFact } from './link-facts.ts';
import { templateMark } from './read-version.ts';
import { directoryOf } from './repository-path.ts';

/** Words that name the same environment in a path. */
interface EnvironmentWord {
  /** Value of the label `environment`. */
  name: string;
  spellings: readonly string[];
  /** True if applications, namespaces, and directories of tests often have these names as well. */
  isAmbiguous?: true;
}

/**
 * The words that name environments. An environment has two entries if only some of its words are ambiguous.
 */
const environmentWords: readonly EnvironmentWord[] = [
  { name: 'dev', spellings: ['dev', 'develop', 'development'], isAmbiguous: true },
  { name: 'test', spellings: ['test', 'testing', 'tst'], isAmbiguous: true },
  { name: 'qa', spellings: ['qa'] },
  { name: 'uat', spellings: ['uat'] },
  { name: 'integration', spellings: ['integration', 'int'], isAmbiguous: true },
  { name: 'sandbox', spellings: ['sandbox', 'sbx'], isAmbiguous: true },
  { name: 'staging', spellings: ['staging', 'stage', 'stg'] },
  { name: 'preprod', spellings: ['preprod', 'pre-prod', 'preproduction', 'pre-production'] },
  { name: 'non-prod', spellings: ['nonprod', 'non-prod', 'nonproduction', 'non-production', 'not-prod'] },
  { name: 'prod', spellings: ['prod', 'production', 'prd'] },
  { name: 'prod', spellings: ['live'], isAmbiguous: true },
];

const environmentOf = new Map(
  environmentWords.flatMap(({ name, spellings }) => spellings.map((spelling) => [spelling, name] as const)),
);
const ambiguousWords = new Set(
  environmentWords.flatMap(({ spellings, isAmbiguous }) => (isAmbiguous ? spellings : [])),
);

/** Directories that contain one directory or file for each environment. */
const environmentRoots =
  /^(?:clusters?|environments?|envs?|overlays?|stages|values|config|configs|inventor(?:y|ies)|tfvars|vars)$/;
/** Directories that contain one directory for each application, category, or namespace, such as `my-apps`. */
const applicationRoots =
  /(?:^|[-_])(?:apps|applications)$|^(?:app|namespaces?|services|charts|components|workloads|releases)$/;
const extensions = /\.(?:ya?ml|yaml\.gotmpl|yml\.gotmpl|tf|tofu|tfvars|json|env)$/;

/** Suffix of a directory with the inventory of one environment, such as `production.inventory`. */
const inventorySuffix = /(?<=.)[._-]inventor(?:y|ies)$/;

/** True for the name of a directory that contains one directory or file for each environment. */
export function isEnvironmentRoot(name: string): boolean {
  return environmentRoots.test(name.toLowerCase());
}

/**
 * Returns the environment that a path clearly contains, or null. If a path contains several, returns the one
 * closest to the root of the cluster or overlay, because a deeper word is usually the name of an application,
 * a namespace, or a test.
 */
export function guessEnvironment(path: string): string | null {
  const parts = path
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(inventorySuffix, ''));
  const base = parts.pop()!.replace(extensions, '');
  for (const [at, part] of parts.entries()) {
    if (!environmentRoots.test(part)) continue;
    const next = parts[at + 1];
    const name =
      next === undefined
        ? environmentInFileName(base, true)
        : (environmentOfWord(next) ?? environmentInName(next, true));
    if (name !== null) return name;
  }
  for (const [at, part] of parts.entries()) {
    const name = environmentOfWord(part);
    if (name === null) continue;
    // In `live/dev`, the environment is `dev`. `live` is only the directory of deployed modules.
    if (part === 'live' && parts.slice(at + 1).some((other) => environmentOfWord(other) !== null)) continue;
    // In `apps/dev/forgejo`, `dev` is a namespace or a category.
    if (ambiguousWords.has(part) && applicationRoots.test(parts[at - 1] ?? '')) continue;
    return name;
  }
  for (const part of parts) {
    const name = environmentInName(part, false);
    if (name !== null) return name;
  }
  return environmentInFileName(base, parts.includes('values'));
}

/** Returns the environment of a file that is named after it, such as `production.yml`, or null. */
export function environmentOfFile(base: string): { name: string; isAmbiguous: boolean } | null {
  const stem = base.toLowerCase().replace(extensions, '');
  const name = environmentOfWord(stem);
  return name === null ? null : { name, isAmbiguous: ambiguousWords.has(stem) };
}

/**
 * Returns the environment of the first name that clearly contains one, such as `shop-staging`. A name that
 * consists only of an ambiguous word, such as the namespace `test`, is used only if no other name contains an
 * environment.
 */
export function guessEnvironmentOfNames(names: readonly string[]): string | null {
  const lowered = names.map((name) => name.toLowerCase());
  for (const name of lowered) {
    const found = ambiguousWords.has(name)
      ? null
      : (environmentOfWord(name) ?? environmentInName(name, false));
    if (found !== null) return found;
  }
  return lowered.map(environmentOfWord).find((found) => found !== null) ?? null;
}

/**
 * Returns the label for an environment that a file declares, or null for `default`, which Helmfile uses if no
 * environment is selected.
 */
export function environmentOfName(name: string): string | null {
  return name === 'default' ? null : (environmentOfWord(name.toLowerCase()) ?? name);
}

function environmentOfWord(part: string): string | null {
  return environmentOf.get(part) ?? environmentOf.get(part.replaceAll(/[_.]/g, '-')) ?? null;
}

/**
 * Returns the environment at the end of a name, such as `web-prod`, or at its start before a place, such as
 * `prod-eu`. `test-data` and `dev-tools` aren't environments.
 *
 * @param isRoot True below a directory of environments, where ambiguous words are environments, too.
 */
function environmentInName(part: string, isRoot: boolean): string | null {
  const words = part.split(/[-_.]/);
  if (words.length === 1) {
    const numbered = /^([a-z]+)\d{1,2}$/.exec(part)?.[1];
    return numbered !== undefined && (isRoot || !ambiguousWords.has(numbered))
      ? environmentOfWord(numbered)
      : null;
  }
  for (const length of [2, 1]) {
    const end = words.slice(-length).join('-');
    const start = words.slice(0, length).join('-');
    const isClear = (text: string) => environmentOf.has(text) && (isRoot || !ambiguousWords.has(text));
    if (isClear(end)) return environmentOf.get(end)!;
    if (isClear(start) && placeName.test(words[length] ?? '')) return environmentOf.get(start)!;
  }
  return null;
}

const placeName = /^(?:[a-z]{2}\d?|us|eu|ap|\d+|cluster|east|west|north|south|central)$/;

/**
 * Returns the environment in the name of a file, or null.
 *
 * @param isRoot True in a directory of environments, where the name of a file can be the whole environment.
 */
function environmentInFileName(base: string, isRoot: boolean): string | null {
  const whole = environmentOfWord(base);
  if (whole !== null) return isRoot ? whole : null;
  const words = base.split(/[-_.]/);
  const valuesAt = words.findIndex((word) =>
    /^(?:values|vars|config|compose|kustomization|override|overrides)$/.test(word),
  );
  if (valuesAt >= 0) {
    const others = words.filter((_, at) => at !== valuesAt);
    for (const name of [others.join('-'), others.slice(-2).join('-'), others.at(-1)!, others[0]!]) {
      const found = name === undefined ? undefined : environmentOf.get(name);
      if (found !== undefined) return found;
    }
  }
  return environmentInName(base, isRoot);
}

/** Directories whose names describe how files are organized, not which service they belong to. */
const genericDirectories =
  /^(?:values|charts?|helm|helmfile|deploy|deployments?|k8s|kubernetes|manifests?|base|bases|overlays?|environments?|envs?|env|config|configs|docker|build|src|\.|\.docker|clusters?|apps?|applications|services|components|infra|infrastructure|terraform|terragrunt|tofu|tf|local|modules|live|stacks|roles|defaults|vars|tasks|handlers|templates|group_vars|host_vars|(?:[^/]*[._-])?inventor(?:y|ies)|playbooks|all|main|files|meta|library|module_utils|[a-z]+_plugins|devops)$/i;

/** Directories that contain one directory for each cluster or environment, whatever its name. */
const clusterRoots = /^(?:clusters?|environments?|envs?|overlays?|stages|inventor(?:y|ies))$/i;
/**
 * Directories of parts of a service. Their names are used for the service only if no other directory has a
 * usable name.
 */
const partsOfServices = /^(?:operators?|instances?)$/i;

/**
 * Tools whose directories contain the software that they deploy. Such a directory is the service only of the
 * tool itself.
 */
const deployingTools = /^(argo|flux|kustomize|crossplane|ansible)-?(?:cd|system)?$/i;

/** Returns the nearest directory of a file whose name can be the name of a service, or null. */
function serviceDirectory(file: string, artifactName: string): string | null {
  const parts = directoryOf(file).split('/');
  const isEnvironment = (part: string | undefined) =>
    part !== undefined &&
    (environmentOfWord(part.toLowerCase()) !== null || environmentInName(part.toLowerCase(), true) !== null);
  const candidates = parts.filter((part, at) => {
    if (part === '' || genericDirectories.test(part) || isPlaceholderName(part)) return false;
    const tool = deployingTools.exec(part)?.[1];
    if (tool !== undefined && !artifactName.toLowerCase().includes(tool.toLowerCase())) return false;
    // In `overlays/web/prod`, the environments are below the service.
    const isCluster = clusterRoots.test(parts[at - 1] ?? '') && !isEnvironment(parts[at + 1]);
    return !isCluster && !isEnvironment(part);
  });
  const name = candidates.findLast((part) => !partsOfServices.test(part)) ?? candidates.at(-1);
  return name?.slice(0, 200) ?? null;
}

/** True if a name is a placeholder, such as `<CHARTNAME>`, `{{name}}`, or `__NAME__`. */
function isPlaceholderName(name: string): boolean {
  return (
    name.includes('{{') ||
    name.includes(templateMark) ||
    /<[A-Za-z][\w-]*>|__[^\W_]+(?:_[^\W_]+)*__|^%\w+%$/.test(name)
  );
}

/**
 * Returns the service that a version belongs to: the name of the Application, the HelmRelease, or the
 * workload. For a values file, it's the chart in its directory; for other files, it's their directory. It's
 * never the name of the image, because many services use the same image.
 *
 * @param chart Name of the chart in the directory of the file, or null.
 */
export function guessService(fact: LinkedFact, chart: string | null = null): GuessedService | null {
  const { place, artifact, extractor, file } = fact;
  const ofDirectory = () => directoryService(file, artifact.name);
  if (roleOfExtractor(extractor) === 'ci') return null;
  // A release uses this values file, so the release is the service.
  if (extractor === 'helm_values' && place.kind === 'Release' && place.name !== null)
    return { name: place.name.slice(0, 200), source: 'name' };
  // Values that contain a chart belong to a chart whose templates are Applications. That chart isn't a
  // service, so use the name of the artifact.
  if (extractor === 'helm_values' && artifact.kind === 'chart')
    return { name: shortName(artifact.name), source: 'artifact' };
  if (extractor === 'helm_values' || extractor === 'helm_chart')
    return chart === null || isPlaceholderName(chart) ? ofDirectory() : { name: chart, source: 'chart' };
  if (extractor === 'dockerfile' || extractor === 'execution_environment') return ofDirectory();
  // The `name` of a match of a custom pattern consists of labels, so it isn't a service.
  const isName =
    extractor !== 'custom' &&
    place.name !== null &&
    !isPlaceholderName(place.name) &&
    !kindsWithoutServiceName.has(place.kind ?? '');
  if (isName) return { name: place.name!.slice(0, 200), source: 'name' };
  // The name of a remote file of a kustomization is a URL.
  if (artifact.kind === 'tool' && extractor !== 'kustomize') {
    const name = shortName(artifact.name);
    return name === '' ? null : { name, source: 'artifact' };
  }
  return extractor === 'docker' || extractor === 'helm_release' ? null : ofDirectory();
}

export interface GuessedService {
  name: string;
  source: LabelSource;
}

function directoryService(file: string, artifactName: string): GuessedService | null {
  const name = serviceDirectory(file, artifactName);
  return name === null ? null : { name, source: 'path' };
}

/** Kinds of objects whose names don't identify a service. */
const kindsWithoutServiceName: ReadonlySet<string> = new Set([
  'workflow',
  'Node',
  'Kustomization',
  'Component',
  'module',
  'provider',
]);

/** Returns the last part of a name or URL, such as `site` for `https://git.example.org/acme/site.git`. */
export function shortName(name: string): string {
  const trimmed = withoutTrailing(name.slice(0, 1_000), '/').replace(/\.git$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1).slice(0, 200);
}

export interface LabelRule {
  /** RE2 pattern for the path. Its named groups become labels. */
  pattern: string;
  labels: Readonly<Record<string, string>>;
}

export type CompiledLabelRules =
  | { ok: true; labelsOf(path: string): Record<string, string> }
  | { ok: false /** Index of the invalid rule. */; index: number; message: string };

/** Compiles label rules. Each rule must set at least one label. */
export function compileLabelRules(rules: readonly LabelRule[]): CompiledLabelRules {
  const compiled: ((path: string) => Record<string, string>)[] = [];
  for (const [index, { pattern, labels }] of rules.entries()) {
    const result = compileCheapPattern(pattern);
    if (!result.ok) return { ok: false, index, message: result.message };
    const names = groupNames(pattern);
    if (Object.keys(labels).length === 0 && !names.some((name) => name !== null))
      return {
        ok: false,
        index,
        message:
          'no named group; add one, as in clusters/(?P<cluster>[^/]+)/ (the group name becomes the label key)',
      };
    const wrong = names.find((name) => name !== null && !/^[A-Za-z]\w{0,62}$/.test(name));
    if (wrong)
      return {
        ok: false,
        index,
        message: `the group name ${wrong} can't be a label: it must begin with a letter`,
      };
    compiled.push((path) => {
      const match = result.pattern.find(path);
      if (!match) return {};
      const found = names.flatMap((name, at): [string, string][] => {
        const value = match.groups[at];
        return name !== null && value ? [[name, value.slice(0, 200)]] : [];
      });
      return { ...labels, ...Object.fromEntries(found) };
    });
  }
  return { ok: true, labelsOf: (path) => Object.assign({}, ...compiled.map((labelsOf) => labelsOf(path))) };
}

/** Returns the names of the capture groups of a valid pattern, in order. An unnamed group is null. */
function groupNames(pattern: string): (string | null)[] {
  const names: (string | null)[] = [];
  const tokens = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:[a-z^]+:\]|[^\]\\])*\]?|\(\?P?<(\w+)>|\((?!\?)/gs;
  for (const [token, name] of pattern.matchAll(tokens)) if (token.startsWith('(')) names.push(name ?? null);
  return names;
}
