import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { canDeployToProduction } from './link-value-overlays.ts';
import { factDefaults } from './manifest.ts';
import { directoryOf } from './repository-path.ts';
import type { Subcharts } from './subcharts.ts';
import { readSoftware } from './versioned-software.ts';

type WrittenValue = LinkOf<'chart_values'>['values'][number];

/** Maximum number of versions from values. Real repositories have a few dozen. */
const maxVersions = 5_000;
/** Maximum number of values files that are searched. */
const maxSearches = 500_000;
/** Maximum depth of charts in charts. */
const maxDepth = 5;

/**
 * Returns the versions of objects in templates whose version is in the values of the chart, such as
 * `version: {{ .Values.kafka.version }}` of a Kafka object: one for each values file of the chart, or of a chart
 * that contains it, that sets the version. The version in `values.yaml` counts as overridden if all other values
 * files next to it set it, or if all charts that contain the chart do.
 */
export function linkTemplatedVersions(
  files: readonly ScannedFile[],
  {
    chartDirectories,
    subcharts,
    paths,
  }: { chartDirectories: ReadonlySet<string>; subcharts: Subcharts; paths: readonly string[] },
): LinkedFact[] {
  const templated = files.flatMap(({ path, links }) => {
    const directory = /^(?:(.*)\/)?templates\//.exec(path)?.[1] ?? '';
    return links.flatMap((link) =>
      link.type === 'templated_version' && chartDirectories.has(directory) ? [{ directory, link }] : [],
    );
  });
  if (templated.length === 0) return [];
  const valuesOf = new Map<string, Map<string, WrittenValue>>();
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'chart_values')
        valuesOf.set(path, new Map(link.values.map((value) => [value.path, value])));
  const filesOf = Map.groupBy(
    paths.filter((path) => /values[^/]{0,200}\.ya?ml$/i.test(path)),
    directoryOf,
  );
  const found = new Map<string, LinkedFact>();
  let left = maxSearches;

  /**
   * Adds the versions that the values of a chart set at a path.
   *
   * @returns True if every installation of the chart sets the version in a values file.
   */
  const search = (
    directory: string,
    path: string,
    { kind, name, software }: LinkOf<'templated_version'>,
    depth: number,
  ): boolean => {
    const own: LinkedFact[] = [];
    const valuesFiles = filesOf.get(directory) ?? [];
    left -= valuesFiles.length + 1;
    if (left < 0 || found.size >= maxVersions) return false;
    for (const file of valuesFiles) {
      const value = valuesOf.get(file)?.get(path);
      if (value === undefined) continue;
      const { line, document } = value;
      const read: LinkedFact = {
        extractor: 'helm_values',
        place: { line, document, kind: null, namespace: null, name: null, field: path },
        ...readSoftware(software, value.text),
        ...factDefaults,
        note: `version of ${[kind, name].filter((each) => each !== null).join(' ')}`.slice(0, 300),
        file,
        isOriginCertain: true,
      };
      // Several objects can use the same value.
      const key = JSON.stringify([file, path, read.artifact.name]);
      const fact = found.get(key) ?? read;
      found.set(key, fact);
      own.push(fact);
    }
    const base = own.find(({ file }) => /(?:^|\/)values\.ya?ml$/.test(file));
    const overlays = own.filter((fact) => fact !== base);
    const hasDefaults = valuesFiles.some((file) => /(?:^|\/)values\.ya?ml$/.test(file));
    const isSetByAll =
      overlays.length > 0 &&
      overlays.length === valuesFiles.length - Number(hasDefaults) &&
      canDeployToProduction(overlays);
    const parents = depth < maxDepth ? subcharts.parentsOf(directory) : [];
    const inParents = parents.map((parent) =>
      search(
        parent.directory,
        `${parent.key}.${path}`,
        { kind, name, software } as LinkOf<'templated_version'>,
        depth + 1,
      ),
    );
    const isSetByParents = parents.length > 0 && inParents.every(Boolean);
    if (base && (isSetByAll || isSetByParents))
      Object.assign(base, { state: 'overridden', reason: 'overridden' });
    return isSetByAll || isSetByParents || (depth > 0 && base !== undefined);
  };
  for (const { directory, link } of templated) search(directory, link.path, link, 0);
  return [...found.values()];
}
