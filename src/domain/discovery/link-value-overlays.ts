import { guessEnvironment } from './guess-labels.ts';
import { nameOfPlace } from './item-identity.ts';
import type { LinkedFact } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/**
 * Links tags without an image to the image in their base: the HelmRelease whose values a patch changes, or the values
 * file of the chart to which the values of an environment or of an Application belong. If an overlay replaces the version of a base, the
 * base has the reason `overridden`, unless all overlays belong to environments other than production: production then
 * runs the version of the base. A tag without a known base is named after its place, because two such tags can belong
 * to different images.
 *
 * @param chartDirectories Directories with a `Chart.yaml`. Values above it belong to another chart.
 */
export function linkValueOverlays(facts: readonly LinkedFact[], chartDirectories: ReadonlySet<string>): void {
  const overlays = facts.filter(({ origin }) => origin.type === 'overlay');
  if (overlays.length === 0) return;
  const bases = indexBases(facts);
  const replaced = new Set<LinkedFact>();
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
    if ((guessEnvironment(overlay.file) ?? 'prod') === 'prod') replaced.add(base);
  }
  for (const base of replaced) {
    if (base.state === 'exact' || base.reason === 'chart_default')
      Object.assign(base, { state: 'overridden', reason: 'overridden' });
  }
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
  for (let level = 0; level <= maxLevels; level++) {
    const found = onlyArtifact(bases.get(valuesScope(directory, overlay.place.field)) ?? []);
    if (found) return found;
    if (directory === '' || chartDirectories.has(directory)) return null;
    directory = directoryOf(directory);
  }
  return null;
}

/** Number of directories between the values of an environment and those of their chart. */
const maxLevels = 2;

/** Returns the first candidate if all have the same artifact. */
function onlyArtifact(candidates: readonly LinkedFact[]): LinkedFact | null {
  const [first] = candidates;
  return first && candidates.every(({ artifact }) => artifact.name === first.artifact.name) ? first : null;
}
