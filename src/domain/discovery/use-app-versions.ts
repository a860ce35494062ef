import type { TemplateDefinition } from './fact.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { readVersion } from './read-version.ts';
import { directoryOf } from './repository-path.ts';
import { chartOfTemplate, type Subcharts } from './subcharts.ts';

interface Chart {
  name: string;
  appVersion: string | null;
  /** Keys of the chart's dependencies in its values. */
  dependencies: Set<string>;
  /** Values whose default is the `appVersion`, and the maps that contain them. Null if that isn't known. */
  uses: Uses | null;
}

interface Uses {
  paths: Set<string>;
  /** True if the `appVersion` can be the default of any value. */
  isOpen: boolean;
  /** True if a template includes one whose definition isn't in the repository, such as that of a library chart. */
  isUnknown: boolean;
}

/** Maximum depth of charts in charts. */
const maxDepth = 5;
/** Maximum number of maps around a tag. Most tags have two. */
const maxLevels = 10;

/**
 * Replaces an empty tag in the values of a chart in this repository with the `appVersion` of the chart, if a
 * template of the chart uses it for this image, itself or through a helper whose definition was read. Without templates, the repository doesn't show what the tag
 * is, so the usual default of charts applies. The values of a subchart have the `appVersion` of the subchart.
 *
 * @param options.paths Paths of all files.
 */
export function useAppVersions(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  {
    subcharts,
    paths,
    unreadPaths,
  }: { subcharts: Subcharts; paths: readonly string[]; unreadPaths: readonly string[] },
): void {
  const defaults = facts.filter(
    ({ reason, extractor }) => reason === 'chart_default' && extractor === 'helm_values',
  );
  if (defaults.length === 0) return;
  const charts = readCharts(files, paths, new Set(unreadPaths));
  for (const fact of defaults) {
    const found = findChart(directoryOf(fact.file), fact.place.field, charts, subcharts);
    if (!found || found.chart.appVersion === null) continue;
    const { chart, field } = found;
    if (chart.uses !== null && !chart.uses.isOpen && !chart.uses.paths.has(field)) {
      if (!chart.uses.isUnknown)
        fact.note = `no template uses the appVersion of the chart ${chart.name} for it`.slice(0, 300);
      continue;
    }
    const note = `appVersion of the chart ${chart.name}`.slice(0, 300);
    Object.assign(fact, { ...readVersion(chart.appVersion, 'tag'), note });
  }
}

/** Returns the chart whose templates use a value, and the field of the value in this chart. */
function findChart(
  directory: string,
  field: string,
  charts: ReadonlyMap<string, Chart>,
  subcharts: Subcharts,
): { chart: Chart; field: string } | null {
  let [at, rest] = [directory, field];
  for (let depth = 0; depth < maxDepth; depth++) {
    const chart = charts.get(at);
    if (!chart) return null;
    // A template of the chart can also use the values of its subcharts.
    if (chart.uses?.paths.has(rest)) return { chart, field: rest };
    const dot = rest.indexOf('.');
    const key = rest.slice(0, Math.max(0, dot));
    const subchart = key === '' ? null : subcharts.at(at, key);
    if (subchart === null || !charts.has(subchart))
      return chart.dependencies.has(key) ? null : { chart, field: rest };
    [at, rest] = [subchart, rest.slice(dot + 1)];
  }
  return null;
}

function readCharts(
  files: readonly ScannedFile[],
  paths: readonly string[],
  unread: ReadonlySet<string>,
): ReadonlyMap<string, Chart> {
  const charts = new Map<string, Chart>();
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'chart')
        charts.set(directoryOf(path), {
          name: link.name,
          appVersion: link.appVersion,
          dependencies: new Set(),
          uses: null,
        });
  for (const path of paths) {
    const chart = charts.get(chartOfTemplate(path, charts) ?? '/');
    if (!chart) continue;
    chart.uses ??= { paths: new Set(['']), isOpen: false, isUnknown: false };
    chart.uses.isOpen ||= unread.has(path);
  }
  const resolveHelper = createHelperResolver(files);
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type === 'subcharts')
        for (const [key] of link.directories) charts.get(directoryOf(path))?.dependencies.add(key);
      if (link.type !== 'app_version_uses') continue;
      const uses = charts.get(chartOfTemplate(path, charts) ?? '/')?.uses;
      if (!uses) continue;
      uses.isOpen ||= link.isOpen;
      addPaths(uses, link.paths);
      for (const { name, paths: given } of link.helpers) {
        const helper = resolveHelper(name);
        uses.isUnknown ||= helper.isUnknown;
        if (!helper.usesAppVersion) continue;
        const values = given.length > 0 ? given : helper.paths;
        uses.isOpen ||= values.length === 0;
        addPaths(uses, values);
      }
    }
  return charts;
}

/** Adds values and the maps that contain them. */
function addPaths(uses: Uses, paths: readonly string[]): void {
  for (const value of paths)
    for (let at = value.length, level = 0; at > 0 && level < maxLevels; level++) {
      uses.paths.add(value.slice(0, at));
      at = value.lastIndexOf('.', at - 1);
    }
}

/** Maximum number of definitions that one helper includes. */
const maxHelpers = 100;
/** Maximum number of definitions and values that one scan visits. Beyond it, helpers count as unknown. */
const maxVisited = 1_000_000;

/**
 * A helper whose definition is known, although it's usually in an archive of the library chart.
 *
 * @see https://github.com/bitnami/charts/blob/main/bitnami/common/templates/_images.tpl
 */
const knownHelper = 'common.images.image';

interface ResolvedHelper {
  usesAppVersion: boolean;
  isUnknown: boolean;
  /** Paths in the values of the chart that includes the helper. */
  paths: string[];
}

/** Returns a function that finds out from the definitions of all charts whether a helper uses the `appVersion`. */
function createHelperResolver(files: readonly ScannedFile[]): (name: string) => ResolvedHelper {
  const definitions = Map.groupBy(
    files.flatMap(({ links }) =>
      links.flatMap((link): TemplateDefinition[] =>
        link.type === 'app_version_uses' ? link.definitions : [],
      ),
    ),
    ({ name }) => name,
  );
  const known = new Map<string, ResolvedHelper>();
  let left = maxVisited;
  const resolve = (start: string): ResolvedHelper => {
    const resolved: ResolvedHelper = { usesAppVersion: false, isUnknown: false, paths: [] };
    const names = new Set([start]);
    for (const name of names) {
      const found = definitions.get(name);
      if (found === undefined && name === knownHelper) resolved.usesAppVersion = true;
      else if (found === undefined) resolved.isUnknown = true;
      for (const { usesAppVersion, paths, includes } of found ?? []) {
        left -= 1 + paths.length + includes.length;
        if (left < 0) return { usesAppVersion: false, isUnknown: true, paths: [] };
        resolved.usesAppVersion ||= usesAppVersion;
        resolved.paths.push(...paths);
        for (const each of includes) {
          if (names.size < maxHelpers) names.add(each);
          else resolved.isUnknown ||= !names.has(each);
        }
      }
    }
    return resolved;
  };
  return (name) => {
    const resolved = known.get(name) ?? resolve(name);
    known.set(name, resolved);
    return resolved;
  };
}
