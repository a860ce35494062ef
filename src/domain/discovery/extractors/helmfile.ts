import type { DocumentTree } from '../../parsers/document-tree.ts';
import { readChart } from '../chart-fact.ts';
import { type Extracted, emptyExtraction, type Fact, type FileProblem } from '../fact.ts';
import { environmentOfName } from '../guess-labels.ts';
import { readEnvironmentValues } from '../helmfile-environment-values.ts';
import {
  environmentReference,
  type ReleaseValues,
  resolveReleaseTemplates,
  writtenText,
} from '../helmfile-templates.ts';
import { factDefaults, locateNode } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isTemplated, readableText } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import type { YamlExtractor } from './extractor.ts';
import { readValues } from './helm-values.ts';

/** Releases of a helmfile. The prefix of the chart name links a release to its repository. */
export const helmfile: YamlExtractor = {
  name: 'helmfile',
  // Check the text too, because `helmfile -f` accepts files with any name.
  wants: (text, { path, base }) =>
    /^helmfile[^/]*\.ya?ml(?:\.gotmpl)?$/.test(base) ||
    /(?:^|\/)helmfile\.d\/[^/]+\.ya?ml(?:\.gotmpl)?$/.test(path) ||
    (/^releases:/m.test(text) && /^[ -]+chart:/m.test(text) && !/^apiVersion:/m.test(text)) ||
    // A file with repositories, which a helmfile can load.
    (/^repositories:/m.test(text) && /^[ -]+url:/m.test(text) && !/^apiVersion:/m.test(text)) ||
    // A file with environments, which several helmfiles can share as a base.
    (/^environments:/m.test(text) && /^[ ]+values:[ ]*$/m.test(text) && !/^apiVersion:/m.test(text)),
  extract(document, { path }) {
    const { tree } = document;
    const result = emptyExtraction();
    for (const repository of listAt(tree, 'repositories')) {
      const [name, url] = [textAt(repository, 'name'), textAt(repository, 'url')];
      if (name === null || url === null) continue;
      const isOci = textAt(repository, 'oci') === 'true' || /^oci:/i.test(url);
      result.links.push({ type: 'helmfile_repository', name, url, isOci });
    }
    const list = treeAt(tree, 'templates');
    const templates = new Map(list?.kind === 'map' ? list.entries() : []);
    for (const release of listAt(tree, 'releases'))
      addRelease(document, [release, ...inheritedBy(release, templates)], 'releases', result);
    const bases = [...listAt(tree, 'bases')].flatMap((base) => (base.kind === 'scalar' ? [base.text] : []));
    if (bases.length > 0) result.links.push({ type: 'helmfile_bases', paths: bases.slice(0, maxPaths) });
    addEnvironments(document, path, result);
    for (const template of templates.values()) addRelease(document, [template], 'templates', result);
    return result;
  },
};

function addEnvironments(document: ReadDocument, path: string, result: Extracted): void {
  const environments = treeAt(document.tree, 'environments');
  if (environments?.kind !== 'map') return;
  const names: string[] = [];
  for (const [name, environment] of environments.entries()) {
    if (isTemplated(name)) continue;
    names.push(name);
    const paths = valuesPathsOf(document, [environment], unknownRelease, name, result);
    // The paths in a base are relative to the helmfile that includes it, which is usually in the parent
    // directory.
    const parents = /(?:^|\/)bases\//.test(path) ? paths.map((each) => `../${each}`) : [];
    if (paths.length > 0)
      result.links.push({ type: 'values_files', paths: [...paths, ...parents], environment: name });
    for (const entry of listAt(environment, 'values')) {
      const values = entry.kind === 'map' ? readEnvironmentValues(document, entry) : [];
      if (values.length > 0) result.links.push({ type: 'environment_values', values, environment: name });
    }
  }
  if (names.length > 0) result.links.push({ type: 'helmfile_environments', names });
}

