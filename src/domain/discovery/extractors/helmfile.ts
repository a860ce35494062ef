import type { DocumentTree } from '../../parsers/document-tree.ts';
import { readChart } from '../chart-fact.ts';
import { type Extracted, emptyExtracted } from '../fact.ts';
import { placeOfNode, plainFact } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isTemplated } from '../read-version.ts';
import type { YamlExtractor } from './extractor.ts';
import { readValues } from './helm-values.ts';

/** Releases of a helmfile. The prefix of the chart name links a release to its repository. */
export const helmfile: YamlExtractor = {
  name: 'helmfile',
  // Check the text too, because `helmfile -f` accepts files with any name.
  wants: (text, { path, base }) =>
    /^helmfile[^/]*\.ya?ml(?:\.gotmpl)?$/.test(base) ||
    /(?:^|\/)helmfile\.d\/[^/]+\.ya?ml(?:\.gotmpl)?$/.test(path) ||
    (/^releases:/m.test(text) && /^[ -]+chart:/m.test(text) && !/^apiVersion:/m.test(text)) ||
    // A helmfile can load its repositories from another file.
    (/^repositories:/m.test(text) && /^[ -]+url:/m.test(text) && !/^apiVersion:/m.test(text)) ||
    // Environments, which several helmfiles can share as a base.
    (/^environments:/m.test(text) && /^[ ]+values:[ ]*$/m.test(text) && !/^apiVersion:/m.test(text)),
  extract(document, { path }) {
    const { tree } = document;
    const result = emptyExtracted();
    for (const repository of listAt(tree, 'repositories')) {
      const [name, url] = [textAt(repository, 'name'), textAt(repository, 'url')];
      if (name === null || url === null) continue;
      const isOci = textAt(repository, 'oci') === 'true' || /^oci:/i.test(url);
      result.links.push({ type: 'helmfile_repository', name, url, isOci });
    }
    for (const release of listAt(tree, 'releases')) addRelease(document, release, 'releases', result);
    const environments = treeAt(tree, 'environments');
    if (environments?.kind === 'map')
      for (const [, environment] of environments.entries()) {
        const paths = valuesPathsOf(environment);
        // The paths in a base are relative to the helmfile that includes it, which is usually in the parent directory.
        const parents = /(?:^|\/)bases\//.test(path) ? paths.map((each) => `../${each}`) : [];
        if (paths.length > 0) result.links.push({ type: 'values_files', paths: [...paths, ...parents] });
      }
    const templates = treeAt(tree, 'templates');
    if (templates?.kind === 'map')
      for (const [, template] of templates.entries()) addRelease(document, template, 'templates', result);
    return result;
  },
};

/** Returns the values files of a release or an environment. */
function valuesPathsOf(owner: DocumentTree): string[] {
  return [...listAt(owner, 'values'), ...listAt(owner, 'secrets')].flatMap((entry) =>
    entry.kind === 'scalar' && !isTemplated(entry.text) ? [entry.text] : [],
  );
}

function addRelease(document: ReadDocument, release: DocumentTree, list: string, result: Extracted): void {
  const chart = textAt(release, 'chart');
  if (chart === null) return;
  const paths = valuesPathsOf(release);
  if (paths.length > 0) result.links.push({ type: 'values_files', paths });
  const name = textAt(release, 'name');
  const names = { kind: 'Release', namespace: textAt(release, 'namespace'), name };
  const place = placeOfNode(document, treeAt(release, 'version') ?? release, names, list);
  const slash = chart.indexOf('/');
  const isNamed = slash > 0 && !/^(?:\.|\/|[a-z+]+:)/i.test(chart) && !isTemplated(chart);
  const read = readChart(isNamed ? chart.slice(slash + 1) : chart, null, textAt(release, 'version'));
  result.facts.push({
    extractor: 'helmfile',
    place,
    ...read,
    ...(isNamed && {
      origin: { type: 'helmfile_repository' as const, name: chart.slice(0, slash) },
    }),
    ...plainFact,
  });
  for (const values of listAt(release, 'values')) {
    if (values.kind !== 'map') continue;
    const read = readValues(document, values, 'helmfile', names, `${list}.values`);
    result.facts.push(...read.facts);
    result.problems.push(...read.problems);
  }
}
