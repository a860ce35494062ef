import { nothing } from '../fact.ts';
import { placeIn } from '../manifest.ts';
import { textAt, treeAt } from '../read-documents.ts';
import { readImage, splitImage } from '../read-image.ts';
import { substituteVariables } from '../substitute-variables.ts';
import { withCommentedVersion } from '../version-comment.ts';
import type { YamlExtractor } from './extractor.ts';

/** Longer than any real image with variables. */
const maxWritten = 1_000;

/** @param base the name of the file */
export function isComposeFile(base: string): boolean {
  return /(?:^|[-_.])compose[^/]*\.ya?ml$/i.test(base);
}

/** Images of the services of a Compose file. */
export const compose: YamlExtractor = {
  name: 'compose',
  wants: (text, { base }) => isComposeFile(base) && text.includes('image'),
  extract(document) {
    const { tree } = document;
    const result = nothing();
    const project = textAt(tree, 'name');
    const services = treeAt(tree, 'services') ?? (textAt(tree, 'version') === null ? tree : undefined);
    if (services?.kind !== 'map') return result;
    for (const [service, definition] of services.entries()) {
      const node = treeAt(definition, 'image');
      if (node?.kind !== 'scalar') continue;
      const { text, usedDefault } = substituteVariables(node.text, () => undefined);
      const image = splitImage(text);
      if (!image) continue;
      const names = { kind: 'service', namespace: project, name: service };
      result.facts.push({
        extractor: 'compose',
        place: placeIn(document, node, names, 'image'),
        ...withCommentedVersion(readImage(image), document, node),
        // The image is built here.
        ...(treeAt(definition, 'build') && { origin: { type: 'local' as const } }),
        ...(usedDefault && { note: `default value of ${node.text.slice(0, 100)}` }),
        ...(hasVariable(node.text) && { written: node.text.slice(0, maxWritten) }),
      });
    }
    return result;
  },
};

/** `$$` is an escaped dollar sign. */
function hasVariable(text: string): boolean {
  return text.includes('$') && !text.includes('$$');
}
