import { compilePattern, type Pattern } from '../patterns/compile-pattern.ts';
import type { SourceTypeId } from '../source-types/source-types.ts';
import { cleanLine } from '../templates/clean-text.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { type Extracted, emptyExtraction, type Fact, type Origin } from './fact.ts';
import { matchesPath, parsePathPattern } from './path-pattern.ts';
import { parseTemplate, type Template } from './pattern-template.ts';
import { readImage, splitImage } from './read-image.ts';
import { readVersion } from './read-version.ts';
import { commentedFact } from './renovate-comment.ts';
import { baseOf } from './repository-path.ts';
import { maxFactsPerFile } from './scan-limits.ts';

/** A pattern that finds versions in files. A person or a repository's Renovate configuration defines it. */
export interface CustomPattern {
  /** Name that notes and problems use, such as `customManagers[0]`. */
  name: string;
  /** Path patterns: in `.gitignore` syntax, or RE2 patterns of a Renovate configuration. */
  paths: readonly { syntax: 'gitignore' | 're2'; pattern: string }[];
  /** RE2 patterns. Their named groups are fields. */
  patterns: readonly string[];
  /** Templates of fields that the text doesn't contain. They replace groups of the same name. */
  templates: Readonly<Record<string, string>>;
}

/** A custom pattern in the form of the API. */
export interface CustomExtractor {
  name: string;
  path: string;
  pattern: string;
  templates?: Readonly<Record<string, string>> | undefined;
}

/** Maximum number of custom patterns in a discovery job or an organization. */
export const maxCustomExtractors = 20;

/** JSON Schema of a custom pattern in a setting, with the limits of `CustomExtractor` in the API contract. */
export const customExtractorSchema = {
  type: 'object',
  required: ['name', 'path', 'pattern'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    path: { type: 'string', minLength: 1, maxLength: 300 },
    pattern: { type: 'string', minLength: 1, maxLength: 1_000 },
    templates: {
      type: 'object',
      maxProperties: 20,
      propertyNames: { maxLength: 63 },
      additionalProperties: { type: 'string', minLength: 1, maxLength: 1_000 },
    },
  },
  additionalProperties: false,
} as const;

/** Names of groups and templates that identify an artifact, including the equivalent names of Renovate. */
const artifactFields = ['artifact', 'packageName', 'lookupName', 'depName'] as const;
const versionFields = ['version', 'currentValue'] as const;
const digestFields = ['digest', 'currentDigest'] as const;
const registryFields = ['registry', 'registryUrl'] as const;
const fieldNames: ReadonlySet<string> = new Set([
  ...artifactFields,
  ...versionFields,
  ...digestFields,
  ...registryFields,
  'source_type',
  'datasource',
]);

/** Source types that a pattern can specify. They identify an artifact by its name alone. */
export const patternSourceTypes = [
  'github_releases',
  'gitlab_releases',
  'gitea_releases',
  'git_tags',
  'oci_registry',
  'helm_repository',
] as const satisfies readonly SourceTypeId[];
type PatternSourceType = (typeof patternSourceTypes)[number];

/** Maximum number of path comparisons in one scan. More would take longer than the rest of the scan. */
const maxPathChecks = 1_000_000;
/** Maximum length of a value that a pattern finds. */
const maxValueLength = 500;

export function toCustomPattern({ name, path, pattern, templates = {} }: CustomExtractor): CustomPattern {
  return { name, paths: [{ syntax: 'gitignore', pattern: path }], patterns: [pattern], templates };
}

export type PatternProblem = {
  field: 'path' | 'pattern' | `templates.${string}` | 'templates';
  message: string;
};

