/**
 * Objects of the Docker API, reduced to the data that items require. All other data, such as commands,
 * mounts, environment variables, and other labels, is dropped when an object is read.
 */
export type ReducedHostObject = ReducedContainers | ReducedImage | ReducedService;

/** Identity that all replicas of a service share. */
export interface HostUnit {
  /** A container that doesn't belong to a service is a `container` with its own name. */
  kind: 'service' | 'container';
  /** The Compose project or the Swarm stack. */
  project: string | null;
  name: string;
}

/** Running containers of one unit with the same image. */
export interface ReducedContainers extends HostUnit {
  type: 'containers';
  /**
   * Image name that the container was started with, or the image ID if that name now refers to another image.
   */
  image: string;
  imageId: string | null;
  count: number;
}

export interface ReducedImage {
  type: 'image';
  id: string;
  /** Names of the form `name:tag`. */
  tags: string[];
  /** Names of the form `name@sha256:…`. */
  digests: string[];
}

/** A Swarm service. */
export interface ReducedService extends HostUnit {
  type: 'service';
  image: string;
  /** The image before an update that is still in progress. */
  previousImage: string | null;
}
