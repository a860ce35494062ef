import {
  type CommandDeployment,
  chartRepositoriesOf,
  deployCommandAt,
  deploymentsIn,
  hasDeployCommand,
  maxCommandLines,
} from '../deploy-commands.ts';
import { readDownload, softwareFact } from '../download-address.ts';
import { readImageAssignment } from '../embedded-images.ts';
import { type Extracted, type ExtractorName, emptyExtraction, type Fact } from '../fact.ts';
import { isNamedIn, namesKnownSoftware, readNamedVersion } from '../named-versions.ts';
import { createPackageReader } from '../python-packages.ts';
import { isSecretName } from '../read-dotenv.ts';
import { readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { substituteVariables } from '../substitute-variables.ts';
import { unreadKindOf } from '../unread-kinds.ts';
import type { FilePath } from './extractor.ts';

/** Maximum number of characters of a line that are read. */
const maxLineLength = 1_000;
/** Maximum number of variables of one file. Real files have up to a few hundred. */
const maxVariables = 1_000;

/** True for files of environment variables. */
function isEnvironment({ base }: FilePath): boolean {
  return (
    /\.env(?:\.(?:j2|tpl|tftpl))?$|^\.env[\w.-]*$/i.test(base) &&
    // Nothing is deployed from an example that people copy.
    !/\.(?:dist|example|sample|template)$|[._-](?:example|sample)\b/i.test(base)
  );
}

/** True for scripts that a machine runs at its first start. Only their downloads and images are read. */
function isUserData(base: string): boolean {
  return (
    /(?:^|[_-])(?:user[_-]?data|cloud[_-]?init)/i.test(base) &&
    /\.(?:sh|txt|tpl|tftpl)(?:\.(?:tpl|tftpl))?$/i.test(base)
  );
}

function isTomlLike({ base }: FilePath): boolean {
  return /\.(?:toml|conf|cfg|ini)(?:\.(?:j2|tpl|tftpl))?$/i.test(base);
}

/** A program that people or pipelines run. */
type Script = 'shell' | 'make' | 'just' | 'task';

/**
 * Returns the kind of a script, based on its name. Only its downloads, what it deploys, and the variables with their
 * versions are read, because nothing shows that the other software in it is deployed.
 */
function scriptOf(base: string): Script | null {
  if (/\.(?:sh|bash|zsh|ksh)$/i.test(base)) return 'shell';
  if (/^(?:gnu)?makefile$|\.mk$/i.test(base)) return 'make';
  if (/^\.?justfile$|\.just$/i.test(base)) return 'just';
  return /^\.?taskfile[\w.-]{0,50}\.ya?ml$/i.test(base) ? 'task' : null;
}

/**
 * True for text files whose commands and variables are read. Dockerfiles are excluded because they have a
 * separate extractor. Other kinds of files are left to custom patterns.
 */
export function shouldReadCommands({ base }: FilePath): boolean {
  if (isUserData(base) || scriptOf(base) !== null) return true;
  if (/dockerfile|containerfile|^(?:\.?taskfile|justfile|makefile)|\.(?:sh|bash|zsh|ksh|ps1)\./i.test(base))
    return false;
  // Check only the name, because files with the same text and name in other directories can share their
  // facts.
  const file = { path: base, base };
  return (
    (isEnvironment(file) ||
      isTomlLike(file) ||
      /\.(?:ya?ml|ya?ml\.gotmpl|j2|tpl|tftpl|service)$/i.test(base)) &&
    unreadKindOf(file) === null
  );
}

interface Assigned {
  value: string;
  line: number;
}

/**
 * Returns the downloads, the images, and the deployments in the commands of a file, and the versions in its variables.
 * A version that a command gets from a variable is on the line of this variable.
 *
 * @param known The facts of other extractors. Variables that their notes name are already items.
 * @param pipeline The extractor of the pipeline in the file, if it is one. Its commands can test images that are never
 *   deployed, so its images aren't read. Its variables name the tools that it uses.
 */
export function readCommands(
  text: string,
  file: FilePath,
  known: readonly Fact[],
  pipeline: ExtractorName | null,
): Extracted {
  const result = emptyExtraction();
  const isDotenv = isEnvironment(file);
  const isCi = pipeline !== null;
  const script = isCi || isUserData(file.base) ? null : scriptOf(file.base);
  const hasImages = isDotenv || isTomlLike(file);
  const canDeploy = hasDeployCommand(text);
  if (script !== null && !canDeploy && !/_version|:\/\//i.test(text)) return result;
  if (!isCi && !hasImages && !canDeploy && !/_version:|:\/\/|docker|podman|pip|conda|mamba|:v?\d/i.test(text))
    return result;
  const lines = text.split('\n').map((line) => inShellNotation(line.slice(0, maxLineLength), script));
  const hasVariables = isDotenv || isCi || isUserData(file.base) || script !== null;
  const variables = hasVariables ? readVariables(lines, isCi, script) : new Map<string, Assigned>();
  /** Variables that a command contains, or that contain an image. */
  const used = new Set(
    known.flatMap(({ note }) => (note === null ? [] : variablesIn(note.replaceAll('env.', '$')))),
  );
  /** Variables in commands that name their software. */
  const named = new Set<string>();
  const extractor = pipeline ?? 'commands';
  const packagesIn = createPackageReader(lines);
  const removed = /\.ya?ml$/i.test(file.base) ? linesOfRemovals(lines) : new Set<number>();
  const add = (
    line: number,
    field: string,
    found: Omit<Fact, 'extractor' | 'place'>,
    names: CommandDeployment['names'] = { kind: null, namespace: null, name: null },
  ) => {
    result.facts.push({ extractor, place: { line, document: 0, ...names, field }, ...found });
  };
  /** Returns the value of a variable in a line. A shell reads the lines in their order. */
  const valuesAt = (at: number) => (name: string) => {
    const variable = variables.get(name);
    return variable && (script !== 'shell' || variable.line <= at + 1) ? variable : undefined;
  };
  const repositories = canDeploy
    ? chartRepositoriesOf(lines, (word) => withCommandVariables(word, valuesAt(lines.length)).text)
    : new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    if (result.facts.length >= maxFactsPerFile) return result;
    if (isComment(line)) continue;
    const valueOf = valuesAt(at);
    for (const [url] of line.includes('://') ? line.matchAll(address) : []) {
      const { text, names } = withCommandVariables(url, valueOf);
      const found = deletes.test(line) ? null : readCommandDownload(text);
      if (!found) continue;
      for (const name of names) used.add(name);
      const last = variableOf(names, found.version, valueOf);
      const note = last === null ? null : `value of ${last}`;
      add(last === null ? at + 1 : variables.get(last)!.line, `download ${found.artifact.name}`, {
        ...found,
        note,
      });
    }
    const command = canDeploy ? deployCommandAt(lines, at) : null;
    if (command !== null) {
      const resolve = (word: string) => withCommandVariables(word, valueOf).text;
      for (const { names, field, found, version } of deploymentsIn(command, repositories, resolve)) {
        const { names: own } = withCommandVariables(version, valueOf);
        for (const name of own) used.add(name);
        const last = variableOf(own, found.version, valueOf);
        const below = lines.slice(at, at + maxCommandLines).findIndex((each) => each.includes(version));
        const line = last === null ? at + 1 + Math.max(0, below) : variables.get(last)!.line;
        add(line, field, last === null ? found : { ...found, note: `value of ${last}` }, names);
      }
    }
    if ((isCi || script !== null) && line.includes('$'))
      for (const name of variablesIn(line)) {
        const variable = valueOf(name);
        if (variable && variable.line !== at + 1 && isNamedIn(name, line)) named.add(name);
      }
    if (script !== null) continue;
    for (const found of packagesIn(at)) add(at + 1, `package ${found.artifact.name}`, found);
    if (isCi) continue;
    for (const image of removed.has(at) ? [] : imagesOfCommand(line))
      add(at + 1, `command ${image.artifact.name}`, image);
    const assigned = hasImages ? readImageAssignment(withoutKeyword(line)) : null;
    const parts = assigned?.sign.endsWith('=') ? splitImage(assigned.image) : null;
    if (assigned && parts && !isSecretName(assigned.key)) {
      used.add(assigned.key);
      add(at + 1, assigned.key, { ...readImage(parts), note: null });
    }
  }
  if (isDotenv) {
    const values = [...variables].flatMap(([name, { value, line }]): [string, string, number][] =>
      /version|release|tag|image|registry|repo/i.test(name) && /^[\w.:/@+-]{1,300}$/.test(value)
        ? [[name, value, line]]
        : [],
    );
    if (values.length > 0) result.links.push({ type: 'environment_file', values });
  }
  // A template can contain variables, such as an inventory that a playbook creates. Read only names of known
  // software, because most templates are configurations with other names.
  if (/\.ya?ml\.(?:j2|tftpl)$/i.test(file.base))
    for (const [at, line] of lines.entries()) {
      const [, name, value] = templateVariable.exec(line) ?? [];
      const found =
        name !== undefined && namesKnownSoftware(name, value!) ? readNamedVersion(name, value!) : null;
      if (found && result.facts.length < maxFactsPerFile) add(at + 1, name!, found);
    }
  for (const [name, { value, line }] of variables) {
    if (result.facts.length >= maxFactsPerFile) return result;
    // In a pipeline, skip other variables that don't name known software: they often contain versions of the
    // software that the pipeline builds. In a script, nothing shows that they're used.
    const isOpen = script !== null || (isCi && !namesKnownSoftware(name, value));
    const isOther = used.has(name) || (isOpen && !named.has(name));
    const found = isOther ? null : readNamedVersion(name, value);
    if (found) add(line, name, found);
  }
  return result;
}

/** Replaces the variables in a word of a command. Returns their names if all of them are known. */
function withCommandVariables(
  word: string,
  valueOf: (name: string) => Assigned | undefined,
): { text: string; names: readonly string[] } {
  if (!word.includes('$')) return { text: word, names: [] };
  const names: string[] = [];
  // A workflow can refer to a variable as an expression.
  const shell = word.replaceAll(/\$\{\{\s*env\.(\w+)\s*\}\}/g, '$${$1}');
  const { text } = substituteVariables(shell, (name) => {
    const value = valueOf(name)?.value;
    if (value !== undefined) names.push(name);
    return value;
  });
  return isTemplated(text) ? { text, names: [] } : { text, names };
}

/** Returns the variable that contains the version, or null if the version is written in the command. */
function variableOf(
  names: readonly string[],
  version: string | null,
  valueOf: (name: string) => Assigned | undefined,
): string | null {
  const withNumber = names.filter((name) => /\d/.test(valueOf(name)!.value));
  return withNumber.findLast((name) => version?.includes(valueOf(name)!.value)) ?? withNumber.at(-1) ?? null;
}

/** Matches a command that deletes what a file describes. */
const deletes = /(?:^|[^\w-])(?:kubectl|oc)[ \t][^|;&]{0,200}\bdelete\b/;

const address = /https?:\/\/(?:\$\{\{[^{}]{1,100}\}\}|[^\s"'`|;<>\\,)\]]){4,500}/g;

function isComment(line: string): boolean {
  return /^\s*(?:#|\/\/)/.test(line);
}

/** Removes `export` and other words that can precede an assignment. */
function withoutKeyword(line: string): string {
  return line.trim().replace(/^(?:export|readonly|local|(?:declare|typeset)(?:[ \t]+-[a-z]+)?)[ \t]+/, '');
}

/** Writes the variables of a script as a shell does, and removes the quotes around those inside a word. */
function inShellNotation(line: string, script: Script | null): string {
  const shell =
    script === 'make'
      ? line.replaceAll('$$', '$').replaceAll(/\$\((\w{1,100})\)/g, '${$1}')
      : script === 'just' || script === 'task'
        ? line.replaceAll(/\{\{-?[ \t]{0,5}\.?(\w{1,100})[ \t]{0,5}-?\}\}/g, '${$1}')
        : line;
  if (!shell.includes('$') || !shell.includes('"')) return shell;
  return shell
    .replaceAll(/([/=\w.-])"(\$\{?\w{1,100}\}?)"/g, '$1$2')
    .replaceAll(/(\$\{\w{1,100}:?[-=])"([^"{}$]{0,200})"\}/g, '$1$2}');
}

/**
 * Matches `NAME="value"`. The groups are the name and the value in double quotes, in single quotes, or
 * without.
 */
const assignment = /^([A-Za-z_]\w{0,99})=(?:"([^"]{0,200})"|'([^']{0,200})'|([^\s"']{1,200}))/;
const pipelineVariable =
  /^(?:- )?["']?([A-Z][A-Z0-9_]{1,98})["']?:[ \t]{1,20}["']?([\w.+-]{1,100})["']?[ \t]*(?:#.*)?$/;

/** Matches an assignment of Make or Just, such as `NAME ?= value` or `name := "value"`. */
const runnerAssignment =
  /^([A-Za-z_]\w{0,99})[ \t]{0,20}(?:\?|:{1,3})?=[ \t]{0,20}(?:"([^"]{0,200})"|'([^']{0,200})'|([^\s"']{1,200}))/;
/** Matches a command of a shell that sets a variable without a value, such as `: "${NAME:=value}"`. */
const defaultAssignment = /^:[ \t]{1,20}"?\$\{([A-Za-z_]\w{0,99}):?=([^"{}$]{1,200})\}/;
/** Matches a variable of a Taskfile. */
const taskVariable = /^["']?([A-Za-z_]\w{0,98})["']?:[ \t]{1,20}["']?([\w.+-]{1,100})["']?[ \t]*(?:#.*)?$/;

const templateVariable =
  /^[ \t]{0,40}([a-z]\w{0,98}_version):[ \t]{1,20}["']?([\w.+-]{1,50})["']?[ \t]*(?:#.*)?$/;

/**
 * Reads the variables of a pipeline, in its YAML and in its commands, or those of a file of assignments. A script can
 * choose between several values of a variable, so such variables are omitted.
 */
function readVariables(
  lines: readonly string[],
  isPipeline: boolean,
  script: Script | null,
): Map<string, Assigned> {
  const variables = new Map<string, Assigned>();
  const ambiguous = new Set<string>();
  for (const [at, whole] of lines.entries()) {
    if (variables.size >= maxVariables) break;
    if (isComment(whole)) continue;
    const line = withoutKeyword(whole);
    const inYaml = isPipeline ? pipelineVariable : script === 'task' ? taskVariable : null;
    const inLine = script === 'make' || script === 'just' ? runnerAssignment : assignment;
    const [, name, ...written] =
      inYaml?.exec(line) ??
      (script === 'shell' ? defaultAssignment.exec(line) : null) ??
      inLine.exec(isPipeline ? withoutKeyword(line.replace(/^- /, '')) : line) ??
      [];
    const value = written.find((each) => each !== undefined);
    if (name === undefined || value === undefined || isSecretName(name)) continue;
    const { text } = substituteVariables(value, (each) => variables.get(each)?.value);
    const isKnown = variables.has(name);
    if (script !== null && (isTemplated(text) || (isKnown && variables.get(name)!.value !== text)))
      ambiguous.add(name);
    else if (!isKnown && !isTemplated(text)) variables.set(name, { value: text, line: at + 1 });
  }
  for (const name of ambiguous) variables.delete(name);
  return variables;
}

/** Yields the software that the commands in a line download. */
export function* downloadsIn(line: string): Generator<Omit<Fact, 'extractor' | 'place'>, void> {
  if (!line.includes('://')) return;
  for (const [url] of line.matchAll(address)) {
    const found = readCommandDownload(url);
    if (found) yield found;
  }
}

/** Reads the software that a command downloads. Software whose version isn't known before it runs is skipped. */
function readCommandDownload(url: string): Omit<Fact, 'extractor' | 'place'> | null {
  const download = readDownload(url);
  if (!download?.version || isTemplated(url) || !/\d/.test(download.version)) return null;
  const version = download.version.replaceAll(/%2F/gi, '/').replaceAll(/%2B/gi, '+');
  const fact = softwareFact(download, version, download.repository === null ? 'tool' : 'ref');
  return download.isOnlyForVersions && fact.state !== 'exact' ? null : { ...fact, note: null };
}

function variablesIn(text: string): string[] {
  return Array.from(text.matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name]) => name!);
}

