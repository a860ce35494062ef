import { describe, expect, test } from 'vitest';
import { readChartLabel } from './cluster-facts.ts';
import type { ClusterResourceName } from './cluster-resources.ts';
import { listedKinds, unreadKinds } from './cluster-resources.ts';
import {
  compareReported,
  readKubernetesVersion,
  readRuntimeVersion,
  readSystemVersion,
} from './deployed-version.ts';
import { type ClusterScan, discoverCluster } from './discover-cluster.ts';
import { mergePods, reduceHelmRelease, reduceObject } from './reduce-object.ts';
import type { ReducedObject } from './reduced-objects.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

function read(
  lists: Partial<Record<ClusterResourceName, readonly unknown[]>>,
  options: Partial<ClusterScan> & { releases?: readonly unknown[] } = {},
) {
  const { releases = [], ...scan } = options;
  const reduced: ReducedObject[] = Object.entries(lists).flatMap(([name, objects]) =>
    objects.flatMap((object) =>
      reduceObject(name as ClusterResourceName, JSON.parse(JSON.stringify(object))),
    ),
  );
  const objects = mergePods([...reduced, ...releases.flatMap(reduceHelmRelease)]);
  return discoverCluster({
    clusterName: 'eu',
    version: null,
    objects,
    include: [],
    exclude: [],
    extractors: [],
    labelRules: [],
    ...scan,
  }).items;
}

const short = (items: ReturnType<typeof read>) =>
  items.map(({ key, version, version_state, note }) => [key, version, version_state, note]);

interface WorkloadSeed {
  name?: string;
  namespace?: string;
  containers?: object[];
  metadata?: object;
  spec?: object;
  status?: object;
}

const deployment = ({
  name = 'web',
  namespace = 'shop',
  containers = [{ name: 'web', image: 'ghcr.io/acme/web:1.9.0' }],
  metadata = {},
  spec = {},
  status = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
}: WorkloadSeed = {}) => ({
  metadata: { name, namespace, generation: 2, ...metadata },
  spec: { replicas: 2, template: { spec: { containers } }, ...spec },
  status,
});

const pod = ({
  owner = { kind: 'ReplicaSet', name: 'web-5d4f8c7b9' } as object | null,
  image = 'ghcr.io/acme/web:1.9.0',
  imageID = `ghcr.io/acme/web@${digest('a')}`,
  namespace = 'shop',
  phase = 'Running',
} = {}) => ({
  metadata: {
    name: 'pod',
    namespace,
    labels: { 'pod-template-hash': '5d4f8c7b9' },
    ownerReferences:
      owner === null
        ? []
        : [
            {
              controller: true,
              ...owner,
            },
          ],
  },
  spec: { containers: [{ name: 'web', image, env: [{ name: 'TOKEN', value: 'secret-value' }] }] },
  status: { phase, containerStatuses: [{ name: 'web', imageID }] },
});

