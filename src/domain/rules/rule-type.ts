import type { judgeFindings } from '../verdicts/judge-findings.ts';
import type { SupportInput, SupportVerdict } from '../verdicts/judge-support.ts';
import type { SupportPhase } from '../verdicts/support-phases.ts';
import type { Version } from '../versions/version-scheme.ts';
import type { Candidates } from './candidates.ts';
import type { DateSource, Release, ReleaseSet } from './release-set.ts';
import type { RuleTypeId } from './rule-types.ts';
import type { ThresholdScale, Thresholds } from './severity.ts';

/** The interface of rule types. A rule type measures how far a deployed version is behind. */
export interface RuleType {
  readonly label: string;
  readonly description: string;
  /** The unit of its thresholds and of `behind_by`. */
  readonly unit: readonly [one: string, many: string];
  /** Short form. */
  readonly shortUnit: readonly [one: string, many: string];
  readonly thresholds: ThresholdScale;
  /** What follows an amount: "45 days behind". */
  readonly lagPhrase: string;
  /** Why its alerts are open, if the lag can be measured. */
  readonly reason: AlertReason;
  /** Whether `behind_by` counts days, which pass without a new release. */
  readonly countsDays: boolean;
  /** Whether its rules have a `days_basis`. */
  readonly hasDaysBasis: boolean;
  /** Measures the lag of a version that can be compared. Pure. 0 if no release that counts is above it. */
  measure(comparison: Comparison): Lag;
  /**
   * Measures the lag by dates only, for a string that isn't a version but is exactly the name of a release. `null` if
   * this type requires versions that can be compared.
   */
  readonly measureByDate: ((comparison: DateComparison) => Lag) | null;
  /**
   * Measures upstream alone, whatever is deployed, even if it can't be compared. `null` if this type compares the deployed
   * version; otherwise, it's used instead of the other two.
   */
  readonly measureUpstream: ((candidates: Candidates) => Lag) | null;
  /**
   * Measures the support of the deployed version by reference data, whatever upstream has released. `null` if this type
   * compares releases; otherwise, it's used instead of the other three, and the rules have a `support_phase`.
   */
  readonly measureSupport: ((input: SupportInput) => SupportVerdict) | null;
  /**
   * Counts the known vulnerabilities of the deployed version by reference data. `null` if this type counts something else;
   * otherwise, it's used instead of the other four.
   */
  readonly measureFindings: typeof judgeFindings | null;
}

/**
 * `behind`: the deployed version is. `upstream_silent`: the software gets no more releases. `end_of_life`: its support ends or
 * has ended. `known_vulnerabilities`: it has published vulnerabilities.
 */
export type AlertReason =
  | 'behind'
  | 'end_of_life'
  | 'known_vulnerabilities'
  | 'upstream_silent'
  | 'version_not_found'
  | 'version_unparseable';

/** Whether days count from the deployed release or from the first newer release. */
export type DaysBasis = 'deployed_release' | 'first_newer_release';
/** The default of new rules: since when an upgrade has been possible. */
export const defaultDaysBasis: DaysBasis = 'first_newer_release';

/** The parts of a monitoring rule that affect the verdict. */
export interface Rule {
  readonly type: RuleTypeId;
  readonly thresholds: Thresholds;
  readonly stableOnly: boolean;
  /** Only for types with `hasDaysBasis`. `null` means `deployed_release`, for rules stored before this could be selected. */
  readonly daysBasis: DaysBasis | null;
  readonly minReleaseAgeDays: number;
  /** Only for types with `measureSupport`. Without it, `end_of_life`. */
  readonly supportPhase?: SupportPhase | null;
}

export interface Comparison {
  readonly rule: Rule;
  readonly deployed: Version;
  /** The deployed release, regardless of its flags. `null` if it isn't listed. */
  readonly deployedRelease: Release | null;
  readonly candidates: Candidates;
  readonly set: ReleaseSet;
}

export interface DateComparison {
  readonly rule: Rule;
  readonly deployedRelease: Release;
  readonly candidates: Candidates;
}

export type Lag =
  | {
      readonly kind: 'count';
      readonly behindBy: number;
      /**
       * When the count reached `threshold`, in milliseconds since 1970: the date of the release that raised it. `null`
       * if the release dates don't show it.
       */
      readonly reachedAtMs: (threshold: number) => number | null;
    }
  /** Behind since a date. The caller counts the days. */
  | { readonly kind: 'since'; readonly date: UsedDate }
  /** Behind for an unknown time. */
  | { readonly kind: 'version_not_found' };

export interface UsedDate {
  readonly atMs: number;
  readonly source: DateSource;
  readonly of: 'deployed_release' | 'nearest_lower_release' | 'first_newer_release' | 'newest_release';
  /** The version of that release. */
  readonly version: string;
  /** True if the date isn't the release date of this release. */
  readonly isEstimate: boolean;
}

export const notBehind: Lag = { kind: 'count', behindBy: 0, reachedAtMs: () => null };

export function sinceRelease(release: Release, of: UsedDate['of']): Lag {
  const { dateMs, dateSource, text } = release;
  const isEstimate = of === 'nearest_lower_release' || dateSource === 'discovered_at';
  return { kind: 'since', date: { atMs: dateMs, source: dateSource, of, version: text, isEstimate } };
}
