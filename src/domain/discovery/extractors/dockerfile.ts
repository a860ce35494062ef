import { expandDockerWord, splitDockerWords } from '../docker-words.ts';
import { readDownload, softwareFact } from '../download-address.ts';
import { type Extracted, emptyExtraction, type Fact, type FileProblem } from '../fact.ts';
import { createPackageReader, isOtherIndex, setsOtherIndex } from '../python-packages.ts';
import { type DockerInstruction, readDockerfile } from '../read-dockerfile.ts';
import { readWrittenImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { commentedFact, readRenovateComment } from '../renovate-comment.ts';
import { substituteVariables } from '../substitute-variables.ts';
import type { TextExtractor } from './extractor.ts';

/** Maximum number of stored default values. Real files have a few dozen. */
const maxDefaults = 1_000;

/** Maximum length of a chain of stages that inherit from each other. Real files have a few. */
const maxDepth = 50;

/** Variables of a stage. A stage inherits the variables of its base stage. */
interface Scope {
  readonly values: Map<string, string>;
  /** True if Python packages can come from another index than the Python Package Index. */
  hasOtherIndex: boolean;
  readonly parent: Scope | null;
  readonly depth: number;
}

/**
 * Extracts base images, images that files are copied from, downloaded software, and versions with a Renovate
 * comment. Variables are scoped as in Docker: those above the first stage apply only to base images, unless a
 * stage declares them again.
 */
export const dockerfile: TextExtractor = {
  name: 'dockerfile',
  wantsFile: ({ base }) =>
    /^(?:Dockerfile|Containerfile)(?:[._-][^/]*)?$|\.(?:Dockerfile|Containerfile)$/i.test(base) &&
    !/\.(?:md|dockerignore|ya?ml|json|sh|tpl|erb)$/i.test(base),
  extract(text) {
    const result = emptyExtraction();
    const defaults = new Map<string, string>();
    const stages = new Map<string, Scope>();
    const commented = new Map<string, Fact>();
    let hasBase = false;
    let scope: Scope | null = null;
    for (const instruction of readDockerfile(text)) {
      const { keyword, value } = instruction;
      if (keyword === 'ARG' || keyword === 'ENV') {
        const values = scope === null ? defaults : scope.values;
        if (scope === null ? keyword === 'ARG' : true) {
          const names = declare(keyword, value, values, (name) => valueIn(scope, name) ?? defaults.get(name));
          if (scope !== null && names.some((name) => isOtherIndex(name, valueIn(scope, name))))
            scope.hasOtherIndex = true;
          if (keyword === 'ARG' && splitDockerWords(value.slice(0, maxDeclaration)).some(isValueOfNothing))
            result.problems.push(blankName(instruction));
          addCommented(instruction, values, commented);
        }
      } else if (keyword === 'FROM') {
        hasBase = true;
        // An expression of Jinja or another template can contain spaces.
        const written = value.slice(0, maxDeclaration).match(/(?:\{\{[^{}]*\}\}|\S)+/g) ?? [];
        const words = written.filter((word) => !word.startsWith('--'));
        addImage(words[0] ?? '', 'FROM', instruction, defaults, stages, result);
        const parent: Scope | undefined = stages.get((words[0] ?? '').toLowerCase());
        const isInherited = parent !== undefined && parent.depth < maxDepth;
        scope = {
          values: new Map(),
          hasOtherIndex: parent?.hasOtherIndex ?? false,
          parent: isInherited ? parent : null,
          depth: isInherited ? parent.depth + 1 : 0,
        };
        if (words[1]?.toUpperCase() === 'AS' && words[2]) stages.set(words[2].toLowerCase(), scope);
        for (const name of variablesIn(words[0] ?? '')) commented.delete(name);
      } else {
        for (const image of copiedFrom(keyword, value))
          addImage(image, `${keyword} --from`, instruction, defaults, stages, result);
        if (keyword === 'RUN') addPackages(instruction, scope, result);
        if (keyword === 'RUN' || keyword === 'ADD')
          addDownloads(instruction, (name) => valueIn(scope, name), commented, result);
      }
    }
    result.facts.push(...commented.values());
    if (!hasBase) result.problems.push(withoutBase(text));
    return result;
  },
};

/**
 * Returns the problem of a file without a base image. A template can get its base image from an included
 * file.
 */
function withoutBase(text: string): FileProblem {
  return /\{\{|\{%|<%|^[ \t]*(?:include|INCLUDE\+?)\b/m.test(text)
    ? { line: 1, reason: 'templated', message: reasonTexts.templated }
    : { line: 1, reason: 'malformed', message: 'No FROM instruction.' };
}

function valueIn(scope: Scope | null, name: string): string | undefined {
  for (let at = scope; at !== null; at = at.parent) {
    const value = at.values.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Stores the variables of an instruction: `NAME=value NAME="value"`, or for ENV also `NAME value`. An ARG
 * without a value gets the value that was declared above the first stage.
 *
 * @returns The names of the variables.
 */
function declare(
  keyword: 'ARG' | 'ENV',
  value: string,
  values: Map<string, string>,
  valueOf: (name: string) => string | undefined,
): string[] {
  const text = value.slice(0, maxDeclaration);
  const single = keyword === 'ENV' ? /^([A-Za-z_]\w*)\s+(.*)$/s.exec(text) : null;
  const pairs = single
    ? [single]
    : splitDockerWords(text).flatMap((word) => {
        const pair = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word);
        return pair ? [pair] : [];
      });
  for (const [, name, written] of pairs) {
    const given =
      written === undefined
        ? keyword === 'ARG'
          ? valueOf(name!)
          : undefined
        : expandDockerWord(written, valueOf).text;
    if (given === undefined || values.size >= maxDefaults) continue;
    values.set(name!, given);
  }
  return pairs.map(([, name]) => name!);
}

/** Maximum number of characters of a declaration that are read. */
const maxDeclaration = 2_000;

/** True for the `=` of `ARG NAME = value`, which Docker reads as an argument without a name. */
function isValueOfNothing(word: string): boolean {
  return word.startsWith('=');
}

function blankName({ line }: DockerInstruction): FileProblem {
  const message = "Docker can't build this file: ARG allows no spaces around the equals sign.";
  return { line, reason: 'malformed', message, isFileRead: true };
}

/**
 * Adds a variable with a Renovate comment. It replaces an earlier declaration of the same variable, because
 * the last one applies.
 */
function addCommented(
  { keyword, value, line, comment }: DockerInstruction,
  values: ReadonlyMap<string, string>,
  commented: Map<string, Fact>,
): void {
  const renovate = comment === null ? null : readRenovateComment(comment);
  const name = /^[A-Za-z_]\w*/.exec(value)?.[0];
  const version = name === undefined ? undefined : values.get(name);
  if (renovate === null || name === undefined || version === undefined) return;
  const found = commentedFact(renovate, version);
  if (found)
    commented.set(name, {
      extractor: 'dockerfile',
      place: { line, document: 0, kind: null, namespace: null, name: null, field: `${keyword} ${name}` },
      ...found,
      note: keyword === 'ARG' ? `default value of ${name}` : null,
    });
}

/** Matches a URL, in which quotes can surround a part such as `"${VERSION}"`. */
const downloadAddress = /https?:\/\/(?:[^\s"'`|;<>]|"[\w.+${}/-]+")+/g;

/**
 * Adds software from download URLs. A version from a variable with a Renovate comment is skipped, because
 * it's extracted at the declaration of the variable.
 */
function addDownloads(
  { keyword, value, line }: DockerInstruction,
  valueOf: (name: string) => string | undefined,
  commented: ReadonlyMap<string, Fact>,
  result: Extracted,
): void {
  for (const [address] of value.matchAll(downloadAddress)) {
    const download = readDownload(address.slice(0, 1_000).replaceAll('"', ''));
    if (!download) continue;
    const written = download.version;
    if (written !== null && variablesIn(written).some((name) => commented.has(name))) continue;
    const repository = download.repository && substituteVariables(download.repository, valueOf).text;
    if (repository !== null && isTemplated(repository)) continue;
    const version = written && decoded(substituteVariables(written, valueOf).text);
    const found = softwareFact({ ...download, repository }, version, repository === null ? 'tool' : 'ref');
    if (download.isOnlyForVersions && found.state !== 'exact') continue;
    const field = `${keyword} ${found.artifact.name}`;
    result.facts.push({
      extractor: 'dockerfile',
      place: { line, document: 0, kind: null, namespace: null, name: null, field },
      ...found,
      note:
        written !== null && found.state !== 'templated' && isTemplated(written)
          ? `default value of ${written.slice(0, 100)}`
          : null,
    });
  }
}

/** Adds the Python packages that a command installs. */
function addPackages({ value, line }: DockerInstruction, scope: Scope | null, result: Extracted): void {
  if (scope !== null && setsOtherIndex(value)) scope.hasOtherIndex = true;
  const { text } = substituteVariables(value, (name) => valueIn(scope, name));
  for (const found of createPackageReader([text], scope?.hasOtherIndex ?? false)(0)) {
    const field = `package ${found.artifact.name}`;
    const place = { line, document: 0, kind: null, namespace: null, name: null, field };
    result.facts.push({ extractor: 'dockerfile', place, ...found });
  }
}

/** Decodes slashes and plus signs, which are percent-encoded in the URLs of tags. */
function decoded(text: string): string {
  return text.replaceAll(/%2F/gi, '/').replaceAll(/%2B/gi, '+');
}

function variablesIn(text: string): string[] {
  return [...text.slice(0, 1_000).matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name!);
}

function* copiedFrom(keyword: string, value: string): Generator<string, void> {
  const flags = value.slice(0, 2_000);
  if (keyword === 'COPY' || keyword === 'ADD') {
    const from = /(?:^|\s)--from=(\S+)/.exec(flags)?.[1];
    if (from !== undefined && !/^\d+$/.test(from)) yield from;
  } else if (keyword === 'RUN') {
    for (const [, mount] of flags.matchAll(/(?:^|\s)--mount=(\S+)/g)) {
      const from = /(?:^|,)from=([^,]+)/.exec(mount!)?.[1];
      if (from !== undefined) yield from;
    }
  }
}

function addImage(
  written: string,
  field: string,
  { line }: DockerInstruction,
  defaults: ReadonlyMap<string, string>,
  stages: ReadonlyMap<string, Scope>,
  result: Extracted,
): void {
  if (written === '') return;
  const { text, usedDefault } = expandDockerWord(written, (name) => defaults.get(name));
  if (text === 'scratch' || stages.has(text.toLowerCase())) return;
  const image = readWrittenImage(text);
  if (!image) return;
  const unquoted = written.replaceAll(/["']/g, '');
  const isVariable = unquoted !== text && !isTemplated(text);
  const { name } = image.artifact;
  result.facts.push({
    extractor: 'dockerfile',
    place: { line, document: 0, kind: null, namespace: null, name: null, field: `${field} ${name}` },
    ...image,
    note: image.note ?? (isVariable || usedDefault ? `default value of ${unquoted.slice(0, 100)}` : null),
  });
}
