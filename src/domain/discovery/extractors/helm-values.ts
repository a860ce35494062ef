import type { DocumentTree } from '../../parsers/document-tree.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import { imagesInArguments, imagesInEnvironment } from '../argument-images.ts';
import { readChart } from '../chart-fact.ts';
import {
  type Extracted,
  type ExtractorName,
  emptyExtraction,
  type FactLocation,
  type Link,
} from '../fact.ts';
import { createFlagCollector } from '../link-chart-conditions.ts';
import { factDefaults, locateNode } from '../manifest.ts';
import { parseTextOf, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { hasRegistryHost, type ImageFact, looksLikeImage, readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { walkTree } from '../walk-tree.ts';
import { type FilePath, isYamlBelow, type YamlExtractor } from './extractor.ts';

/**
 * Images in the values of a chart: `{registry, repository, tag}` maps, and strings under keys such as
 * `image`. Also `{repoURL, chart, targetRevision}` maps, which a chart with Applications has in its values.
 */
export const helmValues: YamlExtractor = {
  name: 'helm_values',
  // A file with any name in a `values` directory is a values file, too, because Helmfile projects often keep
  // the values of each release in files such as `values/web/prod.yaml`.
  wants: (text, file) =>
    isValuesFile(file)
      ? /image|repo(?:sitory|URL)|version|revision|registry|tag:|\benabled?:|^(?:tags|apps?|applications|components|features|services|add-?ons|charts):/im.test(
          text,
        )
      : looksLikeValues(text),
  isAuxiliary: (text) => !/image|repo(?:sitory|URL)/i.test(text),
  extract(document, file) {
    const { tree } = document;
    // Skip Kubernetes manifests in files with the name of a values file, because other extractors read them.
    if (textAt(tree, 'apiVersion') !== null && textAt(tree, 'kind') !== null) return emptyExtraction();
    const values = readValues(document, tree, 'helm_values', null, '');
    if (isValuesFile(file))
      return { ...values, links: [...values.links, ...readChartValues(document, tree)] };
    const images = values.facts.filter(({ origin }) => origin.type !== 'unknown');
    return { ...emptyExtraction(), links: images.length > 0 ? [{ type: 'possible_values', images }] : [] };
  },
};

function isValuesFile(file: FilePath): boolean {
  const [path, base] = [file.path, file.base].map((text) => text.replace(/\.gotmpl$/i, '')) as [
    string,
    string,
  ];
  // A copy of the defaults of a chart, such as values-15.6.16.yaml, isn't deployed unless a release
  // references it.
  if (/[._-]v?\d+\.\d+\.\d+[._-]/.test(base)) return false;
  return (
    (/values/i.test(base) && /\.ya?ml$/i.test(base)) ||
    isYamlBelow(/(?:^|\/)values\//, { ...file, path, base })
  );
}

/**
 * True for a text that is structured like values. Its images are used only if a release references the file.
 */
function looksLikeValues(text: string): boolean {
  if (/^apiVersion:/m.test(text)) return false;
  return (
    (/^[ ]+(?:tag|version):|^[ ]*\w+(?:[Tt]ag|Version|_version):/m.test(text) && namesImage(text)) ||
    (/^images:[ ]*$/m.test(text) && /:[ ]+["']?[\w.-]+\/[\w./-]+:[\w.-]+/.test(text))
  );
}

/** Returns the values that templates can use for images, and for charts of Applications. */
function readChartValues(document: ReadDocument, tree: DocumentTree): Link[] {
  const values: Extract<Link, { type: 'chart_values' }>['values'] = [];
  walkTree(tree, ({ node, field, key }) => {
    if (node.kind !== 'scalar' || !(chartValueKey.test(key) || imageValuePath.test(field))) return true;
    if (node.text === '' || node.text.length > 300 || node.text.includes('\n')) return false;
    const { line, document: index } = locateNode(document, node, null, field);
    values.push({ path: field, text: node.text, line, document: index });
    return values.length < maxChartValues;
  });
  return values.length > 0 ? [{ type: 'chart_values', values }] : [];
}

const chartValueKey = /(?:version|revision|repo(?:sitory)?|repoURL|chart)$/i;
/** Matches the path of a value that can be a part of an image. */
const imageValuePath = /image(?!pullpolicy)|registry|(?:^|\.|_)hub$|tag$|version/i;
const maxChartValues = 1_000;

/** Reads values from a separate file, or inline values of another object. */
export function readValues(
  document: ReadDocument,
  values: DocumentTree,
  extractor: ExtractorName,
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'> | null,
  prefix: string,
  depth = 0,
): Extracted {
  const result = emptyExtraction();
  const fieldOf = (field: string) => joined(prefix, field);
  const registries = new Map<string, string>();
  const shared = readSharedParts(values);
  let unparsed = maxParsedText;
  const flags = createFlagCollector();
  const isComplete = walkTree(values, ({ node, field, key }) => {
    if (result.facts.length >= maxFactsPerFile) return false;
    if (node.kind === 'scalar') flags.visit(field, node.text);
    if (node.kind === 'scalar' && node.text.includes('\n')) {
      if (depth >= maxTextDepth || !canContainValues(node.text)) return false;
      // Count the text each time, because aliases can repeat it.
      unparsed -= node.text.length;
      const inner = unparsed < 0 ? null : parseText(document, node);
      if (!inner) return false;
      const { facts } = readValues(inner, inner.tree, extractor, names, fieldOf(field), depth + 1);
      result.facts.push(...facts);
      return false;
    }
    if (node.kind === 'list' && /args$|^command$|env(?:Vars)?$/i.test(key)) {
      const given = /env/i.test(key) ? imagesInEnvironment(node) : imagesInArguments(node);
      for (const { node: value, name, image } of given) {
        if (result.facts.length >= maxFactsPerFile) return false;
        const place = locateNode(document, value, names, `${fieldOf(field)} ${name}`);
        result.facts.push({ extractor, place, ...image, note: null });
      }
    }
    const isPackage = key === 'package' && node.kind === 'scalar' && publishedPackage.test(node.text);
    if (node.kind === 'scalar' && (isPackage || /image(?:Name|Ref)?$/i.test(key) || isInImageMap(field))) {
      // Skip an image without a tag or digest, because the tag can be in another key of the map. The map is
      // then read as a whole.
      const image = node.text.includes('/') || node.text.includes(':') ? splitImage(node.text) : null;
      if (!image || !looksLikeImage(node.text) || (image.tag === null && image.digest === null)) return false;
      const place = locateNode(document, node, names, fieldOf(field));
      result.facts.push({ extractor, place, ...ofUnknownRegistry(readImage(image)), note: null });
      return false;
    }
    if (node.kind === 'map') {
      const chart = readChartMap(node, key);
      if (chart) {
        const place = locateNode(document, chart.versionNode, names, fieldOf(field));
        result.facts.push({ extractor, place, ...chart.read, ...factDefaults });
      }
      const group = registries.get(field.slice(0, Math.max(0, field.lastIndexOf('.'))));
      const registry = /image/i.test(key) ? registryOf(node) : null;
      const inherited = registry ?? group;
      if (inherited !== undefined && textAt(node, 'repository') === null) registries.set(field, inherited);
      const split = readSplitImages(node, group, shared);
      for (const { tagKey, tagNode, image } of [...split, ...readTagsAlone(node, split, fieldOf(field))]) {
        if (result.facts.length >= maxFactsPerFile) return false;
        const place = locateNode(document, tagNode, names, joined(fieldOf(field), tagKey));
        result.facts.push({ extractor, place, ...ofUnknownRegistry(image), note: null });
      }
      const fact = readImageMap(node, key, group, shared.registry) ?? readTagOnly(node, key, fieldOf(field));
      if (fact) {
        const place = locateNode(document, treeAt(node, fact.tagKey) ?? node, names, fieldOf(field));
        result.facts.push({ extractor, place, ...ofUnknownRegistry(fact.image), note: null });
      }
    }
    return true;
  });
  if (!isComplete || unparsed < 0 || result.facts.length >= maxFactsPerFile)
    result.problems.push({ line: document.line, reason: 'too_large', message: reasonTexts.too_large });
  flags.addTo(result, document.line);
  return result;
}

/**
 * Marks an image without the host of a registry. Its chart can add a registry to the name, and only the templates of
 * the chart show whether it does.
 */
function ofUnknownRegistry(image: ImageFact): ImageFact {
  return image.origin.type === 'oci' && !hasRegistryHost(image.origin.reference)
    ? { ...image, isOriginGuessed: true }
    : image;
}

/** Matches a package in a registry, such as `xpkg.upbound.io/acme/provider:v1.2.3` of Crossplane. */
const publishedPackage = /^[\w-]{1,60}(?:\.[\w-]{1,60}){1,9}\/[\w./-]{1,300}:v?\d[\w.-]{0,100}$/;

/** Keys of the repository and the version of a chart in values. */
const repositoryKeys = ['repoURL', 'repoUrl', 'repository', 'repo'];
const chartVersionKeys = ['targetRevision', 'chartVersion', 'version', 'revision'];

/** Reads a chart from a map with its name, the URL of its repository, and its version. */
function readChartMap(map: DocumentTree, key: string) {
  const chart = textAt(map, 'chart') ?? (key === 'chart' ? textAt(map, 'name') : null);
  if (chart === null || !/^[\w.-]+$/.test(chart)) return null;
  const repositoryKey = repositoryKeys.find((each) => textAt(map, each) !== null);
  const versionNode = chartVersionKeys
    .map((each) => treeAt(map, each))
    .find((node) => node?.kind === 'scalar' && node.text !== '');
  if (repositoryKey === undefined || versionNode?.kind !== 'scalar') return null;
  const repository = textAt(map, repositoryKey)!;
  // As in Argo CD, only `repoURL` can be a registry without a scheme.
  if (!/^(?:https?|oci):\/\//i.test(repository) && !/^repoURL$/i.test(repositoryKey)) return null;
  const read = readChart(chart, repository, versionNode.text);
  return read.origin.type === 'helm' || read.origin.type === 'oci' ? { versionNode, read } : null;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}

/** Maximum nesting depth of texts that contain other texts. */
const maxTextDepth = 1;
/**
 * Maximum number of characters of nested texts in one tree. The longest file has about this many characters.
 */
const maxParsedText = 1_000_000;

/** True for a text that can contain the values or the manifests of another chart. */
function canContainValues(text: string): boolean {
  return namesImage(text);
}

/** True if the text has a key such as `image`, `imageName`, or `repository`. */
function namesImage(text: string): boolean {
  for (const [key] of text.matchAll(/\b\w+(?=["']?:)/g)) if (/image|repository$/i.test(key)) return true;
  return false;
}

function parseText(document: ReadDocument, node: DocumentTree & { kind: 'scalar' }): ReadDocument | null {
  const parsed = parseTextOf(document, node);
  return parsed.ok && parsed.document.tree.kind === 'map' ? parsed.document : null;
}

/** Parts of images that values set for all images of a chart. */
export interface SharedParts {
  /** Registry that replaces the registries of all images. */
  registry: string | null;
  /**
   * Registry, including a namespace, for images that have only a name, as in the values of Istio. `tag` is
   * the tag of such images.
   */
  hub: string | null;
  tag: string | null;
}

function readSharedParts(values: DocumentTree): SharedParts {
  const textOf = (key: string) => {
    const text = textAt(values, 'global', key) ?? textAt(values, key);
    return text === null || text === '' || isTemplated(text) ? null : text;
  };
  const hub = textOf('hub');
  return {
    registry: textAt(values, 'global', 'imageRegistry') === null ? null : textOf('imageRegistry'),
    hub,
    tag: hub === null ? null : textOf('tag'),
  };
}

/**
 * Keys with the name of an image: `image`, `imageName`, `webImage`, `web_image_repository`, and `baseImage`.
 * The keys of the registry and the tag have the same beginning, captured as `start`.
 */
const nameKey = /^(?<start>.*?(?:^|_|(?<=[a-z\d]))image)(?:_?(?:name|repository|repo))?$/i;

/**
 * Reads images whose name and tag are in separate keys of a map, such as `image` and `imageTag`. Also reads
 * images that have only a name, if all images of the chart share the registry or the tag.
 */
export function readSplitImages(
  map: DocumentTree,
  group: string | undefined,
  shared: SharedParts,
): { tagKey: string; tagNode: DocumentTree; image: ImageFact }[] {
  if (map.kind !== 'map' || !map.keys().some((key) => nameKey.test(key))) return [];
  // Create an index once, because each lookup in a YAML map scans all of its keys.
  const texts = new Map<string, string>();
  const nodes = new Map<string, DocumentTree>();
  for (const [key, value] of map.entries()) {
    if (value.kind !== 'scalar') continue;
    texts.set(key, value.text);
    nodes.set(key, value);
  }
  return [...texts].flatMap(([key, name]) => {
    const start = nameKey.exec(key)?.groups?.['start'];
    if (start === undefined || isTemplated(name) || !looksLikeImage(name)) return [];
    const parts = splitImage(name);
    if (!parts || parts.tag !== null || parts.digest !== null) return [];
    const tagKey = tagKeysOf(key, start, name).find((each) => (texts.get(each) ?? '') !== '');
    if (tagKey === undefined) {
      const isBare = key === 'image' && !name.includes('/') && (texts.get('tag') ?? '') === '';
      if (!isBare || shared.hub === null || shared.tag === null) return [];
      const hub = texts.get('hub') || shared.hub;
      return [
        {
          tagKey: key,
          tagNode: nodes.get(key)!,
          image: readImage({ name: joinName(hub, name), tag: shared.tag, digest: null }),
        },
      ];
    }
    // `readImageMap` reads an image with these keys.
    if (key === 'image' && (texts.has('repository') || texts.has('repo') || texts.has('registry'))) return [];
    const own = ['Registry', '_registry'].map((part) => texts.get(start + part)).find(Boolean);
    const registry = hasRegistryHost(name)
      ? null
      : (shared.registry ?? own ?? texts.get('registry') ?? group ?? null);
    const { tag, digest } = splitTag(texts.get(tagKey)!);
    return [
      {
        tagKey,
        tagNode: nodes.get(tagKey)!,
        image: readImage({ name: joinName(registry, name), tag, digest }),
      },
    ];
  });
}

/**
 * Returns the keys that can contain the tag of an image. `start` is the common beginning of the keys of the
 * image.
 */
function tagKeysOf(key: string, start: string, name: string): string[] {
  const own = [start, key].flatMap((each) => [
    `${each}Tag`,
    `${each}_tag`,
    `${each}Version`,
    `${each}_version`,
  ]);
  const owner = start.replace(/_?image$/i, '');
  // `readImageMap` reads `image` and `tag`, together with the registry. A name without a slash next to a
  // version might not be an image.
  if (owner === '' && /^image$/i.test(key)) return name.includes('/') ? [...own, 'version'] : own;
  if (owner === '' || owner === 'base') return [...own, 'tag', 'version'];
  return [...own, `${owner}Tag`, `${owner}_tag`, `${owner}Version`, `${owner}_version`];
}

function joinName(registry: string | null, name: string): string {
  return registry ? `${withoutTrailing(registry, '/')}/${name}` : name;
}

/** True for an entry of a map or list of images, such as `images.tags.api` or `imageMap.redis`. */
function isInImageMap(field: string): boolean {
  return /(?:^|\.)(?:\w*images|images\.tags|\w*imageMap)(?:\.[^.[]+|\[\d+\])$|^images(?:\.[^.[]+){2,3}$/i.test(
    field,
  );
}

/** Keys of the tag in a map that describes an image. */
const tagKeys = ['tag', 'version', 'imageTag', 'tagOverride', 'release'];

/**
 * Reads an image from a `{registry, repository, tag}` map.
 *
 * @param group The registry that the enclosing map sets for all its images.
 * @param shared The registry that replaces the registries of all images.
 */
export function readImageMap(map: DocumentTree, key: string, group?: string, shared: string | null = null) {
  const repository = repositoryOf(map, key)?.replace(/^\/+/, '') ?? null;
  if (repository === null || !looksLikeImage(repository)) return null;
  const tagKey = tagKeys.find((each) => textAt(map, each) !== null) ?? 'tag';
  const tag = textAt(map, tagKey);
  const isImage =
    map.kind === 'map' &&
    (/image/i.test(key) ||
      treeAt(map, 'tag') !== undefined ||
      textAt(map, 'digest') !== null ||
      // A map with a repository, an image, and a version describes an image.
      (textAt(map, 'image') !== null && textAt(map, 'version') !== null));
  if (!isImage || /^(?:https?|git|ssh|file|oci):\/\//i.test(repository)) return null;
  const own = registryOf(map);
  const registry = hasRegistryHost(repository) ? own : (shared ?? own ?? group ?? null);
  const parts = splitImage(repository);
  if (!parts) return null;
  const name = joinName(registry, parts.name);
  const digest = textAt(map, 'digest') ?? textAt(map, 'sha');
  const fromTag = splitTag(tag ?? parts.tag);
  const image = readImage({ name, tag: fromTag.tag, digest: fromTag.digest ?? toDigest(digest) });
  const isChartDefault = image.state === 'floating' && fromTag.tag === null && !isTemplated(name);
  return { tagKey, image: isChartDefault ? { ...image, reason: 'chart_default' as const } : image };
}

/**
 * Returns the name of the image without its registry. If a map has both `repository` and `image`, the
 * repository is the namespace of the image.
 */
function repositoryOf(map: DocumentTree, key: string): string | null {
  const isOfImage = /images?$/i.test(key);
  const repository =
    textAt(map, 'repository') ??
    textAt(map, 'repo') ??
    (isOfImage ? (textAt(map, 'url') ?? textAt(map, 'path')) : null);
  const hasTag = textAt(map, 'tag') !== null || textAt(map, 'version') !== null;
  if (!hasTag) return repository;
  const image = textAt(map, 'image');
  const isPlainImage = image !== null && /^[a-z0-9][\w./-]*$/.test(image);
  const name = textAt(map, 'name');
  if (repository !== null) {
    // A host with one segment, such as `quay.io/acme`, is a namespace.
    const isNamespace = hasRegistryHost(repository) && /^[^/]+\/[^/]+$/.test(repository);
    const rest = isPlainImage ? image : isOfImage && isNamespace && name !== null ? name : repository;
    return rest === repository || repository.endsWith(`/${rest}`)
      ? repository
      : `${withoutTrailing(repository, '/')}/${rest}`;
  }
  if (textAt(map, 'tag') === null) return isPlainImage && registryOf(map) !== null ? image : null;
  // A name without a slash might not be an image.
  return textAt(map, 'image') ?? (isOfImage && name?.includes('/') ? name : null);
}

function registryOf(map: DocumentTree): string | null {
  return textAt(map, 'registry') ?? textAt(map, 'hub');
}

/**
 * Reads a tag without a repository, as in the values of an overlay. Another file or the chart defines the
 * image.
 */
function readTagOnly(map: DocumentTree, key: string, field: string) {
  const tag = textAt(map, 'tag');
  if (tag === null || tag === '' || !/image$/i.test(key)) return null;
  if (['repository', 'repo', 'url', 'path'].some((each) => textAt(map, each))) return null;
  const image = readImage({ name: field.slice(0, 200), ...splitTag(tag) });
  return { tagKey: 'tag', image: { ...image, origin: { type: 'overlay' as const } } };
}

/** Key of the tag of an image, such as `image_tag` and `webImageTag`. */
const imageTagKey = /(?:^|_)image_tag$|(?:^i|[a-z\d]I)mageTag$/;

/** Reads tags whose image another file or the chart defines, such as `imageTag` without `image`. */
function readTagsAlone(map: DocumentTree, read: ReturnType<typeof readSplitImages>, field: string) {
  if (map.kind !== 'map' || !map.keys().some((key) => imageTagKey.test(key))) return [];
  const known = new Set(read.map(({ tagKey }) => tagKey));
  return [...map.entries()].flatMap(([tagKey, tagNode]) => {
    if (!imageTagKey.test(tagKey) || known.has(tagKey) || tagNode.kind !== 'scalar' || tagNode.text === '')
      return [];
    const tag = splitTag(tagNode.text);
    if (!/^v?\d/.test(tag.tag ?? '') || (tagKey === 'imageTag' && textAt(map, 'repository') !== null))
      return [];
    const image = readImage({ name: joined(field, tagKey).slice(0, 200), ...tag });
    return [{ tagKey, tagNode, image: { ...image, origin: { type: 'overlay' as const } } }];
  });
}

/** Splits a tag that includes a digest. */
function splitTag(text: string | null): { tag: string | null; digest: string | null } {
  const [tag = '', digest] = (text ?? '').trim().split('@');
  return { tag: tag === '' ? null : tag, digest: digest ?? null };
}

function toDigest(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  return /^[0-9a-f]{64}$/.test(text) ? `sha256:${text}` : text;
}
