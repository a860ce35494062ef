import { projectOfChart } from '../../identity/chart-project.ts';
import type { ClusterResourceName } from './cluster-resources.ts';
import { fieldAt, listField, numberField, textField } from './object-fields.ts';
import type {
  ContainerImage,
  ReducedApplication,
  ReducedFluxRelease,
  ReducedFluxSource,
  ReducedHelmRelease,
  ReducedNode,
  ReducedObject,
  ReducedPods,
  ReducedWorkload,
} from './reduced-objects.ts';

/** Reduces a listed object. Returns an empty list if nothing in the object is used. */
export function reduceObject(resource: ClusterResourceName, object: unknown): ReducedObject[] {
  switch (resource) {
    case 'nodes':
      return [reduceNode(object)];
    case 'deployments':
      return workload('Deployment', object, ['spec', 'template', 'spec'], isDeploymentComplete(object));
    case 'statefulsets':
      return workload('StatefulSet', object, ['spec', 'template', 'spec'], isStatefulSetComplete(object));
    case 'daemonsets':
      return workload('DaemonSet', object, ['spec', 'template', 'spec'], isDaemonSetComplete(object));
    case 'cronjobs':
      return workload('CronJob', object, ['spec', 'jobTemplate', 'spec', 'template', 'spec'], true);
    case 'pods':
      return reducePod(object);
    case 'helmreleases':
      return reduceFluxRelease(object);
    case 'helmrepositories':
      return reduceFluxSource('HelmRepository', object);
    case 'ocirepositories':
      return reduceFluxSource('OCIRepository', object);
    case 'applications':
      return reduceApplication(object);
    case 'secrets':
      // Secrets contain compressed data. `reduceHelmRelease` reduces it after decompression.
      return [];
  }
}

function namesIn(object: unknown): { namespace: string; name: string } | null {
  const name = textField(object, 'metadata', 'name');
  const namespace = textField(object, 'metadata', 'namespace');
  return name === null || namespace === null ? null : { namespace, name };
}