/** Checks a user's pattern. Returns null if it's valid. Compiling can take 0.1 s. */
export function checkCustomExtractor({
  path,
  pattern,
  templates = {},
}: CustomExtractor): PatternProblem | null {
  const parsed = /\p{Cc}/u.test(path) ? null : parsePathPattern(path);
  if (parsed === null || parsed.segments.length === 0)
    return { field: 'path', message: 'must be a path pattern without "!" or control characters' };
  const compiled = compilePattern(pattern);
  if (!compiled.ok) return { field: 'pattern', message: compiled.message };
  const { groupNames } = compiled.pattern;
  const allowed = [...fieldNames, 'label_…'].join(', ');
  const given = new Set([...groupNames, ...Object.keys(templates)]);
  for (const [name, text] of Object.entries(templates)) {
    const field = `templates.${name}` as const;
    if (!isField(name)) return { field, message: `isn't a field; use one of: ${allowed}` };
    const template = parseTemplate(text);
    if (!template.ok) return { field, message: template.message };
    const missing = template.template.names.find((each) => !groupNames.includes(each));
    if (missing !== undefined)
      return { field, message: `uses {{${missing}}}, but the pattern has no group (?P<${missing}>…)` };
  }
  const has = (fields: readonly string[]) => fields.some((field) => given.has(field));
  if (!has(artifactFields))
    return { field: 'pattern', message: 'needs a group (?P<artifact>…), or a template for artifact' };
  if (!has([...versionFields, ...digestFields]))
    return { field: 'pattern', message: 'needs a group (?P<version>…), or a template for version' };
  const type = templates['source_type'];
  if (type !== undefined && !type.includes('{{') && !isPatternSourceType(type))
    return { field: 'templates.source_type', message: `must be one of: ${patternSourceTypes.join(', ')}` };
  return null;
}

function isField(name: string): boolean {
  return fieldNames.has(name) || /^label_[A-Za-z]\w{0,57}$/.test(name);
}

function isPatternSourceType(text: string): text is PatternSourceType {
  return (patternSourceTypes as readonly string[]).includes(text);
}

/**
 * Problem that is reported if a scan reached the maximum number of comparisons, so that some paths weren't
 * compared.
 */
export const tooManyPathsProblem = {
  file: '',
  name: 'custom patterns',
  message: `The repository has too many files for the number of patterns (limit ${maxPathChecks} comparisons).`,
};

export interface PathMatcher {
  /** Returns the indexes of the patterns that apply to a path, in order. */
  match(path: string): number[];
  /** True if the maximum number of comparisons was reached, so that some paths weren't compared. */
  isCut(): boolean;
}

/** Creates a matcher that finds the patterns for a path. Patterns that aren't valid match no path. */
export function createPathMatcher(own: readonly CustomPattern[]): PathMatcher {
  const tests = own.map(({ paths }) =>
    paths.flatMap(({ syntax, pattern }): ((path: string) => boolean)[] => {
      if (syntax === 'gitignore') {
        const parsed = parsePathPattern(pattern);
        return parsed ? [(path) => matchesPath(parsed, path)] : [];
      }
      const compiled = compilePattern(pattern);
      return compiled.ok ? [(path) => compiled.pattern.test(path)] : [];
    }),
  );
  const count = tests.reduce((sum, list) => sum + list.length, 0);
  let left = maxPathChecks;
  return {
    match(path) {
      if (count === 0 || left <= 0) return [];
      left -= count;
      return tests.flatMap((list, at) => (list.some((test) => test(path)) ? [at] : []));
    },
    isCut: () => count > 0 && left <= 0,
  };
}

interface Compiled {
  patterns: Pattern[];
  templates: [name: string, template: Template][];
}

const compiledPatterns = new Map<string, Compiled>();
/** Maximum number of patterns that stay compiled. A scan uses fewer. */
const maxCompiled = 200;

/** Compiles a pattern once for all files of a scan. */
function compileOnce(own: CustomPattern): Compiled {
  const key = JSON.stringify([own.patterns, own.templates]);
  const known = compiledPatterns.get(key);
  if (known) return known;
  if (compiledPatterns.size >= maxCompiled) compiledPatterns.clear();
  const compiled: Compiled = {
    patterns: own.patterns.flatMap((pattern) => {
      const result = compilePattern(pattern);
      return result.ok ? [result.pattern] : [];
    }),
    templates: Object.entries(own.templates).flatMap(([name, text]): [string, Template][] => {
      const result = parseTemplate(text);
      return result.ok ? [[name, result.template]] : [];
    }),
  };
  compiledPatterns.set(key, compiled);
  return compiled;
}

/** Extracts the versions that patterns find in a text. */
export function extractByPatterns(text: string, own: readonly CustomPattern[]): Extracted {
  const result = emptyExtraction();
  for (const each of own) {
    const { patterns, templates } = compileOnce(each);
    for (const pattern of patterns) {
      const lineAt = createLineCounter(text);
      for (const { match, start, groups } of pattern.findAll(text)) {
        if (result.facts.length >= maxFactsPerFile) return result;
        if (match === '') continue;
        const values = new Map([...groups].map(([name, group]) => [name, group.text] as const));
        const rendered = templates.map(([name, template]) => [name, template.render(values)] as const);
        for (const [name, value] of rendered) values.set(name, value);
        const place = [...versionFields, ...digestFields].map((name) => groups.get(name)?.start);
        const line = lineAt(place.find((at) => at !== undefined) ?? start);
        const fact = toFact(each.name, values, line);
        if (fact) result.facts.push(fact);
        else if (result.problems.length < maxProblems)
          result.problems.push({
            line,
            reason: 'invalid',
            message: `${each.name} matches, but finds no artifact, no version, or no valid source type.`,
            isRestRead: true,
          });
      }
    }
  }
  return result;
}

