import { guessEnvironment } from './guess-labels.ts';
import { nameOfPlace } from './item-identity.ts';
import { createPatchCheck } from './kustomize-overlays.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';
import { createVariantFinder, maxVariantDepth } from './values-variants.ts';

/**
 * Links tags without an image to the image in their base: the HelmRelease whose values a patch changes, or the values
 * file of the chart to which the values of an environment or of an Application belong. If every installation of the base
 * replaces its version, the base has the reason `overridden`, unless all of them belong to environments other than
 * production: production then runs the version of the base. A tag without a known base is named after its place, because
 * two such tags can belong to different images.
 *
 * @param options.chartDirectories Directories with a `Chart.yaml`. Values above it belong to another chart.
 * @param options.paths Paths of all files, because installations that replace nothing can have files without versions.
 */
export function linkValueOverlays(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  { chartDirectories, paths }: { chartDirectories: ReadonlySet<string>; paths: readonly string[] },
): void {
  const overlays = facts.filter(({ origin }) => origin.type === 'overlay');
  if (overlays.length === 0) return;
  const bases = indexBases(facts);
  const overlaysOf = new Map<LinkedFact, LinkedFact[]>();
  for (const overlay of overlays) {
    const base = findBase(overlay, bases, chartDirectories);
    if (!base) {
      overlay.origin = { type: 'unknown' };
      overlay.artifact = { kind: 'image', name: nameOfPlace(overlay.file, overlay.place.field) };
      continue;
    }
    Object.assign(overlay, {
      artifact: base.artifact,
      origin: base.origin,
      note: `image of ${base.file}`.slice(0, 300),
    });
    overlay.isOriginCertain = base.isOriginCertain;
    const others = overlaysOf.get(base);
    if (others) others.push(overlay);
    else overlaysOf.set(base, [overlay]);
  }
  const isInstalledUnchanged = createInstallationCheck(facts, files, { chartDirectories, paths });
  for (const [base, found] of overlaysOf) {
    if (base.state !== 'exact' && base.reason !== 'chart_default') continue;
    if (canDeployToProduction(found) && !isInstalledUnchanged(base, found))
      Object.assign(base, { state: 'overridden', reason: 'overridden' });
  }
}

/** True if some of the overlays can belong to production, because their paths don't name another environment. */
export function canDeployToProduction(overlays: readonly LinkedFact[]): boolean {
  return overlays.some(({ file }) => (guessEnvironment(file) ?? 'prod') === 'prod');
}

/** Returns a function that is true if an installation of a base uses its version, although overlays replace it. */
function createInstallationCheck(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  { chartDirectories, paths }: { chartDirectories: ReadonlySet<string>; paths: readonly string[] },
): (base: LinkedFact, overlays: readonly LinkedFact[]) => boolean {
  const variantsOf = createVariantFinder(paths, chartDirectories);
  const imageFields = new Set(
    facts.flatMap(({ artifact, file, place }) =>
      artifact.kind === 'image' ? JSON.stringify([file, place.field]) : [],
    ),
  );
  const setsImage = (file: string, field: string) => imageFields.has(JSON.stringify([file, field]));
  const applications = Map.groupBy(
    files.flatMap(({ links }) => links.filter((link) => link.type === 'application')),
    ({ directory }) => resolvePath('', directory),
  );
  const isPatchedEverywhere = createPatchCheck(facts, files);
  return (base, overlays) => {
    if (base.extractor === 'flux') return !isPatchedEverywhere(base, overlays);
    const { field } = base.place;
    const directory = directoryOf(base.file);
    const isInValues = (path: string) => {
      const file = resolvePath('', path);
      return file !== null && setsImage(file, field);
    };
    if (overlays.some(({ extractor }) => extractor === 'argocd'))
      for (const { fields, valuesFiles } of applications.get(directory) ?? [])
        if (!fields.includes(field) && valuesFiles !== null && !valuesFiles.some(isInValues)) return true;
    // All files of one form are the same, so look at each form once.
    const checked = new Set<readonly string[]>();
    for (const { file, extractor } of overlays) {
      const variants = extractor === 'argocd' ? [] : variantsOf(file, directory);
      if (checked.has(variants)) continue;
      checked.add(variants);
      if (!variants.every(isInValues)) return true;
    }
    return false;
  };
}

function indexBases(facts: readonly LinkedFact[]): ReadonlyMap<string, LinkedFact[]> {
  const bases = facts.filter(
    ({ artifact, origin, extractor }) =>
      artifact.kind === 'image' &&
      origin.type === 'oci' &&
      (extractor === 'flux' || extractor === 'helm_values'),
  );
  return Map.groupBy(bases, scopeOf);
}

/**
 * Returns a key that a base shares with its overlays: the field, and the release or the directory of the chart's
 * values.
 */
function scopeOf({ extractor, place: { kind, name, field }, file }: LinkedFact): string {
  return extractor === 'flux'
    ? JSON.stringify([kind, name, field])
    : valuesScope(isChartValues(file) ? directoryOf(file) : null, field);
}

function valuesScope(directory: string | null, field: string): string {
  return JSON.stringify(['values', directory, field]);
}

function isChartValues(file: string): boolean {
  return /(?:^|\/)values\.ya?ml$/.test(file);
}

function findBase(
  overlay: LinkedFact,
  bases: ReadonlyMap<string, LinkedFact[]>,
  chartDirectories: ReadonlySet<string>,
): LinkedFact | null {
  const { origin } = overlay;
  if (origin.type === 'overlay' && origin.base) {
    const { directory, field } = origin.base;
    return onlyArtifact(bases.get(valuesScope(resolvePath('', directory), field)) ?? []);
  }
  if (overlay.extractor === 'flux') {
    const candidates = bases.get(scopeOf(overlay)) ?? [];
    const { namespace } = overlay.place;
    const same = candidates.filter(({ place }) => place.namespace === namespace);
    return onlyArtifact(same.length > 0 ? same : candidates);
  }
  // The values of a chart are in the same directory as those of the environments, or above it.
  let directory = directoryOf(overlay.file);
  for (let level = 0; level <= maxVariantDepth; level++) {
    const found = onlyArtifact(bases.get(valuesScope(directory, overlay.place.field)) ?? []);
    if (found) return found;
    if (directory === '' || chartDirectories.has(directory)) return null;
    directory = directoryOf(directory);
  }
  return null;
}

/** Returns the first candidate if all have the same artifact. */
function onlyArtifact(candidates: readonly LinkedFact[]): LinkedFact | null {
  const [first] = candidates;
  return first && candidates.every(({ artifact }) => artifact.name === first.artifact.name) ? first : null;
}