describe('a workload', () => {
  test('has one item per container, with the running digest and the same key as in Git', () => {
    const [item, ...others] = read({ deployments: [deployment()], pods: [pod(), pod()] });
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      extractor: 'kubernetes',
      key: 'kubernetes:Deployment:shop:web:containers[web]',
      place: {
        file: 'shop/Deployment/web',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        line: 1,
      },
      artifact: {
        kind: 'image',
        purl: 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb',
      },
      version: '1.9.0',
      version_state: 'exact',
      digest: digest('a'),
      note: null,
      reason: null,
      proposal: {
        source_type: 'oci_registry',
        artifact_name: 'ghcr.io/acme/web',
        confidence: 'certain',
      },
      labels: {
        cluster: 'eu',
        service: 'web',
      },
    });
  });

  test('includes init containers and supports every kind of workload', () => {
    const containers = [{ name: 'db', image: 'postgres:17.2' }];
    const initContainers = [{ name: 'init', image: 'busybox:1.37.0' }];
    const template = { spec: { containers, initContainers } };
    const names = (name: string) => ({ metadata: { name, namespace: 'shop' } });
    expect(
      short(
        read({
          statefulsets: [{ ...names('db'), spec: { template }, status: { updatedReplicas: 1 } }],
          daemonsets: [{ ...names('log'), spec: { template: { spec: { containers } } }, status: {} }],
          cronjobs: [
            { ...names('job'), spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } },
          ],
        }),
      ),
    ).toEqual([
      ['kubernetes:CronJob:shop:job:containers[db]', '17.2', 'exact', null],
      ['kubernetes:DaemonSet:shop:log:containers[db]', '17.2', 'exact', null],
      ['kubernetes:StatefulSet:shop:db:containers[db]', '17.2', 'exact', null],
      ['kubernetes:StatefulSet:shop:db:initContainers[init]', '1.37.0', 'exact', null],
    ]);
  });

  const old = pod({ image: 'ghcr.io/acme/web:1.8.2', imageID: `ghcr.io/acme/web@${digest('b')}` });
  const complete = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
  test.each([
    ['is complete', complete, '1.9.0', null],
    ['still has one old replica', { ...complete, replicas: 3 }, '1.8.2', 'rollout to 1.9.0 in progress'],
    [
      'waits for new replicas',
      { ...complete, availableReplicas: 1 },
      '1.8.2',
      'rollout to 1.9.0 in progress',
    ],
    ["wasn't observed yet", { ...complete, observedGeneration: 1 }, '1.8.2', 'rollout to 1.9.0 in progress'],
  ])('has the old version until its rollout is complete: the rollout %s', (_, status, version, note) => {
    const items = read({ deployments: [deployment({ status })], pods: [old, pod(), pod()] });
    expect(items).toMatchObject([{ version, note, digest: version === '1.9.0' ? digest('a') : digest('b') }]);
  });

  test('has the new version during its first rollout, because no old replicas exist', () => {
    const items = read({ deployments: [deployment({ status: {} })], pods: [pod()] });
    expect(short(items)).toEqual([
      ['kubernetes:Deployment:shop:web:containers[web]', '1.9.0', 'exact', null],
    ]);
  });

  test('has the old version while a StatefulSet or DaemonSet is being rolled out', () => {
    const names = { metadata: { name: 'db', namespace: 'shop', generation: 1 } };
    const spec = {
      replicas: 2,
      template: { spec: { containers: [{ name: 'web', image: 'ghcr.io/acme/web:1.9.0' }] } },
    };
    const owned = (kind: string) => pod({ owner: { kind, name: 'db' }, image: 'ghcr.io/acme/web:1.8.2' });
    const versionOf = (items: ReturnType<typeof read>) => items.map(({ version }) => version);
    const stateful = (status: object) =>
      versionOf(read({ statefulsets: [{ ...names, spec, status }], pods: [owned('StatefulSet')] }));
    expect(stateful({ currentRevision: 'a', updateRevision: 'b', updatedReplicas: 1 })).toEqual(['1.8.2']);
    expect(stateful({ currentRevision: 'b', updateRevision: 'b' })).toEqual(['1.9.0']);
    const daemon = (updatedNumberScheduled: number) =>
      versionOf(
        read({
          daemonsets: [{ ...names, spec, status: { updatedNumberScheduled, desiredNumberScheduled: 2 } }],
          pods: [owned('DaemonSet')],
        }),
      );
    expect(daemon(1)).toEqual(['1.8.2']);
    expect(daemon(2)).toEqual(['1.9.0']);
  });
});

describe('pods', () => {
  test('are excluded if they have finished or belong to no owner, a job, or a node', () => {
    const owners = [null, { kind: 'Job', name: 'migrate' }, { kind: 'Node', name: 'node-1' }];
    const pods = [
      ...owners.map((owner) => pod({ owner })),
      pod({ owner: { kind: 'Job', name: 'cleanup-29012345' } }),
      pod({ phase: 'Succeeded' }),
      pod({ phase: 'Failed' }),
    ];
    expect(read({ pods })).toEqual([]);
  });

  test('provide the digest of the cron job that created them', () => {
    const containers = [{ name: 'web', image: 'ghcr.io/acme/web:1.9.0' }];
    const cronjob = {
      metadata: { name: 'cleanup', namespace: 'shop' },
      spec: { jobTemplate: { spec: { template: { spec: { containers } } } } },
    };
    const items = read({
      cronjobs: [cronjob],
      pods: [pod({ owner: { kind: 'Job', name: 'cleanup-29012345' } })],
    });
    expect(items).toMatchObject([{ place: { kind: 'CronJob' }, digest: digest('a') }]);
  });

  test('are grouped by their custom owner or by a ReplicaSet without a Deployment', () => {
    const pods = [
      pod({ owner: { kind: 'Cluster', name: 'pg' }, image: 'ghcr.io/acme/web:17.2' }),
      pod({ owner: { kind: 'Cluster', name: 'pg' }, image: 'ghcr.io/acme/web:17.2' }),
      pod({ owner: { kind: 'Cluster', name: 'pg' }, image: 'ghcr.io/acme/web:17.1' }),
      pod({ owner: { kind: 'ReplicaSet', name: 'canary-5d4f8c7b9' } }),
    ];
    expect(short(read({ pods }))).toEqual([
      ['kubernetes:Cluster:shop:pg:containers[web]', '17.2', 'exact', 'some pods run another image'],
      ['kubernetes:ReplicaSet:shop:canary:containers[web]', '1.9.0', 'exact', null],
    ]);
  });

  test('have a digest only if a registry assigned it', () => {
    const items = read({
      deployments: [deployment()],
      pods: [pod({ imageID: digest('c') })],
    });
    expect(items[0]!.digest).toBeNull();
  });
});

