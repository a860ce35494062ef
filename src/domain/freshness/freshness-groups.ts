import { matchesLabels } from '../routing/match-rule.ts';
import { behindDays } from '../rules/behind-days.ts';
import { type FreshnessMetric, freshnessMetrics } from './freshness-metrics.ts';
import { type FreshnessTarget, isWithinTarget } from './freshness-target.ts';
import { type FreshnessReading, type FreshnessSummary, summarizeFreshness } from './summarize-freshness.ts';

type Labels = Readonly<Record<string, string>>;

export interface FreshnessGroup {
  readonly grouping: 'all' | 'label' | 'target';
  /** The key of a label, else empty. */
  readonly key: string;
  /** The value of the label, empty for resources without it; or the ID of the target. */
  readonly value: string;
}

export interface GroupedTarget extends FreshnessTarget {
  readonly id: number;
}

/** What is known of a resource at an instant. */
export type KnownValues = Pick<FreshnessReading, 'values' | 'isEstimate'>;

/** More values of a label are neither stored nor shown. */
const maxValuesOfLabel = 100;

/** Resources in the groups that are summed up: all of them, those with each value of some labels, and those of targets. */
export class FreshnessGroups {
  readonly groups: readonly FreshnessGroup[];
  readonly #groupsOf: readonly (readonly number[])[];
  readonly #targetsOf: readonly (readonly GroupedTarget[])[];
  readonly #targets: readonly GroupedTarget[];

  /** @param labels Of each resource, by its index. */
  constructor(labels: readonly Labels[], labelKeys: readonly string[], targets: readonly GroupedTarget[]) {
    const groups: FreshnessGroup[] = [{ grouping: 'all', key: '', value: '' }];
    const groupsOf: number[][] = labels.map(() => [0]);
    for (const key of labelKeys) {
      for (const [value, members] of mostFrequent(labels, key)) {
        for (const index of members) groupsOf[index]!.push(groups.length);
        groups.push({ grouping: 'label', key, value });
      }
    }
    const targetsOf = labels.map((each) =>
      targets.filter(({ labelMatchers }) => matchesLabels(labelMatchers, each)),
    );
    for (const target of targets) {
      for (const [index, own] of targetsOf.entries()) {
        if (own.includes(target)) groupsOf[index]!.push(groups.length);
      }
      groups.push({ grouping: 'target', key: '', value: String(target.id) });
    }
    this.groups = groups;
    this.#groupsOf = groupsOf;
    this.#targetsOf = targetsOf;
    this.#targets = targets;
  }

  /** Whether a resource is within all targets that apply to it. `null` if none does or nothing is known. */
  isWithinTargets(index: number, values: KnownValues['values']): boolean | null {
    let within: boolean | null = null;
    for (const target of this.#targetsOf[index]!) {
      const isWithin = isWithinTarget(target, values);
      if (isWithin === false) return false;
      within ??= isWithin;
    }
    return within;
  }

  /**
   * Sums up each group, in the order of `groups`. That of a target counts only this target.
   *
   * @param known By the index of the resource. `null` for one that didn't run yet.
   */
  summarize(known: readonly (KnownValues | null)[]): FreshnessSummary[] {
    const indexes: number[] = [];
    const readings: FreshnessReading[] = [];
    for (const [index, each] of known.entries()) {
      if (each === null) continue;
      indexes.push(index);
      readings.push({ ...each, isWithinTarget: this.isWithinTargets(index, each.values) });
    }
    const summaries = summarizeFreshness(
      readings,
      (place) => this.#groupsOf[indexes[place]!]!,
      this.groups.length,
    );
    const firstTarget = this.groups.length - this.#targets.length;
    for (const [place, target] of this.#targets.entries()) {
      const counts = { targeted: 0, withinTarget: 0 };
      for (const [at, { values }] of readings.entries()) {
        if (!this.#targetsOf[indexes[at]!]!.includes(target)) continue;
        const isWithin = isWithinTarget(target, values);
        if (isWithin !== null) counts.targeted++;
        if (isWithin === true) counts.withinTarget++;
      }
      summaries[firstTarget + place] = { ...summaries[firstTarget + place]!, ...counts };
    }
    return summaries;
  }

  /** Resources within a target at `nowMs` that leave it by `laterMs` if nothing is upgraded or released. */
  countLeaving(target: GroupedTarget, known: readonly KnownValues[], nowMs: number, laterMs: number): number {
    if (!freshnessMetrics[target.metric].growsWithTime) return 0;
    const days = behindDays(nowMs, laterMs);
    let count = 0;
    for (const [index, { values }] of known.entries()) {
      if (!this.#targetsOf[index]!.includes(target)) continue;
      const value = values[target.metric];
      // Without a newer release, nothing grows.
      if (value === null || value > target.limit || !isExposed(values)) continue;
      if (value + days > target.limit) count++;
    }
    return count;
  }
}

function isExposed(values: Readonly<Record<FreshnessMetric, number | null>>): boolean {
  return (values.exposure_days ?? 0) > 0 || (values.releases ?? 0) > 0 || (values.libyears ?? 0) > 0;
}

/** The values of a label with their resources: the most frequent ones first, then by name. */
function mostFrequent(labels: readonly Labels[], key: string): [value: string, members: number[]][] {
  const byValue = new Map<string, number[]>();
  for (const [index, each] of labels.entries()) {
    const value = (Object.hasOwn(each, key) ? each[key] : '') ?? '';
    const members = byValue.get(value);
    if (members === undefined) byValue.set(value, [index]);
    else members.push(index);
  }
  return [...byValue]
    .sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
    .slice(0, maxValuesOfLabel);
}
