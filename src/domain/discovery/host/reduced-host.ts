/**
 * Objects of the Docker API, reduced to what items are made of. Everything else of an object, such as commands, mounts,
 * environment variables, and other labels, is dropped when it is read.
 */
export type ReducedHostObject = ReducedContainers | ReducedImage | ReducedService;

/** What replicas have in common. */
export interface HostUnit {
  /** Containers that belong to nothing have their own name. */
  kind: 'service' | 'container';
  /** The Compose project or the Swarm stack. */
  project: string | null;
  name: string;
}

/** Running containers of one unit with the same image. */
export interface ReducedContainers extends HostUnit {
  type: 'containers';
  /** As it was started, or its ID if that name means another image by now. */
  image: string;
  imageId: string | null;
  count: number;
}

export interface ReducedImage {
  type: 'image';
  id: string;
  /** `name:tag` */
  tags: string[];
  /** `name@sha256:…` */
  digests: string[];
}

/** A service of a Swarm. */
export interface ReducedService extends HostUnit {
  type: 'service';
  image: string;
  /** The image before an update that isn't complete. */
  previousImage: string | null;
}
