import type { Fact } from './fact.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { canDeployToProduction } from './link-value-overlays.ts';
import {
  createTemplateMatcher,
  markTemplates,
  maxTemplatedPaths,
  type ValuesUses,
} from './link-values-files.ts';
import { isTemplated } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';
import type { Subcharts } from './subcharts.ts';
import {
  defaultValuesFilesOf,
  isDefaultValuesFile,
  isSharedValuesFile,
  isValuesFile,
} from './values-variants.ts';

export type WrittenValue = LinkOf<'chart_values'>['values'][number];
/** Values of one file by their path. */
export type ChartValues = ReadonlyMap<string, WrittenValue>;

/** A file with values for a chart, and the keys that lead to these values in the file, each followed by a dot. */
export interface InstalledValues {
  file: string;
  prefix: string;
}

/** A release, an Application, or a values file that installs a chart. */
export interface ChartInstallation {
  /** Files whose values replace those of the chart. */
  values: readonly InstalledValues[];
  /** False if only its name shows that it installs this chart, so it can install a chart of another repository. */
  isCertain: boolean;
  /** True if the installation can have values that the scan didn't read. */
  hasUnknownValues: boolean;
}

export interface ChartInstallations {
  /** Returns the installations of a chart itself. */
  ofChart(directory: string): readonly ChartInstallation[];
  /** Returns the installations of a chart, including those of the charts that contain it. */
  all(directory: string): readonly ChartInstallation[];
  /**
   * Returns all installations of a chart, each also with the default values of the chart. Without an installation, the
   * default values are the only known ones.
   */
  environments(directory: string): readonly ChartInstallation[];
  /** True if every installation of a chart sets a value of the chart in a file that was read. */
  replaceValue(directory: string, path: string): boolean;
}

/** Charts of a repository, and the files and uses that the scan has read. */
interface Charts {
  chartDirectories: ReadonlySet<string>;
  subcharts: Subcharts;
  /** Paths of all files. */
  paths: readonly string[];
  uses: ValuesUses;
  valuesOf: ReadonlyMap<string, ChartValues>;
  /** True if a file was read without problems. */
  isRead: (path: string) => boolean;
  /** False if a file that wasn't read can install a chart. */
  isEveryUseKnown: boolean;
}

/** Maximum number of charts that contain each other. */
const maxChartDepth = 5;
/** Maximum number of values files of installations that one scan takes over from charts that contain others. */
const maxInherited = 200_000;

const unknownInstallation: ChartInstallation = { values: [], isCertain: false, hasUnknownValues: true };

/** Returns the values of each file that templates can use, by the path of the file. */
export function readChartValues(files: readonly ScannedFile[]): ReadonlyMap<string, ChartValues> {
  const found = new Map<string, ChartValues>();
  for (const { path, links } of files) {
    const values = links.flatMap((link) => (link.type === 'chart_values' ? link.values : []));
    // The versions in a file with another name are known only as values that a helmfile can refer to.
    const others = links.flatMap((link) =>
      link.type === 'environment_values' && link.environment === undefined ? link.values : [],
    );
    if (values.length + others.length > 0)
      found.set(path, new Map([...others, ...values].map((value) => [value.path, value])));
  }
  return found;
}

/** Returns the path of a chart's value in a file. Global values have the same path in all charts. */
export function pathInFile(path: string, prefix: string): string {
  return path.startsWith('global.') ? path : prefix + path;
}

/**
 * Finds the installations of the charts in a repository: by releases of helmfiles, by Applications, by other objects
 * and charts, and by values files next to a chart. An installation with unknown values can use all defaults of the
 * chart, so nothing shows that one of them isn't deployed.
 */
