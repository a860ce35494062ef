import type { DocumentTree } from '../parsers/document-tree.ts';
import { readChart } from './chart-fact.ts';
import { readValues } from './extractors/helm-values.ts';
import { type Extracted, emptyExtraction, type Fact, type Origin } from './fact.ts';
import { factDefaults, locateNode, type ManifestNames } from './manifest.ts';
import { type ReadDocument, textAt, treeAt } from './read-documents.ts';
import { readImage } from './read-image.ts';
import { isTemplated, readVersion } from './read-version.ts';

/** Reads a HelmRelease of Flux, or a patch that contains a part of one. */
export function readHelmRelease(document: ReadDocument, names: ManifestNames): Extracted {
  const { tree } = document;
  const result = emptyExtraction();
  const chartSpec = treeAt(tree, 'spec', 'chart', 'spec');
  const chart = textAt(chartSpec, 'chart');
  const reference = treeAt(tree, 'spec', 'chartRef');
  if (chart !== null) {
    result.facts.push(
      chartFact(document, names, chartSpec!, 'spec.chart.spec', chart, textAt(chartSpec, 'version')),
    );
  } else if (textAt(chartSpec, 'version') !== null && names.name !== null) {
    // This is a patch in an overlay. The patched release is in another file.
    result.facts.push({
      extractor: 'flux',
      place: locateNode(document, treeAt(chartSpec, 'version'), names, 'spec.chart.spec'),
      artifact: { kind: 'chart', name: names.name },
      origin: { type: 'flux_release', name: names.name, namespace: names.namespace },
      ...readVersion(textAt(chartSpec, 'version'), 'chart'),
      ...factDefaults,
    });
  } else if (reference?.kind === 'map') {
    const kind = textAt(reference, 'kind') ?? 'OCIRepository';
    const name = textAt(reference, 'name') ?? '';
    const namespace = textAt(reference, 'namespace') ?? names.namespace;
    result.facts.push({
      extractor: 'flux',
      place: locateNode(document, reference, names, 'spec.chartRef'),
      artifact: {
        kind: 'chart',
        name,
      },
      origin: {
        type: 'flux_source',
        kind,
        name,
        namespace,
      },
      version: null,
      state: 'floating',
      reason: 'floating',
      ...factDefaults,
    });
  }
  const values = treeAt(tree, 'spec', 'values');
  if (values) {
    const read = readValues(document, values, 'flux', names, 'spec.values');
    result.facts.push(...read.facts);
    result.links.push(...read.links);
    result.problems.push(...read.problems);
  }
  return result;
}

/** Returns the fact for a chart. Its source is a separate object, which can be in any file. */
export function chartFact(
  document: ReadDocument,
  names: ManifestNames,
  spec: DocumentTree,
  field: string,
  chart: string,
  version: string | null,
): Fact {
  const source = treeAt(spec, 'sourceRef');
  const kind = textAt(source, 'kind') ?? 'HelmRepository';
  const name = textAt(source, 'name');
  const namespace = textAt(source, 'namespace') ?? names.namespace;
  const isHelm = kind === 'HelmRepository';
  const origin: Origin =
    name === null
      ? { type: 'unknown' }
      : isHelm
        ? { type: 'flux_source', kind, name, namespace }
        : { type: kind === 'GitRepository' ? 'local' : 'unsupported' };
  const place = locateNode(document, treeAt(spec, 'version') ?? treeAt(spec, 'chart'), names, field);
  const read = readChart(chart, null, version);
  return {
    extractor: 'flux',
    place,
    ...read,
    origin: name !== null && isTemplated(name) ? { type: 'unknown' } : origin,
    ...factDefaults,
  };
}

/**
 * Reads a JSON patch operation that sets the version of a HelmRelease's chart, or the tag of an image in its
 * values.
 */
export function readHelmReleasePatch(
  document: ReadDocument,
  node: DocumentTree,
  names: Pick<ManifestNames, 'kind' | 'namespace' | 'name'>,
  { path, value }: { path: string; value: string },
): Fact | null {
  const { namespace, name } = names;
  if (name === null) return null;
  const keys = path.slice(1).split('/');
  if (path === '/spec/chart/spec/version')
    return {
      extractor: 'flux',
      place: locateNode(document, node, names, 'spec.chart.spec'),
      artifact: { kind: 'chart', name },
      origin: { type: 'flux_release', name, namespace },
      ...readVersion(value, 'chart'),
      ...factDefaults,
    };
  if (!/^\/spec\/values\/.*image\/tag$/i.test(path)) return null;
  const field = keys.slice(0, -1).join('.');
  return {
    extractor: 'flux',
    place: locateNode(document, node, names, field),
    ...readImage({ name: field.slice(0, 200), tag: value, digest: null }),
    origin: { type: 'overlay' },
    note: null,
  };
}
