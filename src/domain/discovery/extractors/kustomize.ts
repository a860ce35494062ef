import type { DocumentTree } from '../../parsers/document-tree.ts';
import { readChart } from '../chart-fact.ts';
import { readImageAssignment } from '../embedded-images.ts';
import {
  type Extracted,
  type ExtractorName,
  emptyExtraction,
  type Fact,
  type FactLocation,
  type FluxVariable,
  type Link,
  type PatchedVersion,
} from '../fact.ts';
import { factDefaults, locateNode, namesOf } from '../manifest.ts';
import { namesKnownSoftware, readNamedVersion } from '../named-versions.ts';
import { listAt, parseTextOf, type ReadDocument, splitDocuments, textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import { readHelmRelease, readHelmReleasePatch } from '../read-helm-release.ts';
import {
  maxNameLength,
  readImage,
  readWrittenImage,
  readWrittenParts,
  splitImage,
  splitImageText,
  type WrittenImage,
} from '../read-image.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { readRemote, remoteSoftware } from '../remote-reference.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { readPatchedVersion, readPatchedVersions } from '../version-patches.ts';
import { walkTree } from '../walk-tree.ts';
import type { FilePath, YamlExtractor } from './extractor.ts';
import { readFluxVariable } from './flux-variables.ts';

/** Image overrides, remote resources, and charts of a kustomization. */
export const kustomize: YamlExtractor = {
  name: 'kustomize',
  wants: (text, file) => isKustomization(file) || kustomizeObject.test(text) || jsonPatchOfImage.test(text),
  extract(document, file) {
    const { tree } = document;
    if (tree.kind === 'list') {
      const names = { kind: null, namespace: null, name: null };
      const facts = readPatch(document, tree, names, '');
      const versions = readVersionOperations(document);
      const patch = { type: 'version_patch' as const, ...names, isInline: false, versions };
      return { ...emptyExtraction(), facts, links: versions.length > 0 ? [patch] : [] };
    }
    const names = namesOf(tree);
    const isOne =
      names.apiVersion.startsWith('kustomize.config.k8s.io/') ||
      (isKustomization(file) &&
        (names.kind === null || names.kind === 'Kustomization' || names.kind === 'Component'));
    if (!isOne || tree.kind !== 'map') return emptyExtraction();
    const place = { kind: names.kind ?? 'Kustomization', namespace: null, name: names.name };
    return readKustomization(document, place, names.namespace);
  },
};

/** Matches the API version of a kustomization. Annotations of other objects can contain the same group. */
const kustomizeObject = /\bapiVersion["']?:[ \t]*["']?kustomize\.config\.k8s\.io\//;

function isKustomization({ base }: FilePath): boolean {
  return /^kustomization(?:\.ya?ml)?$/i.test(base);
}

const resourceLists = ['resources', 'bases', 'components'];

function readKustomization(document: ReadDocument, names: Names, namespace: string | null): Extracted {
  const { tree } = document;
  const result = emptyExtraction();
  const resources = new Set<string>();
  let hasUnknownResources = false;
  for (const list of resourceLists) {
    for (const entry of listAt(tree, list)) {
      if (entry.kind !== 'scalar') {
        hasUnknownResources = true;
        continue;
      }
      const remote = readRemote(entry.text);
      hasUnknownResources ||= remote !== null;
      if (remote) {
        const place = locateNode(document, entry, names, `${list}[${remote.name}]`);
        result.facts.push({ extractor: 'kustomize', place, ...remoteSoftware(remote) });
      } else resources.add(entry.text);
    }
  }
  result.facts.push(...readKustomizeImages(document, listAt(tree, 'images'), 'kustomize', names, ''));
  for (const chart of listAt(tree, 'helmCharts')) {
    const name = textAt(chart, 'name');
    if (name === null) continue;
    const field = `helmCharts[${textAt(chart, 'releaseName') ?? name}]`;
    result.facts.push({
      extractor: 'kustomize',
      place: locateNode(document, treeAt(chart, 'version') ?? chart, names, field),
      ...readChart(name, textAt(chart, 'repo'), textAt(chart, 'version')),
      ...(textAt(chart, 'repo') === null && { origin: { type: 'local' as const } }),
      ...factDefaults,
    });
  }
  addGeneratedConfig(document, names, namespace, result);
  const paths = [...valuesFilesOf(tree)];
  if (paths.length > 0) result.links.push({ type: 'values_files', paths });
  const patches = readPatches(document, tree, namespace);
  result.facts.push(...patches.facts);
  result.links.push(...patches.links);
  const images = [...listAt(tree, 'images')].flatMap((entry) =>
    (textAt(entry, 'newTag') ?? textAt(entry, 'digest') ?? textAt(entry, 'newName'))
      ? (textAt(entry, 'name') ?? [])
      : [],
  );
  const target = textAt(tree, 'namespace') ?? namespace;
  const isClosed = names.kind !== 'Component' && !hasUnknownResources && !hasOtherImages(document);
  result.links.push({
    type: 'kustomization',
    resources: [...resources],
    paths: possiblePaths(tree),
    images,
    patches: patches.facts.flatMap(({ extractor, place, artifact }) =>
      extractor === 'kustomize' ? { kind: place.kind, name: place.name, image: artifact.name } : [],
    ),
    patchFiles: patches.files,
    namespace: target,
    isClosed,
  });
  return result;
}

/** Maximum number of paths in a kustomization. Real ones have up to a few hundred. */
const maxPaths = 5_000;

/** Returns the texts that can be paths, including those behind the keys of generated files. */
function possiblePaths(tree: DocumentTree): string[] {
  const paths = new Set<string>();
  walkTree(tree, ({ node }) => {
    if (paths.size >= maxPaths) return false;
    if (node.kind !== 'scalar' || node.text.length > 300 || /\s|^$/.test(node.text)) return true;
    paths.add(node.text);
    const equals = node.text.indexOf('=');
    if (equals >= 0) paths.add(node.text.slice(equals + 1));
    return false;
  });
  return [...paths];
}

/**
 * Returns the values files of charts, and the values files in generated ConfigMaps and Secrets that a
 * HelmRelease uses.
 */
function* valuesFilesOf(tree: DocumentTree): Generator<string, void> {
  for (const chart of listAt(tree, 'helmCharts')) {
    const file = textAt(chart, 'valuesFile');
    if (file !== null) yield file;
    for (const { text } of scalarsAt(chart, 'additionalValuesFiles')) yield text;
  }
  for (const list of ['configMapGenerator', 'secretGenerator'])
    for (const generator of listAt(tree, list))
      for (const { text } of scalarsAt(generator, 'files')) {
        const named = /^values[\w.-]*=(.+)$/.exec(text)?.[1];
        if (named !== undefined) yield named;
      }
}

/** Maximum number of literals of one generator that are read. Real generators have up to about a hundred. */
const maxLiterals = 1_000;

/**
 * Adds the images and the versions of known software in the literals of generated ConfigMaps, and their variables,
 * which a Flux Kustomization can substitute if Kustomize appends no hash to the name.
 */
function addGeneratedConfig(
  document: ReadDocument,
  names: Names,
  namespace: string | null,
  result: Extracted,
): void {
  const { tree } = document;
  for (const generator of listAt(tree, 'configMapGenerator')) {
    const name = textAt(generator, 'name');
    const literals = scalarsAt(generator, 'literals').slice(0, maxLiterals);
    if (name === null || literals.length === 0) continue;
    const variables: FluxVariable[] = [];
    for (const node of literals) {
      const [, key = '', value = ''] = /^([\w.-]{1,100})=(.{0,500})$/.exec(node.text) ?? [];
      if (key === '' || result.facts.length >= maxFactsPerFile) continue;
      const variable = readFluxVariable(key, value, document.lineOf(node));
      if (variable) variables.push(variable);
      const found = isSecretName(key) ? null : readConfigValue(key, value);
      const place = locateNode(document, node, names, `configMapGenerator[${name}].${key}`);
      if (found) result.facts.push({ extractor: 'kustomize', place, ...found });
    }
    const hasHash = [
      treeAt(tree, 'generatorOptions', 'disableNameSuffixHash'),
      treeAt(generator, 'options', 'disableNameSuffixHash'),
    ].every((each) => each?.kind !== 'scalar' || each.text !== 'true');
    // Other files can contain more variables, and a generator with a behavior changes another ConfigMap.
    const isPartial = ['envs', 'env', 'behavior'].some((key) => treeAt(generator, key) !== undefined);
    if (hasHash || isPartial || variables.length === 0 || literals.length === maxLiterals) continue;
    result.links.push({
      type: 'flux_variables',
      kind: 'ConfigMap',
      namespace: textAt(generator, 'namespace') ?? textAt(tree, 'namespace') ?? namespace,
      name,
      document: document.index,
      variables,
    });
  }
}

/** Reads an image with a version, or the version of known software, in a value of a ConfigMap. */
function readConfigValue(key: string, value: string): Omit<Fact, 'extractor' | 'place'> | null {
  const image = readImageAssignment(`${key}="${value}"`);
  const parts = image === null ? null : splitImage(image.image);
  if (parts) return { ...readImage(parts), note: null };
  return namesKnownSoftware(key, value) ? readNamedVersion(key, value) : null;
}

function scalarsAt(tree: DocumentTree, key: string) {
  return [...listAt(tree, key)].filter((node) => node.kind === 'scalar');
}

/** Matches a JSON patch that sets an image or its version. */
const jsonPatchOfImage = /\/(?:image|version|tag|imageTag|tagOverride)["']?[ \t]*$/m;

/** Returns the versions that a JSON patch sets without their images. */
function readVersionOperations(document: ReadDocument): PatchedVersion[] {
  return [...listAt(document.tree)].flatMap((operation) => {
    const [kind, path, value] = [
      textAt(operation, 'op'),
      textAt(operation, 'path'),
      textAt(operation, 'value'),
    ];
    if ((kind !== 'replace' && kind !== 'add') || path === null || value === null) return [];
    const version = readPatchedVersion(path, value);
    return version ? [{ ...version, line: document.lineOf(operation), document: document.index }] : [];
  });
}

/**
 * Reads the images and the versions of HelmReleases that inline patches set, and lists the files that contain
 * the other patches.
 */
export function readPatches(document: ReadDocument, tree: DocumentTree, namespace: string | null) {
  const facts: Fact[] = [];
  const links: Link[] = [];
  const files: { path: string; kind: string | null; name: string | null }[] = [];
  const readInline = (node: DocumentTree & { kind: 'scalar' }, kind: string | null, name: string | null) => {
    for (const part of splitDocuments(node.text)) {
      const read = parseTextOf(document, node, part);
      if (!read.ok) continue;
      const own = namesOf(read.document.tree);
      const names = {
        ...own,
        kind: kind ?? own.kind,
        namespace: own.namespace ?? namespace,
        name: name ?? own.name,
      };
      const target = `patches[${names.kind ?? '*'}/${names.name ?? '*'}]`;
      const isRelease = read.document.tree.kind === 'map' && names.kind === 'HelmRelease';
      const patched = read.document.tree.kind === 'list' ? readVersionOperations : readPatchedVersions;
      const versions = names.kind === 'HelmRelease' ? [] : patched(read.document);
      if (versions.length > 0) {
        links.push({
          type: 'version_patch',
          kind: names.kind,
          namespace: names.namespace,
          name: names.name,
          isInline: true,
          versions,
        });
      }
      facts.push(
        ...(isRelease
          ? readHelmRelease(read.document, names).facts
          : readPatch(read.document, read.document.tree, names, `${target}.`)),
      );
    }
  };
  for (const list of ['patches', 'patchesJson6902'])
    for (const patch of listAt(tree, list)) {
      const [kind, name] = [textAt(patch, 'target', 'kind'), textAt(patch, 'target', 'name')];
      const [inline, path] = [treeAt(patch, 'patch'), textAt(patch, 'path')];
      if (inline?.kind === 'scalar') readInline(inline, kind, name);
      else if (path !== null) files.push({ path, kind, name });
    }
  for (const entry of listAt(tree, 'patchesStrategicMerge')) {
    if (entry.kind !== 'scalar') continue;
    if (entry.text.includes('\n')) readInline(entry, null, null);
    else files.push({ path: entry.text, kind: null, name: null });
  }
  return { facts, files, links };
}

/** Reads the images of a patch: a list of JSON patch operations, or a part of an object. */
function readPatch(document: ReadDocument, tree: DocumentTree, names: Names, prefix: string): Fact[] {
  const facts: Fact[] = [];
  const add = (node: DocumentTree, text: string, field: string) => {
    const image = readWrittenImage(text);
    if (image)
      facts.push({
        extractor: 'kustomize',
        place: locateNode(document, node, names, prefix + field),
        ...image,
      });
  };
  if (tree.kind === 'list') {
    for (let index = 0; index < tree.length; index++) {
      const operation = tree.at(index);
      const [kind, path, value] = [
        textAt(operation, 'op'),
        textAt(operation, 'path'),
        textAt(operation, 'value'),
      ];
      if ((kind !== 'replace' && kind !== 'add') || value === null || path === null) continue;
      if (path.endsWith('/image') && /[cC]ontainers\//.test(path.slice(0, -'/image'.length)))
        add(operation!, value, path.slice(1).replaceAll('/', '.'));
      else if (names.kind === 'HelmRelease') {
        const fact = readHelmReleasePatch(document, operation!, names, { path, value });
        if (fact) facts.push(fact);
      }
    }
    return facts;
  }
  walkTree(tree, ({ node, field }) => {
    const isImage = /[cC]ontainers\[[^[\]]*\]\.image$/.test(field);
    if (isImage && node.kind === 'scalar') add(node, node.text, field);
    return true;
  });
  return facts;
}

/** Keys of a kustomization that add objects, change their images, or declare more image fields. */
const otherImages =
  /^(?:helm|generators|transformers|configurations|replacements|vars|openapi|crds|patches.+)/;

/**
 * True if images can come from something other than resources, including patches that could affect images.
 */
function hasOtherImages({ tree, text }: ReadDocument): boolean {
  if (tree.kind !== 'map' || isTemplated(text)) return true;
  if (tree.keys().some((key) => otherImages.test(key))) return true;
  return [...listAt(tree, 'patches')].some((patch) => {
    const inline = textAt(patch, 'patch');
    return inline === null || /image/i.test(inline);
  });
}

type Names = Pick<FactLocation, 'kind' | 'namespace' | 'name'>;

/** Reads the entries of `images`, a field that Flux Kustomizations also have. */
export function readKustomizeImages(
  document: ReadDocument,
  entries: Iterable<DocumentTree>,
  extractor: ExtractorName,
  names: Names,
  prefix: string,
): Fact[] {
  const facts: Fact[] = [];
  for (const entry of entries) {
    const name = textAt(entry, 'name');
    if (name === null || name === '') continue;
    const newName = textAt(entry, 'newName');
    const tag = textAt(entry, 'newTag');
    const digest = textAt(entry, 'digest');
    if (tag === null && digest === null && newName === null) continue;
    const written = newName ?? name;
    // Split the name only if no new tag is set. Kustomize appends a new tag even to a name that already
    // contains a tag.
    const parts = tag === null ? splitImageText(written) : { name: written.trim(), tag };
    const place = locateNode(document, treeAt(entry, 'newTag') ?? entry, names, `${prefix}images[${name}]`);
    // Kustomize rejects an entry with both a tag and a digest, and a digest without its algorithm.
    const isValid = !(tag !== null && digest !== null) && (digest === null || /^\w+:[0-9a-f]+$/.test(digest));
    const isPattern = newName === null && /[*+?^|()[\]\\]/.test(name);
    const image = isPattern
      ? readPattern(name, tag)
      : readWrittenParts({ ...parts, digest }, tag === null ? written : `${written}:${tag}`);
    facts.push({ extractor, place, ...image, ...(!isValid && { reason: 'invalid' as const }) });
  }
  return facts;
}

/**
 * Reads an entry whose name is a pattern. Kustomize treats names as patterns, so one entry can match several
 * images.
 */
function readPattern(name: string, tag: string | null): WrittenImage {
  return {
    artifact: {
      kind: 'image',
      name: name.slice(0, maxNameLength),
    },
    origin: { type: 'unknown' },
    version: readVersion(tag, 'tag').version,
    digest: null,
    state: 'templated',
    reason: 'templated',
    note: 'the name is a pattern',
  };
}
