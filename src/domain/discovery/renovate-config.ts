import JSON5 from 'json5';
import { ownValue } from '../json/own-value.ts';
import { compilePattern } from '../patterns/compile-pattern.ts';
import type { CustomPattern } from './custom-patterns.ts';
import { parseTemplate } from './pattern-template.ts';
import type { RenovateIgnores, RenovateRule } from './renovate-ignores.ts';

/** Paths of files that can contain a Renovate configuration, in the order in which Renovate checks them. */
export const renovateConfigPaths: readonly string[] = [
  'renovate.json',
  'renovate.json5',
  '.github/renovate.json',
  '.github/renovate.json5',
  '.gitlab/renovate.json',
  '.gitlab/renovate.json5',
  '.renovaterc',
  '.renovaterc.json',
  '.renovaterc.json5',
  'package.json',
];

/** A custom manager, or a part of the configuration, that Pacekeeper can't read. */
export interface RenovateProblem {
  file: string;
  /** Part of the configuration, such as `customManagers[2]`. */
  name: string;
  message: string;
}

export interface RenovateConfig {
  patterns: CustomPattern[];
  /** Null if nothing is ignored. */
  ignores: RenovateIgnores | null;
  problems: RenovateProblem[];
  /** Set if the configuration can't be read. The versions that it would find are then unknown. */
  unread: UnreadConfig | null;
}

export interface UnreadConfig {
  path: string;
  reason: 'malformed' | 'too_large' | 'unreadable' | 'timed_out';
  message: string;
}

/** Returns the result for a configuration that can't be read. */
export function unreadableConfigResult(
  path: string,
  reason: UnreadConfig['reason'],
  message: string,
): RenovateConfig {
  const short = message.slice(0, 300).toWellFormed();
  return {
    patterns: [],
    ignores: null,
    problems: [{ file: path, name: path, message: short }],
    unread: { path, reason, message: short },
  };
}

/** A file that can be a configuration. */
export interface RenovateFile {
  path: string;
  /** Null if it isn't UTF-8. */
  text: string | null;
  isTooLarge?: boolean;
}

/** Maximum length of a configuration, in characters. Real ones have a few thousand. */
const maxLength = 256 * 1024;
const maxManagers = 50;
/** Maximum number of managers that are checked, including those that can't be used. */
const maxCheckedManagers = 200;
/** Maximum number of file patterns of all managers. */
const maxFilePatterns = 200;
const maxMatchStrings = 20;
const maxProblems = 50;
/** Maximum number of `ignorePaths`. Each one is compared with each path that contains versions. */
const maxIgnoredPaths = 200;
const maxIgnoredDeps = 1_000;
const maxEntryLength = 200;
/** Maximum number of package rules that set `enabled`. Real configurations have a few. */
const maxRules = 50;
const maxMatcherEntries = 100;

/**
 * Reads the custom managers and the ignored versions of the first configuration that exists. The others are
 * ignored, as in Renovate.
 */
export function readRenovateConfig(files: readonly RenovateFile[]): RenovateConfig {
  const result: RenovateConfig = { patterns: [], ignores: null, problems: [], unread: null };
  for (const path of renovateConfigPaths) {
    const file = files.find((each) => each.path === path);
    if (!file) continue;
    const report = (name: string, message: string) => {
      if (result.problems.length < maxProblems)
        result.problems.push({
          file: path,
          name: name.slice(0, 100).toWellFormed(),
          message: message.slice(0, 300).toWellFormed(),
        });
    };
    const config = parseConfig(file);
    // A `package.json` without the key `renovate` isn't a Renovate configuration.
    if (config === undefined) continue;
    if ('unread' in config) return unreadableConfigResult(path, ...config.unread);
    readManagers(config.json, result.patterns, report);
    result.ignores = readIgnores(path, config.json, report);
    break;
  }
  return result;
}

type Report = (name: string, message: string) => void;
type Json = Readonly<Record<string, unknown>>;

