import type { ChartInstallations } from './chart-installations.ts';
import type { ExtractorName, Link } from './fact.ts';
import { createTemplateFlags, type TemplateFlags } from './link-chart-conditions.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { createTemplateMatcher, markTemplates, maxTemplatedPaths } from './link-values-files.ts';
import { isTemplated } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';
import { chartOfTemplate, type Subcharts } from './subcharts.ts';
import { isDefaultValuesFile } from './values-variants.ts';

/** An Application in a template, and the flags that must be true for it to exist. */
interface GatedUse {
  chart: string;
  flags: string[];
}

interface Charts {
  chartDirectories: ReadonlySet<string>;
  subcharts: Subcharts;
  installations: ChartInstallations;
}

/** Maximum number of Applications in templates, each counted for each file of each environment. */
const maxChecks = 200_000;

/** Extractors of files that an Application deploys. Compose files and scripts next to them are used by other tools. */
const deployedExtractors: ReadonlySet<ExtractorName> = new Set([
  'argocd',
  'flux',
  'helm_chart',
  'helm_values',
  'kubernetes',
  'kustomize',
]);

/**
 * Marks what an Application in a template of a chart deploys as not installed where the values of the chart
 * disable the Application. Each installation of the chart is an environment: a values file with the same
 * name in the directory of the Application belongs to it. The other files in that directory aren't installed if
 * all environments disable the Application. A directory that anything else can deploy isn't marked.
 */
export function linkApplicationFlags(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  charts: Charts,
): void {
  const gated = findGatedUses(files, charts.chartDirectories);
  if (gated.size === 0) return;
  const isDeployedOtherwise = createOtherDeploymentCheck(files, gated, charts);
  const templateFlags = createTemplateFlags(files);
  const notes = new Map<string, string>();
  const whole = new Map<string, string>();
  let left = maxChecks;
  for (const [directory, uses] of gated) {
    left -= uses.reduce((sum, { chart }) => sum + charts.installations.environments(chart).length, 1);
    if (left < 0) break;
    if (isDeployedOtherwise(directory)) continue;
    const disabledBy = uses.flatMap((use) => disabledIn(use, templateFlags, charts.installations));
    // An environment without a values file of its own can be any of those in the directory.
    if (disabledBy.some(({ file, note }) => file === null && note === null)) continue;
    const byName = Map.groupBy(disabledBy, ({ file }) => (file === null ? null : baseOf(file)));
    for (const [name, found] of byName) {
      const [first] = found;
      if (first?.note && name !== null && found.every(({ note }) => note !== null))
        notes.set(`${directory}/${name}`, first.note);
    }
    const [first] = disabledBy;
    if (first?.note && disabledBy.every(({ note }) => note !== null)) whole.set(directory, first.note);
  }
  if (notes.size + whole.size === 0) return;
  for (const fact of facts) {
    if (fact.reason === 'not_installed' || fact.reason === 'local') continue;
    if (!deployedExtractors.has(fact.extractor)) continue;
    const note = notes.get(fact.file) ?? noteOfDirectory(fact.file, whole);
    if (note !== undefined) Object.assign(fact, { reason: 'not_installed', note });
  }
}

/** Returns the directories that only Applications with flags deploy, each with these Applications. */
function findGatedUses(
  files: readonly ScannedFile[],
  chartDirectories: ReadonlySet<string>,
): ReadonlyMap<string, GatedUse[]> {
  const gated = new Map<string, GatedUse[]>();
  for (const { path, links } of files) {
    const chart = chartOfTemplate(path, chartDirectories);
    for (const link of links) {
      if (link.type !== 'templated_application' || link.flags.length === 0 || chart === null) continue;
      const directory = resolvePath('', link.directory);
      if (directory === null || directory === '' || isTemplated(directory)) continue;
      if (directory.split('/').length > maxDepth) continue;
      const uses = gated.get(directory) ?? [];
      gated.set(directory, uses);
      uses.push({ chart, flags: link.flags });
    }
  }
  return gated;
}

