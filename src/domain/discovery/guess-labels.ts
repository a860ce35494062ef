import { compileCheapPattern } from '../patterns/compile-pattern.ts';
import { roleOfExtractor } from './extractor-roles.ts';
import type { LinkedFact } from './link-facts.ts';

const environments: readonly [name: string, spellings: readonly string[]][] = [
  ['dev', ['dev', 'develop', 'development']],
  ['test', ['test', 'testing', 'tst', 'qa', 'uat']],
  ['integration', ['integration', 'int']],
  ['staging', ['staging', 'stage', 'stg']],
  ['preprod', ['preprod', 'pre-prod', 'preproduction']],
  ['prod', ['prod', 'production', 'prd', 'live']],
];
const environmentOf = new Map(
  environments.flatMap(([name, spellings]) => spellings.map((spelling) => [spelling, name] as const)),
);

/**
 * Returns the environment in a path: a directory or file whose name is an environment or contains one. The
 * deepest match wins, because overlays are below the directories that they belong to.
 */
export function guessEnvironment(path: string): string | null {
  const parts = path.toLowerCase().split('/');
  const file = parts.length - 1;
  parts[file] = parts[file]!.replace(/\.(?:ya?ml|yaml\.gotmpl|tf|tofu)$/, '');
  const whole = parts.findLast((part) => environmentOf.has(part));
  if (whole !== undefined) return environmentOf.get(whole) ?? null;
  for (const part of parts.toReversed()) {
    const words = part.split(/[-_.]/);
    // `test-data` and `dev-tools` aren't environments. The word must end the name, or start it and precede a
    // location.
    const last = words.at(-1)!;
    if (words.length > 1 && environmentOf.has(last)) return environmentOf.get(last) ?? null;
    const [first = '', second = ''] = words;
    if (environmentOf.has(first) && /^(?:[a-z]{2}|us|eu|ap|\d+|cluster)$/.test(second))
      return environmentOf.get(first) ?? null;
  }
  return null;
}

/**
 * Returns the service that a version belongs to: the name of the Application, the HelmRelease, or the
 * workload.
 */
export function guessService({ place, artifact, extractor }: LinkedFact): string | null {
  const isCi = roleOfExtractor(extractor) === 'ci';
  if (
    place.name !== null &&
    !isCi &&
    place.kind !== 'Node' &&
    place.kind !== 'Kustomization' &&
    place.kind !== 'Component'
  )
    return place.name.slice(0, 200);
  if (isCi) return null;
  if (artifact.kind === 'terraform_provider' || artifact.kind === 'terraform_module') return null;
  return shortName(artifact.name) || null;
}

/** Returns the last part of a name or URL, such as `site` for `https://git.example.org/acme/site.git`. */
export function shortName(name: string): string {
  const trimmed = name.slice(0, 1_000).replace(/(?:\.git)?\/*$/, '');
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

/** Each rule must set at least one label. */
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
  const tokens = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:[a-z^]+:\]|[^\]\\])*\]|\(\?P?<(\w+)>|\((?!\?)/gs;
  for (const [token, name] of pattern.matchAll(tokens)) if (token.startsWith('(')) names.push(name ?? null);
  return names;
}
