import { ownValue } from '../json/own-value.ts';
import { matchesLabels } from '../routing/match-rule.ts';
import { wholeDaysBetween } from '../rules/stored-lag.ts';
import { freshnessMetrics } from './freshness-metrics.ts';
import { type FreshnessTarget, isWithinTarget } from './freshness-target.ts';
import type { KnownValues } from './known-values.ts';
import { type FreshnessSummary, summarizeFreshness } from './summarize-freshness.ts';

export type Labels = Readonly<Record<string, string>>;

export interface FreshnessGroup {
  readonly grouping: 'all' | 'label' | 'target';
  /** Key of the label. Empty for groups that don't belong to a label. */
  readonly key: string;
  /**
   * Value of the label, or ID of the target. Empty for the group of all resources, and for resources without the label.
   */
  readonly value: string;
}

export interface GroupedTarget extends FreshnessTarget {
  readonly id: number;
}

/** Maximum number of values of a label. Other values are neither stored nor shown. */
const maxValuesOfLabel = 100;

/**
 * Groups of resources to summarize: all resources, the resources with each value of some labels, and the
 * resources of each target.
 */
export class FreshnessGroups {
  readonly groups: readonly FreshnessGroup[];
  readonly #kindOf: Uint32Array;
  readonly #kinds: readonly LabelSet[];
  readonly #targets: readonly GroupedTarget[];

  /**
   * @param labels The labels of each resource, by index. Resources that share one labels object are grouped
   * together.
   */
  constructor(labels: readonly Labels[], labelKeys: readonly string[], targets: readonly GroupedTarget[]) {
    const kinds = new Map<Labels, LabelSet & { readonly index: number; count: number; groups: number[] }>();
    this.#kindOf = Uint32Array.from(labels, (each) => {
      let kind = kinds.get(each);
      if (kind === undefined) {
        const own = targets.filter(({ labelMatchers }) => matchesLabels(labelMatchers, each));
        kind = { index: kinds.size, labels: each, count: 0, groups: [0], targets: own };
        kinds.set(each, kind);
      }
      kind.count++;
      return kind.index;
    });
    const groups: FreshnessGroup[] = [{ grouping: 'all', key: '', value: '' }];
    const all = [...kinds.values()];
    for (const key of labelKeys) {
      for (const [value, members] of mostFrequentValues(all, key)) {
        for (const kind of members) kind.groups.push(groups.length);
        groups.push({ grouping: 'label', key, value });
      }
    }
    for (const target of targets) {
      for (const kind of all) if (kind.targets.includes(target)) kind.groups.push(groups.length);
      groups.push({ grouping: 'target', key: '', value: String(target.id) });
    }
    this.groups = groups;
    this.#kinds = all;
    this.#targets = targets;
  }

  /**
   * True if a resource is within all targets that apply to it. `null` if no target applies or no value is
   * known.
   */
  isWithinTargets(index: number, known: KnownValues): boolean | null {
    let isWithinAll: boolean | null = null;
    for (const target of this.#kind(index).targets) {
      const within = isWithin(target, index, known);
      if (within === false) return false;
      isWithinAll ??= within;
    }
    return isWithinAll;
  }

  /**
   * Summarizes each group, in the order of `groups`. In the summary of a target, `targeted` and `withinTarget` refer
   * only to this target.
   */
  summarize(known: KnownValues): FreshnessSummary[] {
    const summaries = summarizeFreshness(known, {
      count: this.groups.length,
      of: (index) => this.#kind(index).groups,
      isWithinTarget: (index) => this.isWithinTargets(index, known),
    });
    const firstTarget = this.groups.length - this.#targets.length;
    for (const [place, target] of this.#targets.entries()) {
      const counts = { targeted: 0, withinTarget: 0 };
      for (const index of this.#withTarget(target, known)) {
        const within = isWithin(target, index, known);
        if (within !== null) counts.targeted++;
        if (within === true) counts.withinTarget++;
      }
      summaries[firstTarget + place] = { ...summaries[firstTarget + place]!, ...counts };
    }
    return summaries;
  }

  /**
   * Counts the resources that are within a target at `nowMs` and exceed it by `laterMs` if nothing is
   * upgraded or released.
   */
  countLeaving(target: GroupedTarget, known: KnownValues, nowMs: number, laterMs: number): number {
    if (!freshnessMetrics[target.metric].growsWithTime) return 0;
    const days = wholeDaysBetween(nowMs, laterMs);
    let count = 0;
    for (const index of this.#withTarget(target, known)) {
      const value = known.value(index, target.metric);
      // Without a newer release, the value doesn't grow.
      if (value === null || value > target.limit || !isExposed(known, index)) continue;
      if (value + days > target.limit) count++;
    }
    return count;
  }

  /** Yields the deployed resources to which the target applies. */
  *#withTarget(target: GroupedTarget, known: KnownValues): Generator<number, void, undefined> {
    for (let index = 0; index < known.size; index++) {
      if (known.has(index) && this.#kind(index).targets.includes(target)) yield index;
    }
  }

  #kind(index: number): LabelSet {
    return this.#kinds[this.#kindOf[index]!]!;
  }
}

/** Resources with the same labels. */
interface LabelSet {
  readonly labels: Labels;
  readonly count: number;
  readonly groups: readonly number[];
  readonly targets: readonly GroupedTarget[];
}

function isWithin(target: GroupedTarget, index: number, known: KnownValues): boolean | null {
  return isWithinTarget(target, known.value(index, target.metric), known.isLowerBound(index));
}

function isExposed(known: KnownValues, index: number): boolean {
  return (['exposure_days', 'releases', 'libyears'] as const).some(
    (metric) => (known.value(index, metric) ?? 0) > 0,
  );
}

/**
 * Returns the values of a label, each with the label sets that contain it. The values with the most resources come
 * first. Values with equally many resources are sorted by name.
 */
function mostFrequentValues<K extends Pick<LabelSet, 'labels' | 'count'>>(
  kinds: readonly K[],
  key: string,
): (readonly [value: string, members: readonly K[]])[] {
  const byValue = Map.groupBy(kinds, ({ labels }) => ownValue(labels, key) ?? '');
  return [...byValue]
    .map(([value, members]) => ({
      value,
      members,
      count: members.reduce((sum, kind) => sum + kind.count, 0),
    }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxValuesOfLabel)
    .map(({ value, members }) => [value, members] as const);
}
