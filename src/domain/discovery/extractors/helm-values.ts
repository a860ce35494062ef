import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Extracted, type ExtractorName, type FactPlace, nothing } from '../fact.ts';
import { placeOfNode } from '../manifest.ts';
import { type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { looksLikeImage, readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { walkTree } from '../walk-tree.ts';
import type { FilePath, YamlExtractor } from './extractor.ts';

/**
 * Images in the values of a chart: `{registry, repository, tag}` maps, and strings under keys such as
 * `image`.
 */
export const helmValues: YamlExtractor = {
  name: 'helm_values',
  // Helmfile projects often keep the values of each release in a directory, such as values/web/prod.yaml.
  wants: (text, file) => (isValuesFile(file) ? /image|repository/i.test(text) : looksLikeValues(text)),
  extract(document, file) {
    const { tree } = document;
    // Skips Kubernetes manifests in files that are named like values files, because other extractors read them.
    if (textAt(tree, 'apiVersion') !== null && textAt(tree, 'kind') !== null) return nothing();
    const values = readValues(document, tree, 'helm_values', null, '');
    if (isValuesFile(file)) return values;
    const images = values.facts.filter(({ origin }) => origin.type !== 'unknown');
    return { ...nothing(), links: images.length > 0 ? [{ type: 'possible_values', images }] : [] };
  },
};

function isValuesFile({ path, base }: FilePath): boolean {
  return /values[^/]*\.ya?ml$/i.test(base) || /(?:^|\/)values\/.+\.ya?ml$/.test(path);
}

/** True for a text that is structured like values. Its images are used only if a release names the file. */
function looksLikeValues(text: string): boolean {
  return (
    !/^apiVersion:/m.test(text) && /^[ ]+(?:tag|version):/m.test(text) && /(?:image|repository):/i.test(text)
  );
}

/** Reads values from a separate file, or inline values of another object. */
export function readValues(
  document: ReadDocument,
  values: DocumentTree,
  extractor: ExtractorName,
  names: Pick<FactPlace, 'kind' | 'namespace' | 'name'> | null,
  prefix: string,
): Extracted {
  const result = nothing();
  const fieldOf = (field: string) => [prefix, field].filter((part) => part !== '').join('.');
  const registries = new Map<string, string>();
  const isComplete = walkTree(values, ({ node, field, key }) => {
    if (result.facts.length >= maxFactsPerFile) return false;
    if (node.kind === 'scalar' && (/image(?:Name)?$/i.test(key) || isInImageMap(field))) {
      // Skip an image without a tag or digest, because the tag can be in another key of the map. The map is then read
      // as a whole.
      const image = node.text.includes('/') || node.text.includes(':') ? splitImage(node.text) : null;
      if (!image || !looksLikeImage(node.text) || (image.tag === null && image.digest === null)) return false;
      const place = placeOfNode(document, node, names, fieldOf(field));
      result.facts.push({ extractor, place, ...readImage(image), note: null });
      return false;
    }
    if (node.kind === 'map') {
      const group = registries.get(field.slice(0, Math.max(0, field.lastIndexOf('.'))));
      const registry = /image/i.test(key) ? registryOf(node) : null;
      const inherited = registry ?? group;
      if (inherited !== undefined && textAt(node, 'repository') === null) registries.set(field, inherited);
      const fact = readImageMap(node, key, group) ?? readTagOnly(node, key, fieldOf(field));
      if (fact) {
        const place = placeOfNode(document, treeAt(node, fact.tagKey) ?? node, names, fieldOf(field));
        result.facts.push({ extractor, place, ...fact.image, note: null });
      }
    }
    return true;
  });
  if (!isComplete || result.facts.length >= maxFactsPerFile)
    result.problems.push({ line: document.line, reason: 'too_large', message: reasonTexts.too_large });
  return result;
}

/** True for an entry of a map or list of images, such as `images.tags.api` or `imageMap.redis`. */
function isInImageMap(field: string): boolean {
  return /(?:^|\.)(?:\w*images|images\.tags|\w*imageMap)(?:\.[^.[]+|\[\d+\])$/i.test(field);
}

/**
 * Reads an image from a `{registry, repository, tag}` map.
 *
 * @param group The registry that the enclosing map sets for all its images.
 */
export function readImageMap(map: DocumentTree, key: string, group?: string) {
  const repository = repositoryOf(map, key);
  if (repository === null || !looksLikeImage(repository)) return null;
  const tagKey = textAt(map, 'tag') === null && textAt(map, 'version') !== null ? 'version' : 'tag';
  const tag = textAt(map, tagKey);
  const isImage =
    map.kind === 'map' &&
    (/image/i.test(key) ||
      treeAt(map, 'tag') !== undefined ||
      textAt(map, 'digest') !== null ||
      // A map with a repository, an image, and a version describes an image.
      (textAt(map, 'image') !== null && textAt(map, 'version') !== null));
  if (!isImage || /^(?:https?|git|ssh|file|oci):\/\//i.test(repository)) return null;
  const registry = registryOf(map) ?? (hasRegistryHost(repository) ? null : group);
  const parts = splitImage(repository);
  if (!parts) return null;
  const name = registry ? `${registry.replace(/\/+$/, '')}/${parts.name}` : parts.name;
  const digest = textAt(map, 'digest') ?? textAt(map, 'sha');
  const fromTag = splitTag(tag ?? parts.tag);
  const image = readImage({ name, tag: fromTag.tag, digest: fromTag.digest ?? toDigest(digest) });
  const isChartDefault = image.state === 'floating' && fromTag.tag === null && !isTemplated(name);
  return { tagKey, image: isChartDefault ? { ...image, reason: 'chart_default' as const } : image };
}

/**
 * Returns the name of the image without its registry. If a map has both `repository` and `image`, the repository is the
 * namespace of the image.
 */
function repositoryOf(map: DocumentTree, key: string): string | null {
  const repository = textAt(map, 'repository') ?? textAt(map, 'repo');
  const hasTag = textAt(map, 'tag') !== null || textAt(map, 'version') !== null;
  if (!hasTag) return repository;
  const image = textAt(map, 'image');
  const isPlainImage = image !== null && /^[a-z0-9][\w./-]*$/.test(image);
  if (repository !== null)
    return isPlainImage && repository !== image ? `${repository.replace(/\/+$/, '')}/${image}` : repository;
  if (textAt(map, 'tag') === null) return isPlainImage && registryOf(map) !== null ? image : null;
  const name = textAt(map, 'name');
  // A name without a slash might not be an image.
  return textAt(map, 'image') ?? (/image$/i.test(key) && name?.includes('/') ? name : null);
}

function registryOf(map: DocumentTree): string | null {
  return textAt(map, 'registry') ?? textAt(map, 'hub');
}

/**
 * True if the first segment is a registry host. As in Docker, a host contains a dot or a port, or is
 * `localhost`.
 */
function hasRegistryHost(repository: string): boolean {
  return /^(?:[^/]*[.:][^/]*|localhost)\//.test(repository);
}

/**
 * Reads a tag without a repository, as in the values of an overlay. Another file or the chart defines the
 * image.
 */
function readTagOnly(map: DocumentTree, key: string, field: string) {
  const tag = textAt(map, 'tag');
  if (tag === null || tag === '' || !/image$/i.test(key)) return null;
  if (textAt(map, 'repository') || textAt(map, 'repo')) return null;
  const image = readImage({ name: field.slice(0, 200), tag, digest: null });
  return { tagKey: 'tag', image: { ...image, origin: { type: 'overlay' as const } } };
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