/** Matches a command that runs or copies an image. */
const imageCommand =
  /(?:^|[\s;&|("'`])(?:docker|podman|nerdctl|crictl|ctr|crane|skopeo)[ \t]{1,20}(?:[\w-]{1,40}[ \t]{1,20}){0,2}(?:run|pull|create|copy)\b/;
/** An image with a registry, or with a namespace, and a version that begins with a number. */
const imageWord =
  /^(?:docker:\/\/)?((?:[a-z0-9][\w.-]{0,100}(?::\d{1,5})?\/)(?:[a-z0-9][\w.-]{0,100}\/){0,8}[a-z0-9][\w.-]{0,100}:v?\d[\w.-]{0,100}(?:@sha256:[0-9a-f]{64})?)$/;
const imageWithHost = /^[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60})+(?::\d{1,5})?\//;

/** Maximum number of nested entries of lists. Tasks of Ansible have up to about five. */
const maxNestedEntries = 20;

/** Returns the lines of the tasks of Ansible that remove something, as indexes. */
function linesOfRemovals(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const open: { indentation: number; start: number; isRemoval: boolean }[] = [];
  const closeFrom = (indentation: number, at: number) => {
    while (open.length > 0 && open.at(-1)!.indentation >= indentation) {
      const { start, isRemoval } = open.pop()!;
      if (isRemoval) for (let line = start; line < at; line++) found.add(line);
    }
  };
  for (const [at, line] of lines.entries()) {
    const indentation = line.search(/\S/);
    if (indentation < 0) continue;
    closeFrom(indentation, at);
    if (/^[ ]*- /.test(line) && open.length < maxNestedEntries)
      open.push({ indentation, start: at, isRemoval: false });
    if (open.length > 0 && removal.test(line)) open.at(-1)!.isRemoval = true;
  }
  closeFrom(0, lines.length);
  return found;
}

/** Matches an argument that removes what a module of Ansible manages. */
const removal = /^[ ]*state:[ ]{1,20}["']?absent["']?[ ]*(?:#.*)?$/;

/** Yields the images that a command runs. In a long command, the image can be on a separate line. */
function* imagesOfCommand(line: string): Generator<Omit<Fact, 'extractor' | 'place'>> {
  const written = line.trim().replace(/^- /, '');
  const trimmed = written.endsWith('\\') ? written.slice(0, -1).trimEnd() : written;
  const isCommand = imageCommand.test(line);
  if (!isCommand && /\s/.test(trimmed)) return;
  for (const word of isCommand ? trimmed.split(/\s+/) : [trimmed]) {
    const image = imageWord.exec(word.replace(/^["']|["']$/g, ''))?.[1];
    if (image === undefined || (!isCommand && !imageWithHost.test(image))) continue;
    const parts = splitImage(image);
    if (parts) yield { ...readImage(parts), note: null };
  }
}
