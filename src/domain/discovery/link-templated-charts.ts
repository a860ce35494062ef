import { readChart } from './chart-fact.ts';
import type { TemplatePart } from './fact.ts';
import { createTemplateFlags } from './link-chart-conditions.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { canDeployToProduction } from './link-value-overlays.ts';
import { factDefaults } from './manifest.ts';
import { directoryOf } from './repository-path.ts';
import { chartOfTemplate } from './subcharts.ts';
import { isDefaultValuesFile, isValuesFile } from './values-variants.ts';

type WrittenValue = LinkOf<'chart_values'>['values'][number];

/**
 * An Argo CD Application can itself be a template in a parent chart, with the version of the chart it deploys
 * set in the parent's values files. Returns one fact for each values file in the parent's directory that sets
 * this version. The version in `values.yaml` counts as overridden if all other values files set it and at
 * least one of them can belong to production.
 *
 * @param options.paths Paths of all files, because values files without versions can install the
 * Applications, too.
 * @param options.reportUnsearched Called for each values file that wasn't searched for all charts, because the scan
 * reached its limit.
 */
export function linkTemplatedCharts(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  {
    chartDirectories,
    paths,
    reportUnsearched,
  }: {
    chartDirectories: ReadonlySet<string>;
    paths: readonly string[];
    reportUnsearched: (path: string) => void;
  },
): LinkedFact[] {
  const templated = files.flatMap(({ path, links }) => {
    const directory = chartOfTemplate(path, chartDirectories);
    return links.flatMap((link) =>
      link.type === 'templated_chart' && directory !== null ? [{ directory, link }] : [],
    );
  });
  if (templated.length === 0) return [];
  const valuesOf = new Map<string, Map<string, WrittenValue>>();
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'chart_values')
        valuesOf.set(path, new Map(link.values.map((value) => [value.path, value])));
  const templateFlags = createTemplateFlags(files);
  const filesOf = Map.groupBy(paths.filter(isValuesFile), directoryOf);
  const known = new Set(facts.map(({ file, place, artifact }) => placeKey(file, place.field, artifact.name)));
  const added: LinkedFact[] = [];
  const unsearched = new Set<string>();
  let left = maxSearches;
  for (const { directory, link } of templated) {
    const valuesFiles = filesOf.get(directory) ?? [];
    left -= valuesFiles.length;
    if (left < 0) {
      unsearched.add(directory);
      continue;
    }
    const defaults = valuesFiles.find(isDefaultValuesFile) ?? null;
    const found = valuesFiles.flatMap((file): LinkedFact[] => {
      const own = valuesOf.get(file);
      const inherited = defaults === null ? undefined : valuesOf.get(defaults);
      const version = own?.get(pathOf(link.version));
      const textOf = (part: TemplatePart) =>
        'text' in part ? part.text : (own?.get(part.path)?.text ?? inherited?.get(part.path)?.text ?? null);
      const [chart, repository] = [textOf(link.chart), textOf(link.repository)];
      if (version === undefined || chart === null || repository === null) return [];
      const read = readChart(chart, repository, version.text);
      const dot = version.path.lastIndexOf('.');
      const keys = [version.path, version.path.slice(0, Math.max(0, dot))].map((field) =>
        placeKey(file, field, read.artifact.name),
      );
      // Skip a fact that already exists. The extractor of values files reads a map with the chart and the
      // repository too, and several templates can use the same value.
      if (keys.some((key) => known.has(key))) return [];
      known.add(keys[0]!);
      const { line, document, path: field } = version;
      return [
        {
          extractor: 'helm_values',
          place: { line, document, kind: null, namespace: null, name: null, field },
          ...read,
          ...factDefaults,
          file,
          isOriginCertain: true,
        },
      ];
    });
    const disabling = (file: string) => {
      const used = defaults === null || file === defaults ? [file] : [file, defaults];
      return templateFlags.disabling(
        link.flags,
        directory,
        used.map((each) => ({ file: each, prefix: '' })),
      );
    };
    const installing = valuesFiles.length > 1 ? valuesFiles.filter((file) => file !== defaults) : valuesFiles;
    for (const fact of found) {
      const flag = disabling(fact.file);
      const isInstalled = fact.file === defaults && installing.some((file) => disabling(file) === undefined);
      if (flag !== undefined && !isInstalled)
        Object.assign(fact, { reason: 'not_installed', note: `${flag} is false`.slice(0, 300) });
    }
    const base = found.find(({ file }) => file === defaults);
    const overlays = found.filter((fact) => fact !== base);
    const isReplaced = overlays.length > 0 && overlays.length === valuesFiles.length - 1;
    if (base && isReplaced && canDeployToProduction(overlays))
      Object.assign(base, { state: 'overridden', reason: 'overridden' });
    added.push(...found);
  }
  for (const directory of unsearched) for (const file of filesOf.get(directory) ?? []) reportUnsearched(file);
  return added;
}

/**
 * Maximum number of values files that one scan searches, counted for each chart. Real scans need a few
 * thousand.
 */
const maxSearches = 2_000_000;

function pathOf(part: TemplatePart): string {
  return 'path' in part ? part.path : '';
}

function placeKey(file: string, field: string, artifact: string): string {
  return JSON.stringify([file, field, artifact]);
}
