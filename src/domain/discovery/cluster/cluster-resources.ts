/** A kind of object of the Kubernetes API that a scan lists. */
export interface ClusterResource {
  /** Empty: the core API. */
  group: string;
  /** Null: the version that the cluster prefers. The objects are of an extension that can be missing. */
  version: string | null;
  kind: string;
  /** Kinds of the items that are found in it. */
  finds: readonly string[];
}

/** Items whose kind is that of the owner of some pods: it can be any kind that isn't listed itself. */
export const otherOwners = '*';

/** What a scan lists, by the name that roles use, in the order of the requests. */
export const clusterResources = {
  nodes: { group: '', version: 'v1', kind: 'Node', finds: ['Node'] },
  deployments: { group: 'apps', version: 'v1', kind: 'Deployment', finds: ['Deployment', 'Release'] },
  statefulsets: { group: 'apps', version: 'v1', kind: 'StatefulSet', finds: ['StatefulSet', 'Release'] },
  daemonsets: { group: 'apps', version: 'v1', kind: 'DaemonSet', finds: ['DaemonSet', 'Release'] },
  cronjobs: { group: 'batch', version: 'v1', kind: 'CronJob', finds: ['CronJob', 'Release'] },
  pods: { group: '', version: 'v1', kind: 'Pod', finds: ['ReplicaSet', otherOwners] },
  helmreleases: {
    group: 'helm.toolkit.fluxcd.io',
    version: null,
    kind: 'HelmRelease',
    finds: ['HelmRelease'],
  },
  helmrepositories: {
    group: 'source.toolkit.fluxcd.io',
    version: null,
    kind: 'HelmRepository',
    finds: [],
  },
  ocirepositories: {
    group: 'source.toolkit.fluxcd.io',
    version: null,
    kind: 'OCIRepository',
    finds: [],
  },
  applications: { group: 'argoproj.io', version: null, kind: 'Application', finds: ['Application'] },
  secrets: { group: '', version: 'v1', kind: 'Secret', finds: ['Release'] },
} as const satisfies Record<string, ClusterResource>;

export type ClusterResourceName = keyof typeof clusterResources;

/** Kinds of items that are found in lists of their own kind. Other kinds are owners of pods. */
export const listedKinds: readonly string[] = [
  ...new Set(
    Object.values(clusterResources).flatMap(({ finds }) => [...finds].filter((kind) => kind !== otherOwners)),
  ),
  'Cluster',
];

/** The kinds of items that a scan can't have found, because it couldn't list these resources. */
export function unreadKinds(unreadable: readonly ClusterResourceName[]): string[] {
  return [
    ...new Set(unreadable.flatMap((name): readonly string[] => clusterResources[name].finds)),
  ].toSorted();
}
