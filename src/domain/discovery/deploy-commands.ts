import { readChart } from './chart-fact.ts';
import { readDownload } from './download-address.ts';
import type { Fact, FactLocation } from './fact.ts';
import { factDefaults } from './manifest.ts';
import { isTemplated } from './read-version.ts';
import { readRemote, remoteSoftware } from './remote-reference.ts';

/** A chart or a Git repository that a command deploys. */
export interface CommandDeployment {
  /** The release of a chart. */
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'>;
  field: string;
  found: Omit<Fact, 'extractor' | 'place'>;
  /** The word of the command that contains the version, as written. */
  version: string;
}

/** Maximum number of lines of one command. Real commands have up to about 50 lines. */
export const maxCommandLines = 100;
const maxCharacters = 10_000;
const maxWords = 500;

/** True for a text that can contain a command that deploys something. */
export function hasDeployCommand(text: string): boolean {
  return /helm|kubectl|kustomize|\boc\b/i.test(text);
}

/**
 * Returns the command that begins in a line, with the lines on which it continues. Null if no command that deploys
 * something can begin there.
 */
export function deployCommandAt(lines: readonly string[], index: number): string | null {
  const first = lines[index]!;
  const before = lines[index - 1]?.trim() ?? '';
  const isInOther = before.endsWith('\\') && !before.startsWith('#');
  if (!hasDeployCommand(first) || isOption.test(first) || isInOther) return null;
  let command = first;
  for (let at = index; at < index + maxCommandLines && command.length < maxCharacters; at++) {
    const next = lines[at + 1]?.trim() ?? '';
    const isContinued = command.trimEnd().endsWith('\\');
    // A folded text of YAML continues without a backslash. No command begins with an option.
    // A comment ends a command, even if the line above it ends with a backslash.
    if ((!isContinued && !isOption.test(next)) || next.startsWith('#')) break;
    command = `${isContinued ? command.trimEnd().slice(0, -1) : command} ${next}`;
  }
  return command.slice(0, maxCharacters);
}

const isOption = /^\s*--[a-z]/;

/**
 * Returns the URLs of the chart repositories that the commands of a file add, by name, without names that have several
 * URLs.
 */
export function chartRepositoriesOf(
  lines: readonly string[],
  resolve: (word: string) => string,
): ReadonlyMap<string, string> {
  const repositories = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const line of lines) {
    if (!line.includes('repo') || !hasDeployCommand(line)) continue;
    for (const words of commandsIn(line)) {
      const { positional } = readArguments(words, isHelm) ?? { positional: [] };
      const [command, action, name = '', url = ''] = positional;
      if (command !== 'repo' || action !== 'add' || url === '') continue;
      const address = resolve(url);
      if ((repositories.get(name) ?? address) !== address) ambiguous.add(name);
      repositories.set(name, address);
    }
  }
  for (const name of ambiguous) repositories.delete(name);
  return repositories;
}

/**
 * Yields the charts that `helm upgrade` and `helm install` deploy with a fixed version, and the Git repositories and
 * files that `kubectl apply` deploys from a fixed ref.
 *
 * @param resolve Replaces the variables in a word.
 */
export function* deploymentsIn(
  command: string,
  repositories: ReadonlyMap<string, string>,
  resolve: (word: string) => string,
): Generator<CommandDeployment, void> {
  for (const words of commandsIn(command)) {
    const chart = readHelm(words, repositories, resolve);
    if (chart) yield chart;
    yield* readKubectl(words, resolve);
  }
}

