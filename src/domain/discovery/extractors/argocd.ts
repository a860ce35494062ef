import type { DocumentTree } from '../../parsers/document-tree.ts';
import { readChart } from '../chart-fact.ts';
import { type Extracted, emptyExtraction, type Fact, type Origin } from '../fact.ts';
import { createFlagCollector } from '../link-chart-conditions.ts';
import { markTemplates } from '../link-values-files.ts';
import { factDefaults, locateNode, type ManifestNames, namesOf } from '../manifest.ts';
import { listAt, parseTextOf, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { readImage, readWrittenImage } from '../read-image.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { maxElements } from '../scan-limits.ts';
import type { YamlExtractor } from './extractor.ts';
import { readValues } from './helm-values.ts';

/** Extracts the sources of Applications and ApplicationSets. */
export const argocd: YamlExtractor = {
  name: 'argocd',
  wants: (text) => text.includes('argoproj.io/') && text.includes('Application'),
  extract(document) {
    const names = namesOf(document.tree);
    if (!names.apiVersion.startsWith('argoproj.io/')) return emptyExtraction();
    if (names.kind === 'Application')
      return readSources(document, names, treeAt(document.tree, 'spec'), 'spec', asWritten);
    if (names.kind !== 'ApplicationSet') return emptyExtraction();
    return readSet(document, names);
  },
};

/** Replaces the parameters of a generator in a text. */
type Fill = (text: string) => string;
const asWritten: Fill = (text) => text;

function readSet(document: ReadDocument, names: ManifestNames): Extracted {
  const { tree } = document;
  const template = treeAt(tree, 'spec', 'template', 'spec');
  const nameTemplate = textAt(tree, 'spec', 'template', 'metadata', 'name');
  const elements = readGenerators(treeAt(tree, 'spec', 'generators'));
  if (elements === null || nameTemplate === null)
    return readSources(document, names, template, 'spec.template.spec', asWritten);
  const result = emptyExtraction();
  const seen = new Set<string>();
  for (const element of elements) {
    const fill = filler(element);
    const name = fill(nameTemplate);
    // Use the name of the ApplicationSet if only Argo CD can resolve the name of the Application, because a
    // template isn't useful to users.
    const named = isTemplated(name) ? names : { ...names, name };
    const one = readSources(document, named, template, 'spec.template.spec', fill);
    for (const fact of one.facts) {
      // Elements whose extracted facts are equal are one item.
      const key = JSON.stringify([fact.place.name, fact.place.field, fact.artifact.name, fact.version]);
      if (seen.has(key)) continue;
      seen.add(key);
      result.facts.push(fact);
    }
    result.links.push(...one.links);
  }
  return result;
}

type Element = ReadonlyMap<string, string>;

/**
 * Returns the elements of list generators, the values of cluster generators, and the elements of matrices and
 * merges that combine such generators. Returns `null` if any elements come from another kind of generator,
 * except in a matrix that contains at least one of these kinds.
 */
function readGenerators(generators: DocumentTree | undefined): Element[] | null {
  if (generators?.kind !== 'list' || generators.length === 0) return null;
  const all: Element[] = [];
  for (const generator of listAt(generators)) {
    const elements = readGenerator(generator);
    if (elements === null || all.length + elements.length > maxElements) return null;
    all.push(...elements);
  }
  return all;
}

/** Maximum nesting of generators. Argo CD allows one level. */
const maxGeneratorDepth = 2;

function readGenerator(generator: DocumentTree, depth = 0): Element[] | null {
  if (depth > maxGeneratorDepth) return null;
  const list = treeAt(generator, 'list', 'elements');
  if (list) {
    if (list.kind !== 'list' || list.length > maxElements) return null;
    return [...listAt(list)].map((element) => {
      const values = new Map<string, string>();
      collect(element, '', values, 3);
      return values;
    });
  }
  const values = treeAt(generator, 'clusters', 'values');
  if (values) {
    const element = new Map<string, string>();
    collect(values, 'values.', element, 3);
    return [element];
  }
  const merged = treeAt(generator, 'merge', 'generators');
  if (merged) return readMerge(merged, depth);
  const factors = treeAt(generator, 'matrix', 'generators');
  if (factors?.kind !== 'list' || factors.length > 2) return null;
  const read = [...listAt(factors)].map((factor) => readGenerator(factor, depth + 1));
  if (read.every((elements) => elements === null)) return null;
  let product: Element[] = [new Map()];
  for (const known of read) {
    // A generator of another kind adds nothing, so placeholders for its parameters aren't replaced.
    const elements = known ?? [new Map<string, string>()];
    if (product.length * elements.length > maxElements) return null;
    product = product.flatMap((left) => elements.map((right) => new Map([...left, ...right])));
  }
  return product;
}

/**
 * Returns the elements of the first generator. For each element of the other generators, adds a copy of the
 * first generator's first element with the values of that element.
 */
function readMerge(generators: DocumentTree, depth: number): Element[] | null {
  if (generators.kind !== 'list' || generators.length > maxElements) return null;
  const read = [...listAt(generators)].map((generator) => readGenerator(generator, depth + 1));
  const [base, ...others] = read;
  const [first] = base ?? [];
  if (!base || !first || others.includes(null)) return null;
  const changed = others.flatMap((elements) => elements ?? []);
  if (base.length + changed.length > maxElements) return null;
  return [...base, ...changed.map((element) => new Map([...first, ...element]))];
}

function collect(node: DocumentTree, prefix: string, values: Map<string, string>, depth: number): void {
  if (node.kind !== 'map' || depth === 0) return;
  for (const [key, value] of node.entries()) {
    if (value.kind === 'scalar') values.set(prefix + key, value.text);
    else collect(value, `${prefix}${key}.`, values, depth - 1);
  }
}

function filler(element: Element): Fill {
  return (text) =>
    text.length > 2_000
      ? text
      : text.replaceAll(
          /\{\{-?[ ]?\.?([\w.-]{1,100})[ ]?-?\}\}/g,
          (whole, name: string) => element.get(name) ?? whole,
        );
}

function readSources(
  document: ReadDocument,
  names: ManifestNames,
  spec: DocumentTree | undefined,
  field: string,
  fill: Fill,
): Extracted {
  const result = emptyExtraction();
  const references = new Map<string, string>();
  for (const source of listAt(spec, 'sources')) {
    const [name, url] = [textAt(source, 'ref'), textAt(source, 'repoURL')];
    if (name !== null && url !== null) references.set(name, fill(url));
  }
  const add = (source: DocumentTree, at: string) =>
    readSource(document, names, source, at, { fill, references }, result);
  const single = treeAt(spec, 'source');
  if (single?.kind === 'map') add(single, `${field}.source`);
  for (const source of listAt(spec, 'sources')) {
    const name = textAt(source, 'chart') ?? textAt(source, 'ref') ?? textAt(source, 'path') ?? 'source';
    add(source, `${field}.sources[${fill(name)}]`);
  }
  return result;
}

function readSource(
  document: ReadDocument,
  names: ManifestNames,
  source: DocumentTree,
  field: string,
  { fill, references }: { fill: Fill; references: ReadonlyMap<string, string> },
  result: Extracted,
): void {
  const filled = (key: string) => {
    const text = textAt(source, key);
    return text === null ? null : fill(text);
  };
  const [chart, url, version] = [filled('chart'), filled('repoURL'), filled('targetRevision')];
  const place = locateNode(document, treeAt(source, 'targetRevision') ?? source, names, field);
  if (treeAt(source, 'chart')) {
    // An unquoted template isn't a YAML string, so treat the value as templated.
    const read = readChart(chart ?? '{{}}', url ?? '{{}}', version);
    result.facts.push({ extractor: 'argocd', place, ...read, ...factDefaults });
  } else if (url !== null && /^oci:\/\//i.test(url)) {
    const image = readImage({ name: url.slice('oci://'.length), tag: version, digest: null });
    result.facts.push({ extractor: 'argocd', place, ...image, note: null });
  } else if (treeAt(source, 'repoURL')) {
    result.facts.push(gitFact(place, url, version));
  }
  addImages(document, names, source, field, fill, result);
  const before = result.facts.length;
  const directory = filled('path');
  const valueFiles = [...listAt(source, 'helm', 'valueFiles')];
  const paths = valueFiles.flatMap((file) =>
    file.kind === 'scalar' ? valuesPath(fill(file.text), directory) : [],
  );
  if (paths.length > 0) result.links.push({ type: 'values_files', paths, isFromRoot: true });
  const values = treeAt(source, 'helm', 'valuesObject');
  const inline = values
    ? { ...document, tree: values }
    : parseInline(document, treeAt(source, 'helm', 'values'));
  if (inline) {
    const prefix = `${field}.helm.values`;
    const read = readValues(inline, inline.tree, 'argocd', names, prefix);
    for (const fact of read.facts) {
      if (fact.origin.type === 'overlay')
        fact.origin = overlayOf(filled('path'), fact.place.field.slice(prefix.length + 1));
    }
    result.facts.push(...read.facts);
    result.links.push(...read.links);
    result.problems.push(...read.problems);
  }
  addParameters(document, names, source, field, fill, result);
  if (directory === null || chart !== null) return;
  const isOther = ({ kind, text }: { kind: string; text?: string }) => {
    const name = /^\$([\w-]+)\//.exec(text ?? '')?.[1];
    return kind !== 'scalar' || (name !== undefined && references.get(name) !== url);
  };
  if (isTemplated(directory))
    result.links.push({ type: 'templated_application', directory: markTemplates(directory), flags: [] });
  else
    result.links.push({
      type: 'application',
      directory,
      fields: result.facts
        .slice(before)
        .map(({ place: own }) => fieldOfValues(own.field.slice(field.length + '.helm.'.length))),
      valuesFiles: paths.length === valueFiles.length ? paths : null,
      ...((hasInlineValues(source) || valueFiles.some(isOther)) && { hasOtherValues: true }),
    });
}

/** True if a source sets values that aren't in a file. */
function hasInlineValues(source: DocumentTree): boolean {
  return ['values', 'valuesObject', 'parameters', 'fileParameters'].some((key) => {
    const node = treeAt(source, 'helm', key);
    return node !== undefined && node.kind !== 'null' && !(node.kind === 'scalar' && node.text === '');
  });
}

/** Returns the field in the values of a chart that a field of an Application sets. */
function fieldOfValues(field: string): string {
  return /^parameters\[(.+)\]$/.exec(field)?.[1] ?? field.replace(/^values\./, '');
}

/** Returns the origin of a tag that an Application sets for the chart in a directory of its repository. */
function overlayOf(directory: string | null, field: string): Origin {
  return directory === null || isTemplated(directory)
    ? { type: 'overlay' }
    : { type: 'overlay', base: { directory, field } };
}

/** Adds the images that the parameters of a chart set, such as `image.repository` and `image.tag`. */
function addParameters(
  document: ReadDocument,
  names: ManifestNames,
  source: DocumentTree,
  field: string,
  fill: Fill,
  result: Extracted,
): void {
  const nodes = new Map<string, { node: DocumentTree; value: string }>();
  for (const node of listAt(source, 'helm', 'parameters')) {
    const [name, value] = [textAt(node, 'name'), textAt(node, 'value')];
    if (name !== null && value !== null) nodes.set(name, { node, value: fill(value) });
  }
  const flags = createFlagCollector();
  for (const [name, { value }] of nodes) flags.visit(name, value);
  flags.addTo(result, document.line);
  for (const [name, { node, value }] of nodes) {
    const image = /^(.*image)\.tag$/i.exec(name)?.[1];
    if (image === undefined || value === '') continue;
    const repository = nodes.get(`${image}.repository`)?.value ?? null;
    const registry = nodes.get(`${image}.registry`)?.value ?? null;
    const full = repository === null ? null : [registry, repository].filter((part) => part).join('/');
    result.facts.push({
      extractor: 'argocd',
      place: locateNode(document, node, names, `${field}.helm.parameters[${image}]`),
      ...readImage({ name: full ?? image.slice(0, 200), tag: value, digest: null }),
      ...(full === null && { origin: overlayOf(textAt(source, 'path'), image) }),
      note: null,
    });
  }
}

/**
 * Returns the path of a values file from the root of its repository. A path that starts with `$name/` is in
 * the repository of another source of the Application. That can be the same repository.
 *
 * @param directory The path of the chart, or null if the chart is in a registry.
 */
function valuesPath(file: string, directory: string | null): string[] {
  const inOther = /^\$[\w-]+\/(.+)$/.exec(file)?.[1];
  if (inOther !== undefined) return [inOther];
  if (directory === null || isTemplated(file) || /^[a-z]+:\/\//i.test(file)) return [];
  return [file.startsWith('/') ? file : `${directory}/${file}`];
}

function gitFact(place: Fact['place'], url: string | null, version: string | null): Fact {
  const isKnown = url !== null && !isTemplated(url);
  const read = isKnown ? readVersion(version, 'ref') : readVersion('{{}}', 'ref');
  return {
    extractor: 'argocd',
    place,
    artifact: { kind: 'git', name: url ?? '' },
    origin: isKnown ? { type: 'git', url } : { type: 'unknown' },
    ...read,
    ...(isKnown ? {} : { version: null }),
    ...factDefaults,
  };
}

/** Adds the entries of `kustomize.images`: `name:tag` or `name=other:tag`. */
function addImages(
  document: ReadDocument,
  names: ManifestNames,
  source: DocumentTree,
  field: string,
  fill: Fill,
  result: Extracted,
): void {
  for (const entry of listAt(source, 'kustomize', 'images')) {
    if (entry.kind !== 'scalar') continue;
    const text = fill(entry.text);
    const image = readWrittenImage(text.slice(text.indexOf('=') + 1));
    if (!image) continue;
    const { name } = image.artifact;
    const place = locateNode(document, entry, names, `${field}.kustomize.images[${name}]`);
    result.facts.push({ extractor: 'argocd', place, ...image });
  }
}

function parseInline(document: ReadDocument, values: DocumentTree | undefined): ReadDocument | null {
  if (values?.kind !== 'scalar' || !/image|repository/i.test(values.text)) return null;
  const parsed = parseTextOf(document, values);
  return parsed.ok ? parsed.document : null;
}