function parseConfig({
  path,
  text,
  isTooLarge = false,
}: RenovateFile): { json: Json } | { unread: [reason: UnreadConfig['reason'], message: string] } | undefined {
  const isPackage = path === 'package.json';
  if (isTooLarge || (text !== null && text.length > maxLength)) {
    if (isPackage && text !== null && !text.includes('"renovate"')) return undefined;
    return { unread: ['too_large', 'It is too large.'] };
  }
  if (text === null) return isPackage ? undefined : { unread: ['unreadable', "It isn't UTF-8 text."] };
  if (isPackage && !text.includes('"renovate"')) return undefined;
  let parsed: unknown;
  try {
    // Renovate accepts JSON5 syntax in all of these files.
    parsed = JSON5.parse(text);
  } catch (error) {
    const message = `It isn't valid JSON5: ${error instanceof Error ? error.message : ''}`;
    return { unread: ['malformed', message] };
  }
  if (isPackage && isObject(parsed)) parsed = parsed['renovate'];
  if (isPackage && parsed === undefined) return undefined;
  return isObject(parsed) ? { json: parsed } : { unread: ['malformed', "It isn't an object."] };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readManagers(config: Json, patterns: CustomPattern[], report: Report): void {
  let checked = 0;
  let filePatterns = 0;
  for (const key of ['customManagers', 'regexManagers']) {
    const managers = config[key];
    if (managers === undefined) continue;
    if (!Array.isArray(managers)) {
      report(key, "It isn't a list.");
      continue;
    }
    for (const [index, manager] of managers.entries()) {
      const name = `${key}[${index}]`;
      if (patterns.length >= maxManagers) {
        report(name, `The configuration has more than ${maxManagers} managers.`);
        break;
      }
      if (checked++ >= maxCheckedManagers) {
        report(name, `The configuration has more than ${maxCheckedManagers} managers.`);
        break;
      }
      const read = readManager(name, manager, maxFilePatterns - filePatterns);
      if (typeof read === 'string') report(name, read);
      else {
        filePatterns += read.pattern.paths.length;
        patterns.push(read.pattern);
        for (const ignored of read.ignored) report(name, ignored);
      }
    }
  }
  readPresets(config['extends'], patterns, report);
}

/** Reads the entries that exclude versions from updates. */
function readIgnores(file: string, config: Json, report: Report): RenovateIgnores | null {
  const entriesOf = (key: string, max: number): [entry: string, name: string][] => {
    const value = config[key] ?? [];
    if (!Array.isArray(value)) {
      report(key, "It isn't a list.");
      return [];
    }
    if (value.length > max) report(key, `It has more than ${max} entries. The others aren't used.`);
    return value.slice(0, max).flatMap((entry: unknown, index): [string, string][] => {
      const name = `${key}[${index}]`;
      if (typeof entry === 'string' && entry !== '' && entry.length <= maxEntryLength) return [[entry, name]];
      report(name, `It isn't a text of 1 to ${maxEntryLength} characters.`);
      return [];
    });
  };
  const paths = entriesOf('ignorePaths', maxIgnoredPaths).map(([text, name]) => {
    const glob = globToRegex(text);
    const compiled = glob === null ? null : compilePattern(glob);
    if (compiled?.ok) return { text, pattern: glob!.replace('(?i)', '') };
    report(name, `The glob ${text.slice(0, 100)} isn't supported.`);
    return { text, pattern: null };
  });
  const deps = entriesOf('ignoreDeps', maxIgnoredDeps).map(([entry]) => entry);
  const rules = readRules(config['packageRules'], report);
  return paths.length + deps.length + rules.length === 0 ? null : { file, paths, deps, rules };
}

/**
 * Reads the package rules that enable or disable dependencies. A rule with matchers that have no meaning
 * here, such as `matchUpdateTypes`, is skipped. Without these matchers, it would apply to more versions than
 * in Renovate.
 */
function readRules(value: unknown, report: Report): RenovateRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    report('packageRules', "It isn't a list.");
    return [];
  }
  const rules: RenovateRule[] = [];
  for (const [index, rule] of value.entries()) {
    const name = `packageRules[${index}]`;
    if (!isObject(rule) || typeof rule['enabled'] !== 'boolean') continue;
    if (rules.length >= maxRules) {
      report(name, `The configuration has more than ${maxRules} package rules that set enabled.`);
      break;
    }
    const matchers = readMatchers(rule);
    if (typeof matchers === 'string') report(name, `It isn't used: ${matchers}`);
    else rules.push({ name, isEnabled: rule['enabled'], matchers });
  }
  // Without a rule that disables dependencies, rules that enable dependencies have no effect.
  return rules.some(({ isEnabled }) => !isEnabled) ? rules : [];
}

/** Supported matchers, with the subject that each one is compared with. Older names come last. */
const matcherSubjects: Readonly<Record<string, 'dependency' | 'file'>> = {
  matchPackageNames: 'dependency',
  matchDepNames: 'dependency',
  matchFileNames: 'file',
  matchPaths: 'file',
  matchPackagePatterns: 'dependency',
};