function readHelm(
  words: readonly string[],
  repositories: ReadonlyMap<string, string>,
  resolve: (word: string) => string,
): CommandDeployment | null {
  const read = readArguments(words, isHelm);
  if (!read) return null;
  const { options } = read;
  const positional = read.positional[0] === 'secrets' ? read.positional.slice(1) : read.positional;
  const [action, ...rest] = positional;
  if ((action !== 'upgrade' && action !== 'install') || options.has('--dry-run')) return null;
  // Further arguments can only be variables with options.
  const [release, written] =
    options.has('--generate-name') || options.has('-g')
      ? [null, rest[0]]
      : // In Helm 2, the name of the release is an option.
        options.has('--name')
        ? [options.get('--name'), rest[0]]
        : rest;
  if (written === undefined || rest.slice(2).some((word) => !isTemplated(word))) return null;
  const [chart, version] = [resolve(written), options.get('--version') || null];
  const isArchive = /^https?:\/\/\S+\.tgz$/.test(chart);
  // Without a version, the command installs the newest one, or a chart in the repository.
  if (/^[./~]/.test(chart) || (version === null && !isArchive)) return null;
  const [alias = '', inAlias] = /^[\w.-]+\/[\w.-]+$/.test(chart) ? chart.split('/') : [];
  const stated = options.get('--repo');
  const repository = stated === undefined ? repositories.get(alias) : resolve(stated);
  if (inAlias === undefined && stated === undefined && !/^(?:oci|https?):\/\//.test(chart)) return null;
  const found = readChart(
    inAlias !== undefined && stated === undefined ? inAlias : chart,
    repository ?? null,
    version === null ? null : resolve(version),
  );
  if (found.state === 'templated' || found.origin.type === 'local') return null;
  const isDeclaredElsewhere = inAlias !== undefined && repository === undefined;
  const namespace = options.get('--namespace') ?? options.get('-n');
  return {
    names: { kind: 'Release', namespace: literalOf(namespace, resolve), name: literalOf(release, resolve) },
    field: `chart ${found.artifact.name}`.slice(0, 300),
    found: {
      ...found,
      ...(isDeclaredElsewhere && { origin: { type: 'helmfile_repository' as const, name: alias } }),
      ...factDefaults,
    },
    version: version ?? written,
  };
}

function* readKubectl(
  words: readonly string[],
  resolve: (word: string) => string,
): Generator<CommandDeployment, void> {
  const kubectl = readArguments(words, isKubectl);
  const isApplied = /^(?:apply|create|replace)$/.test(kubectl?.positional[0] ?? '');
  const kustomize = readArguments(words, isKustomize);
  const sources = [
    ...(kubectl && isApplied
      ? ['-k', '--kustomize', '-f', '--filename'].flatMap((name) => kubectl.options.get(name) ?? [])
      : []),
    ...(kubectl?.positional[0] === 'kustomize' ? kubectl.positional.slice(1, 2) : []),
    ...(kustomize?.positional[0] === 'build' ? kustomize.positional.slice(1, 2) : []),
  ];
  for (const source of sources) {
    const address = resolve(source);
    const remote = isTemplated(address) ? null : readRemote(address);
    // Other extractors read the downloads in commands.
    if (!remote || remote.ref === null || readDownload(address)) continue;
    yield {
      names: { kind: null, namespace: null, name: null },
      field: `apply ${remote.name}`.slice(0, 300),
      found: remoteSoftware(remote),
      version: source,
    };
  }
}

function literalOf(word: string | null | undefined, resolve: (word: string) => string): string | null {
  const text = word ? resolve(word) : '';
  return text === '' || isTemplated(text) ? null : text.slice(0, 200);
}

/** Matches the ends of the commands in a line. A bracket can end a command in another one. */
const separators = /^(?:&&|\|\|?|;|>{1,2}|[12]>.*|<.*|&>?)$/;

/** Yields the words of each command in a line, without their quotes. */
function* commandsIn(line: string): Generator<string[], void> {
  let words: string[] = [];
  for (const word of shellWords(withoutPrefix(line)).slice(0, maxWords)) {
    const isLast = word.endsWith(';');
    if (!separators.test(word) && word !== ';') words.push(isLast ? word.slice(0, -1) : word);
    else if (words.length > 0) yield words;
    if (isLast && words.length > 0) yield words;
    if (isLast || separators.test(word)) words = [];
  }
  if (words.length > 0) yield words;
}

/** Removes the key and the quotes of a command in a YAML file, and the mark of a command in a Makefile. */
function withoutPrefix(line: string): string {
  const command = line
    .trim()
    .replace(/^(?:- +)?(?:["']?(?:[\w-]{1,40})["']?: +)?/, '')
    .replace(/^[@-]+/, '');
  const quote = command[0];
  if ((quote !== '"' && quote !== "'") || !command.endsWith(quote) || command.length < 2) return command;
  return command.slice(1, -1).replaceAll(`\\${quote}`, quote);
}

/** Splits a command at spaces outside of quotes and templates, and removes the quotes. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
      continue;
    }
    const quoted = quotedAt(text, at);
    const part: string = quoted ?? templateAt(text, at) ?? text.slice(at, char === '\\' ? at + 2 : at + 1);
    word = (word ?? '') + part;
    at += quoted === null ? part.length : part.length + 2;
  }
  if (word !== null) words.push(word);
  return words;
}

/** Maximum length of a text in quotes. The quote of a longer one is read as a character. */
const maxQuotedLength = 2_000;
/** Maximum length of a template or of a command within a command. */
const maxTemplateLength = 200;

/** Returns the text in quotes that begins at a position, without the quotes. */
function quotedAt(text: string, at: number): string | null {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return null;
  const last = Math.min(text.length - 1, at + 1 + maxQuotedLength);
  for (let end = at + 1; end <= last; end++) {
    if (text[end] === quote) return text.slice(at + 1, end);
    if (quote === '"' && text[end] === '\\') end++;
  }
  return null;
}

/** Returns the `{{…}}` or `$(…)` that begins at a position, unless it contains another one. */
function templateAt(text: string, at: number): string | null {
  const [open, close, nested] = text.startsWith('{{', at)
    ? (['{{', '}}', /[{}]/] as const)
    : (['$(', ')', /\(/] as const);
  if (!text.startsWith(open, at)) return null;
  const rest = text.slice(at + 2, at + 2 + maxTemplateLength + close.length);
  const end = rest.indexOf(close);
  return end < 0 || nested.test(rest.slice(0, end)) ? null : open + rest.slice(0, end) + close;
}

/** Options of Helm and kubectl without a value. The word after another option is its value. */
const flags: ReadonlySet<string> = new Set([
  '-i',
  '-g',
  '-h',
  '-A',
  '-R',
  '--install',
  '--wait',
  '--wait-for-jobs',
  '--atomic',
  '--rollback-on-failure',
  '--debug',
  '--dry-run',
  '--force',
  '--force-conflicts',
  '--force-replace',
  '--force-update',
  '--create-namespace',
  '--reset-values',
  '--reuse-values',
  '--reset-then-reuse-values',
  '--dependency-update',
  '--cleanup-on-fail',
  '--devel',
  '--disable-openapi-validation',
  '--enable-dns',
  '--enable-helm',
  '--generate-name',
  '--hide-notes',
  '--hide-secret',
  '--insecure-skip-tls-verify',
  '--load-restrictor',
  '--no-hooks',
  '--no-update',
  '--pass-credentials',
  '--plain-http',
  '--render-subchart-notes',
  '--replace',
  '--server-side',
  '--skip-crds',
  '--skip-schema-validation',
  '--skip-tests',
  '--take-ownership',
  '--verify',
  '--validate',
  '--recursive',
  '--prune',
  '--all',
]);

interface Arguments {
  positional: string[];
  /** The first value of each option. The value of a flag is empty. */
  options: ReadonlyMap<string, string>;
}

/** Returns the arguments of a program, or null if the command doesn't run it. */
function readArguments(words: readonly string[], isProgram: RegExp): Arguments | null {
  const program = words.findIndex((word) => isProgram.test(word));
  // The words of a message aren't a command.
  if (program < 0 || /^(?:echo|printf|info|log|warn|error|#.*)$/.test(words[0]!)) return null;
  const positional: string[] = [];
  const options = new Map<string, string>();
  for (let at = program + 1; at < words.length; at++) {
    const word = words[at]!;
    if (!/^--?[A-Za-z]/.test(word)) {
      positional.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals >= 0 ? word.slice(equals + 1) : flags.has(name) ? '' : (words[++at] ?? '');
    if (!options.has(name)) options.set(name, value);
  }
  return { positional, options };
}

const isHelm = /^(?:[\w.~-]*\/)*helm\d?$|^\$[({]?HELM(?:_?BIN|_CMD)?[)}]?$/i;
const isKubectl = /^(?:[\w.~-]*\/)*(?:kubectl|oc)$|^\$[({]?(?:KUBECTL|OC)(?:_?BIN|_CMD)?[)}]?$/i;
const isKustomize = /^(?:[\w.~-]*\/)*kustomize$|^\$[({]?KUSTOMIZE(?:_?BIN|_CMD)?[)}]?$/i;
