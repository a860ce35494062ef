import { ownValue } from '../../json/own-value.ts';
import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Extracted, emptyExtraction, type FluxSourceName, type Link } from '../fact.ts';
import { factDefaults, locateNode, type ManifestNames, namesOf } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { chartFact, readHelmRelease } from '../read-helm-release.ts';
import { readImage, splitImage, templateOf } from '../read-image.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { baseOf } from '../repository-path.ts';
import type { YamlExtractor } from './extractor.ts';
import { variablesIn } from './flux-variables.ts';
import { readKustomizeImages, readPatches } from './kustomize.ts';

/**
 * Extracts HelmReleases, HelmCharts, OCIRepositories, GitRepositories, and the sources that they refer to.
 */
export const flux: YamlExtractor = {
  name: 'flux',
  wants: (text) => text.includes('.toolkit.fluxcd.io') || text.includes('fluxcd.controlplane.io'),
  extract(document) {
    const names = namesOf(document.tree);
    if (!names.apiVersion.includes('.toolkit.fluxcd.io/')) return emptyExtraction();
    return ownValue(readers, names.kind ?? '')?.(document, names) ?? emptyExtraction();
  },
};

type Reader = (document: ReadDocument, names: ManifestNames) => Extracted;

const readers: Readonly<Record<string, Reader>> = {
  HelmRelease: readHelmRelease,
  HelmChart: readHelmChart,
  HelmRepository: readSource,
  Bucket: readSource,
  OCIRepository: readOciRepository,
  GitRepository: readGitRepository,
  Kustomization: readKustomization,
  ImageRepository: readImageRepository,
  ImagePolicy: readImagePolicy,
};

function readHelmChart(document: ReadDocument, names: ManifestNames): Extracted {
  const spec = treeAt(document.tree, 'spec');
  const chart = textAt(spec, 'chart');
  if (!spec || chart === null) return emptyExtraction();
  return {
    ...emptyExtraction(),
    facts: [chartFact(document, names, spec, 'spec', chart, textAt(spec, 'version'))],
  };
}

function readSource(document: ReadDocument, { kind, name, namespace }: ManifestNames): Extracted {
  if (kind === null || name === null) return emptyExtraction();
  const url = textAt(document.tree, 'spec', 'url');
  const isOci = textAt(document.tree, 'spec', 'type') === 'oci' || /^oci:/i.test(url ?? '');
  return { ...emptyExtraction(), links: [{ type: 'flux_source', kind, name, namespace, url, isOci }] };
}

function readOciRepository(document: ReadDocument, names: ManifestNames): Extracted {
  const result = readSource(document, names);
  const spec = treeAt(document.tree, 'spec');
  const url = textAt(spec, 'url');
  if (!spec || url === null) return result;
  const reference = treeAt(spec, 'ref');
  const tag = textAt(reference, 'tag');
  const range = textAt(reference, 'semver');
  const digest = textAt(reference, 'digest');
  const image = readImage({ name: splitImage(url)?.name ?? url, tag, digest });
  const read = tag === null && digest === null && range !== null ? readVersion(range, 'chart') : {};
  const place = locateNode(document, treeAt(reference, 'tag') ?? treeAt(spec, 'url'), names, 'spec.ref');
  // A layer of this type is a chart, regardless of the tag.
  const isChart = textAt(spec, 'layerSelector', 'mediaType')?.includes('helm.chart') === true;
  const artifact = isChart ? { kind: 'chart' as const, name: baseOf(image.artifact.name) } : image.artifact;
  const template = templateOf({ name: image.artifact.name, tag: tag ?? range, digest });
  const notation = 'version' in read ? { notation: 'chart' as const } : {};
  result.facts.push({
    extractor: 'flux',
    place,
    ...image,
    artifact,
    ...read,
    note: null,
    ...(template && { template: { ...template, ...notation } }),
  });
  return result;
}

function readGitRepository(document: ReadDocument, names: ManifestNames): Extracted {
  const spec = treeAt(document.tree, 'spec');
  const url = textAt(spec, 'url');
  if (!spec || url === null) return emptyExtraction();
  const reference = treeAt(spec, 'ref');
  const tag = textAt(reference, 'tag');
  const semver = textAt(reference, 'semver');
  const commit = textAt(reference, 'commit');
  const read =
    tag !== null
      ? readVersion(tag, 'ref')
      : semver !== null
        ? readVersion(semver, 'chart')
        : commit !== null
          ? { version: commit, state: 'commit' as const, reason: 'commit' as const }
          : readVersion(null, 'ref');
  const template = templateOf({ name: url, tag: tag ?? semver ?? commit, digest: null });
  const notation = tag === null && semver !== null ? 'chart' : 'ref';
  return {
    ...emptyExtraction(),
    facts: [
      {
        extractor: 'flux',
        place: locateNode(document, treeAt(reference, 'tag') ?? treeAt(spec, 'url'), names, 'spec.ref'),
        artifact: { kind: 'git', name: url },
        origin: isTemplated(url) ? { type: 'unknown' } : { type: 'git', url },
        ...read,
        ...factDefaults,
        ...(template && { template: { ...template, notation } }),
      },
    ],
  };
}

