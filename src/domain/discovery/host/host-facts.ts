import { emptyExtraction, type Fact } from '../fact.ts';
import type { ScannedFile } from '../link-facts.ts';
import { mostCommon } from '../most-common.ts';
import { splitImage } from '../read-image.ts';
import { readHostImage } from './host-image.ts';
import type {
  HostUnit,
  ReducedContainers,
  ReducedHostObject,
  ReducedImage,
  ReducedService,
} from './reduced-host.ts';

/**
 * Returns the containers and services of a container host as facts of the same form as those of files. Each
 * service (`project/service/name`) and each container (`container/name`) is one "file". If the Compose file
 * that declares a service sets the project name, the service has the same key as in that file.
 */
export function hostFacts(objects: readonly ReducedHostObject[]): ScannedFile[] {
  const images = new Map<string, ReducedImage>();
  const services = new Map<string, ReducedService>();
  const containers: ReducedContainers[] = [];
  for (const object of objects) {
    if (object.type === 'image') images.set(object.id, object);
    else if (object.type === 'service') services.set(keyOf(object), object);
    else containers.push(object);
  }
  const running = Map.groupBy(containers, keyOf);
  const facts = [...services].map(([key, service]) => serviceFact(service, running.get(key) ?? [], images));
  for (const [key, replicas] of running) if (!services.has(key)) facts.push(containersFact(replicas, images));
  return facts.flatMap((fact) =>
    fact === null ? [] : [{ ...emptyExtraction(), path: pathOf(fact.place), facts: [fact] }],
  );
}

function keyOf({ kind, project, name }: HostUnit): string {
  return JSON.stringify([kind, project, name]);
}

function pathOf({ namespace, kind, name }: Fact['place']): string {
  return [namespace, kind, name]
    .flatMap((part) => (part === null ? [] : [part.slice(0, 300)]))
    .join('/')
    .replaceAll(/\p{Cc}/gu, ' ');
}

function containersFact(
  replicas: readonly ReducedContainers[],
  images: ReadonlyMap<string, ReducedImage>,
): Fact | null {
  const chosen = mostCommon(replicas, ({ image, imageId }) => `${image} ${imageId}`)!;
  const isMixed = new Set(replicas.map(({ imageId, image }) => imageId ?? image)).size > 1;
  return unitFact(chosen, chosen, images, isMixed ? 'some containers run another image' : null);
}

function serviceFact(
  service: ReducedService,
  replicas: readonly ReducedContainers[],
  images: ReadonlyMap<string, ReducedImage>,
): Fact | null {
  const { image, previousImage } = service;
  const text = previousImage ?? image;
  const replica = replicas.find((each) => each.image === text);
  const isChanging = previousImage !== null && previousImage !== image;
  const note = isChanging ? `update to ${splitImage(image)?.tag ?? image} in progress` : null;
  return unitFact(service, { image: text, imageId: replica?.imageId ?? null }, images, note);
}

function unitFact(
  { kind, project, name }: HostUnit,
  { image: text, imageId }: Pick<ReducedContainers, 'image' | 'imageId'>,
  images: ReadonlyMap<string, ReducedImage>,
  note: string | null,
): Fact | null {
  const image = readHostImage(text, imageId, images.get(imageId ?? ''));
  return (
    image && {
      ...image,
      extractor: project === null ? 'docker' : 'compose',
      place: { line: 1, document: 0, kind, namespace: project, name, field: 'image' },
      note: note ?? image.note,
    }
  );
}