interface EnvironmentFile {
  /** Null for an environment that has only default values, or values that aren't known. */
  file: string | null;
  /** Reason why the Application isn't installed with the file. Null if it can be installed. */
  note: string | null;
}

/** Returns the values files of each environment in which an Application can be installed or not. */
function disabledIn(
  { chart, flags }: GatedUse,
  templateFlags: TemplateFlags,
  installations: ChartInstallations,
): EnvironmentFile[] {
  return installations.environments(chart).flatMap(({ values, hasUnknownValues }): EnvironmentFile[] => {
    const flag = hasUnknownValues ? undefined : templateFlags.disabling(flags, chart, values);
    const [first] = values;
    const note = flag === undefined || !first ? null : `${flag} is false for ${first.file}`.slice(0, 300);
    const own = hasUnknownValues ? [] : values.filter(({ file }) => !isDefaultValuesFile(file));
    return own.length > 0 ? own.map(({ file }) => ({ file, note })) : [{ file: null, note }];
  });
}

/** Maximum depth of the directories that Applications with flags deploy. Real ones have a few levels. */
const maxDepth = 30;

/**
 * Returns a function that returns true if something other than an Application with flags can deploy a directory, or a
 * file in it.
 */
function createOtherDeploymentCheck(
  files: readonly ScannedFile[],
  gated: ReadonlyMap<string, unknown>,
  { chartDirectories, subcharts }: Charts,
): (directory: string) => boolean {
  /** Directories with Applications and flags of which a file outside uses at least a part. */
  const usedOutside = new Set<string>();
  const addTarget = (directory: string, target: string, file: string) => {
    const path = resolvePath(directory, target);
    for (const each of path === null ? [] : topDirectoriesOf(path))
      if (gated.has(each) && !file.startsWith(`${each}/`)) usedOutside.add(each);
  };
  const deployed = new Set<string>();
  const kustomized = new Set<string>();
  for (const { path, links } of files) {
    const isTemplate = chartOfTemplate(path, chartDirectories) !== null;
    for (const link of links)
      if (link.type === 'kustomization') {
        kustomized.add(directoryOf(path));
        for (const each of [...link.resources, ...link.paths]) addTarget(directoryOf(path), each, path);
      } else if (link.type === 'values_files') {
        for (const each of link.paths) addTarget(link.isFromRoot ? '' : directoryOf(path), each, path);
      } else {
        const directory = deployedDirectory(link, isTemplate);
        const resolved = directory === null ? null : resolvePath('', directory);
        if (resolved === null) continue;
        deployed.add(resolved);
        addTarget('', resolved, path);
      }
  }
  const marked = new Set([...deployed].filter(isTemplated).map(markTemplates));
  const matchesTemplated = createTemplateMatcher(marked);
  return (directory) =>
    marked.size > maxTemplatedPaths ||
    usedOutside.has(directory) ||
    subcharts.parentsOf(directory).length > 0 ||
    ['', ...topDirectoriesOf(directory)].some((each) => {
      // A chart or a kustomization above deploys only the files that it names.
      const isSelective = each !== directory && (chartDirectories.has(each) || kustomized.has(each));
      return matchesTemplated(each) || (deployed.has(each) && !isSelective);
    });
}

/** Returns the directory that an object deploys regardless of flags, or null. */
function deployedDirectory(link: Link, isTemplate: boolean): string | null {
  if (link.type === 'flux_kustomization') return link.path;
  if (link.type === 'application') return link.directory;
  return link.type === 'templated_application' && (link.flags.length === 0 || !isTemplate)
    ? link.directory
    : null;
}

/** Returns a path and the directories that contain it, except those below the maximum depth. */
function topDirectoriesOf(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at >= 0 && found.length < maxDepth; at = path.indexOf('/', at + 1))
    found.push(path.slice(0, at));
  return found.length < maxDepth ? [...found, path] : found;
}

function baseOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function noteOfDirectory(file: string, notes: ReadonlyMap<string, string>): string | undefined {
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
    const note = notes.get(file.slice(0, at));
    if (note !== undefined) return note;
  }
  return undefined;
}