function readImageRepository({ tree }: ReadDocument, { name, namespace }: ManifestNames): Extracted {
  const image = textAt(tree, 'spec', 'image');
  if (name === null || image === null) return emptyExtraction();
  return {
    ...emptyExtraction(),
    links: [{ type: 'flux_source', kind: 'ImageRepository', name, namespace, url: image, isOci: true }],
  };
}

/**
 * Reads the pattern by which a policy orders an image's tags. Skips policies that prefer the lowest value,
 * because releases are never in descending order. Also skips policies without a pattern, because they don't
 * change the order of the tags.
 */
function readImagePolicy({ tree }: ReadDocument, { name, namespace }: ManifestNames): Extracted {
  const spec = treeAt(tree, 'spec');
  const filter = treeAt(spec, 'filterTags');
  const pattern = textAt(filter, 'pattern');
  const repository = textAt(spec, 'imageRepositoryRef', 'name');
  const isDescending = ['alphabetical', 'numerical'].some(
    (order) => textAt(spec, 'policy', order, 'order')?.toLowerCase() === 'desc',
  );
  if (name === null || pattern === null || repository === null || isDescending) return emptyExtraction();
  return {
    ...emptyExtraction(),
    links: [
      {
        type: 'image_policy',
        name,
        repository: {
          name: repository,
          namespace: textAt(spec, 'imageRepositoryRef', 'namespace') ?? namespace,
        },
        pattern,
        extract: textAt(filter, 'extract'),
      },
    ],
  };
}

/** Reads a Flux Kustomization, which specifies the directory that it applies and can also set images. */
function readKustomization(document: ReadDocument, names: ManifestNames): Extracted {
  const spec = treeAt(document.tree, 'spec');
  if (!spec) return emptyExtraction();
  const result = {
    ...emptyExtraction(),
    facts: [
      ...readKustomizeImages(document, listAt(spec, 'images'), 'flux', names, 'spec.'),
      ...readPatches(document, spec, textAt(spec, 'targetNamespace')).facts,
    ],
  };
  const path = textAt(spec, 'path');
  if (path !== null) {
    const images = [...listAt(spec, 'images')].flatMap((entry) => textAt(entry, 'name') ?? []);
    const { namespace } = names;
    const source = readSourceName(spec);
    result.links.push({ type: 'flux_kustomization', namespace, path, images, source });
    // The paths of components are relative to the path of the Flux Kustomization.
    for (const entry of listAt(spec, 'components'))
      if (entry.kind === 'scalar')
        result.links.push({
          type: 'flux_kustomization',
          namespace,
          path: `${path}/${entry.text}`,
          images: [],
          source,
        });
    result.links.push(...readSubstitution(document, names, spec, path));
  }
  return result;
}

function readSourceName(spec: DocumentTree): FluxSourceName | null {
  const [kind, name] = [textAt(spec, 'sourceRef', 'kind'), textAt(spec, 'sourceRef', 'name')];
  return kind === null || name === null
    ? null
    : { kind, name, namespace: textAt(spec, 'sourceRef', 'namespace') };
}

/** Maximum number of directories, and of ConfigMaps and Secrets, of one Flux Kustomization. Real ones have a few. */
const maxEntries = 100;

/** Returns the variables that a Flux Kustomization replaces. Without `postBuild`, it replaces none. */
function readSubstitution(
  document: ReadDocument,
  { namespace, name }: ManifestNames,
  spec: DocumentTree,
  path: string,
): Link[] {
  const postBuild = treeAt(spec, 'postBuild');
  const variables = [...variablesIn(document, treeAt(postBuild, 'substitute'))];
  const sources = [...listAt(postBuild, 'substituteFrom')]
    .slice(-maxEntries)
    .map((entry) => ({ kind: textAt(entry, 'kind') ?? '', name: textAt(entry, 'name') ?? '' }));
  if (variables.length + sources.length === 0) return [];
  const components = [...listAt(spec, 'components')]
    .slice(0, maxEntries)
    .flatMap((entry) => (entry.kind === 'scalar' ? `${path}/${entry.text}` : []));
  const paths = [path, ...components];
  const { line, document: index } = locateNode(document, postBuild, null, '');
  return [
    {
      type: 'flux_substitution',
      namespace,
      name,
      line,
      document: index,
      source: readSourceName(spec),
      paths,
      variables,
      sources,
    },
  ];
}
