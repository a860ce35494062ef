import { readChart } from './chart-fact.ts';
import {
  type ChartInstallation,
  type ChartInstallations,
  type ChartValues,
  pathInFile,
} from './chart-installations.ts';
import type { TemplatePart } from './fact.ts';
import { createTemplateFlags } from './link-chart-conditions.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { factDefaults } from './manifest.ts';
import { directoryOf } from './repository-path.ts';
import { chartOfTemplate } from './subcharts.ts';
import { defaultValuesFilesOf, isDefaultValuesFile } from './values-variants.ts';

/** A chart whose version is in the values of the chart that contains the Application. */
export interface TemplatedChart {
  fact: LinkedFact;
  /** Directory of the chart that contains the Application. */
  directory: string;
  link: LinkOf<'templated_chart'>;
}

/**
 * An Argo CD Application can itself be a template in a parent chart, with the version of the chart it deploys
 * set in the parent's values files. Returns one chart for each file with values of the parent that sets this version: its
 * default values, its installations, and the charts that contain it.
 *
 * @param options.reportUnsearched Called for each values file that wasn't searched for all charts, because the scan
 * reached its limit.
 */
export function findTemplatedCharts(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  {
    chartDirectories,
    valuesOf,
    installations,
    reportUnsearched,
  }: {
    chartDirectories: ReadonlySet<string>;
    valuesOf: ReadonlyMap<string, ChartValues>;
    installations: ChartInstallations;
    reportUnsearched: (path: string) => void;
  },
): TemplatedChart[] {
  const templated = files.flatMap(({ path, links }) => {
    const directory = chartOfTemplate(path, chartDirectories);
    return links.flatMap((link) =>
      link.type === 'templated_chart' && directory !== null ? [{ directory, link }] : [],
    );
  });
  if (templated.length === 0) return [];
  const known = new Set(facts.map(({ file, place, artifact }) => placeKey(file, place.field, artifact.name)));
  const found = new Map<string, TemplatedChart>();
  const unsearched = new Set<string>();
  let left = maxSearches;
  for (const { directory, link } of templated) {
    const environments = installations.environments(directory);
    left -= environments.reduce((sum, { values }) => sum + values.length, 1);
    if (left < 0) {
      unsearched.add(directory);
      continue;
    }
    const defaults = defaultValuesFilesOf(directory).map((file) => ({ file, prefix: '' }));
    const ofDefaults = { values: defaults, isCertain: true, hasUnknownValues: false };
    for (const environment of [ofDefaults, ...environments])
      for (const fact of chartsOfEnvironment(link, environment, valuesOf)) {
        const { file, place, artifact } = fact;
        const key = placeKey(file, place.field, artifact.name);
        const before = found.get(key);
        if (before) before.fact.isOriginCertain ||= fact.isOriginCertain;
        // Skip a fact that already exists, because the extractor of values files reads a map with the chart and the
        // repository too.
        else if (![key, placeKey(file, mapOf(place.field), artifact.name)].some((each) => known.has(each)))
          found.set(key, { fact, directory, link });
      }
  }
  for (const directory of unsearched)
    for (const { values } of installations.environments(directory))
      for (const { file } of values) reportUnsearched(file);
  return [...found.values()];
}

/** Yields the chart for each file of an environment that sets its version. */
function* chartsOfEnvironment(
  link: LinkOf<'templated_chart'>,
  { values, isCertain }: ChartInstallation,
  valuesOf: ReadonlyMap<string, ChartValues>,
): Generator<LinkedFact, void> {
  for (const { file, prefix } of values) {
    const version = valuesOf.get(file)?.get(pathInFile(pathOf(link.version), prefix));
    if (version === undefined) continue;
    const textOf = (part: TemplatePart) => {
      if ('text' in part) return part.text;
      for (const each of [{ file, prefix }, ...values]) {
        const text = valuesOf.get(each.file)?.get(pathInFile(part.path, each.prefix))?.text;
        if (text !== undefined) return text;
      }
      return null;
    };
    const [chart, repository] = [textOf(link.chart), textOf(link.repository)];
    if (chart === null || repository === null) continue;
    const { line, document, path: field } = version;
    yield {
      extractor: 'helm_values',
      place: { line, document, kind: null, namespace: null, name: null, field },
      ...readChart(chart, repository, version.text),
      ...factDefaults,
      file,
      isOriginCertain: isCertain,
    };
  }
}

/**
 * Marks the charts that aren't deployed: those of Applications that the values of every installation disable, and the
 * versions in the default values that every installation replaces. An installation whose values aren't all known can use
 * all of them.
 */
export function markTemplatedCharts(
  charts: readonly TemplatedChart[],
  files: readonly ScannedFile[],
  installations: ChartInstallations,
): void {
  const templateFlags = createTemplateFlags(files);
  const known = new Map<string, ReadonlyMap<string, string | null>>();
  const replaced = new Map<string, boolean>();
  let left = maxSearches;
  /** Returns each file of the installations of a chart, with the flag that disables it in all of them, or null. */
  const flagsOfFiles = (directory: string, flags: readonly string[]) => {
    const key = JSON.stringify([directory, flags]);
    const before = known.get(key);
    if (before) return before;
    const found = new Map<string, string | null>();
    known.set(key, found);
    for (const { values, hasUnknownValues } of installations.environments(directory)) {
      left -= values.length * (flags.length + 1);
      const isKnown = !hasUnknownValues && left >= 0;
      const flag = (isKnown && templateFlags.disabling(flags, directory, values)) || null;
      for (const { file } of values) found.set(file, found.get(file) === null ? null : flag);
    }
    return found;
  };
  for (const { fact, directory, link } of charts) {
    if (left < 0) return;
    const flag = link.flags.length === 0 ? null : flagsOfFiles(directory, link.flags).get(fact.file);
    if (flag) Object.assign(fact, { reason: 'not_installed', note: `${flag} is false`.slice(0, 300) });
    if (!isDefaultValuesFile(fact.file) || directoryOf(fact.file) !== directory) continue;
    const key = JSON.stringify([directory, fact.place.field]);
    const before = replaced.get(key);
    if (before === undefined)
      left -= installations.all(directory).reduce((sum, { values }) => sum + values.length, 1);
    const isReplaced = before ?? (left >= 0 && installations.replaceValue(directory, fact.place.field));
    replaced.set(key, isReplaced);
    if (isReplaced) Object.assign(fact, { state: 'overridden', reason: 'overridden' });
  }
}

/**
 * Maximum number of values files that one scan searches, counted for each chart. Real scans need a few
 * thousand.
 */
const maxSearches = 2_000_000;

/** Returns the map that contains a field. */
function mapOf(field: string): string {
  return field.slice(0, Math.max(0, field.lastIndexOf('.')));
}

function pathOf(part: TemplatePart): string {
  return 'path' in part ? part.path : '';
}

function placeKey(file: string, field: string, artifact: string): string {
  return JSON.stringify([file, field, artifact]);
}