const unknownRelease: ReleaseValues = { name: null, namespace: null, chart: null };

/** Maximum number of templates from which a release inherits. Real releases inherit from one or two. */
const maxInherited = 20;

/** Returns the templates from which a release inherits, nearest first. */
function inheritedBy(
  release: DocumentTree,
  templates: ReadonlyMap<string, DocumentTree>,
  seen = new Set<string>(),
): DocumentTree[] {
  const inherit = treeAt(release, 'inherit');
  const entries = inherit?.kind === 'list' ? listAt(release, 'inherit') : inherit ? [inherit] : [];
  const found: DocumentTree[] = [];
  for (const entry of entries) {
    const name = textAt(entry, 'template');
    if (name === null || seen.has(name) || seen.size >= maxInherited) continue;
    seen.add(name);
    const template = templates.get(name);
    if (template === undefined) continue;
    const excluded = new Set(
      [...listAt(entry, 'except')].flatMap((each) => (each.kind === 'scalar' ? [each.text] : [])),
    );
    for (const each of [template, ...inheritedBy(template, templates, seen)])
      found.push(without(each, excluded));
  }
  return found;
}

function without(tree: DocumentTree, keys: ReadonlySet<string>): DocumentTree {
  if (tree.kind !== 'map') return tree;
  return { ...tree, get: (key) => (keys.has(key) ? undefined : tree.get(key)) };
}

/**
 * Returns the values files of a release or an environment. Templates that refer to the release are resolved.
 * With other templates, the names of the files aren't known, which is reported once for each document.
 *
 * @param owners The release and the templates from which it inherits.
 */
function valuesPathsOf(
  document: ReadDocument,
  owners: readonly DocumentTree[],
  values: ReleaseValues,
  environment: string | null,
  result: Extracted,
): string[] {
  const paths: string[] = [];
  for (const owner of owners)
    for (const key of ['values', 'valuesTemplate', 'secrets'])
      for (const entry of listAt(owner, key)) {
        if (entry.kind !== 'scalar' || paths.length >= maxPaths) continue;
        const written = writtenText(document, entry) ?? readableText(entry.text);
        const path = resolveReleaseTemplates(written, values, environment);
        paths.push(path);
        if (!isTemplated(path.replaceAll(environmentReference, '')) || result.problems.some(isUnknownPath))
          continue;
        const message = `${unknownPath}${path.slice(0, 200)}`.toWellFormed();
        result.problems.push({
          line: document.lineOf(entry),
          reason: 'templated',
          message,
          isRestRead: true,
        });
      }
  return paths;
}

const unknownPath = 'The path of a values file comes from a template: ';
const isUnknownPath = ({ message }: FileProblem) => message.startsWith(unknownPath);

/** Maximum number of values files of a release. Real releases have fewer than ten. */
const maxPaths = 100;

/**
 * Reads a release. The first of `owners` is the release itself, and the others are the templates from which
 * it inherits.
 */
