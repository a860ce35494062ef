import { fieldAt, listField, textField } from '../cluster/object-fields.ts';
import type { HostListName } from './host-lists.ts';
import type {
  HostUnit,
  ReducedContainers,
  ReducedHostObject,
  ReducedImage,
  ReducedService,
} from './reduced-host.ts';

/** Reduces an object of a list. Returns an empty array if nothing in the object is used. */
export function reduceHostObject(list: HostListName, object: unknown): ReducedHostObject[] {
  switch (list) {
    case 'containers':
      return reduceContainer(object);
    case 'images':
      return reduceImage(object);
    case 'services':
      return reduceService(object);
  }
}

const stackLabel = 'com.docker.stack.namespace';

function reduceContainer(container: unknown): ReducedContainers[] {
  const image = textField(container, 'Image') ?? textField(container, 'ImageID');
  const unit = unitOf(container);
  // A container that was started by `docker compose run` runs once and isn't a deployment.
  const isOneOff = textField(container, 'Labels', 'com.docker.compose.oneoff')?.toLowerCase() === 'true';
  if (image === null || unit === null || isOneOff) return [];
  return [{ type: 'containers', ...unit, image, imageId: textField(container, 'ImageID'), count: 1 }];
}

function unitOf(container: unknown): HostUnit | null {
  const labels = fieldAt(container, 'Labels');
  const swarmService = textField(labels, 'com.docker.swarm.service.name');
  if (swarmService !== null) return serviceUnit(swarmService, textField(labels, stackLabel));
  const project = textField(labels, 'com.docker.compose.project');
  const service = textField(labels, 'com.docker.compose.service');
  if (project !== null && service !== null) return { kind: 'service', project, name: service };
  const [name] = listField(container, 'Names').filter((each) => typeof each === 'string');
  const bare = name?.replace(/^\/+/, '').slice(0, maxNameLength) ?? '';
  return bare === '' ? null : { kind: 'container', project: null, name: bare };
}

const maxNameLength = 1_000;

/**
 * Returns the unit of a Swarm service. Service names in a stack start with the stack name, which is removed.
 */
function serviceUnit(name: string, stack: string | null): HostUnit {
  const bare = stack !== null && name.startsWith(`${stack}_`) ? name.slice(stack.length + 1) : name;
  return { kind: 'service', project: stack, name: bare };
}

const maxNames = 20;

function reduceImage(image: unknown): ReducedImage[] {
  const id = textField(image, 'Id');
  const texts = (field: string) =>
    listField(image, field)
      .filter((text): text is string => typeof text === 'string' && text.length <= maxNameLength)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .slice(0, maxNames);
  return id === null ? [] : [{ type: 'image', id, tags: texts('RepoTags'), digests: texts('RepoDigests') }];
}

function reduceService(service: unknown): ReducedService[] {
  const name = textField(service, 'Spec', 'Name');
  const image = imageOf(service, 'Spec');
  const mode = fieldAt(service, 'Spec', 'Mode');
  const isJob = fieldAt(mode, 'ReplicatedJob') !== undefined || fieldAt(mode, 'GlobalJob') !== undefined;
  if (name === null || image === null || isJob) return [];
  const isUpdating = /^(?:updating|paused)$/.test(textField(service, 'UpdateStatus', 'State') ?? '');
  return [
    {
      type: 'service',
      ...serviceUnit(name, textField(service, 'Spec', 'Labels', stackLabel)),
      image,
      previousImage: isUpdating ? imageOf(service, 'PreviousSpec') : null,
    },
  ];
}

function imageOf(service: unknown, spec: string): string | null {
  return textField(service, spec, 'TaskTemplate', 'ContainerSpec', 'Image');
}

/** Merges containers of the same unit that have the same image. */
export function mergeContainers(objects: Iterable<ReducedHostObject>): ReducedHostObject[] {
  const merged = new Map<string, ReducedContainers>();
  const others: ReducedHostObject[] = [];
  for (const object of objects) {
    if (object.type !== 'containers') {
      others.push(object);
      continue;
    }
    const { kind, project, name, image, imageId } = object;
    const key = JSON.stringify([kind, project, name, image, imageId]);
    const same = merged.get(key);
    if (same) same.count += object.count;
    else merged.set(key, { ...object });
  }
  return [...others, ...merged.values()];
}
