import { guessEnvironment } from './guess-labels.ts';
import { nameOfPlace } from './item-identity.ts';
import { createPatchCheck } from './kustomize-overlays.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import type { NamedBase } from './link-values-files.ts';
import { push } from './push.ts';
import { baseOf, directoryOf, resolvePath } from './repository-path.ts';
import type { ParentChart, Subcharts } from './subcharts.ts';
import {
  createVariantFinder,
  defaultValuesFilesOf,
  isDefaultValuesFile,
  maxVariantDepth,
} from './values-variants.ts';

/** An overlay, and the chart whose values it changes. */
interface FoundOverlay {
  overlay: LinkedFact;
  /** Directory of the chart. Null for releases. */
  directory: string | null;
  /** Field of the image in the values of this chart. */
  field: string;
}

/** A repository's charts and files. */
interface Charts {
  /** Directories with a `Chart.yaml`. Values above such a directory belong to another chart. */
  chartDirectories: ReadonlySet<string>;
  subcharts: Subcharts;
  /**
   * Paths of all files, because the files of an installation that replaces no version can be without
   * versions.
   */
  paths: readonly string[];
  unreadPaths: readonly string[];
}

/**
 * Links tags without an image to the image in their base. The base is the HelmRelease whose values a patch
 * changes, a values file of the chart or subchart that an environment or an Application configures, or an
 * earlier values file of the same release of a helmfile. A tag
 * without a known base is named after its place, because two such tags can belong to different images. If the
 * file of the base wasn't read, the reason says so.
 *
 * If every installation of the base replaces its version, the base has the reason `overridden`. The exception
 * is a base whose installations all belong to environments other than production, because production then
 * runs the version of the base.
 */
export function linkValueOverlays(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  charts: Charts,
  namedBases: ReadonlyMap<LinkedFact, NamedBase>,
): void {
  const { chartDirectories } = charts;
  // The values of a chart come first, because those of its environments can replace them.
  const isOfChart = ({ file }: LinkedFact) =>
    isDefaultValuesFile(file) && chartDirectories.has(directoryOf(file));
  const overlays = facts
    .filter(({ origin }) => origin.type === 'overlay')
    .toSorted((a, b) => Number(isOfChart(b)) - Number(isOfChart(a)));
  const wholeImages = facts.filter(isWholeImageOfVariant);
  if (overlays.length + wholeImages.length === 0) return;
  const unreadBases = new Set(charts.unreadPaths.filter(isDefaultValuesFile));
  const bases = indexBases(facts);
  const overlaysOf = new Map<LinkedFact, FoundOverlay[]>();
  for (const overlay of overlays) {
    const found = findBase(overlay, bases, charts);
    const named = namedBases.get(overlay);
    // The files that a release names are better evidence than the directories of the files.
    if (named && found?.base.artifact.name !== named.base.artifact.name) {
      const { base, isCertain } = named;
      useImage(overlay, base);
      overlay.isOriginCertain &&= isCertain;
      continue;
    }
    if (!found) {
      overlay.origin = { type: 'unknown' };
      const unread = unreadBases.size === 0 ? null : findUnreadBase(overlay, unreadBases, charts);
      if (unread !== null) {
        const note = `the image is in ${unread}, which couldn't be read`.slice(0, 300);
        Object.assign(overlay, { reason: overlay.reason ?? 'not_scanned', note });
      }
      overlay.artifact = { kind: 'image', name: nameOfPlace(overlay.file, overlay.place.field) };
      continue;
    }
    const { base, directory, field } = found;
    useImage(overlay, base);
    push(overlaysOf, base, { overlay, directory, field });
    if (isOfChart(overlay)) push(bases, scopeOf(overlay), overlay);
  }
  // An environment that states the whole image, with its name, replaces the version of the base as well.
  for (const overlay of wholeImages) {
    const found = findBase(overlay, bases, charts);
    if (found && found.base !== overlay && isOfSameChart(overlay, found, chartDirectories))
      push(overlaysOf, found.base, { overlay, directory: found.directory, field: found.field });
  }
  const isInstalledUnchanged = createInstallationCheck(facts, files, charts);
  for (const [base, found] of overlaysOf) {
    if (base.state !== 'exact' && base.reason !== 'chart_default') continue;
    if (canDeployToProduction(found.map(({ overlay }) => overlay)) && !isInstalledUnchanged(base, found))
      Object.assign(base, { state: 'overridden', reason: 'overridden' });
  }
}

function useImage(overlay: LinkedFact, { artifact, origin, file, isOriginCertain }: LinkedFact): void {
  Object.assign(overlay, { artifact, origin, isOriginCertain, note: `image of ${file}`.slice(0, 300) });
}

