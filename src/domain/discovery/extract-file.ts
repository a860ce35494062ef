import type { ParseFailure } from '../parsers/parse-result.ts';
import { isRoleTemplate } from './ansible-paths.ts';
import { readAnsibleUses } from './ansible-uses.ts';
import { type CustomPattern, extractByPatterns } from './custom-patterns.ts';
import { readEmbeddedImages } from './embedded-images.ts';
import { readAnnotated, shouldReadAnnotations } from './extractors/annotated.ts';
import { readBuiltImages } from './extractors/built-images.ts';
import { readChartTemplate } from './extractors/chart-templates.ts';
import { cloudformation, isJsonTemplate } from './extractors/cloudformation.ts';
import { readCommands, shouldReadCommands } from './extractors/commands.ts';
import type { FilePath, YamlExtractor } from './extractors/extractor.ts';
import { helmfile } from './extractors/helmfile.ts';
import { readTemplateCharts } from './extractors/template-charts.ts';
import { readTemplateImages } from './extractors/template-images.ts';
import { textExtractors, yamlExtractors } from './extractors.ts';
import {
  type Extracted,
  type ExtractorName,
  emptyExtraction,
  type Fact,
  type FileProblem,
  type Origin,
} from './fact.ts';
import { canReplaceVariables, keepTemplates } from './flux-template.ts';
import { readHclTexts } from './hcl-texts.ts';
import { itemKey } from './item-key.ts';
import { isYamlTemplate } from './link-helmfile-values.ts';
import {
  countLines,
  type DocumentText,
  parseDocument,
  type ReadDocument,
  splitDocuments,
  withoutTemplates,
} from './read-documents.ts';
import { isTemplated } from './read-version.ts';
import { reasonTexts } from './reasons.ts';
import { baseOf } from './repository-path.ts';
import { maxCheckedCharacters, maxDocuments, maxFactsPerFile } from './scan-limits.ts';
import { isUsedOnlyByReference } from './silent-files.ts';
import { readTraefikPlugins } from './traefik-plugins.ts';
import { unreadKindOfText } from './unread-kinds.ts';
import { walkTree } from './walk-tree.ts';

export function toFilePath(path: string): FilePath {
  return { path, base: baseOf(path) };
}

/** True if a file can contain versions, based on its name. */
export function isWanted(file: FilePath): boolean {
  return (
    isYaml(file) ||
    isYamlTemplate(file.base) ||
    isTemplateFile(file) ||
    shouldReadAnnotations(file) ||
    shouldReadCommands(file) ||
    textExtractors.some((extractor) => extractor.wantsFile(file))
  );
}

/** True for YAML files that Jinja or Terraform renders. */
function isTemplateFile({ base }: FilePath): boolean {
  return /\.ya?ml\.(?:j2|tftpl)$/i.test(base);
}

/** True for YAML files, and for JSON files that can be templates. JSON is parsed as YAML. */
function isYaml(file: FilePath): boolean {
  const { base } = file;
  return (
    isJsonTemplate(file) ||
    /\.ya?ml$/i.test(base) ||
    /\.ya?ml\.gotmpl$/i.test(base) ||
    /^(?:Chart|requirements)\.lock$|^kustomization$/i.test(base)
  );
}

/**
 * Extracts all facts about deployed versions from a file. The same text and name always yield the same facts,
 * so facts can be stored by content.
 *
 * @param isChartTemplate True if Helm renders the file, so its text isn't YAML.
 * @param customPatterns Patterns of the user or the repository for this file.
 */
