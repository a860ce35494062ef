import { quote } from '../parsers/quote.ts';

/** Labels of one time series, including `__name__`. */
export type Series = Readonly<Record<string, string>>;

/** Selects the series with the version, and the label whose value is the version. */
export interface SeriesChoice {
  label: string;
  /** Labels and exact values that a series must have. If empty, all series match. */
  series: Series;
}

export type PickedVersion = { ok: true; version: string } | { ok: false; message: string };

/** Maximum number of examples in a message. */
const maxExamples = 3;
const maxLabelNames = 20;

/**
 * Picks the version that a job reads from the result of its query: the value of the chosen label in the
 * matching series. Replicas with the same version count as one version. Series without the label are ignored.
 */
export function pickVersion(all: readonly Series[], choice: SeriesChoice): PickedVersion {
  return createVersionPicker(all)(choice);
}

/**
 * Returns a function like `pickVersion` for many choices from one response. The cost of a choice is
 * proportional to the number of series with the rarest label value that the choice requires.
 */
export function createVersionPicker(all: readonly Series[]): (choice: SeriesChoice) => PickedVersion {
  const byLabel = new Map<string, Map<string, Series[]>>();

  /**
   * Returns the series with a label, grouped by its value. The groups are computed on the first use of the
   * label.
   */
  function byValueOf(label: string): Map<string, Series[]> {
    let byValue = byLabel.get(label);
    if (!byValue) {
      byValue = Map.groupBy(
        all.filter((series) => Object.hasOwn(series, label)),
        (series) => series[label]!,
      );
      byLabel.set(label, byValue);
    }
    return byValue;
  }

  return ({ label, series: requiredLabels }) => {
    const pairs = Object.entries(requiredLabels);
    const candidates = pairs
      .map(([name, value]) => byValueOf(name).get(value) ?? [])
      .reduce((fewest, one) => (one.length < fewest.length ? one : fewest), all);
    const chosen = candidates.filter((one) => pairs.every(([name, value]) => one[name] === value));
    if (all.length === 0) return { ok: false, message: 'the query returned no series' };
    if (chosen.length === 0) {
      return {
        ok: false,
        message: `none of the ${seriesCount(all)} has ${formatSeries(requiredLabels)}; found, for example: ${examplesOf(all)}`,
      };
    }
    const versions = Map.groupBy(
      chosen.filter((one) => Object.hasOwn(one, label) && one[label] !== ''),
      (one) => one[label]!,
    );
    const [first] = versions.keys();
    if (first === undefined) {
      return {
        ok: false,
        message: `the ${seriesCount(chosen)} found ${chosen.length === 1 ? 'has' : 'have'} no label ${quote(label)}; labels: ${labelNames(chosen)}`,
      };
    }
    if (versions.size > 1) return { ok: false, message: ambiguousMessage(versions, label) };
    return { ok: true, version: first };
  };
}

function ambiguousMessage(versions: ReadonlyMap<string, readonly Series[]>, label: string): string {
  const counts = [...versions].map(([version, of]) => ({ version, count: of.length }));
  const shown = counts
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxExamples)
    .map(({ version, count }) => `${quote(version)} in ${count}`);
  const more = counts.length > maxExamples ? ', …' : '';
  const of = [...versions.values()].flat();
  const distinguishing = varyingLabels(of).filter((name) => name !== label);
  const hint =
    distinguishing.length > 0
      ? `, or choose one with series (labels that differ: ${distinguishing.slice(0, 8).join(', ')})`
      : '';
  return `${seriesCount(of)} have ${versions.size} different versions: ${shown.join(', ')}${more}. Narrow the query${hint}`;
}

/** Returns the sorted names of labels that have more than one value or that some series don't have. */
export function varyingLabels(all: readonly Series[]): string[] {
  // Read each label only once, because a server can return thousands of series without a common label.
  const found = new Map<string, { first: string; count: number; varies: boolean }>();
  for (const series of all) {
    for (const [name, value] of Object.entries(series)) {
      const label = found.get(name);
      if (label === undefined) found.set(name, { first: value, count: 1, varies: false });
      else {
        label.count++;
        label.varies ||= value !== label.first;
      }
    }
  }
  return [...found]
    .filter(([, { count, varies }]) => varies || count < all.length)
    .map(([name]) => name)
    .toSorted();
}

/** Formats labels as `app="web", namespace="shop"`. */
export function formatSeries(series: Series): string {
  return Object.entries(series)
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(', ');
}

function examplesOf(all: readonly Series[]): string {
  return all
    .slice(0, maxExamples)
    .map((series) => `{${formatSeries(Object.fromEntries(Object.entries(series).slice(0, 6)))}}`)
    .join(', ');
}

function labelNames(all: readonly Series[]): string {
  const names = new Set<string>();
  for (const series of all) {
    for (const name of Object.keys(series)) names.add(name);
    if (names.size > maxLabelNames) break;
  }
  const shown = [...names].slice(0, maxLabelNames).toSorted().join(', ');
  return `${shown || 'none'}${names.size > maxLabelNames ? ', …' : ''}`;
}

function seriesCount({ length }: { length: number }): string {
  return length === 1 ? '1 series' : `${length} series`;
}