/** Returns the values file that can contain the image of a tag, if it wasn't read, or null. */
function findUnreadBase(
  { origin, place, file, extractor }: LinkedFact,
  unread: ReadonlySet<string>,
  { chartDirectories, subcharts }: Charts,
): string | null {
  const inChart = (start: string, startField: string): string | null => {
    let [directory, field] = [start, startField];
    for (let depth = 0; depth <= maxChartDepth; depth++) {
      for (const path of defaultValuesFilesOf(directory)) if (path !== file && unread.has(path)) return path;
      const dot = field.indexOf('.');
      const subchart = dot < 0 ? null : subcharts.at(directory, field.slice(0, dot));
      if (subchart === null) return null;
      [directory, field] = [subchart, field.slice(dot + 1)];
    }
    return null;
  };
  if (origin.type === 'overlay' && origin.base) {
    const directory = resolvePath('', origin.base.directory);
    return directory === null ? null : inChart(directory, origin.base.field);
  }
  if (extractor === 'flux') return null;
  let directory = directoryOf(file);
  for (let level = 0; level <= maxVariantDepth; level++) {
    const found = inChart(directory, place.field);
    if (found !== null) return found;
    if (directory === '' || chartDirectories.has(directory)) return null;
    directory = directoryOf(directory);
  }
  return null;
}

/**
 * True if the values file of an image belongs to the chart of the base. Without a `Chart.yaml`, values files next to each
 * other can belong to different charts, so the images must have the same name.
 */
function isOfSameChart(
  overlay: LinkedFact,
  { base, directory }: { base: LinkedFact; directory: string | null },
  chartDirectories: ReadonlySet<string>,
): boolean {
  const nameOf = ({ artifact: { name } }: LinkedFact) => baseOf(name);
  return (directory !== null && chartDirectories.has(directory)) || nameOf(overlay) === nameOf(base);
}

/** True for an image with its name in a values file that isn't the one of a chart. */
function isWholeImageOfVariant({ extractor, artifact, origin, reason, file }: LinkedFact): boolean {
  return (
    extractor === 'helm_values' &&
    artifact.kind === 'image' &&
    origin.type !== 'overlay' &&
    reason !== 'chart_default' &&
    !isDefaultValuesFile(file)
  );
}

/**
 * True if some of the overlays can belong to production, because their paths don't contain another
 * environment.
 */
export function canDeployToProduction(overlays: readonly { file: string }[]): boolean {
  return overlays.some(({ file }) => (guessEnvironment(file) ?? 'prod') === 'prod');
}

/**
 * Returns a function that returns true if an installation of a base uses its version, although overlays
 * replace it.
 */
function createInstallationCheck(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  { chartDirectories, subcharts, paths, unreadPaths }: Charts,
): (base: LinkedFact, overlays: readonly FoundOverlay[]) => boolean {
  const variantsOf = createVariantFinder(paths, chartDirectories);
  const imageFields = new Set(
    facts.flatMap(({ artifact, file, place, reason }) =>
      artifact.kind === 'image' && reason !== 'chart_default' ? JSON.stringify([file, place.field]) : [],
    ),
  );
  const unreadFiles = new Set(unreadPaths);
  // A file that can't be read may set any image. Without this, a syntax error would make the base look deployed.
  const setsImage = (path: string, field: string) => {
    const file = resolvePath('', path);
    return file !== null && (unreadFiles.has(file) || imageFields.has(JSON.stringify([file, field])));
  };
  const applications = Map.groupBy(
    files.flatMap(({ links }) => links.filter((link) => link.type === 'application')),
    ({ directory }) => resolvePath('', directory),
  );
  const isPatchedEverywhere = createPatchCheck(facts, files);

  /**
   * True if the chart itself or all charts that contain it replace the image.
   *
   * @param replaced Charts and fields of the overlays.
   * @param budget Number of charts that can still be checked. It's limited, because charts can contain each
   * other in many ways.
   */
  const isReplacedInChart = (
    directory: string,
    field: string,
    replaced: ReadonlySet<string>,
    budget: { left: number },
  ): boolean => {
    if (budget.left-- <= 0) return false;
    if (replaced.has(JSON.stringify([directory, field]))) return true;
    if (defaultValuesFilesOf(directory).some((file) => setsImage(file, field))) return true;
    const parents = subcharts.parentsOf(directory);
    return (
      parents.length > 0 &&
      parents.every(({ directory: parent, key }) =>
        isReplacedInChart(parent, `${key}.${field}`, replaced, budget),
      )
    );
  };

  return (base, overlays) => {
    if (base.extractor === 'flux')
      return !isPatchedEverywhere(
        base,
        overlays.map(({ overlay }) => overlay),
      );
    const replaced = new Set(overlays.map(({ directory, field }) => JSON.stringify([directory, field])));
    const budget = { left: maxParents };
    const isReplacedBy = ({ directory, key }: ParentChart) =>
      isReplacedInChart(directory, `${key}.${base.place.field}`, replaced, budget);
    if (!subcharts.parentsOf(directoryOf(base.file)).every(isReplacedBy)) return true;
    // Overlays with the same variants and field have the same result, as do those of Applications with the
    // same chart and field. Check each of these cases once.
    const checked = new Set<string>();
    for (const { overlay, directory, field } of overlays) {
      if (directory === null) continue;
      const isApplication = overlay.extractor === 'argocd';
      const variants = isApplication ? [] : variantsOf(overlay.file, directory);
      // An example of values isn't an installation.
      if (variants.length === 0 && isWholeImageOfVariant(overlay)) return true;
      const key = JSON.stringify([isApplication ? directory : variants[0], field]);
      if (checked.has(key)) continue;
      checked.add(key);
      if (!variants.every((file) => setsImage(file, field))) return true;
      if (!isApplication) continue;
      // An Application whose values files aren't known can use the base.
      for (const { fields, valuesFiles } of applications.get(directory) ?? [])
        if (!fields.includes(field) && !valuesFiles?.some((file) => setsImage(file, field))) return true;
    }
    return false;
  };
}

