import { readChart } from '../chart-fact.ts';
import { emptyExtraction, type Link } from '../fact.ts';
import { factDefaults, locateNode } from '../manifest.ts';
import { listAt, textAt, treeAt } from '../read-documents.ts';
import type { YamlExtractor } from './extractor.ts';

/**
 * Extracts the dependencies of a chart. The lock file next to the chart resolves version ranges to exact
 * versions.
 */
export const helmChart: YamlExtractor = {
  name: 'helm_chart',
  wants: (_, { base }) => /^(?:Chart\.ya?ml|requirements\.ya?ml|Chart\.lock|requirements\.lock)$/.test(base),
  extract(document, { base }) {
    const { tree } = document;
    const result = emptyExtraction();
    if (base.endsWith('.lock')) {
      const versions = [...listAt(tree, 'dependencies')].flatMap((entry): [string, string][] => {
        const [name, version] = [textAt(entry, 'name'), textAt(entry, 'version')];
        return name !== null && version !== null ? [[name, version]] : [];
      });
      result.links.push({ type: 'chart_lock', versions });
      return result;
    }
    const chart = textAt(tree, 'name');
    const names = { kind: 'Chart', namespace: null, name: chart };
    if (base.startsWith('Chart') && chart !== null)
      result.links.push({
        type: 'chart',
        name: chart,
        version: textAt(tree, 'version'),
        appVersion: textAt(tree, 'appVersion'),
      });
    const directories: [key: string, directory: string][] = [];
    const dependencies: Extract<Link, { type: 'chart_conditions' }>['dependencies'] = [];
    for (const entry of listAt(tree, 'dependencies')) {
      const name = textAt(entry, 'name');
      if (name === null) continue;
      const repository = textAt(entry, 'repository');
      const local = /^file:\/\/(.+)$/.exec(repository ?? '')?.[1];
      directories.push([textAt(entry, 'alias') ?? name, local ?? `charts/${name}`]);
      const conditions = (textAt(entry, 'condition') ?? '').split(',').flatMap((path) => path.trim() || []);
      const tags = [...listAt(entry, 'tags')].flatMap((tag) => (tag.kind === 'scalar' ? tag.text : []));
      if (conditions.length + tags.length > 0)
        dependencies.push({ key: textAt(entry, 'alias') ?? name, conditions, tags });
      const read = readChart(name, repository, textAt(entry, 'version'));
      result.facts.push({
        extractor: 'helm_chart',
        place: locateNode(
          document,
          treeAt(entry, 'version') ?? entry,
          names,
          `dependencies[${textAt(entry, 'alias') ?? name}]`,
        ),
        ...read,
        // A dependency without a repository is in the `charts/` directory of this chart.
        ...(!repository && base.startsWith('Chart') && { origin: { type: 'local' as const } }),
        ...factDefaults,
      });
    }
    if (directories.length > 0) result.links.push({ type: 'subcharts', directories });
    if (dependencies.length > 0) result.links.push({ type: 'chart_conditions', dependencies });
    return result;
  },
};
