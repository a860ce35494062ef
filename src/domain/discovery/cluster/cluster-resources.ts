/** Kind of Kubernetes object that a scan lists. */
export interface ClusterResource {
  /** API group; empty for the core API. */
  group: string;
  /**
   * API version; `null` for the version that the cluster prefers. Kinds with `null` belong to extensions that
   * might be missing.
   */
  version: string | null;
  kind: string;
  /** Kinds of the items that this list can contain. */
  finds: readonly string[];
}

/**
 * Placeholder for all kinds of items that a scan finds only as owners of pods, because it doesn't list them.
 */
export const unlistedKinds = '*';

/** Resources that a scan lists, by their names in RBAC roles and in request order. */
export const clusterResources = {
  nodes: { group: '', version: 'v1', kind: 'Node', finds: ['Node'] },
  deployments: { group: 'apps', version: 'v1', kind: 'Deployment', finds: ['Deployment', 'Release'] },
  statefulsets: { group: 'apps', version: 'v1', kind: 'StatefulSet', finds: ['StatefulSet', 'Release'] },
  daemonsets: { group: 'apps', version: 'v1', kind: 'DaemonSet', finds: ['DaemonSet', 'Release'] },
  cronjobs: { group: 'batch', version: 'v1', kind: 'CronJob', finds: ['CronJob', 'Release'] },
  pods: { group: '', version: 'v1', kind: 'Pod', finds: ['ReplicaSet', unlistedKinds] },
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

/** Kinds of items that a scan finds in lists. Items of other kinds are owners of pods. */
export const listedKinds: readonly string[] = [
  ...new Set(
    Object.values(clusterResources).flatMap(({ finds }) =>
      [...finds].filter((kind) => kind !== unlistedKinds),
    ),
  ),
  'Cluster',
];

/** Returns the kinds of items that a scan might have missed, because it couldn't list these resources. */
export function unreadKinds(unreadable: readonly ClusterResourceName[]): string[] {
  return [
    ...new Set(unreadable.flatMap((name): readonly string[] => clusterResources[name].finds)),
  ].toSorted();
}