export function findChartInstallations(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  charts: Charts,
): ChartInstallations {
  const { subcharts, paths, valuesOf, isRead, isEveryUseKnown } = charts;
  const direct = findDirect(files, charts);
  const isInstalledOtherwise = createOtherUseCheck(facts, files, charts);
  const existing = new Set(paths);
  const known = new Map<string, readonly ChartInstallation[]>();
  let left = maxInherited;

  const knownOfChart = new Map<string, readonly ChartInstallation[]>();
  const ofChart = (directory: string): readonly ChartInstallation[] => {
    let found = knownOfChart.get(directory);
    if (found === undefined) {
      const isOpen = !isEveryUseKnown || isInstalledOtherwise(directory);
      found = [...(direct.get(directory) ?? []), ...(isOpen ? [unknownInstallation] : [])];
      knownOfChart.set(directory, found);
    }
    return found;
  };

  const withDefaults = (directory: string, found: readonly ChartInstallation[]): ChartInstallation[] => {
    const files = defaultValuesFilesOf(directory).filter((file) => existing.has(file));
    const defaults = files.map((file) => ({ file, prefix: '' }));
    return (found.length > 0 ? found : [defaultInstallation]).map((each) => ({
      ...each,
      values: [...each.values, ...defaults],
      hasUnknownValues: each.hasUnknownValues || !files.every(isRead),
    }));
  };

  const collect = (directory: string, depth: number): ChartInstallation[] => {
    const found = [...ofChart(directory)];
    for (const parent of subcharts.parentsOf(directory)) {
      if (depth >= maxChartDepth || left <= 0) return [...found, unknownInstallation];
      const inherited = withDefaults(parent.directory, collect(parent.directory, depth + 1));
      left -= inherited.reduce((sum, { values }) => sum + values.length + 1, 0);
      for (const each of inherited)
        found.push({
          ...each,
          values: each.values.map(({ file, prefix }) => ({ file, prefix: `${prefix}${parent.key}.` })),
        });
    }
    return found;
  };

  const all = (directory: string): readonly ChartInstallation[] => {
    const found = known.get(directory) ?? collect(directory, 0);
    known.set(directory, found);
    return found;
  };

  return {
    ofChart,
    all,
    environments: (directory) => withDefaults(directory, all(directory)),
    replaceValue(directory, path) {
      const installations = all(directory);
      const setting = installations.map(({ values, hasUnknownValues }) =>
        hasUnknownValues
          ? []
          : values.filter(({ file, prefix }) => valuesOf.get(file)?.has(pathInFile(path, prefix))),
      );
      const certain = setting.filter((_, at) => installations[at]!.isCertain);
      return setting.every((each) => each.length > 0) && canDeployToProduction(certain.flat());
    },
  };
}

/** The installation of a chart that has only its default values. */
const defaultInstallation: ChartInstallation = { values: [], isCertain: true, hasUnknownValues: false };

/** Returns the installations whose values files are known, by the directory of the chart. */
function findDirect(
  files: readonly ScannedFile[],
  { chartDirectories, paths, uses, isRead }: Charts,
): ReadonlyMap<string, readonly ChartInstallation[]> {
  const found = new Map<string, ChartInstallation[]>();
  const add = (
    directory: string,
    used: readonly string[],
    { isCertain = true, isOpen = false }: { isCertain?: boolean; isOpen?: boolean },
  ) => {
    if (!chartDirectories.has(directory)) return;
    const installations = found.get(directory) ?? [];
    found.set(directory, installations);
    // An installation can name the values of the chart itself, which it has anyway.
    const defaults = defaultValuesFilesOf(directory);
    const values = used.flatMap((file) => (defaults.includes(file) ? [] : { file, prefix: '' }));
    installations.push({ values, isCertain, hasUnknownValues: isOpen || !used.every(isRead) });
  };
  const named = directoriesByName(files);
  for (const { chart, directory, files: used, hasOtherValues: isOpen } of uses.releases) {
    const path = chartPath(chart, directory, chartDirectories);
    if (path !== null) {
      add(path, used, { isOpen });
      continue;
    }
    // Nothing shows whether a repository with charts contains those of this repository or others with the same names.
    const [own, ...others] = named.get(lastPartOf(chart)) ?? [];
    if (own !== undefined && others.length === 0) add(own, used, { isCertain: false, isOpen });
  }
  for (const { links } of files)
    for (const link of links) {
      if (link.type !== 'application') continue;
      const directory = resolvePath('', link.directory);
      const used = link.valuesFiles?.map((file) => resolvePath('', file)) ?? [null];
      const resolved = used.filter((file) => file !== null);
      const isOpen = link.hasOtherValues === true || resolved.length < used.length;
      if (directory !== null) add(directory, resolved, { isOpen });
    }
  // A values file next to the chart is an installation of its own, unless a release or an Application uses it.
  const usedFiles = new Set(
    Array.from(found.values(), (each) => each.flatMap(({ values }) => values.map(({ file }) => file))).flat(),
  );
  for (const path of paths)
    if (isValuesFile(path) && !isDefaultValuesFile(path) && !usedFiles.has(path))
      // Nothing shows which installations use a shared file, or whether any does.
      add(directoryOf(path), [path], { isOpen: isSharedValuesFile(path) });
  return found;
}

