import { compilePattern } from '../patterns/compile-pattern.ts';
import type { Fact } from './fact.ts';
import { baseOf } from './repository-path.ts';

/** The parts of a repository's Renovate configuration that exclude versions from updates. */
export interface RenovateIgnores {
  /** File of the configuration. */
  file: string;
  /**
   * Entries of `ignorePaths` with their globs as RE2 patterns. The pattern is null if only the text is
   * compared.
   */
  paths: readonly { text: string; pattern: string | null }[];
  /** Entries of `ignoreDeps`. */
  deps: readonly string[];
  /**
   * Entries of `packageRules` that enable or disable dependencies, in their order. The last one that matches
   * decides.
   */
  rules: readonly RenovateRule[];
}

/** An entry of `packageRules` that sets `enabled`. It applies to a version that all of its matchers match. */
export interface RenovateRule {
  /** Name of the entry, such as `packageRules[2]`. */
  name: string;
  isEnabled: boolean;
  /** A version must match at least one entry of every matcher. Patterns are in RE2 syntax. */
  matchers: readonly {
    subject: 'dependency' | 'file';
    exact: readonly string[];
    patterns: readonly string[];
  }[];
}

/** Returns the entry of the configuration that ignores a version, or null if none does. */
export type FindIgnoringEntry = (path: string, artifact: Fact['artifact']) => string | null;

/**
 * Creates a function that finds the entry that ignores a version. As in Renovate, an entry of `ignorePaths`
 * is a glob for the whole path or a part of the path. An entry of `ignoreDeps` is the full name of a
 * dependency.
 */
export function createRenovateIgnoreFinder(ignores: RenovateIgnores | null): FindIgnoringEntry {
  if (ignores === null) return () => null;
  const { file, paths, deps, rules } = ignores;
  const tests = paths.map(({ text, pattern }) => {
    const compiled = pattern === null ? null : compilePattern(pattern);
    const matchesGlob = compiled?.ok ? (path: string) => compiled.pattern.test(path) : () => false;
    return { text, matches: (path: string) => path.includes(text) || matchesGlob(path) };
  });
  const names = new Set(deps);
  const known = new Map<string, string | null>();
  const entryOf = (path: string): string | null => {
    const entry = known.get(path);
    if (entry !== undefined) return entry;
    const found = tests.find(({ matches }) => matches(path))?.text ?? null;
    known.set(path, found);
    return found;
  };
  const compiledRules = rules.map(compileRule);
  return (path, artifact) => {
    const entry = entryOf(path);
    if (entry !== null) return `${file}: ignorePaths contains ${entry}`;
    if (names.size + compiledRules.length === 0) return null;
    const known = spellings(artifact);
    const name = known.find((each) => names.has(each));
    if (name !== undefined) return `${file}: ignoreDeps contains ${name}`;
    const rule = compiledRules.findLast(({ matches }) => matches(path, known));
    return rule === undefined || rule.isEnabled ? null : `${file}: ${rule.name} disables it`;
  };
}

function compileRule({ name, isEnabled, matchers }: RenovateRule) {
  const tests = matchers.map(({ subject, exact, patterns }) => {
    const texts = new Set(exact);
    const compiled = patterns.flatMap((pattern) => {
      const result = compilePattern(pattern);
      return result.ok ? [result.pattern] : [];
    });
    const matches = (text: string) => texts.has(text) || compiled.some((pattern) => pattern.test(text));
    return { subject, matches };
  });
  const matches = (path: string, names: readonly string[]) =>
    tests.every((test) => (test.subject === 'file' ? test.matches(path) : names.some(test.matches)));
  return { name, isEnabled, matches };
}

/** Hosts that Renovate omits from the names of dependencies, or that files often omit. */
const optionalPrefixes: readonly string[] = [
  'docker.io/library/',
  'docker.io/',
  'index.docker.io/',
  'github.com/',
  'gitlab.com/',
  'registry.terraform.io/',
];

/** Returns the names that Renovate can have for an artifact. */
function spellings({ kind, name }: Fact['artifact']): string[] {
  const result = [name];
  for (const prefix of optionalPrefixes)
    if (name.startsWith(prefix)) result.push(name.slice(prefix.length));
    else if (kind === 'image' && prefix.startsWith('docker.io/') && isOnDockerHub(name, prefix))
      result.push(prefix + name);
  // Renovate also refers to a provider by the last part of its name.
  if (kind === 'terraform_provider') result.push(baseOf(name));
  return result;
}

/** True if a name can be an image on Docker Hub that was written without this prefix. */
function isOnDockerHub(name: string, prefix: string): boolean {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return true;
  return prefix === 'docker.io/' && !/[.:]|^localhost$/.test(first);
}