test('a node pool has the lowest version of its nodes', () => {
  const node = (name: string, kubeletVersion: string, labels: object) => ({
    metadata: { name, labels },
    status: {
      nodeInfo: {
        kubeletVersion,
        containerRuntimeVersion: 'containerd://1.7.24',
        osImage: 'Ubuntu 24.04.1 LTS',
      },
    },
  });
  const pool = { 'eks.amazonaws.com/nodegroup': 'general' };
  const items = read(
    {
      nodes: [
        node('a', 'v1.31.10-eks-1', pool),
        node('b', 'v1.31.9-eks-1', pool),
        node('c', 'v1.32.0', { 'node-role.kubernetes.io/control-plane': '' }),
      ],
    },
    { version: 'v1.32.1-eks-7f9249a' },
  );
  expect(short(items).filter(([, , , note]) => !note?.includes('Ubuntu'))).toEqual([
    ['kubernetes:Cluster:::version', 'v1.32.1', 'exact', 'reported as v1.32.1-eks-7f9249a'],
    ['kubernetes:Node::control-plane:status.nodeInfo.containerRuntimeVersion', '1.7.24', 'exact', null],
    ['kubernetes:Node::control-plane:status.nodeInfo.kubeletVersion', 'v1.32.0', 'exact', null],
    ['kubernetes:Node::general:status.nodeInfo.containerRuntimeVersion', '1.7.24', 'exact', null],
    [
      'kubernetes:Node::general:status.nodeInfo.kubeletVersion',
      'v1.31.9',
      'exact',
      'reported as v1.31.9-eks-1; lowest of the pool; the highest is v1.31.10',
    ],
  ]);
  expect(items[0]).toMatchObject({
    proposal: { artifact_name: 'github.com/kubernetes/kubernetes' },
    labels: { service: 'kubernetes' },
  });
  expect(items.find(({ place }) => place.field.endsWith('osImage'))).toMatchObject({
    artifact: { name: 'ubuntu' },
    version: '24.04.1',
  });
});

test.each([
  ['v1.31.4', 'kubernetes', 'v1.31.4'],
  ['v1.31.4-eks-7f9249a', 'kubernetes', 'v1.31.4'],
  ['v1.31.4-gke.1183000', 'kubernetes', 'v1.31.4'],
  ['v1.31.4+rke2r1', 'kubernetes', 'v1.31.4'],
  ['v1.32.0-rc.1', 'kubernetes', 'v1.32.0-rc.1'],
  ['v1.31.4+k3s1', 'k3s', 'v1.31.4+k3s1'],
  ['unknown', 'kubernetes', 'unknown'],
])('the Kubernetes version %s is read as %s %s', (text, tool, version) => {
  expect(readKubernetesVersion(text)).toMatchObject({ tool, version });
});

test.each([
  ['containerd://1.7.24', 'containerd', '1.7.24'],
  ['containerd://2.0.2-k3s2', 'containerd', '2.0.2'],
  ['cri-o://1.31.3', 'cri-o', '1.31.3'],
  ['docker://27.4.1', 'docker-engine', '27.4.1'],
])('the container runtime %s is read as %s %s', (text, tool, version) => {
  expect(readRuntimeVersion(text)).toMatchObject({ tool, version });
});

test.each([
  ['Ubuntu 24.04.1 LTS', 'ubuntu', '24.04.1'],
  ['Talos (v1.9.1)', 'talos', '1.9.1'],
  ['Flatcar Container Linux by Kinvolk 4081.2.1 (Oklo)', 'flatcar-container-linux-by-kinvolk', '4081.2.1'],
  ['Bottlerocket OS 1.29.0 (aws-k8s-1.31)', 'bottlerocket-os', '1.29.0'],
  ['Debian GNU/Linux 12 (bookworm)', 'debian-gnu/linux', '12'],
])('the operating system %s is read as %s %s', (text, tool, version) => {
  expect(readSystemVersion(text)).toMatchObject({ tool, version });
});

