import type { DocumentTree } from '../parsers/document-tree.ts';
import { listAt, textAt, treeAt } from './read-documents.ts';
import { type ImageFact, looksLikeImage, readImage, splitImage } from './read-image.ts';
import { isTemplated } from './read-version.ts';

/** An image that a container gets as an argument or as an environment variable. */
interface GivenImage {
  node: DocumentTree & { kind: 'scalar' };
  /** Name of the option or the variable. */
  name: string;
  image: ImageFact;
}

/** Maximum number of arguments of one container that are read. Real containers have up to about 100. */
const maxArguments = 1_000;

/**
 * Yields the images in a list of arguments, such as `--sidecar-image=acme/sidecar:1.2.3`, or `--sidecar-image` and the
 * image in the next entry. An operator starts containers with these images.
 */
export function* imagesInArguments(list: DocumentTree): Generator<GivenImage, void> {
  let option: string | null = null;
  let left = maxArguments;
  for (const node of listAt(list)) {
    if (left-- <= 0) return;
    const text: string = node.kind === 'scalar' ? node.text.slice(0, 1_000).trim() : '';
    const [, name = '', value]: string[] = /^-{1,2}([\w.-]{1,100})(?:=(.*))?$/.exec(text) ?? [];
    const written: string | undefined = name === '' ? text : value;
    const given: string = name === '' ? (option ?? '') : name;
    option = name !== '' && value === undefined ? name : null;
    if (node.kind !== 'scalar' || given === '' || written === undefined) continue;
    const image = readGivenImage(given, written);
    if (image) yield { node, name: `--${given}`, image };
  }
}

/** Yields the images in the environment variables of a container, such as `RELATED_IMAGE_PROXY`. */
export function* imagesInEnvironment(list: DocumentTree): Generator<GivenImage, void> {
  let left = maxArguments;
  for (const entry of listAt(list)) {
    if (left-- <= 0) return;
    const [name, node] = [textAt(entry, 'name'), treeAt(entry, 'value')];
    if (name === null || node?.kind !== 'scalar' || !/(?:^|_)IMAGE(?:_|$)/i.test(name.slice(0, 200)))
      continue;
    const image = readGivenImage('image', node.text.slice(0, 1_000).trim());
    if (image) yield { node, name: `env ${name.slice(0, 200)}`, image };
  }
}

/**
 * Reads an image with a version. The value of an option whose name doesn't end with `image` must contain a registry and
 * a version with a dot, because it can also be an address.
 */
function readGivenImage(option: string, text: string): ImageFact | null {
  const parts = isTemplated(text) || !looksLikeImage(text) ? null : splitImage(text);
  if (!parts || (parts.tag === null && parts.digest === null)) return null;
  const isNamed = /image$/i.test(option) && (parts.name.includes('/') || /\d/.test(parts.tag ?? ''));
  const isQualified =
    /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/./.test(parts.name) && /^v?\d+\.\d/.test(parts.tag ?? '');
  return isNamed || isQualified ? readImage(parts) : null;
}