/** Maximum number of subcharts between the values of a chart and the values that contain the image. */
const maxChartDepth = 5;
/**
 * Maximum number of charts that contain a chart, directly or indirectly. Real repositories have about a
 * hundred.
 */
const maxParents = 1_000;

function indexBases(facts: readonly LinkedFact[]): Map<string, LinkedFact[]> {
  const bases = facts.filter(
    ({ artifact, origin, extractor }) =>
      artifact.kind === 'image' &&
      origin.type === 'oci' &&
      (extractor === 'flux' || extractor === 'helm_values'),
  );
  return Map.groupBy(bases, scopeOf);
}

/**
 * Returns a key that a base shares with its overlays: the field, and the release or the directory of the
 * chart's values.
 */
function scopeOf({ extractor, place: { kind, name, field }, file }: LinkedFact): string {
  return extractor === 'flux'
    ? JSON.stringify([kind, name, field])
    : valuesScope(isDefaultValuesFile(file) ? directoryOf(file) : null, field);
}

function valuesScope(directory: string | null, field: string): string {
  return JSON.stringify(['values', directory, field]);
}

function findBase(
  overlay: LinkedFact,
  bases: ReadonlyMap<string, LinkedFact[]>,
  { chartDirectories, subcharts }: Charts,
): { base: LinkedFact; directory: string | null; field: string } | null {
  const { origin, place } = overlay;
  const inChart = (directory: string, field: string) => {
    const base = findInChart(directory, field);
    return base && { base, directory, field };
  };
  if (origin.type === 'overlay' && origin.base) {
    const directory = resolvePath('', origin.base.directory);
    return directory === null ? null : inChart(directory, origin.base.field);
  }
  if (overlay.extractor === 'flux') {
    const candidates = bases.get(scopeOf(overlay)) ?? [];
    const same = candidates.filter(({ place: { namespace } }) => namespace === place.namespace);
    const base = onlyArtifact(same.length > 0 ? same : candidates);
    return base && { base, directory: null, field: place.field };
  }
  // The values of a chart are in the same directory as those of the environments, or above it.
  let directory = directoryOf(overlay.file);
  for (let level = 0; level <= maxVariantDepth; level++) {
    const found = inChart(directory, place.field);
    if (found) return found;
    if (directory === '' || chartDirectories.has(directory)) return null;
    directory = directoryOf(directory);
  }
  return null;

  /**
   * Finds the image of a field in the values of a chart or, if the first key of the field is that of a
   * subchart, in the values of the subchart.
   */
  function findInChart(directory: string, field: string, depth = 0): LinkedFact | null {
    const own = onlyArtifact(bases.get(valuesScope(directory, field)) ?? []);
    const dot = field.indexOf('.');
    if (own || dot < 0 || depth > maxChartDepth) return own;
    const subchart = subcharts.at(directory, field.slice(0, dot));
    return subchart === null ? null : findInChart(subchart, field.slice(dot + 1), depth + 1);
  }
}

/** Returns the first candidate if all have the same artifact. */
function onlyArtifact(candidates: readonly LinkedFact[]): LinkedFact | null {
  const [first] = candidates;
  return first && candidates.every(({ artifact }) => artifact.name === first.artifact.name) ? first : null;
}
