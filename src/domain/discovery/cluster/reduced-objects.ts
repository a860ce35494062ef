/**
 * Kubernetes objects, reduced to the fields that items require. All other fields, such as environment
 * variables, annotations, and values, are dropped when an object is read.
 */
export type ReducedObject =
  | ReducedWorkload
  | ReducedPods
  | ReducedNode
  | ReducedFluxRelease
  | ReducedFluxSource
  | ReducedApplication
  | ReducedHelmRelease;

interface Named {
  namespace: string;
  name: string;
}

/** Container and its image, from the template of a workload or from a pod. */
export interface ContainerImage {
  /** Path of the container, such as `containers[web]`. */
  field: string;
  image: string;
}

export interface ReducedWorkload extends Named {
  type: 'workload';
  kind: string;
  containers: ContainerImage[];
  /** True if all replicas use the latest template. */
  isRolledOut: boolean;
  /**
   * Helm release that installed the workload. `chart` is the label with the name and version of the chart.
   */
  release: (Named & { chart: string }) | null;
}

/** Active pods of one owner with the same image. */
export interface ReducedPods extends Named, ContainerImage {
  type: 'pods';
  /**
   * Kind of the pods' controller. If it's a ReplicaSet, `name` doesn't include the hash of the pod template.
   */
  kind: string;
  digest: string | null;
  count: number;
}

export interface ReducedNode {
  type: 'node';
  pool: string;
  /** Kubelet version; `null` if the node doesn't report it. */
  kubelet: string | null;
  runtime: string | null;
  osImage: string | null;
}

interface ObjectReference {
  kind: string;
  name: string;
  namespace: string;
}

export interface ReducedFluxRelease extends Named {
  type: 'flux_release';
  chart: string | null;
  /** Declared version or range. */
  version: string | null;
  source: ObjectReference | null;
  chartReference: ObjectReference | null;
  /** Chart of the latest successful installation. */
  deployed: { chart: string | null; version: string } | null;
  /** Helm release that this object installs. */
  release: Named;
}

export interface ReducedFluxSource extends Named {
  type: 'flux_source';
  kind: string;
  url: string;
  isOci: boolean;
}

export interface ReducedApplication extends Named {
  type: 'application';
  sources: {
    /** Path of the source: `spec.source` or `spec.sources[…]`. */
    field: string;
    url: string | null;
    chart: string | null;
    /** Declared version or range. */
    version: string | null;
    /** Last synced revision: the version of a chart, or a commit. */
    revision: string | null;
  }[];
}

/** Content of a Helm release secret. */
export interface ReducedHelmRelease extends Named {
  type: 'helm_release';
  chart: string;
  version: string;
  /** Repository of the software in the chart, from its `sources` and `home`. */
  projectUrl: string | null;
}
