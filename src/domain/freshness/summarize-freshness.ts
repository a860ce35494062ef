import { type FreshnessMetric, freshnessMetricNames } from './freshness-metrics.ts';
import type { KnownValues } from './known-values.ts';

/** Summary of one metric of several resources. All fields are 0 if no value is known. */
export interface MetricSummary {
  readonly known: number;
  readonly sum: number;
  /** The value that half of the resources don't exceed. */
  readonly median: number;
  /** The value that nine of ten resources don't exceed. */
  readonly p90: number;
}

/** Summary of several resources at one instant. */
export interface FreshnessSummary {
  readonly things: number;
  /** Number of resources whose version can't be compared or has no date. */
  readonly unknown: number;
  readonly estimated: number;
  /** Number of resources with at least one target. */
  readonly targeted: number;
  /** Number of resources that have targets and are within all of them. */
  readonly withinTarget: number;
  readonly metrics: Readonly<Record<FreshnessMetric, MetricSummary>>;
}

/** Groups of resources. Resources are identified by their index. */
export interface SummarizedGroups {
  readonly count: number;
  /** Returns the groups of a resource, numbered from 0. */
  readonly of: (index: number) => readonly number[];
  /**
   * True if a resource is within its targets. `null` if it has no targets, or if a value that they require is
   * unknown.
   */
  readonly isWithinTarget: (index: number) => boolean | null;
}

/** Summarizes the groups one by one. */
export function summarizeFreshness(known: KnownValues, groups: SummarizedGroups): FreshnessSummary[] {
  const counts = Array.from({ length: groups.count }, () => ({
    things: 0,
    unknown: 0,
    estimated: 0,
    targeted: 0,
    withinTarget: 0,
  }));
  for (let index = 0; index < known.size; index++) {
    if (!known.has(index)) continue;
    const isWithin = groups.isWithinTarget(index);
    for (const group of groups.of(index)) {
      const count = counts[group]!;
      count.things++;
      if (known.value(index, 'libyears') === null) count.unknown++;
      if (known.isEstimate(index)) count.estimated++;
      if (isWithin !== null) count.targeted++;
      if (isWithin === true) count.withinTarget++;
    }
  }
  const values = new GroupedValues(counts.map(({ things }) => things));
  const metrics = freshnessMetricNames.map(
    (name) => [name, values.summarize(known, name, groups.of)] as const,
  );
  return counts.map((count, group) => ({
    ...count,
    metrics: Object.fromEntries(metrics.map(([name, ofGroup]) => [name, ofGroup[group]!])) as Record<
      FreshnessMetric,
      MetricSummary
    >,
  }));
}

/** Values of one metric, sorted by group, in one array for all groups. */
class GroupedValues {
  readonly #values: Float64Array<ArrayBuffer>;
  readonly #starts: Uint32Array;

  /** @param sizes The number of resources in each group. */
  constructor(sizes: readonly number[]) {
    let count = 0;
    this.#starts = Uint32Array.from(sizes, (size) => (count += size) - size);
    this.#values = new Float64Array(count);
  }

  summarize(
    known: KnownValues,
    metric: FreshnessMetric,
    groupsOf: SummarizedGroups['of'],
  ): readonly MetricSummary[] {
    const ends = this.#starts.slice();
    for (let index = 0; index < known.size; index++) {
      const value = known.value(index, metric);
      if (value === null) continue;
      for (const group of groupsOf(index)) this.#values[ends[group]!++] = value;
    }
    return Array.from(ends, (end, group) => summarize(this.#values.subarray(this.#starts[group], end)));
  }
}

function summarize(values: Float64Array): MetricSummary {
  const known = values.length;
  if (known === 0) return { known, sum: 0, median: 0, p90: 0 };
  // Sort before adding, so that the order of the resources doesn't affect the sum.
  const ascending = values.sort();
  return {
    known,
    sum: ascending.reduce((sum, value) => sum + value, 0),
    median: ascending[Math.ceil(known * 0.5) - 1]!,
    p90: ascending[Math.ceil(known * 0.9) - 1]!,
  };
}
