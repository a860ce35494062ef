import type { DocumentTree } from '../parsers/document-tree.ts';
import type { YamlExtractor } from './extractors/extractor.ts';
import { type EnvironmentValue, emptyExtraction } from './fact.ts';
import type { ReadDocument } from './read-documents.ts';
import { walkTree } from './walk-tree.ts';

/** Maximum number of values of one file. Real files have up to about a hundred versions. */
const maxValues = 1_000;

/**
 * Extracts versions from files that an environment of a helmfile can reference. Such files can have any name
 * and content, so the extractor yields only links, not items.
 */
export const environmentValues: YamlExtractor = {
  name: 'helmfile',
  isAuxiliary: () => true,
  wants: (text) =>
    /^[ ]*["']?[\w-]*version["']?:[ ]+["']?v?\d/im.test(text) &&
    !/^(?:apiVersion|lockfileVersion|openapi|swagger|jobs|services):/m.test(text),
  extract(document) {
    const values = readEnvironmentValues(document, document.tree);
    return { ...emptyExtraction(), links: values.length > 0 ? [{ type: 'environment_values', values }] : [] };
  },
};

/**
 * Returns those values of an environment that the releases of a helmfile can refer to: versions, and values
 * that enable a release.
 */
export function readEnvironmentValues(document: ReadDocument, tree: DocumentTree): EnvironmentValue[] {
  const values: EnvironmentValue[] = [];
  walkTree(tree, ({ node, key, field }) => {
    if (values.length >= maxValues || node.kind === 'list') return false;
    if (node.kind !== 'scalar') return true;
    const { text } = node;
    if (text.length > 100) return false;
    const isVersion = /^v?\d[\w.+-]*$/.test(text) && (/version/i.test(key) || /^v?\d+\.\d+\.\d/.test(text));
    if (isVersion || (/^(?:true|false)$/.test(text) && /install|enable/i.test(key)))
      values.push({ path: field, text, line: document.lineOf(node), document: document.index });
    return false;
  });
  return values;
}
