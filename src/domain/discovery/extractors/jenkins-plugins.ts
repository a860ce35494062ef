import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type ExtractorName, emptyExtraction, type Fact } from '../fact.ts';
import { readJenkinsPlugin, readWrittenPlugin } from '../jenkins-plugins.ts';
import { locateNode, namesOf } from '../manifest.ts';
import { listAt, textAt, treeAt } from '../read-documents.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { walkTree } from '../walk-tree.ts';
import type { YamlExtractor } from './extractor.ts';

/**
 * Matches the keys of plugin lists in the values of the Jenkins chart, in objects of the Jenkins operator,
 * and in `plugins.yaml`.
 */
const listKey = /^(?:(?:install|additional|base|overwrite)Plugins(?:FromValues)?|plugins)$/;

/**
 * Extracts the plugins of a Jenkins controller.
 *
 * @see https://github.com/jenkinsci/plugin-installation-manager-tool#plugin-input-format
 */
export const jenkinsPlugins: YamlExtractor = {
  name: 'helm_values',
  isAuxiliary: () => true,
  wants: (text) =>
    /^[ ]*["']?(?:install|additional|base)Plugins["']?:/m.test(text) ||
    (/^plugins:/m.test(text) && /^[ ]*(?:- )?artifactId:/m.test(text)),
  extract(document) {
    const result = emptyExtraction();
    const { tree } = document;
    const names = namesOf(tree);
    const extractor: ExtractorName = names.apiVersion.startsWith('jenkins.io/')
      ? 'kubernetes'
      : names.apiVersion.includes('.toolkit.fluxcd.io/')
        ? 'flux'
        : 'helm_values';
    walkTree(tree, ({ node, key, field }) => {
      if (node.kind !== 'list' || !listKey.test(key)) return true;
      for (const entry of listAt(node)) {
        if (result.facts.length >= maxFactsPerFile) return false;
        const found = readEntry(entry);
        if (!found) continue;
        const { node: place, read } = found;
        const name = read.artifact.name.slice('jenkins-plugin/'.length);
        const location = locateNode(document, place, names, `${field}[${name}]`);
        result.facts.push({ extractor, place: location, ...read });
      }
      return false;
    });
    return result;
  },
};

function readEntry(
  entry: DocumentTree,
): { node: DocumentTree; read: Omit<Fact, 'extractor' | 'place'> } | null {
  if (entry.kind === 'scalar') {
    const read = entry.text.includes(':') ? readWrittenPlugin(entry.text) : null;
    return read && { node: entry, read };
  }
  const name = textAt(entry, 'artifactId') ?? textAt(entry, 'name');
  const node = treeAt(entry, 'version') ?? treeAt(entry, 'source', 'version');
  const read = name === null || node?.kind !== 'scalar' ? null : readJenkinsPlugin(name, node.text);
  return read && node ? { node, read } : null;
}