test('operating systems and runtimes without a version are skipped', () => {
  expect(readSystemVersion('Container-Optimized OS from Google')).toBeNull();
  expect(readRuntimeVersion('unknown')).toBeNull();
});

test('reported versions are compared numerically', () => {
  const sorted = ['v1.31.10', 'v1.31.9', 'v1.32.0', 'v1.32.0-rc.1'].toSorted(compareReported);
  expect(sorted).toEqual(['v1.31.9', 'v1.31.10', 'v1.32.0-rc.1', 'v1.32.0']);
});

describe('a Helm release', () => {
  const installed = (chart: string, { release = 'cm', name = 'cm', labels = {} as object } = {}) =>
    deployment({
      name,
      metadata: {
        generation: 2,
        annotations: {
          'meta.helm.sh/release-name': release,
          'meta.helm.sh/release-namespace': 'certs',
          note: 'secret-value',
        },
        labels: { 'app.kubernetes.io/managed-by': 'Helm', 'helm.sh/chart': chart, ...labels },
      },
    });
  const charts = (items: ReturnType<typeof read>) =>
    short(items.filter(({ extractor }) => extractor === 'helm_release'));

  test('is found by the labels and annotations of its workloads', () => {
    const items = read({
      deployments: [installed('cert-manager-v1.16.2'), installed('cert-manager-v1.16.2', { name: 'b' })],
    });
    expect(charts(items)).toEqual([
      ['helm_release:Release:certs:cm:chart[cert-manager]', 'v1.16.2', 'exact', null],
    ]);
    expect(items.find(({ extractor }) => extractor === 'helm_release')).toMatchObject({
      reason: 'no_source',
      proposal: null,
      artifact: {
        kind: 'chart',
        name: 'cert-manager',
      },
      place: { file: 'certs/Release/cm' },
      labels: {
        cluster: 'eu',
        service: 'cm',
      },
    });
  });

  test('is not found if Helm did not install the chart', () => {
    const rendered = installed('cert-manager-v1.16.2');
    Object.assign(rendered.metadata, { annotations: {} });
    expect(charts(read({ deployments: [rendered] }))).toEqual([]);
    expect(
      charts(
        read({
          deployments: [installed('a-1.0.0', { labels: { 'app.kubernetes.io/managed-by': 'Tiller' } })],
        }),
      ),
    ).toEqual([]);
  });

  test('yields one item for each chart that the labels name, or only the chart in its secret if the secret can be read', () => {
    const deployments = [installed('stack-66.1.0'), installed('grafana-8.6.0', { name: 'grafana' })];
    expect(charts(read({ deployments })).map(([key]) => key)).toEqual([
      'helm_release:Release:certs:cm:chart[grafana]',
      'helm_release:Release:certs:cm:chart[stack]',
    ]);
    const releases = [
      {
        name: 'cm',
        namespace: 'certs',
        config: { password: 'secret-value' },
        manifest: 'secret-value',
        chart: {
          metadata: {
            name: 'stack',
            version: '66.1.1',
          },
          values: { a: 'secret-value' },
        },
      },
    ];
    expect(charts(read({ deployments }, { releases }))).toEqual([
      ['helm_release:Release:certs:cm:chart[stack]', '66.1.1', 'exact', null],
    ]);
  });

  test('has the newer version during an upgrade', () => {
    const deployments = [installed('a-1.10.0'), installed('a-1.9.0', { name: 'old' })];
    expect(charts(read({ deployments }))).toEqual([
      ['helm_release:Release:certs:cm:chart[a]', '1.10.0', 'exact', null],
    ]);
  });

  test.each([
    ['cert-manager-v1.16.2', 'cert-manager', 'v1.16.2'],
    ['ingress-nginx-4.12.0-beta.0', 'ingress-nginx', '4.12.0-beta.0'],
    ['a-1.2.3_build.4', 'a', '1.2.3+build.4'],
    ['k8s-2-monitor-0.3.1', 'k8s-2-monitor', '0.3.1'],
    ['nameonly', 'nameonly', null],
    [`${'a'.repeat(56)}-1.2.3`, 'a'.repeat(56), null],
  ])('has, for the label %s, the chart %s and the version %s', (label, chart, version) => {
    expect(readChartLabel(label)).toEqual({ chart, version });
  });

  test('is reported only as a Flux item if Flux installed it', () => {
    const items = read({
      deployments: [installed('cert-manager-v1.16.2')],
      helmreleases: [
        {
          metadata: { name: 'cert-manager', namespace: 'flux-system' },
          spec: {
            targetNamespace: 'certs',
            values: { password: 'secret-value' },
            chart: {
              spec: {
                chart: 'cert-manager',
                version: '1.x',
                sourceRef: {
                  kind: 'HelmRepository',
                  name: 'jetstack',
                },
              },
            },
          },
          status: {
            history: [
              {
                name: 'cm',
                namespace: 'certs',
                chartName: 'cert-manager',
                chartVersion: 'v1.17.0',
                status: 'failed',
              },
              {
                name: 'cm',
                namespace: 'certs',
                chartName: 'cert-manager',
                chartVersion: 'v1.16.2',
                status: 'deployed',
              },
            ],
          },
        },
      ],
      helmrepositories: [
        {
          metadata: { name: 'jetstack', namespace: 'flux-system' },
          spec: { url: 'https://charts.jetstack.io' },
        },
      ],
    });
    expect(charts(items)).toEqual([]);
    expect(items.find(({ extractor }) => extractor === 'flux')).toMatchObject({
      key: 'flux:HelmRelease:flux-system:cert-manager:spec.chart.spec',
      version: 'v1.16.2',
      proposal: {
        artifact_name: 'charts.jetstack.io/cert-manager',
        confidence: 'certain',
      },
    });
  });
});

