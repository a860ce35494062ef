import { ownValue } from '../../json/own-value.ts';
import type { DocumentTree } from '../../parsers/document-tree.ts';
import { readChart } from '../chart-fact.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { factDefaults, locateNode, type ManifestNames, namesOf } from '../manifest.ts';
import { listAt, textAt, treeAt } from '../read-documents.ts';
import type { YamlExtractor } from './extractor.ts';

interface NamedChart {
  chart: string | null;
  repository: string | null;
  version: DocumentTree | undefined;
  field: string;
}

/** Objects that install a chart, by kind and the group of their API version. */
const kinds: Readonly<Record<string, { group: string; read(object: DocumentTree): NamedChart[] }>> = {
  // k3s and RKE2
  HelmChart: {
    group: 'helm.cattle.io',
    read: (object) => [chartAt(object, ['spec'], { chart: 'chart', repository: 'repo', version: 'version' })],
  },
  // Crossplane
  Release: {
    group: 'helm.crossplane.io',
    read: (object) => [
      chartAt(object, ['spec', 'forProvider', 'chart'], {
        chart: 'name',
        repository: 'repository',
        version: 'version',
      }),
    ],
  },
  // Cluster API
  HelmChartProxy: {
    group: 'addons.cluster.x-k8s.io',
    read: (object) => [
      chartAt(object, ['spec'], { chart: 'chartName', repository: 'repoURL', version: 'version' }),
    ],
  },
  // Sveltos
  ClusterProfile: { group: 'config.projectsveltos.io', read: readSveltos },
  Profile: { group: 'config.projectsveltos.io', read: readSveltos },
  // k0s
  ClusterConfig: { group: 'k0s.k0sproject.io', read: (object) => readK0s(treeAt(object, 'spec')) },
  Cluster: {
    group: 'k0sctl.k0sproject.io',
    read: (object) => readK0s(treeAt(object, 'spec', 'k0s', 'config', 'spec')),
  },
};

/**
 * Charts of objects that install a chart, and of Rancher's `fleet.yaml`. Objects of Argo CD and Flux have
 * separate extractors.
 */
export const chartObjects: YamlExtractor = {
  name: 'kubernetes',
  wants: (text, { base }) =>
    /^fleet\.ya?ml$/.test(base)
      ? text.includes('helm:')
      : /helm\.cattle\.io|helm\.crossplane\.io|addons\.cluster\.x-k8s\.io|projectsveltos\.io|k0sproject\.io/.test(
          text,
        ),
  extract(document, { base }) {
    const { tree } = document;
    const names = namesOf(tree);
    const isFleet = names.kind === null && /^fleet\.ya?ml$/.test(base);
    const fleet: NamedObject = {
      object: tree,
      names: { ...names, kind: 'fleet' },
      prefix: '',
      charts: [chartAt(tree, ['helm'], { chart: 'chart', repository: 'repo', version: 'version' })],
    };
    const objects = isFleet ? [fleet] : [{ object: tree, names, prefix: '' }, ...containedObjects(tree)];
    const facts = objects.flatMap((each) =>
      (each.charts ?? chartsOf(each.object)).flatMap(({ chart, repository, version, field }): Fact[] => {
        if (chart === null || chart === '') return [];
        const text = version?.kind === 'scalar' ? version.text : null;
        const place = locateNode(document, version ?? each.object, each.names, `${each.prefix}${field}`);
        return [{ extractor: 'kubernetes', place, ...readChart(chart, repository, text), ...factDefaults }];
      }),
    );
    return { ...emptyExtraction(), facts };
  },
};

interface NamedObject {
  object: DocumentTree;
  names: ManifestNames;
  /** Path of an object inside another one, with a dot at its end. Empty for the object of the document. */
  prefix: string;
  charts?: NamedChart[];
}

function chartsOf(object: DocumentTree): NamedChart[] {
  const { kind, apiVersion } = namesOf(object);
  const known = ownValue(kinds, kind ?? '') ?? null;
  return known && apiVersion.startsWith(`${known.group}/`) ? known.read(object) : [];
}

/** Yields the objects that a composition of Crossplane or a work of Open Cluster Management creates. */
function* containedObjects(tree: DocumentTree): Generator<NamedObject> {
  const { name } = namesOf(tree);
  const contain = (object: DocumentTree, prefix: string): NamedObject => {
    const names = namesOf(object);
    return { object, names: { ...names, name: names.name ?? name }, prefix };
  };
  const lists = [
    treeAt(tree, 'spec'),
    ...[...listAt(tree, 'spec', 'pipeline')].map((step) => treeAt(step, 'input')),
  ];
  for (const list of lists)
    for (const [at, entry] of [...listAt(list, 'resources')].entries()) {
      const base = treeAt(entry, 'base');
      if (base) yield contain(base, `resources[${textAt(entry, 'name') ?? at}].`);
    }
  for (const [at, manifest] of [...listAt(tree, 'spec', 'workload', 'manifests')].entries())
    yield contain(manifest, `manifests[${namesOf(manifest).name ?? at}].`);
}

function chartAt(
  object: DocumentTree,
  path: string[],
  keys: { chart: string; repository: string; version: string },
): NamedChart {
  const at = treeAt(object, ...path);
  return {
    chart: textAt(at, keys.chart),
    repository: textAt(at, keys.repository),
    version: treeAt(at, keys.version),
    field: [...path, keys.chart].join('.'),
  };
}

/** Reads charts whose name begins with the name of their repository. */
function readSveltos(object: DocumentTree): NamedChart[] {
  return [...listAt(object, 'spec', 'helmCharts')].map((entry) => {
    const name = textAt(entry, 'chartName');
    return {
      chart: name === null ? null : name.slice(name.indexOf('/') + 1),
      repository: textAt(entry, 'repositoryURL'),
      version: treeAt(entry, 'chartVersion'),
      field: `spec.helmCharts[${textAt(entry, 'releaseName') ?? name ?? ''}]`,
    };
  });
}

function readK0s(spec: DocumentTree | undefined): NamedChart[] {
  const repositories = new Map(
    [...listAt(spec, 'extensions', 'helm', 'repositories')].map((entry) => [
      textAt(entry, 'name'),
      textAt(entry, 'url'),
    ]),
  );
  return [...listAt(spec, 'extensions', 'helm', 'charts')].map((entry) => {
    const name = textAt(entry, 'chartname') ?? '';
    const slash = /^(?:oci:|\.|\/)/.test(name) ? -1 : name.indexOf('/');
    return {
      chart: slash < 0 ? name : name.slice(slash + 1),
      repository: slash < 0 ? null : (repositories.get(name.slice(0, slash)) ?? null),
      version: treeAt(entry, 'version'),
      field: `spec.extensions.helm.charts[${textAt(entry, 'name') ?? name}]`,
    };
  });
}
