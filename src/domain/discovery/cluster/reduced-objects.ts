/**
 * Objects of the Kubernetes API, reduced to what items are made of. Everything else of an object, such as environment
 * variables, annotations, and values, is dropped when it is read.
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

/** A container with its image, as the template of its workload or a pod names it. */
export interface ContainerImage {
  /** `containers[web]` */
  field: string;
  image: string;
}

export interface ReducedWorkload extends Named {
  type: 'workload';
  kind: string;
  containers: ContainerImage[];
  /** Whether all replicas are of the newest template. */
  isRolledOut: boolean;
  /** The Helm release that installed it, and its label with name and version of the chart. */
  release: (Named & { chart: string }) | null;
}

/** Running pods of one owner with the same image. */
export interface ReducedPods extends Named, ContainerImage {
  type: 'pods';
  /** The controller of the pods. For a replica set, without its hash. */
  kind: string;
  digest: string | null;
  count: number;
}

export interface ReducedNode {
  type: 'node';
  pool: string;
  /** Null: the node doesn't report it. */
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
  /** As declared. */
  version: string | null;
  source: ObjectReference | null;
  chartReference: ObjectReference | null;
  /** What runs, of the newest successful installation. */
  deployed: { chart: string | null; version: string } | null;
  /** The Helm release that it installs. */
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
    /** `spec.source`, or `spec.sources[…]`. */
    field: string;
    url: string | null;
    chart: string | null;
    /** As declared. */
    version: string | null;
    /** What was last synchronized: the version of a chart, or a commit. */
    revision: string | null;
  }[];
}

/** From the secret of a Helm release. */
export interface ReducedHelmRelease extends Named {
  type: 'helm_release';
  chart: string;
  version: string;
  /** The repository of the software in the chart, from its `sources` and `home`. */
  projectUrl: string | null;
}
