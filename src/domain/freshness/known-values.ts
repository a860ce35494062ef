import { type FreshnessMetric, freshnessMetricNames } from './freshness-metrics.ts';

/** Metrics of one resource. `null` if unknown. */
export type MetricValues = Readonly<Record<FreshnessMetric, number | null>>;

export interface Accuracy {
  readonly isEstimate?: boolean;
  /** True if the actual values can be higher. */
  readonly isLowerBound?: boolean;
}

type Column = Float64Array<ArrayBuffer>;

const deployedFlag = 1;
const isEstimated = 2;
const isLowerBound = 4;

/**
 * Values of resources at an instant, by the index of the resource. They are stored in columns, because
 * objects for 100,000 resources would take 20 MB for each computed day.
 */
export class KnownValues {
  #size = 0;
  #flags = new Uint8Array(0);
  /** Values of each metric. NaN means unknown. */
  readonly #columns: Record<FreshnessMetric, Column>;

  constructor(resources: Iterable<readonly [MetricValues | null, accuracy?: Accuracy]> = []) {
    this.#columns = Object.fromEntries(
      freshnessMetricNames.map((name) => [name, new Float64Array(0)]),
    ) as Record<FreshnessMetric, Column>;
    for (const [values, accuracy] of resources) this.add(values, accuracy);
  }

  get size(): number {
    return this.#size;
  }

  /** @param values The metrics of the resource, or `null` if it wasn't deployed yet. */
  add(values: MetricValues | null, accuracy: Accuracy = {}): void {
    const index = this.#size++;
    if (index === this.#flags.length) this.#grow();
    const ofAccuracy = (accuracy.isEstimate ? isEstimated : 0) | (accuracy.isLowerBound ? isLowerBound : 0);
    this.#flags[index] = values === null ? 0 : deployedFlag | ofAccuracy;
    for (const name of freshnessMetricNames) this.#columns[name][index] = values?.[name] ?? NaN;
  }

  /** Removes all resources and keeps the allocated memory. */
  clear(): void {
    this.#size = 0;
  }

  /** True if the resource was deployed at the instant. */
  has(index: number): boolean {
    return (this.#flags[index]! & deployedFlag) !== 0;
  }

  isEstimate(index: number): boolean {
    return (this.#flags[index]! & isEstimated) !== 0;
  }

  /** True if the actual values can be higher. */
  isLowerBound(index: number): boolean {
    return (this.#flags[index]! & isLowerBound) !== 0;
  }

  value(index: number, metric: FreshnessMetric): number | null {
    const value = this.#columns[metric][index]!;
    return Number.isNaN(value) ? null : value;
  }

  #grow(): void {
    const room = Math.max(64, this.#flags.length * 2);
    const flags = new Uint8Array(room);
    flags.set(this.#flags);
    this.#flags = flags;
    for (const name of freshnessMetricNames) {
      const column = new Float64Array(room);
      column.set(this.#columns[name]);
      this.#columns[name] = column;
    }
  }
}
