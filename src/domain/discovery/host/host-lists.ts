/** Lists that a scan of a container host reads. */
export const hostLists = ['containers', 'images', 'services'] as const;

export type HostListName = (typeof hostLists)[number];

/** Kinds of items that are incomplete if a scan couldn't read the list of Swarm services. */
export const serviceKinds: readonly string[] = ['service'];