test('a Flux release of a chart in a registry has the deployed version without the digest that Flux appends', () => {
  const items = read({
    helmreleases: [
      {
        metadata: { name: 'podinfo', namespace: 'apps' },
        spec: { chartRef: { kind: 'OCIRepository', name: 'podinfo' } },
        status: {
          history: [{ chartName: 'podinfo', chartVersion: '6.7.1+a1b2c3d4e5f6', status: 'deployed' }],
        },
      },
      { metadata: { name: 'first', namespace: 'apps' }, spec: { chartRef: { name: 'gone' } } },
    ],
    ocirepositories: [
      {
        metadata: { name: 'podinfo', namespace: 'apps' },
        spec: { url: 'oci://user:secret-value@ghcr.io/stefanprodan/charts/podinfo' },
      },
    ],
  });
  expect(items).toMatchObject([
    { place: { name: 'first' }, version: null, version_state: 'floating' },
    {
      key: 'flux:HelmRelease:apps:podinfo:spec.chartRef',
      version: '6.7.1',
      artifact: { name: 'podinfo' },
      proposal: { artifact_name: 'ghcr.io/stefanprodan/charts/podinfo' },
    },
  ]);
  expect(JSON.stringify(items)).not.toContain('secret-value');
});

test('an Argo CD application has the last synchronized version', () => {
  const application = (name: string, spec: object, status: object) => ({
    metadata: { name, namespace: 'argocd' },
    spec,
    status,
  });
  const chart = { repoURL: 'https://charts.jetstack.io', chart: 'cert-manager', targetRevision: '1.*' };
  const items = read({
    applications: [
      application('a', { source: chart }, { sync: { status: 'Synced', revision: '1.16.2' } }),
      application(
        'b',
        { source: chart },
        {
          sync: { status: 'OutOfSync', revision: '1.17.0' },
          history: [{ revision: '1.15.0' }, { revision: '1.16.0' }],
        },
      ),
      application(
        'c',
        {
          sources: [
            { ...chart, targetRevision: '1.16.1' },
            { repoURL: 'https://git.example.org/acme/values', targetRevision: 'main', ref: 'values' },
          ],
        },
        { sync: { status: 'Synced', revisions: ['1.16.1', 'b'.repeat(40)] } },
      ),
      application(
        'd',
        { source: { repoURL: 'https://github.com/acme/deploy', path: 'apps', targetRevision: 'v2.3.1' } },
        {},
      ),
    ],
  });
  expect(short(items)).toEqual([
    ['argocd:Application:argocd:a:spec.source', '1.16.2', 'exact', null],
    ['argocd:Application:argocd:b:spec.source', '1.16.0', 'exact', null],
    ['argocd:Application:argocd:c:spec.sources[cert-manager]', '1.16.1', 'exact', null],
    ['argocd:Application:argocd:c:spec.sources[values]', 'b'.repeat(40), 'commit', null],
    ['argocd:Application:argocd:d:spec.source', 'v2.3.1', 'exact', null],
  ]);
});