function workload(kind: string, object: unknown, podPath: string[], isRolledOut: boolean): ReducedWorkload[] {
  const names = namesIn(object);
  if (names === null) return [];
  return [
    {
      type: 'workload',
      kind,
      ...names,
      isRolledOut,
      containers: containersIn(fieldAt(object, ...podPath)),
      release: helmReleaseOf(object),
    },
  ];
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

function containersIn(pod: unknown): ContainerImage[] {
  return containerLists.flatMap((list) =>
    listField(pod, list).flatMap((container) => {
      const name = textField(container, 'name');
      const image = textField(container, 'image');
      return name === null || image === null ? [] : [{ field: `${list}[${name.slice(0, 200)}]`, image }];
    }),
  );
}

/**
 * Returns the Helm release of an object. Requires Helm's annotations, because only `helm install` and `helm
 * upgrade` set them. If another tool rendered the chart, the objects have only the labels.
 */
function helmReleaseOf(object: unknown): ReducedWorkload['release'] {
  const name = textField(object, 'metadata', 'annotations', 'meta.helm.sh/release-name');
  const namespace = textField(object, 'metadata', 'annotations', 'meta.helm.sh/release-namespace');
  const isHelm = textField(object, 'metadata', 'labels', 'app.kubernetes.io/managed-by') === 'Helm';
  const chart =
    textField(object, 'metadata', 'labels', 'helm.sh/chart') ??
    textField(object, 'metadata', 'labels', 'chart');
  return isHelm && name !== null && namespace !== null && chart !== null ? { name, namespace, chart } : null;
}

/** True if the controller has observed the latest spec. */
function isObserved(object: unknown): boolean {
  const generation = numberField(object, 'metadata', 'generation') ?? 0;
  return (numberField(object, 'status', 'observedGeneration') ?? generation) >= generation;
}

function statusCount(object: unknown, name: string): number {
  return numberField(object, 'status', name) ?? 0;
}

/** True under the same conditions as in `kubectl rollout status`. */
function isDeploymentComplete(object: unknown): boolean {
  const wanted = numberField(object, 'spec', 'replicas') ?? 1;
  const updated = statusCount(object, 'updatedReplicas');
  return (
    isObserved(object) &&
    updated >= wanted &&
    statusCount(object, 'replicas') <= updated &&
    statusCount(object, 'availableReplicas') >= updated
  );
}

function isStatefulSetComplete(object: unknown): boolean {
  const wanted = numberField(object, 'spec', 'replicas') ?? 1;
  const [current, update] = [
    textField(object, 'status', 'currentRevision'),
    textField(object, 'status', 'updateRevision'),
  ];
  return isObserved(object) && (current === update || statusCount(object, 'updatedReplicas') >= wanted);
}

function isDaemonSetComplete(object: unknown): boolean {
  return (
    isObserved(object) &&
    statusCount(object, 'updatedNumberScheduled') >= statusCount(object, 'desiredNumberScheduled')
  );
}

function reducePod(pod: unknown): ReducedPods[] {
  const names = namesIn(pod);
  const owner = names && ownerOf(pod);
  if (
    names === null ||
    owner === null ||
    /^(?:Succeeded|Failed)$/.test(textField(pod, 'status', 'phase') ?? '')
  )
    return [];
  const digests = new Map<string, string>();
  for (const list of ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'])
    for (const status of listField(pod, 'status', list)) {
      const name = textField(status, 'name');
      const digest = /@(sha256:[0-9a-f]{64})$/.exec(textField(status, 'imageID') ?? '')?.[1];
      if (name !== null && digest !== undefined) digests.set(name, digest);
    }
  return containersIn(fieldAt(pod, 'spec')).map(({ field, image }) => ({
    type: 'pods',
    namespace: names.namespace,
    ...owner,
    field,
    image,
    count: 1,
    digest: digests.get(field.slice(field.indexOf('[') + 1, -1)) ?? null,
  }));
}

/**
 * Returns the owner of a pod, or `null` if the pod isn't part of an item. Pods without a controller and
 * static pods, such as those of the control plane, have no item.
 */
function ownerOf(pod: unknown): { kind: string; name: string } | null {
  const controller = listField(pod, 'metadata', 'ownerReferences').find(
    (reference) => fieldAt(reference, 'controller') === true,
  );
  const kind = textField(controller, 'kind');
  const name = textField(controller, 'name');
  if (kind === null || name === null || kind === 'Node') return null;
  if (kind === 'ReplicaSet') {
    const hash =
      textField(pod, 'metadata', 'labels', 'pod-template-hash') ??
      textField(pod, 'metadata', 'labels', 'rollouts-pod-template-hash');
    return {
      kind,
      name: hash !== null && name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name,
    };
  }
  // Remove the scheduled time, which a cron job appends to the names of its jobs. A job without it is a
  // standalone job.
  if (kind === 'Job') return /-\d+$/.test(name) ? { kind, name: name.replace(/-\d+$/, '') } : null;
  return { kind, name };
}

/** Labels that contain the name of the node pool, from managed clusters and from tools that create nodes. */
const poolLabels = [
  'eks.amazonaws.com/nodegroup',
  'cloud.google.com/gke-nodepool',
  'kubernetes.azure.com/agentpool',
  'agentpool',
  'karpenter.sh/nodepool',
  'kops.k8s.io/instancegroup',
  'doks.digitalocean.com/node-pool',
  'k8s.scaleway.com/pool-name',
  'node.kubernetes.io/pool',
];
const roleLabel = 'node-role.kubernetes.io/';

function reduceNode(node: unknown): ReducedNode {
  const labels = fieldAt(node, 'metadata', 'labels');
  const pool = poolLabels.map((label) => textField(labels, label)).find((name) => name !== null);
  const role = Object.keys(typeof labels === 'object' && labels !== null ? labels : {})
    .filter((label) => label.startsWith(roleLabel) && label.length < 100)
    .map((label) => label.slice(roleLabel.length))
    .toSorted()[0];
  return {
    type: 'node',
    pool: pool ?? role ?? 'default',
    kubelet: textField(node, 'status', 'nodeInfo', 'kubeletVersion'),
    runtime: textField(node, 'status', 'nodeInfo', 'containerRuntimeVersion'),
    osImage: textField(node, 'status', 'nodeInfo', 'osImage'),
  };
}

function reduceFluxRelease(object: unknown): ReducedFluxRelease[] {
  const names = namesIn(object);
  if (names === null) return [];
  const spec = fieldAt(object, 'spec');
  const chart = fieldAt(spec, 'chart', 'spec');
  const target = textField(spec, 'targetNamespace');
  // The history is sorted from newest to oldest.
  const history = listField(object, 'status', 'history');
  const newest = history.find((entry) => textField(entry, 'status') === 'deployed') ?? history[0];
  const version =
    textField(newest, 'chartVersion') ??
    // Versions of the API before v2 have only this field.
    textField(object, 'status', 'lastAppliedRevision');
  return [
    {
      type: 'flux_release',
      ...names,
      chart: textField(chart, 'chart'),
      version: textField(chart, 'version'),
      source: referenceAt(chart, 'sourceRef', 'HelmRepository', names.namespace),
      chartReference: referenceAt(spec, 'chartRef', 'OCIRepository', names.namespace),
      // For a chart from a registry, Flux appends the digest to the version as build metadata, so it is
      // removed.
      deployed:
        version === null
          ? null
          : {
              chart: textField(newest, 'chartName'),
              version: version.replace(/\+[0-9a-f]{12}$/, ''),
            },
      release: {
        name:
          textField(newest, 'name') ??
          textField(spec, 'releaseName') ??
          (target === null ? names.name : `${target}-${names.name}`),
        namespace: textField(newest, 'namespace') ?? target ?? names.namespace,
      },
    },
  ];
}

function referenceAt(
  value: unknown,
  field: string,
  defaultKind: string,
  defaultNamespace: string,
): ReducedFluxRelease['source'] {
  const name = textField(value, field, 'name');
  if (name === null) return null;
  const kind = textField(value, field, 'kind') ?? defaultKind;
  return { kind, name, namespace: textField(value, field, 'namespace') ?? defaultNamespace };
}

function reduceFluxSource(kind: string, object: unknown): ReducedFluxSource[] {
  const names = namesIn(object);
  const url = textField(object, 'spec', 'url');
  if (names === null || url === null) return [];
  const isOci = textField(object, 'spec', 'type') === 'oci' || /^oci:/i.test(url);
  return [{ type: 'flux_source', kind, ...names, url: withoutUser(url), isOci }];
}

function reduceApplication(object: unknown): ReducedApplication[] {
  const names = namesIn(object);
  if (names === null) return [];
  const single = fieldAt(object, 'spec', 'source');
  const several = listField(object, 'spec', 'sources');
  const sync = fieldAt(object, 'status', 'sync');
  // If the application isn't synced, `sync` contains the desired revision, so use the history.
  const history = listField(object, 'status', 'history').at(-1);
  const last = textField(sync, 'status') === 'Synced' ? sync : (history ?? sync);
  const read = (source: unknown, field: string, revision: unknown) => {
    const url = textField(source, 'repoURL');
    return {
      field,
      url: url === null ? null : withoutUser(url),
      chart: textField(source, 'chart'),
      version: textField(source, 'targetRevision'),
      revision: typeof revision === 'string' && revision !== '' && revision.length <= 256 ? revision : null,
    };
  };
  const sources =
    several.length > 0
      ? several.map((source, at) => {
          const name =
            textField(source, 'chart') ?? textField(source, 'ref') ?? textField(source, 'path') ?? 'source';
          return read(source, `spec.sources[${name}]`, listField(last, 'revisions')[at]);
        })
      : single === undefined
        ? []
        : [read(single, 'spec.source', fieldAt(last, 'revision'))];
  return [{ type: 'application', ...names, sources }];
}

/** Removes the user name and password from a URL. */
function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}

/** Maximum number of a chart's links that are checked. Charts have only a few. */
const maxLinks = 20;

/**
 * Reduces a Helm release. Returns an empty list if a required field is missing.
 *
 * @param release Decompressed content of a Helm release secret.
 */
export function reduceHelmRelease(release: unknown): ReducedHelmRelease[] {
  const name = textField(release, 'name');
  const namespace = textField(release, 'namespace');
  const metadata = fieldAt(release, 'chart', 'metadata');
  const chart = textField(metadata, 'name');
  const version = textField(metadata, 'version');
  if (name === null || namespace === null || chart === null || version === null) return [];
  const links = [...listField(metadata, 'sources').slice(0, maxLinks), fieldAt(metadata, 'home')];
  const projectUrl = projectOfChart(
    chart,
    links.filter((link) => typeof link === 'string'),
  );
  return [{ type: 'helm_release', name, namespace, chart, version, projectUrl }];
}

/** Merges pods of the same owner that run the same image. */
export function mergePods(objects: readonly ReducedObject[]): ReducedObject[] {
  const merged = new Map<string, ReducedPods>();
  const others: ReducedObject[] = [];
  for (const object of objects) {
    if (object.type !== 'pods') {
      others.push(object);
      continue;
    }
    const { kind, namespace, name, field, image, digest, count } = object;
    const key = JSON.stringify([kind, namespace, name, field, image, digest]);
    const same = merged.get(key);
    if (same) same.count += count;
    else merged.set(key, { ...object });
  }
  return [...others, ...merged.values()];
}
