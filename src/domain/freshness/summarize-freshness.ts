import { type FreshnessMetric, freshnessMetricNames } from './freshness-metrics.ts';

/** One metric of several resources. All are 0 if no value is known. */
export interface MetricSummary {
  readonly known: number;
  readonly sum: number;
  /** The value that half of the resources don't exceed. */
  readonly median: number;
  /** The value that nine of ten resources don't exceed. */
  readonly p90: number;
}

/** Several resources at one instant. */
export interface FreshnessSummary {
  readonly things: number;
  /** Versions that can't be compared, or without a date. */
  readonly unknown: number;
  readonly estimated: number;
  /** Resources with at least one target. */
  readonly targeted: number;
  /** Of those, resources that are within all of their targets. */
  readonly withinTarget: number;
  readonly metrics: Readonly<Record<FreshnessMetric, MetricSummary>>;
}

/** One resource at one instant. */
export interface FreshnessReading {
  /** `null` where unknown. */
  readonly values: Readonly<Record<FreshnessMetric, number | null>>;
  readonly isEstimate: boolean;
  /** Whether it is within its targets. `null` without targets, or if a value that they need is unknown. */
  readonly isWithinTarget: boolean | null;
}

/** Sums up one group after the other. Each value is sorted once, not once for each group. */
export function summarizeFreshness(
  readings: readonly FreshnessReading[],
  /** The groups of each reading, from 0. */
  groupsOf: (index: number) => readonly number[],
  groupCount: number,
): FreshnessSummary[] {
  const groups = Array.from({ length: groupCount }, () => new Group());
  for (const [index, reading] of readings.entries()) {
    for (const group of groupsOf(index)) groups[group]!.count(reading);
  }
  for (const metric of freshnessMetricNames) {
    const known: number[] = [];
    for (const [index, { values }] of readings.entries()) if (values[metric] !== null) known.push(index);
    // The same values have the same sum in whichever order the resources come.
    known.sort((a, b) => readings[a]!.values[metric]! - readings[b]!.values[metric]!);
    for (const index of known) {
      for (const group of groupsOf(index)) groups[group]!.add(metric, readings[index]!.values[metric]!);
    }
  }
  return groups.map((group) => group.summary());
}

class Group {
  #things = 0;
  #unknown = 0;
  #estimated = 0;
  #targeted = 0;
  #withinTarget = 0;
  /** Ascending. */
  readonly #values = new Map<FreshnessMetric, number[]>(freshnessMetricNames.map((name) => [name, []]));

  count({ values, isEstimate, isWithinTarget }: FreshnessReading): void {
    this.#things++;
    if (values.libyears === null) this.#unknown++;
    if (isEstimate) this.#estimated++;
    if (isWithinTarget !== null) this.#targeted++;
    if (isWithinTarget === true) this.#withinTarget++;
  }

  add(metric: FreshnessMetric, value: number): void {
    this.#values.get(metric)!.push(value);
  }

  summary(): FreshnessSummary {
    const metrics = Object.fromEntries(
      [...this.#values].map(([name, values]) => [name, summarize(values)]),
    ) as Record<FreshnessMetric, MetricSummary>;
    return {
      things: this.#things,
      unknown: this.#unknown,
      estimated: this.#estimated,
      targeted: this.#targeted,
      withinTarget: this.#withinTarget,
      metrics,
    };
  }
}

function summarize(ascending: readonly number[]): MetricSummary {
  const known = ascending.length;
  if (known === 0) return { known, sum: 0, median: 0, p90: 0 };
  return {
    known,
    sum: ascending.reduce((sum, value) => sum + value, 0),
    median: ascending[Math.ceil(known * 0.5) - 1]!,
    p90: ascending[Math.ceil(known * 0.9) - 1]!,
  };
}