const maxProblems = 20;

/** Returns a function that finds the line of a position. The function is fastest for ascending positions. */
function createLineCounter(text: string): (position: number) => number {
  let [at, line] = [0, 1];
  return (position) => {
    if (position < at) [at, line] = [0, 1];
    for (let next = text.indexOf('\n', at); next >= 0 && next < position; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}

function toFact(name: string, values: ReadonlyMap<string, string>, line: number): Fact | null {
  const valueOf = (fields: readonly string[]) => {
    for (const field of fields) {
      const value = values.get(field)?.trim();
      if (value) return value.slice(0, maxValueLength);
    }
    return null;
  };
  const artifact = valueOf(artifactFields);
  const version = valueOf(versionFields);
  const digest = valueOf(digestFields);
  if (artifact === null || (version === null && digest === null)) return null;
  const found = identify(
    {
      artifact,
      sourceType: valueOf(['source_type']),
      datasource: valueOf(['datasource']),
      registry: valueOf(registryFields),
      why: name,
    },
    version,
  );
  if (!found) return null;
  const labels = [...values].flatMap(([field, value]): [string, string][] => {
    const label = cleanLine(value);
    return field.startsWith('label_') && label !== '' ? [[field.slice('label_'.length), label]] : [];
  });
  return {
    extractor: 'custom',
    place: { line, document: 0, kind: null, namespace: null, name: nameOf(labels), field: artifact },
    ...found,
    ...(digest !== null && { digest }),
    note: `found by ${name}`,
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
  };
}

/**
 * Returns a name that consists of the labels, so that items of the same artifact with different labels are
 * distinct. Null if there are no labels.
 */
function nameOf(labels: readonly (readonly [label: string, value: string])[]): string | null {
  if (labels.length === 0) return null;
  const sorted = labels.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted
    .map(([, value]) => value)
    .join(', ')
    .slice(0, 200)
    .toWellFormed();
}

interface Named {
  artifact: string;
  sourceType: string | null;
  datasource: string | null;
  registry: string | null;
  why: string;
}

type Identity = Pick<Fact, 'artifact' | 'origin' | 'version' | 'state' | 'digest' | 'reason'>;

/**
 * Returns the artifact of a match. A source type of Pacekeeper takes precedence over a datasource of
 * Renovate.
 */
function identify(named: Named, version: string | null): Identity | null {
  const { artifact, sourceType, datasource, registry, why } = named;
  if (sourceType === null)
    return commentedFact({ datasource, name: artifact, registryUrl: registry, before: '' }, version ?? '');
  if (!isPatternSourceType(sourceType)) return null;
  const host = registry === null ? defaultHosts[sourceType] : withoutTrailing(registry, '/');
  const hostName = host?.replace(scheme, '').split('/', 1)[0] ?? null;
  const isFull = host === null || artifact.includes('://') || artifact.split('/', 1)[0] === hostName;
  const full = isFull ? artifact : `${host}/${artifact}`;
  if (sourceType === 'oci_registry') {
    const reference = full.replace(/^https?:\/\//i, '');
    const image = splitImage(version === null ? reference : `${reference}:${version}`);
    return image && readImage(image);
  }
  const origin: Origin = { type: 'stated', sourceType, name: full, why: `the pattern ${why}` };
  if (sourceType === 'helm_repository') {
    const chart = baseOf(full);
    return {
      artifact: { kind: 'chart', name: chart },
      origin,
      digest: null,
      ...readVersion(version, 'chart'),
    };
  }
  const name = full.replace(scheme, '');
  return { artifact: { kind: 'git', name }, origin, digest: null, ...readVersion(version, 'ref') };
}

const scheme = /^\w+:\/\//;

const defaultHosts: Readonly<Record<PatternSourceType, string | null>> = {
  github_releases: 'github.com',
  gitlab_releases: 'gitlab.com',
  gitea_releases: null,
  git_tags: null,
  oci_registry: null,
  helm_repository: null,
};
