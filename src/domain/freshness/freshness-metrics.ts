import { dayMs, wholeDaysBetween } from '../rules/stored-lag.ts';
import type { FreshnessFigures } from './freshness-figures.ts';

interface FreshnessMetricInfo {
  readonly label: string;
  /** Definition of the metric, for display. */
  readonly definition: string;
  readonly unit: readonly [one: string, many: string];
  /** True if the metric grows with time alone. */
  readonly growsWithTime: boolean;
  /** @returns The value, or `null` if it's unknown. */
  readonly valueOf: (figures: FreshnessFigures, atMs: number) => number | null;
}

/** Length of a year in libyears. An average year makes the metric independent of leap years. */
const yearMs = 365.25 * dayMs;

/** All freshness metrics. */
export const freshnessMetrics = {
  libyears: {
    label: 'Libyears',
    definition:
      "Time from the release of the deployed version to the release of the latest stable version, in years. 0 if nothing newer exists. It doesn't grow until a newer version is released.",
    unit: ['libyear', 'libyears'],
    growsWithTime: false,
    valueOf: ({ lagMs }) => (lagMs === null ? null : lagMs / yearMs),
  },
  exposure_days: {
    label: 'Exposure days',
    definition: 'Days since the first newer stable version was released. Grows every day until an upgrade.',
    unit: ['day', 'days'],
    growsWithTime: true,
    valueOf: ({ exposedSinceMs }: Pick<FreshnessFigures, 'exposedSinceMs'>, atMs: number) =>
      exposedSinceMs === null ? 0 : wholeDaysBetween(exposedSinceMs, atMs),
  },
  majors: {
    label: 'Major versions',
    definition: 'Number of newer major versions.',
    unit: ['major version', 'major versions'],
    growsWithTime: false,
    valueOf: ({ majors }) => majors,
  },
  minors: {
    label: 'Minor versions',
    definition: 'Number of newer minor versions, across all majors.',
    unit: ['minor version', 'minor versions'],
    growsWithTime: false,
    valueOf: ({ minors }) => minors,
  },
  releases: {
    label: 'Releases',
    definition: 'Number of newer stable versions.',
    unit: ['release', 'releases'],
    growsWithTime: false,
    valueOf: ({ releases }) => releases,
  },
} as const satisfies Record<string, FreshnessMetricInfo>;

export type FreshnessMetric = keyof typeof freshnessMetrics;
/** Metrics that a target can limit. */
export type TargetMetric = Exclude<FreshnessMetric, 'releases'>;
export const freshnessMetricNames = Object.keys(freshnessMetrics) as FreshnessMetric[];

/** Returns the last millisecond of a day in UTC. `day` is the number of days since January 1, 1970. */
export function endOfDayMs(day: number): number {
  return (day + 1) * dayMs - 1;
}

/** Formats the limit of a target, such as "90 days" or "1.5 libyears". */
export function formatTargetLimit({ metric, limit }: { metric: TargetMetric; limit: number }): string {
  return withUnit(metric, String(limit));
}

/** Adds the unit to a formatted number. The unit agrees with the displayed number: 1.04 is "1 libyear". */
export function withUnit(metric: FreshnessMetric, number: string): string {
  const [one, many] = freshnessMetrics[metric].unit;
  return `${number} ${number === '1' ? one : many}`;
}