export function extractFile(
  file: FilePath,
  text: string,
  {
    isChartTemplate = false,
    customPatterns = [],
  }: { isChartTemplate?: boolean; customPatterns?: readonly CustomPattern[] } = {},
): Extracted {
  const result = emptyExtraction();
  const conflict = findConflict(text);
  if (conflict !== null) {
    const message = 'The file contains conflict markers of Git. Resolve the conflict.';
    // A playbook that can't be read must not make its roles unused.
    const uses = readAnsibleUses(text, file);
    return {
      ...result,
      links: uses ? [uses] : [],
      problems: [{ line: conflict, reason: 'malformed', message }],
    };
  }
  const readers = isChartTemplate ? [] : textExtractors.filter((extractor) => extractor.wantsFile(file));
  let recognizedBy = readers.find(({ isNamed }) => isNamed?.(file) ?? true)?.name ?? null;
  for (const extractor of readers) append(result, extractor.extract(text, file));
  const isRendered =
    (isChartTemplate && !isJsonTemplate(file)) ||
    isTemplateFile(file) ||
    // A template with conditions or loops isn't YAML, even without a name that says so.
    (isYaml(file) && isRoleTemplate(file.path) && text.includes('{%'));
  if (readers.length === 0 && isRendered) {
    const renderer = isChartTemplate ? 'a Helm chart' : /\.tftpl$/i.test(file.base) ? 'Terraform' : 'Jinja';
    append(result, readTemplateImages(text, renderer));
    if (isChartTemplate) {
      append(result, { ...readTemplateCharts(text), problems: [] });
      result.links.push(...readChartTemplate(text));
      result.links.push(...readBuiltImages(text));
    }
  } else if (isYamlTemplate(file.base)) {
    // Nothing in the template is deployed, but a helmfile can inherit from the file that a script creates
    // from it.
    const template = emptyExtraction();
    extractYaml(file, text, template, [helmfile]);
    result.links.push(...template.links);
  } else if (readers.length === 0 && isYaml(file)) {
    const unnamed = findUnnamedRelease(text);
    if (unnamed === null) recognizedBy = extractYaml(file, text, result);
    else result.problems.push(unnamed);
  }
  if (readers.length > 0 || isYaml(file) || shouldReadCommands(file))
    addOnOtherLines(result, readTraefikPlugins(text));
  if (shouldReadAnnotations(file)) addByLine(result, readAnnotated(text));
  const reader =
    result.facts.find(({ extractor }) => extractorsWithEmbeddedTexts.has(extractor))?.extractor ??
    recognizedBy;
  if (reader !== null && extractorsWithEmbeddedTexts.has(reader) && !isRendered && file.base !== 'Chart.yaml')
    addOnOtherLines(result, readEmbeddedImages(text, reader, result.facts));
  if (/\.(?:tf|tofu)$/.test(file.base)) addOnOtherLines(result, readHclTexts(text));
  if (shouldReadCommands(file)) {
    const commands = readCommands(text, file, result.facts, pipelineOf(file, recognizedBy, result));
    addOnOtherLines(result, commands.facts);
    result.links.push(...commands.links);
  }
  const uses = readAnsibleUses(text, file);
  if (uses) result.links.push(uses);
  if (customPatterns.length > 0) {
    const { facts, problems } = extractByPatterns(text, customPatterns);
    addByLine(result, facts);
    result.problems.push(...problems);
  }
  // Check the limit before duplicates are removed, because extractors count duplicates when they stop at the
  // limit.
  const isCut = result.facts.length >= maxFactsPerFile;
  result.facts = removeDuplicates(result.facts).slice(0, maxFactsPerFile);
  for (const fact of result.facts)
    if (isRendered || !canReplaceVariables(fact.extractor)) delete fact.template;
  if (isCut && !result.problems.some(({ reason, isRestRead }) => reason === 'too_large' && !isRestRead)) {
    result.problems.push({ line: 1, reason: 'too_large', message: `${maxFactsPerFile} versions or more.` });
  }
  if (result.facts.length + result.problems.length === 0 && result.links.every(isUsedOnlyByReference)) {
    const kind = customPatterns.length > 0 ? 'custom' : (unreadKindOfText(text, file) ?? recognizedBy);
    if (kind !== null) result.kind = kind;
  }
  return result;
}

/**
 * Returns a problem if objects in a file have `RELEASE-NAME` in their names, which `helm template` uses if no
 * release name is set. Nothing in such a file is deployed, because Kubernetes doesn't accept capital letters
 * in names. Returns null for any other file.
 */
