import { type ChartInstallations, type ChartValues, pathInFile } from './chart-installations.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { factDefaults } from './manifest.ts';
import { directoryOf } from './repository-path.ts';
import { chartOfTemplate } from './subcharts.ts';
import { defaultValuesFilesOf, isDefaultValuesFile } from './values-variants.ts';
import { readSoftware } from './versioned-software.ts';

/** Maximum number of versions from values. Real repositories have a few dozen. */
const maxVersions = 5_000;
/** Maximum number of values files that are searched. */
const maxSearches = 500_000;

/**
 * Returns the versions of objects in templates whose version is in the values of the chart, such as
 * `version: {{ .Values.kafka.version }}` of a Kafka object: one for each file with values of the chart, its
 * installations, and the charts that contain it, that sets the version. The version in `values.yaml` counts as
 * overridden if every installation sets another one.
 *
 * @param options.reportUnsearched Called for each values file of a chart that wasn't searched for all versions, because
 * the scan reached its limit.
 */
export function linkTemplatedVersions(
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
): LinkedFact[] {
  const found = new Map<string, LinkedFact>();
  const unsearched = new Set<string>();
  let left = maxSearches;
  for (const { path, links } of files) {
    const directory = chartOfTemplate(path, chartDirectories);
    if (directory === null) continue;
    for (const link of links) {
      if (link.type !== 'templated_version') continue;
      const all = installations.all(directory);
      left -= all.reduce((sum, { values }) => sum + values.length, 1);
      if (left < 0 || found.size >= maxVersions) {
        unsearched.add(directory);
        continue;
      }
      const defaults = defaultValuesFilesOf(directory).map((file) => ({ file, prefix: '' }));
      for (const { values, isCertain } of [{ values: defaults, isCertain: true }, ...all])
        for (const { file, prefix } of values) {
          const value = valuesOf.get(file)?.get(pathInFile(link.path, prefix));
          if (value === undefined) continue;
          const read = readVersionInValues(link, value, file);
          // Several objects, and several installations, can use the same value.
          const key = JSON.stringify([file, value.path, read.artifact.name]);
          const fact = found.get(key);
          if (fact) fact.isOriginCertain ||= isCertain;
          else found.set(key, { ...read, isOriginCertain: isCertain });
        }
    }
  }
  for (const fact of found.values()) {
    const directory = directoryOf(fact.file);
    const isDefault = isDefaultValuesFile(fact.file) && chartDirectories.has(directory);
    if (isDefault && installations.replaceValue(directory, fact.place.field))
      Object.assign(fact, { state: 'overridden', reason: 'overridden' });
  }
  for (const directory of unsearched)
    for (const file of defaultValuesFilesOf(directory)) if (valuesOf.has(file)) reportUnsearched(file);
  return [...found.values()];
}

function readVersionInValues(
  { kind, name, software }: LinkOf<'templated_version'>,
  { path, text, line, document }: { path: string; text: string; line: number; document: number },
  file: string,
): LinkedFact {
  return {
    extractor: 'helm_values',
    place: { line, document, kind: null, namespace: null, name: null, field: path },
    ...readSoftware(software, text),
    ...factDefaults,
    note: `version of ${[kind, name].filter((each) => each !== null).join(' ')}`.slice(0, 300),
    file,
    isOriginCertain: true,
  };
}
