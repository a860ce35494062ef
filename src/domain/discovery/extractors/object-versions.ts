import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { factDefaults, locateNode, namesOf } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { readSoftware, type VersionedSoftware } from '../versioned-software.ts';
import type { YamlExtractor } from './extractor.ts';

/** An object that states the version of software, which its operator installs. */
interface VersionedKind {
  kind: string;
  /** Group of the API version. */
  group: string;
  /** Path to the version. */
  path: string;
  software: VersionedSoftware;
}

const kubernetes = 'kubernetes/kubernetes';

const kinds: readonly VersionedKind[] = [
  elastic('Elasticsearch', 'elasticsearch', 'elastic/elasticsearch'),
  elastic('Kibana', 'kibana', 'elastic/kibana'),
  elastic('ApmServer', 'apm', 'elastic/apm-server'),
  elastic('Beat', 'beat', 'elastic/beats'),
  elastic('Agent', 'agent', 'elastic/elastic-agent'),
  elastic('Logstash', 'logstash', 'elastic/logstash'),
  {
    kind: 'Kafka',
    group: 'kafka.strimzi.io',
    path: 'spec.kafka.version',
    software: { repository: 'apache/kafka' },
  },
  {
    kind: 'KafkaConnect',
    group: 'kafka.strimzi.io',
    path: 'spec.version',
    software: { repository: 'apache/kafka' },
  },
  {
    kind: 'KafkaMirrorMaker2',
    group: 'kafka.strimzi.io',
    path: 'spec.version',
    software: { repository: 'apache/kafka' },
  },
  {
    kind: 'Prometheus',
    group: 'monitoring.coreos.com',
    path: 'spec.version',
    software: { repository: 'prometheus/prometheus' },
  },
  {
    kind: 'PrometheusAgent',
    group: 'monitoring.coreos.com',
    path: 'spec.version',
    software: { repository: 'prometheus/prometheus' },
  },
  {
    kind: 'Alertmanager',
    group: 'monitoring.coreos.com',
    path: 'spec.version',
    software: { repository: 'prometheus/alertmanager' },
  },
  {
    kind: 'ThanosRuler',
    group: 'monitoring.coreos.com',
    path: 'spec.version',
    software: { repository: 'thanos-io/thanos' },
  },
  {
    kind: 'OpenSearchCluster',
    group: 'opensearch.opster.io',
    path: 'spec.general.version',
    software: { repository: 'opensearch-project/OpenSearch' },
  },
  {
    kind: 'OpenSearchCluster',
    group: 'opensearch.opster.io',
    path: 'spec.dashboards.version',
    software: { repository: 'opensearch-project/OpenSearch-Dashboards' },
  },
  {
    kind: 'CassandraDatacenter',
    group: 'cassandra.datastax.com',
    path: 'spec.serverVersion',
    software: { repository: 'apache/cassandra' },
  },
  {
    kind: 'K8ssandraCluster',
    group: 'k8ssandra.io',
    path: 'spec.cassandra.serverVersion',
    software: { repository: 'apache/cassandra' },
  },
  {
    kind: 'MongoDBCommunity',
    group: 'mongodbcommunity.mongodb.com',
    path: 'spec.version',
    software: { repository: 'mongodb/mongo' },
  },
  {
    kind: 'ArgoCD',
    group: 'argoproj.io',
    path: 'spec.version',
    software: { repository: 'argoproj/argo-cd' },
  },
  {
    kind: 'FluxInstance',
    group: 'fluxcd.controlplane.io',
    path: 'spec.distribution.version',
    software: { repository: 'fluxcd/flux2' },
  },
  {
    kind: 'ClusterVersion',
    group: 'config.openshift.io',
    path: 'spec.desiredUpdate.version',
    software: { product: 'red-hat-openshift' },
  },
  {
    kind: 'KnativeServing',
    group: 'operator.knative.dev',
    path: 'spec.version',
    software: { repository: 'knative/serving' },
  },
  {
    kind: 'KnativeEventing',
    group: 'operator.knative.dev',
    path: 'spec.version',
    software: { repository: 'knative/eventing' },
  },
  { kind: 'Istio', group: 'sailoperator.io', path: 'spec.version', software: { repository: 'istio/istio' } },
  {
    kind: 'IstioOperator',
    group: 'install.istio.io',
    path: 'spec.tag',
    software: { repository: 'istio/istio' },
  },
  {
    kind: 'Cluster',
    group: 'k0sctl.k0sproject.io',
    path: 'spec.k0s.version',
    software: { repository: 'k0sproject/k0s' },
  },
  {
    kind: 'Cluster',
    group: 'cluster.x-k8s.io',
    path: 'spec.topology.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'MachineDeployment',
    group: 'cluster.x-k8s.io',
    path: 'spec.template.spec.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'MachinePool',
    group: 'cluster.x-k8s.io',
    path: 'spec.template.spec.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'KubeadmControlPlane',
    group: 'controlplane.cluster.x-k8s.io',
    path: 'spec.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'RKE2ControlPlane',
    group: 'controlplane.cluster.x-k8s.io',
    path: 'spec.version',
    software: { repository: 'rancher/rke2' },
  },
  {
    kind: 'KThreesControlPlane',
    group: 'controlplane.cluster.x-k8s.io',
    path: 'spec.version',
    software: { repository: 'k3s-io/k3s' },
  },
  {
    kind: 'TalosControlPlane',
    group: 'controlplane.cluster.x-k8s.io',
    path: 'spec.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'TalosControlPlane',
    group: 'controlplane.cluster.x-k8s.io',
    path: 'spec.controlPlaneConfig.controlplane.talosVersion',
    software: { repository: 'siderolabs/talos' },
  },
  {
    kind: 'ClusterConfiguration',
    group: 'kubeadm.k8s.io',
    path: 'kubernetesVersion',
    software: { repository: kubernetes },
  },
  {
    kind: 'ClusterConfig',
    group: 'eksctl.io',
    path: 'metadata.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'Shoot',
    group: 'core.gardener.cloud',
    path: 'spec.kubernetes.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'KubernetesUpgrade',
    group: 'tuppr.home-operations.com',
    path: 'spec.kubernetes.version',
    software: { repository: kubernetes },
  },
  {
    kind: 'TalosUpgrade',
    group: 'tuppr.home-operations.com',
    path: 'spec.talos.version',
    software: { repository: 'siderolabs/talos' },
  },
];

