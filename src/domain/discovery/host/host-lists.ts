/** Lists that a scan of a container host reads. */
export const hostLists = ['containers', 'images', 'services'] as const;

export type HostListName = (typeof hostLists)[number];

/** Kinds of items that a scan might have missed if it couldn't list the Swarm services. */
export const serviceKinds: readonly string[] = ['service'];