/** Reads the matchers of a rule. Returns the reason if one of them can't be used. */
function readMatchers(rule: Json): RenovateRule['matchers'] | string {
  const matchers: RenovateRule['matchers'][number][] = [];
  for (const [key, value] of Object.entries(rule)) {
    if (!/^(?:match|exclude)[A-Z]/.test(key)) continue;
    const subject = ownValue(matcherSubjects, key) ?? null;
    if (subject === null) return `${key.slice(0, 50)} isn't supported.`;
    const entries = textsOf(value);
    if (entries.length === 0 || entries.length > maxMatcherEntries)
      return `${key} isn't a list of 1 to ${maxMatcherEntries} texts.`;
    const exact: string[] = [];
    const patterns: string[] = [];
    for (const entry of entries) {
      if (entry.length > maxEntryLength) return `${key} contains a text that is too long.`;
      if (key !== 'matchPackagePatterns' && !/^[!/]|[*?{[]/.test(entry)) {
        exact.push(entry);
        continue;
      }
      const read = readFilePattern(key === 'matchPackagePatterns' ? asRegex(entry) : entry);
      if (!read.ok) return `${key} contains ${entry.slice(0, 50)}: ${read.message}.`;
      patterns.push(read.pattern);
    }
    matchers.push({ subject, exact, patterns });
  }
  return matchers.length === 0 ? 'it has no matcher.' : matchers;
}

/** Fields of a manager that don't change which versions it finds. */
const harmlessFields: ReadonlySet<string> = new Set([
  'customType',
  'description',
  'autoReplaceStringTemplate',
  'depTypeTemplate',
  'enabled',
  '$schema',
]);

/** Fields of templates, with the field of the match that each one sets. */
const templateFields: Readonly<Record<string, string>> = {
  depNameTemplate: 'depName',
  packageNameTemplate: 'packageName',
  lookupNameTemplate: 'packageName',
  datasourceTemplate: 'datasource',
  currentValueTemplate: 'currentValue',
  currentDigestTemplate: 'currentDigest',
  registryUrlTemplate: 'registryUrl',
};

/** Reads a manager. Returns the reason if it can't be read. */
function readManager(
  name: string,
  manager: unknown,
  leftFilePatterns: number,
): { pattern: CustomPattern; ignored: string[] } | string {
  if (!isObject(manager)) return "It isn't an object.";
  const type = manager['customType'] ?? 'regex';
  if (type !== 'regex') return `Its type is ${shown(type)}. Only regex is supported.`;
  if (manager['enabled'] === false) return 'It is disabled.';
  const strategy = manager['matchStringsStrategy'] ?? 'any';
  if (strategy !== 'any') return `Its matchStringsStrategy is ${shown(strategy)}. Only any is supported.`;
  const files = [...textsOf(manager['managerFilePatterns']), ...textsOf(manager['fileMatch']).map(asRegex)];
  if (files.length === 0) return 'It has no managerFilePatterns.';
  if (files.length > leftFilePatterns)
    return `The configuration has more than ${maxFilePatterns} file patterns.`;
  const paths: CustomPattern['paths'][number][] = [];
  for (const file of files) {
    const path = readFilePattern(file);
    if (!path.ok) return `The file pattern ${file.slice(0, 100)} can't be used: ${path.message}.`;
    paths.push({ syntax: 're2', pattern: path.pattern });
  }
  const matchStrings = textsOf(manager['matchStrings']);
  if (matchStrings.length === 0) return 'It has no matchStrings.';
  if (matchStrings.length > maxMatchStrings) return `It has more than ${maxMatchStrings} matchStrings.`;
  const groups = new Set<string>();
  for (const [at, pattern] of matchStrings.entries()) {
    const compiled = compilePattern(pattern);
    if (!compiled.ok) return `matchStrings[${at}] can't be used: ${compiled.message}.`;
    for (const group of compiled.pattern.groupNames) groups.add(group);
  }
  const templates: Record<string, string> = {};
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(manager)) {
    if (harmlessFields.has(key) || knownFields.has(key)) continue;
    if (!Object.hasOwn(templateFields, key) || typeof value !== 'string') {
      ignored.push(`${key.slice(0, 50)} isn't used.`);
      continue;
    }
    const parsed = parseTemplate(value);
    if (!parsed.ok) return `${key} can't be used: it ${parsed.message}.`;
    templates[ownValue(templateFields, key)!] = value;
  }
  for (const group of ['extractVersion', 'versioning'])
    if (groups.has(group)) ignored.push(`The group ${group} isn't used.`);
  const given = new Set([...groups, ...Object.keys(templates)]);
  if (!given.has('depName') && !given.has('packageName')) return 'It finds no depName.';
  if (!given.has('currentValue') && !given.has('currentDigest')) return 'It finds no currentValue.';
  return { pattern: { name, paths, patterns: matchStrings, templates }, ignored };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 50) : 'not a text';
}