/** Returns the versions that objects of a kind state. */
export function versionedKinds(kind: string, apiVersion: string): readonly VersionedKind[] {
  return (byKind.get(kind) ?? []).filter(({ group }) => apiVersion.startsWith(`${group}/`));
}

function elastic(kind: string, group: string, repository: string): VersionedKind {
  return { kind, group: `${group}.k8s.elastic.co`, path: 'spec.version', software: { repository } };
}

const byKind = Map.groupBy(kinds, ({ kind }) => kind);

/** Versions in the configuration of talhelper, which isn't a Kubernetes object. */
const talhelper: readonly Omit<VersionedKind, 'kind' | 'group'>[] = [
  { path: 'talosVersion', software: { repository: 'siderolabs/talos' } },
  { path: 'kubernetesVersion', software: { repository: kubernetes } },
];

/** Versions that objects state for the software that their operator installs. */
export const objectVersions: YamlExtractor = {
  name: 'kubernetes',
  wants: (text, { base }) =>
    /[vV]ersion:|\btag:/.test(text) && (text.includes('apiVersion') || isTalhelper(base)),
  extract(document, { base }) {
    const { tree } = document;
    const result = emptyExtraction();
    if (isTalhelper(base)) {
      for (const kind of talhelper)
        add(
          document,
          tree,
          { kind: 'talconfig', namespace: null, name: textAt(tree, 'clusterName') },
          kind,
          result.facts,
        );
      return result;
    }
    const read = (object: DocumentTree) => {
      const names = namesOf(object);
      for (const kind of names.kind === null ? [] : versionedKinds(names.kind, names.apiVersion))
        add(document, object, names, kind, result.facts);
    };
    if (textAt(tree, 'kind')?.endsWith('List')) for (const item of listAt(tree, 'items')) read(item);
    else read(tree);
    return result;
  },
};

function isTalhelper(base: string): boolean {
  return /^talconfig\.ya?ml$/.test(base);
}

function add(
  document: ReadDocument,
  object: DocumentTree,
  names: Pick<Fact['place'], 'kind' | 'namespace' | 'name'>,
  { path, software }: Pick<VersionedKind, 'path' | 'software'>,
  facts: Fact[],
): void {
  const version = treeAt(object, ...path.split('.'));
  if (version?.kind !== 'scalar') return;
  facts.push({
    extractor: 'kubernetes',
    place: locateNode(document, version, names, path),
    ...readSoftware(software, version.text),
    ...factDefaults,
  });
}
