/** What a scan of a container host lists. */
export const hostLists = ['containers', 'images', 'services'] as const;

export type HostListName = (typeof hostLists)[number];

/** Kinds of items that a scan can't have found completely without the list of Swarm services. */
export const serviceKinds: readonly string[] = ['service'];