test('items have the environment of their namespace or, if it has none, of their cluster, and labels from rules', () => {
  const deployments = [
    deployment({ namespace: 'shop-staging', name: 'test' }),
    deployment({ namespace: 'shop', name: 'live' }),
  ];
  const labelRules = [{ pattern: '^(?P<team>[a-z]+)', labels: { tier: 'web' } }];
  const labels = read({ deployments }, { clusterName: 'prod-eu', labelRules }).map((item) => item.labels);
  expect(labels).toEqual([
    { cluster: 'prod-eu', environment: 'staging', service: 'test', team: 'shop', tier: 'web' },
    { cluster: 'prod-eu', environment: 'prod', service: 'live', team: 'shop', tier: 'web' },
  ]);
});

test('a scan limited to namespaces or extractors still resolves chart repositories outside the limits', () => {
  const lists = {
    deployments: [deployment(), deployment({ namespace: 'kube-system', name: 'dns' })],
    helmreleases: [
      {
        metadata: { name: 'a', namespace: 'apps' },
        spec: {
          chart: {
            spec: { chart: 'a', version: '1.0.0', sourceRef: { name: 'r', namespace: 'flux-system' } },
          },
        },
      },
    ],
    helmrepositories: [
      { metadata: { name: 'r', namespace: 'flux-system' }, spec: { url: 'https://charts.example.org' } },
    ],
  };
  const files = (options: Partial<ClusterScan>) => read(lists, options).map(({ place }) => place.file);
  expect(files({ exclude: ['kube-system/', 'flux-system/'] })).toEqual([
    'apps/HelmRelease/a',
    'shop/Deployment/web',
  ]);
  expect(files({ include: ['kube-system/'] })).toEqual(['kube-system/Deployment/dns']);
  expect(files({ extractors: ['flux'] })).toEqual(['apps/HelmRelease/a']);
  expect(read(lists, { extractors: ['flux'] })[0]!.proposal).toMatchObject({ confidence: 'certain' });
});

test('the order of the lists does not affect the items', () => {
  const deployments = ['b', 'c', 'a'].map((name) => deployment({ name }));
  const pods = [pod(), pod({ imageID: `x@${digest('b')}` })];
  const one = read({ deployments: [...deployments, deployment()], pods });
  const other = read({ pods: pods.toReversed(), deployments: [deployment(), ...deployments.toReversed()] });
  expect(other).toEqual(one);
});

test('reduced objects contain no values, variables, or annotations', () => {
  const annotated = deployment({
    metadata: { annotations: { 'meta.helm.sh/release-name': 'a', password: 'secret-value' } },
    containers: [
      {
        name: 'web',
        image: 'acme/web:1.0.0',
        args: ['secret-value'],
        env: [
          {
            name: 'TOKEN',
            value: 'secret-value',
          },
        ],
      },
    ],
  });
  const reduced = [
    ...reduceObject('deployments', annotated),
    ...reduceObject('pods', pod()),
    ...reduceObject('nodes', { metadata: { annotations: { a: 'secret-value' } } }),
  ];
  expect(reduced).toHaveLength(3);
  expect(JSON.stringify(reduced)).not.toContain('secret-value');
});

test.each([null, 1, 'x', [], {}, { metadata: null }, { metadata: { name: 1, namespace: {} } }, { spec: [] }])(
  'an object that is %j is skipped or has no versions',
  (object) => {
    const names: ClusterResourceName[] = ['deployments', 'pods', 'helmreleases', 'applications', 'secrets'];
    for (const name of names) expect(reduceObject(name, object)).toEqual([]);
    expect(reduceObject('nodes', object)).toMatchObject([{ pool: 'default', kubelet: null }]);
    expect(reduceHelmRelease(object)).toEqual([]);
  },
);

test('the kinds of items that a scan could not read follow from the resources that it could not list', () => {
  expect(unreadKinds([])).toEqual([]);
  expect(unreadKinds(['deployments', 'nodes'])).toEqual(['Deployment', 'Node', 'Release']);
  expect(unreadKinds(['pods'])).toEqual(['*', 'ReplicaSet']);
  expect(unreadKinds(['helmrepositories'])).toEqual([]);
  expect(listedKinds).toContain('Release');
  expect(listedKinds).not.toContain('*');
});
