import type { FreshnessFigures } from '../../../domain/freshness/freshness-figures.ts';
import { freshnessMetricNames, freshnessMetrics } from '../../../domain/freshness/freshness-metrics.ts';
import type { FreshnessStep, FreshnessSubject } from '../../../domain/freshness/freshness-timeline.ts';
import type { KnownValues, MetricValues } from '../../../domain/freshness/known-values.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const isKnown = 1;
const isEstimated = 2;
const isLowerBound = 4;
/** Placeholder for the index of a step that doesn't exist. */
const none = -1;
/** Placeholder for an unknown count. */
const noCount = -1;

/**
 * Stores the steps in the history of pairs, and the current step of each pair. A pair is identified by its index. The
 * data is stored in typed arrays to save memory: a step takes 49 bytes, compared with 200 bytes for an object.
 */
export class TimelineSteps {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** Step of each pair at the instant that was read last. */
  readonly #current: Int32Array;
  #size = 0;
  #columns = createColumns(64);
  readonly #figures: Writable<FreshnessFigures> = {
    latestVersion: null,
    lagMs: null,
    exposedSinceMs: null,
    majors: null,
    minors: null,
    releases: null,
    isEstimate: false,
    isLowerBound: false,
  };
  readonly #values = {} as Writable<MetricValues>;

  constructor(pairCount: number) {
    this.#first = new Int32Array(pairCount).fill(none);
    this.#last = new Int32Array(pairCount).fill(none);
    this.#current = new Int32Array(pairCount).fill(none);
  }

  /** Adds a step of a pair. The steps of a pair must be added in chronological order. */
  add(
    pair: number,
    { fromIndex, untilIndex, figures }: Omit<FreshnessStep<FreshnessSubject>, 'subject'>,
  ): void {
    const step = this.#size++;
    if (step === this.#columns.next.length) this.#columns = grow(this.#columns);
    const columns = this.#columns;
    columns.next[step] = none;
    columns.from[step] = fromIndex;
    columns.until[step] = untilIndex;
    columns.flags[step] =
      figures === null
        ? 0
        : isKnown | (figures.isEstimate ? isEstimated : 0) | (figures.isLowerBound ? isLowerBound : 0);
    columns.lagMs[step] = figures?.lagMs ?? NaN;
    columns.exposedSinceMs[step] = figures?.exposedSinceMs ?? NaN;
    columns.majors[step] = figures?.majors ?? noCount;
    columns.minors[step] = figures?.minors ?? noCount;
    columns.releases[step] = figures?.releases ?? noCount;
    const last = this.#last[pair]!;
    if (last === none) this.#first[pair] = this.#current[pair] = step;
    else columns.next[last] = step;
    this.#last[pair] = step;
  }

  /**
   * Adds the values of all pairs at an instant to `known`. Instants must be read in chronological order.
   *
   * @param known receives the values. Its previous content is replaced.
   */
  readAt(index: number, atMs: number, known: KnownValues): void {
    known.clear();
    for (let pair = 0; pair < this.#current.length; pair++) {
      const step = this.#moveTo(pair, index);
      if (step === none || this.#columns.from[step]! > index) known.add(null);
      else {
        const flags = this.#columns.flags[step]!;
        known.add(this.#valuesOf(step, atMs), {
          isEstimate: (flags & isEstimated) !== 0,
          isLowerBound: (flags & isLowerBound) !== 0,
        });
      }
    }
  }

  #moveTo(pair: number, index: number): number {
    let step = this.#current[pair]!;
    while (step !== none && this.#columns.until[step]! <= index) step = this.#columns.next[step]!;
    this.#current[pair] = step;
    return step;
  }

  /** Returns an object that is reused, so it's valid only until the next call. */
  #valuesOf(step: number, atMs: number): MetricValues {
    const columns = this.#columns;
    if ((columns.flags[step]! & isKnown) === 0) return unknown;
    const figures = this.#figures;
    figures.lagMs = timeOf(columns.lagMs[step]!);
    figures.exposedSinceMs = timeOf(columns.exposedSinceMs[step]!);
    figures.majors = countOf(columns.majors[step]!);
    figures.minors = countOf(columns.minors[step]!);
    figures.releases = countOf(columns.releases[step]!);
    for (const name of freshnessMetricNames)
      this.#values[name] = freshnessMetrics[name].valueOf(figures, atMs);
    return this.#values;
  }
}

/** Values of a version that can't be compared. */
const unknown: MetricValues = {
  libyears: null,
  exposure_days: null,
  majors: null,
  minors: null,
  releases: null,
};

function timeOf(stored: number): number | null {
  return Number.isNaN(stored) ? null : stored;
}

function countOf(stored: number): number | null {
  return stored === noCount ? null : stored;
}

type Columns = ReturnType<typeof createColumns>;

function createColumns(capacity: number) {
  return {
    /** Index of the next step of the same pair. */
    next: new Int32Array(capacity),
    from: new Int32Array(capacity),
    until: new Int32Array(capacity),
    flags: new Uint8Array(capacity),
    lagMs: new Float64Array(capacity),
    exposedSinceMs: new Float64Array(capacity),
    majors: new Int32Array(capacity),
    minors: new Int32Array(capacity),
    releases: new Int32Array(capacity),
  };
}

function grow(columns: Columns): Columns {
  const larger = createColumns(columns.next.length * 2);
  for (const name of Object.keys(columns) as (keyof Columns)[]) larger[name].set(columns[name]);
  return larger;
}
