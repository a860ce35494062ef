import { imagePurl } from '../../artifacts/purl.ts';
import type { Fact } from '../fact.ts';
import { type ImageFact, readImage, splitImage } from '../read-image.ts';
import type { ReducedImage } from './reduced-host.ts';

type HostImage = ImageFact & Pick<Fact, 'note'>;

/**
 * Reads the image of a container.
 * @param text The image as named by the host.
 * @param stored The image with the ID `imageId`, or undefined if it's unknown.
 * @returns The image, or null if the text isn't an image.
 */
export function readHostImage(
  text: string,
  imageId: string | null,
  stored: ReducedImage | undefined,
): HostImage | null {
  if (!isImageId(text, imageId)) return named(text, stored, null);
  const names = [...(stored?.tags ?? []), ...(stored?.digests ?? [])];
  for (const name of names) {
    const image = named(name, stored, 'started under a name that means another image now');
    if (image) return image;
  }
  const name = `sha256:${text.replace(/^sha256:/, '').slice(0, 12)}`;
  return {
    artifact: {
      kind: 'image',
      name,
    },
    origin: { type: 'unknown' },
    version: null,
    state: 'digest',
    digest: null,
    note: null,
    reason: 'digest',
  };
}

/**
 * True if the text is an image ID or its beginning. Hosts show the ID if the name of the image now refers to
 * another image or was removed.
 */
function isImageId(text: string, imageId: string | null): boolean {
  if (/^sha256:[0-9a-f]{12,64}$/.test(text)) return true;
  return /^[0-9a-f]{12,64}$/.test(text) && (imageId ?? '').replace(/^sha256:/, '').startsWith(text);
}

function named(text: string, stored: ReducedImage | undefined, note: string | null): HostImage | null {
  const image = splitImage(text);
  if (!image) return null;
  const read = readImage(image);
  return {
    ...read,
    // Podman uses this prefix for images that were built on the host.
    ...(image.name.startsWith('localhost/') && { origin: { type: 'local' } as const }),
    digest: read.digest ?? digestOf(image.name, stored),
    note,
  };
}

function digestOf(name: string, stored: ReducedImage | undefined): string | null {
  const wanted = imagePurl(name);
  const found = (stored?.digests ?? [])
    .map(splitImage)
    .find((each) => each !== null && wanted !== null && imagePurl(each.name) === wanted);
  return found?.digest ?? null;
}