const knownFields: ReadonlySet<string> = new Set([
  'managerFilePatterns',
  'fileMatch',
  'matchStrings',
  'matchStringsStrategy',
]);

function textsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string');
}

/** Converts a `fileMatch` pattern to the syntax of `managerFilePatterns`. */
function asRegex(pattern: string): string {
  return `/${pattern}/`;
}

type FilePattern = { ok: true; pattern: string } | { ok: false; message: string };

/** Converts a file pattern of Renovate, which is a regular expression between slashes or a glob, to RE2. */
export function readFilePattern(text: string): FilePattern {
  if (text.startsWith('!')) return { ok: false, message: 'negated patterns are not supported' };
  const regex = /^\/(.*)\/(i?)$/s.exec(text);
  const pattern = regex ? `${regex[2] === 'i' ? '(?i)' : ''}${regex[1]}` : globToRegex(text);
  if (pattern === null) return { ok: false, message: 'the glob is not supported' };
  const compiled = compilePattern(pattern);
  return compiled.ok ? { ok: true, pattern } : { ok: false, message: compiled.message };
}

/** Converts a glob with `*`, `**`, `?`, `[…]`, and `{a,b}` to a pattern for the whole path. */
function globToRegex(glob: string): string | null {
  if (glob === '*' || glob === '**') return '.*';
  if (/[\\()!+@]/.test(glob)) return null;
  let result = '';
  let depth = 0;
  for (const [token] of glob.matchAll(/\*\*\/|\*\*|\*|\?|\[[^[\]/]+\]|[{},]|[^*?[\]{},]+|./gs)) {
    if (token === '**/') result += '(?:.*/)?';
    else if (token === '**') result += '.*';
    else if (token === '*') result += '[^/]*';
    else if (token === '?') result += '[^/]';
    else if (token === '{') {
      depth++;
      result += '(?:';
    } else if (token === '}') {
      if (depth-- === 0) return null;
      result += ')';
    } else if (token === ',') result += depth > 0 ? '|' : ',';
    else if (token.startsWith('[') && token.length > 1) result += token.replace(/^\[!/, '[^');
    else result += token.replaceAll(/[.^$|+()[\]\\]/g, String.raw`\$&`);
  }
  return depth === 0 ? `(?i)^${result}$` : null;
}

/** Presets whose managers only read Renovate comments, which Pacekeeper reads in all text files. */
const commentPresets: ReadonlySet<string> = new Set([
  'azurePipelinesVersions',
  'bitbucketPipelinesVersions',
  'dockerfileVersions',
  'githubActionsVersions',
  'gitlabPipelineVersions',
  'makefileVersions',
  'tfvarsVersions',
]);

/** Reads the presets of custom managers. Presets of repositories aren't fetched. */
function readPresets(list: unknown, patterns: CustomPattern[], report: Report): void {
  for (const [index, preset] of textsOf(list).slice(0, maxManagers).entries()) {
    const name = `extends[${index}]`;
    const custom = /^(?:customManagers|regexManagers):(\w+)/.exec(preset)?.[1];
    if (custom === 'helmChartYamlAppVersions') patterns.push({ ...chartAppVersion, name: preset });
    else if (custom !== undefined && !commentPresets.has(custom))
      report(name, `The preset ${preset.slice(0, 100)} isn't supported.`);
    else if (/^(?:local|github|gitlab|gitea|forgejo|bitbucket(?:-server)?|npm)>|^https?:/.test(preset))
      report(
        name,
        `The preset ${preset.slice(0, 100)} isn't fetched, so its custom managers and the versions that it ignores aren't known.`,
      );
  }
}

/** Finds the `appVersion` of a chart if a comment above it contains the image. */
const chartAppVersion: Omit<CustomPattern, 'name'> = {
  paths: [{ syntax: 're2', pattern: '(?:^|/)Chart\\.yaml$' }],
  patterns: [
    '#[ \\t]*renovate:[ \\t]+image=(?P<depName>\\S+)\\s+appVersion:[ \\t]*["\']?(?P<currentValue>[\\w.+-]+)',
  ],
  templates: { datasource: 'docker' },
};