/**
 * Returns a function that returns true if an object or a chart can install a chart with values that aren't known. An
 * object that installs a chart with the same name from a repository with charts is included.
 */
function createOtherUseCheck(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  { chartDirectories, subcharts, uses }: Charts,
): (directory: string) => boolean {
  const byName = directoriesByName(files);
  const namesOf = new Map<string, string[]>();
  for (const [name, found] of byName)
    for (const directory of found) namesOf.set(directory, [name, lastPartOf(directory)]);
  const [directories, marked] = [new Set<string>(), new Set<string>()];
  /** Directory of the files that use each name of a chart. Null if they're in several directories. */
  const names = new Map<string, string | null>();
  const addUse = (chart: string, directory: string) => {
    const written = markTemplates(chart.replace(pathOfModule, ''));
    for (const path of [resolvePath(directory, written), resolvePath('', written)])
      if (path !== null) (isTemplated(path) ? marked : directories).add(path);
    const name = lastPartOf(chart);
    const isOnly = !names.has(name) || names.get(name) === directory;
    names.set(name, isOnly ? directory : null);
  };
  for (const fact of facts)
    if (fact.artifact.kind === 'chart' && fact.extractor !== 'helmfile' && !isSubchart(fact, subcharts))
      addUse(fact.artifact.name, directoryOf(fact.file));
  for (const { chart, directory } of uses.releases) {
    const isKnown =
      chartPath(chart, directory, chartDirectories) !== null || byName.get(lastPartOf(chart))?.length === 1;
    if (!isKnown) addUse(chart, directory);
  }
  for (const { links } of files)
    for (const link of links) {
      const directory = link.type === 'templated_application' ? resolvePath('', link.directory) : null;
      if (directory !== null) (isTemplated(directory) ? marked : directories).add(directory);
    }
  const matchesMarked = createTemplateMatcher(marked);
  return (directory) =>
    directories.has(directory) ||
    // A chart can have the name of a dependency that it adds something to.
    (namesOf.get(directory) ?? []).some((name) => names.has(name) && names.get(name) !== directory) ||
    marked.size > maxTemplatedPaths ||
    matchesMarked(directory);
}

/** Matches the directory of a module in an expression of Terraform. */
const pathOfModule = /^\$\{path\.(?:module|root)\}\//;

/** True for a dependency in a directory of the repository, whose installations are those of the chart that contains it. */
function isSubchart(
  { extractor, file, place, artifact }: Pick<Fact, 'extractor' | 'place' | 'artifact'> & { file: string },
  subcharts: Subcharts,
): boolean {
  if (extractor !== 'helm_chart') return false;
  const key = /^dependencies\[(.*)\]$/.exec(place.field)?.[1] ?? artifact.name;
  return subcharts.at(directoryOf(file), key) !== null;
}

/** Returns the directory of a chart that a release names by its path, or null if it names the chart otherwise. */
function chartPath(chart: string, directory: string, chartDirectories: ReadonlySet<string>): string | null {
  const path = resolvePath(directory, chart);
  return path !== null && chartDirectories.has(path) ? path : null;
}

/** Returns the directories of the charts with each name. */
function directoriesByName(files: readonly ScannedFile[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'chart') continue;
      const directories = found.get(link.name) ?? [];
      found.set(link.name, directories);
      directories.push(directoryOf(path));
    }
  return found;
}

function lastPartOf(path: string): string {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}