function addRelease(
  document: ReadDocument,
  owners: readonly DocumentTree[],
  list: 'releases' | 'templates',
  result: Extracted,
): void {
  if (result.facts.length >= maxFactsPerFile) return;
  const nodeOf = (key: string) =>
    owners.map((owner) => treeAt(owner, key)).find((node) => (node?.kind ?? 'null') !== 'null');
  const textOf = (key: string) =>
    owners.map((owner) => textAt(owner, key)).find((text) => text !== null) ?? null;
  const values: ReleaseValues = { name: textOf('name'), namespace: textOf('namespace'), chart: null };
  const chart = resolvedText(document, nodeOf('chart'), values) ?? textOf('chart');
  if (chart === null) return;
  values.chart = chart;
  const installation = installationOf(document, nodeOf('installed'), textOf('condition'));
  // Skip the paths of a template, because the releases that inherit from it resolve them.
  const paths = list === 'releases' ? valuesPathsOf(document, owners, values, null, result) : [];
  const { name, namespace } = values;
  if (list === 'releases')
    result.links.push({
      type: 'values_files',
      paths,
      release: { namespace, name },
      chart,
      ...((owners.some(hasInlineValues) || paths.length >= maxPaths) && { hasOtherValues: true }),
      ...(installation.reason !== undefined && { isInstalled: false }),
      ...(installation.environment !== undefined && { environment: installation.environment }),
    });
  const names = { kind: 'Release', namespace, name };
  // Without a version, the line of the chart is more useful than the first line of the release.
  const place = locateNode(document, nodeOf('version') ?? nodeOf('chart'), names, list);
  const version = writtenText(document, nodeOf('version'));
  const slash = chart.indexOf('/');
  const isNamed = slash > 0 && !/^(?:\.|\/|[a-z+]+:)/i.test(chart) && !isTemplated(chart);
  const read = readChart(isNamed ? chart.slice(slash + 1) : chart, null, textOf('version'));
  result.facts.push({
    extractor: 'helmfile',
    place,
    ...read,
    ...(isNamed && {
      origin: { type: 'helmfile_repository' as const, name: chart.slice(0, slash) },
    }),
    ...factDefaults,
    ...installation,
    ...(version?.includes('{{') && { expression: version.slice(0, maxExpressionLength) }),
  });
  for (const owner of owners)
    for (const inline of listAt(owner, 'values')) {
      if (inline.kind !== 'map') continue;
      const { facts, links, problems } = readValues(document, inline, 'helmfile', names, `${list}.values`);
      result.links.push(...links);
      for (const fact of facts) result.facts.push({ ...fact, ...installation });
      result.problems.push(...problems);
    }
}

/** True if a release, or a template, sets values that aren't in a file. */
function hasInlineValues(owner: DocumentTree): boolean {
  const lists = ['set', 'setString', 'setTemplate', 'setStringTemplate'];
  const isInline = (entry: DocumentTree) => entry.kind !== 'scalar';
  return (
    lists.some((key) => (treeAt(owner, key)?.kind ?? 'null') !== 'null') ||
    ['values', 'valuesTemplate', 'secrets'].some(
      (key) => treeAt(owner, key)?.kind === 'scalar' || [...listAt(owner, key)].some(isInline),
    )
  );
}

/** Maximum length of a templated version. Real ones are short references. */
const maxExpressionLength = 200;

/**
 * Returns the text of a node with its templates resolved, or null if any of them refers to something other
 * than the release.
 */
function resolvedText(
  document: ReadDocument,
  node: DocumentTree | undefined,
  values: ReleaseValues,
): string | null {
  const written = writtenText(document, node);
  const resolved = written === null ? null : resolveReleaseTemplates(written, values);
  return resolved === null || isTemplated(resolved) ? null : resolved;
}

/** Returns the fields of a release's facts that depend on where the release is installed. */
function installationOf(
  document: ReadDocument,
  installed: DocumentTree | undefined,
  condition: string | null,
): Pick<Fact, 'environment' | 'condition'> & Partial<Pick<Fact, 'reason' | 'note'>> {
  const text = writtenText(document, installed) ?? (installed?.kind === 'scalar' ? installed.text : '');
  if (text === 'false') return { reason: 'not_installed' };
  const environment = onlyEnvironment.exec(text)?.[1];
  if (environment !== undefined) return { environment: environmentOfName(environment) ?? environment };
  if (isTemplated(text)) {
    const note = 'installed only if a template in `installed` is true';
    return { note, condition: text.slice(0, maxExpressionLength) };
  }
  return condition === null ? {} : { note: `installed only if ${condition} is true`.slice(0, 300) };
}

/** Matches a condition that is true in one environment only. */
const onlyEnvironment =
  /^\{\{-?\s*eq\s+\.Environment\.Name\s+["`]([\w.-]{1,100})["`]\s*(?:\|\s*(?:toYaml|toString|quote)\s*)?-?\}\}$/;