function findUnnamedRelease(text: string): FileProblem | null {
  const found = /^ +(?:name|app\.kubernetes\.io\/instance|release):[ ]*["']?RELEASE-NAME\b/m.exec(text);
  if (!found) return null;
  const line = countLines(text.slice(0, found.index)) + 1;
  const message = 'Helm rendered the file without the name of a release, so nothing in it is deployed.';
  return { line, reason: 'templated', message, isFileRead: true };
}

/**
 * Returns the line of the first unresolved merge conflict, or null. Each side of a conflict can contain other
 * versions, so such a file isn't read.
 */
function findConflict(text: string): number | null {
  if (!text.includes('<<<<<<< ') || !text.includes('>>>>>>> ')) return null;
  let start: number | null = null;
  let hasMiddle = false;
  let line = 0;
  for (const each of text.split('\n')) {
    line++;
    if (each.startsWith('<<<<<<< ')) [start, hasMiddle] = [line, false];
    else if (start !== null && each.trimEnd() === '=======') hasMiddle = true;
    else if (start !== null && hasMiddle && each.startsWith('>>>>>>> ')) return start;
  }
  return null;
}

/**
 * Adds versions from a Renovate comment or a custom pattern. If another extractor found a fact on the same
 * line, that fact is kept, because it describes the place better. It's replaced only if it has no source and
 * the added version has one.
 */
function addByLine(result: Extracted, added: readonly Fact[]): void {
  const linesOf = (facts: readonly Fact[]) => new Set(facts.map(({ place }) => place.line));
  const hasSource = ({ origin, isOriginGuessed = false }: Fact) =>
    !withoutSource.has(origin.type) && !(origin.type === 'tool' && isOriginGuessed);
  const known = linesOf(result.facts);
  const sourced = linesOf(result.facts.filter(hasSource));
  const replaced = linesOf(added.filter((fact) => hasSource(fact) && !sourced.has(fact.place.line)));
  result.facts = [
    ...result.facts.filter(({ place }) => !replaced.has(place.line)),
    ...added.filter(({ place }) => !known.has(place.line) || replaced.has(place.line)),
  ];
}

/** Returns the extractor that reads a file as a CI pipeline, or null for other files. */
function pipelineOf(
  { path, base }: FilePath,
  recognizedBy: ExtractorName | null,
  { facts }: Extracted,
): ExtractorName | null {
  const found = [recognizedBy, ...facts.map(({ extractor }) => extractor)].find(
    (each) => each !== null && pipelines.has(each),
  );
  // A pipeline without an image or an action is recognized by its path.
  const isWorkflow = /(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/[^/]/.test(path);
  return found ?? (isWorkflow ? 'github_actions' : /gitlab-ci/i.test(base) ? 'gitlab_ci' : null);
}

const pipelines: ReadonlySet<ExtractorName> = new Set(['github_actions', 'gitlab_ci', 'ci_pipelines']);

/** Adds versions on lines where no other extractor has found one. */
function addOnOtherLines(result: Extracted, added: readonly Fact[]): void {
  if (added.length === 0) return;
  const known = new Set(result.facts.map(({ place }) => place.line));
  result.facts.push(...added.filter(({ place }) => !known.has(place.line)));
}

/**
 * Extractors of files whose values can contain the configuration of other software as a text. These texts are
 * searched for images.
 */
const extractorsWithEmbeddedTexts: ReadonlySet<ExtractorName> = new Set([
  'argocd',
  'flux',
  'helm_values',
  'helmfile',
  'kubernetes',
  'kustomize',
  'ansible',
]);

const withoutSource: ReadonlySet<Origin['type']> = new Set(['unknown', 'overlay', 'unsupported']);

/**
 * Adds the facts, links, and problems of a YAML file to `result`.
 *
 * @returns The first extractor that recognized a document of the file, or null.
 */
function extractYaml(
  file: FilePath,
  text: string,
  result: Extracted,
  all: readonly YamlExtractor[] = isJsonTemplate(file) ? [cloudformation] : yamlExtractors,
): ExtractorName | null {
  let recognizedBy: ExtractorName | null = null;
  let parsed = 0;
  const isJson = isJsonTemplate(file);
  for (const part of splitDocuments(text)) {
    const extractors = all.filter((extractor) => extractor.wants(part.text, file));
    const recognizing = extractors.filter((extractor) => !extractor.isAuxiliary?.(part.text));
    if (recognizing.length === 0) {
      const read = extractors.length > 0 && parsed < maxDocuments ? parseDocument(part) : null;
      if (read?.ok) {
        parsed++;
        for (const extractor of extractors) append(result, extractor.extract(read.document, file));
        continue;
      }
      // The file name only suggests a CloudFormation template. The file can contain anything, so its syntax
      // errors aren't reported.
      if (isJson) continue;
      const problem = checkSyntax(part);
      if (problem && result.problems.length < maxBrokenDocuments) result.problems.push(problem);
      continue;
    }
    recognizedBy ??= recognizing[0]!.name;
    const encrypted = part.text.includes('ENC[') ? findEncrypted(part.text) : undefined;
    if (encrypted && result.problems.length < maxBrokenDocuments) {
      const line = part.line + countLines(part.text.slice(0, encrypted.index));
      result.problems.push({ line, reason: 'encrypted', message: reasonTexts.encrypted });
    }
    parsed++;
    if (parsed > maxDocuments) {
      const message = `More than ${maxDocuments} documents.`;
      result.problems.push({ line: part.line, reason: 'too_large', message });
      return recognizedBy;
    }
    const read = parseDocument(part);
    if (!read.ok) {
      result.problems.push(toProblem(part, read));
      continue;
    }
    addBrokenValues(read.document, result);
    for (const line of read.document.skippedLines ?? [])
      result.problems.push({ line, reason: 'templated', message: reasonTexts.templated, isFileRead: true });
    for (const extractor of extractors)
      append(result, keepTemplates(extractor.extract(read.document, file), read.document));
    if (result.facts.length > maxFactsPerFile) return recognizedBy;
  }
  return recognizedBy;
}

/** Reports values that are invalid, such as those of a duplicate key, because extractors can't read them. */
function addBrokenValues(document: ReadDocument, result: Extracted): void {
  walkTree(document.tree, ({ node }) => {
    if (node.kind === 'broken' && result.problems.length < maxBrokenDocuments) {
      // In a template, a duplicate key can be valid, because each branch of a condition can contain it.
      const isTemplate = node.message.startsWith('duplicate key') && branchLine.test(document.text);
      result.problems.push({
        line: document.lineOf(node),
        ...(isTemplate
          ? { reason: 'templated', message: reasonTexts.templated }
          : { reason: 'malformed', message: `Not valid YAML: ${node.message}` }),
        isFileRead: true,
      });
    }
    return true;
  });
}

function toProblem(part: DocumentText, { message, syntax }: ParseFailure): FileProblem {
  if (isTemplate(part.text, syntax?.line ?? null))
    return { line: part.line, reason: 'templated', message: reasonTexts.templated };
  if (!syntax) return { line: part.line, reason: 'too_large', message };
  // The parser can report a syntax error, such as a missing closing quote, after the end of the text. Limit
  // the line to the last one.
  const last = countLines(part.text.trimEnd());
  const line = part.line + Math.min(syntax.line - 1, last);
  return { line, reason: 'malformed', message: `Not valid YAML: ${syntax.problem}` };
}

/**
 * True if YAML may be invalid only because it's a template that hasn't been rendered. An expression in a
 * value, such as `${{ github.ref }}` in a workflow, can't be the reason for an error on another line.
 */
function isTemplate(text: string, line: number | null): boolean {
  if (!text.includes('{{')) return templateTags.test(text) || (line !== null && isUnresolved(text, line));
  const rest = withoutTemplates(text);
  const open = rest.indexOf('{{');
  const hasMoreLines = open >= 0 && rest.includes('}}', open);
  return (
    hasMoreLines ||
    otherTags.test(text) ||
    controlLine.test(text) ||
    line === null ||
    isUnresolved(rest, line)
  );
}

/**
 * True if a line contains part of a template. A `}}` without `{{` isn't considered a template, because it
 * also ends nested flow maps.
 */
function isUnresolved(text: string, line: number): boolean {
  return isTemplated(lineAt(text, line).replaceAll('}}', ''));
}

/**
 * Matches a line that contains only a template. Such a line can be a condition, a loop, or complete entries.
 */
const controlLine = /^[ \t]*(?:- )?\{\{.*\}\}[ \t]*$/m;

/** Matches a line that begins or ends a branch or a loop of a template. */
const branchLine = /^[ \t]*(?:- )?\{\{-?[ \t]*(?:if|else|range|with|end)\b/m;

/**
 * Checks the syntax of a document that no extractor reads, because invalid YAML can be the reason why no
 * versions were found. Templates are skipped, because they're invalid until they're rendered.
 */
function checkSyntax(part: DocumentText): FileProblem | null {
  if (part.text.length > maxCheckedCharacters || templateTags.test(part.text)) return null;
  const read = parseDocument(part);
  if (read.ok || !read.syntax || isQuoteClosedLater(part.text, read.syntax.problem)) return null;
  const problem = toProblem(part, read);
  return problem.reason === 'templated' ? null : problem;
}

function lineAt(text: string, line: number): string {
  return text.split('\n', line)[line - 1] ?? '';
}

/**
 * True if a quoted text only appears to be unclosed, because its continuation lines are indented less. Common
 * parsers accept this.
 */
function isQuoteClosedLater(text: string, problem: string): boolean {
  const quote = /^Missing closing quote \((["'])\)/.exec(problem)?.[1];
  return quote !== undefined && text.split(quote).length % 2 === 1;
}

/** Finds a value that SOPS has encrypted, if it could be part of a version or of the name of an artifact. */
function findEncrypted(text: string): RegExpExecArray | undefined {
  for (const match of text.matchAll(encryptedValue)) if (versionKey.test(match[1] ?? '')) return match;
  return undefined;
}

const encryptedValue = /^[ \t]*(?:- )?["']?(\w+)["']?:[ \t]*["']?ENC\[[A-Z0-9_]+,/gim;
const versionKey = /image|^(?:tag|version|repository|registry|chart|targetRevision|apiVersion|kind)$/i;

/** Tags of Helm, Jinja, and ERB templates. */
const templateTags = /\{\{|\{%|<%/;
const otherTags = /\{%|<%/;

/** Maximum number of problems reported for a file with many broken documents. */
const maxBrokenDocuments = 20;

/**
 * Removes repeated facts of a file, such as those of an action that several jobs use, because they're one
 * item.
 */
function removeDuplicates(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter((fact) => {
    const key = JSON.stringify([itemKey(fact), fact.artifact.name, fact.version, fact.digest]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function append(result: Extracted, more: Extracted): void {
  for (const fact of more.facts) result.facts.push(fact);
  for (const link of more.links) result.links.push(link);
  for (const problem of more.problems) result.problems.push(problem);
}
