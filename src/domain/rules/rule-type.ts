import type { SupportPhase } from '../support/support-phases.ts';
import type { Version } from '../versions/version-scheme.ts';
import type { Candidates } from './candidates.ts';
import type { DateSource, Release, ReleaseSet } from './release-set.ts';
import type { RuleTypeId } from './rule-types.ts';
import type { ThresholdScale, Thresholds } from './severity.ts';

/** A rule type. Its kind determines what it measures. */
export type RuleType =
  | VersionCountRuleType
  | VersionAgeRuleType
  | UpstreamActivityRuleType
  | SupportRuleType
  | VulnerabilityRuleType
  | ReleaseMovesRuleType;

/** Fields that all rule types have. */
interface CommonRuleType {
  readonly label: string;
  readonly description: string;
  /** Unit of the thresholds and of `behind_by`. */
  readonly unit: readonly [one: string, many: string];
  /** Short form of the unit. */
  readonly shortUnit: readonly [one: string, many: string];
  readonly thresholds: ThresholdScale;
  /** Text after an amount, such as "behind" in "45 days behind". */
  readonly lagPhrase: string;
  /** Reason for alerts of this type, if the lag can be measured. */
  readonly reason: AlertReason;
}

/** Counts the versions above the deployed one, so it requires versions that can be compared. */
export interface VersionCountRuleType extends CommonRuleType {
  readonly kind: 'version_count';
  /** Measures the lag of a version. Pure. The lag is 0 if no candidate is above the version. */
  readonly measure: (comparison: Comparison) => Lag;
}

/**
 * Counts the days for which the deployed version has been behind. `behind_by` increases even without a new
 * release, and the rules have a `days_basis`.
 */
export interface VersionAgeRuleType extends CommonRuleType {
  readonly kind: 'version_age';
  /** Measures the lag of a version. Pure. The lag is 0 if no candidate is above the version. */
  readonly measure: (comparison: Comparison) => Lag;
  /**
   * Measures the lag of a string that isn't a version but exactly matches the name of a release, using only
   * dates.
   */
  readonly measureByDate: (comparison: DateComparison) => MeasuredLag;
}

/**
 * Counts the days since upstream's last activity, regardless of the deployed version. `behind_by` increases
 * even without a new release.
 */
export interface UpstreamActivityRuleType extends CommonRuleType {
  readonly kind: 'upstream_activity';
  readonly measure: (candidates: Candidates) => MeasuredLag;
}

/**
 * Counts the days until support for the deployed version ends. Uses reference data, regardless of upstream releases. The
 * rules have a `support_phase`.
 */
export interface SupportRuleType extends CommonRuleType {
  readonly kind: 'support';
}

/** Measures the known vulnerabilities of the deployed version, using reference data. */
export interface VulnerabilityRuleType extends CommonRuleType {
  readonly kind: 'vulnerabilities';
  /**
   * `days`: the days for which a fix has been available. `behind_by` then increases even without a new
   * release.
   */
  readonly counts: 'vulnerabilities' | 'days';
}

/** Counts the changes to the deployed release after it was published, regardless of newer releases. */
export interface ReleaseMovesRuleType extends CommonRuleType {
  readonly kind: 'release_moves';
}

/** True if the rules have a deadline for known exploited vulnerabilities and a minimum EPSS score. */
export function usesExploitData(type: RuleType): boolean {
  return type.kind === 'vulnerabilities' && type.counts === 'days';
}

/** True if `behind_by` counts days since a date, so that it increases without a new release. */
export function countsDays(type: RuleType): boolean {
  return type.kind === 'vulnerabilities'
    ? type.counts === 'days'
    : type.kind === 'version_age' || type.kind === 'upstream_activity';
}

/**
 * Reason for an alert. `behind`: the deployed version is behind. `upstream_silent`: upstream no longer
 * publishes releases. `end_of_life`: support for the deployed version ends soon or has ended.
 * `known_vulnerabilities`: the deployed version has published vulnerabilities. `fix_available`: a release
 * fixes one of them. `release_moved`: the commit or the digest of the deployed release changed.
 */
export type AlertReason =
  | 'behind'
  | 'end_of_life'
  | 'fix_available'
  | 'known_vulnerabilities'
  | 'release_moved'
  | 'upstream_silent'
  | 'version_not_found'
  | 'version_unparseable';

/** Release from which days are counted: the deployed release or the first newer release. */
export type DaysBasis = 'deployed_release' | 'first_newer_release';
/** Default for new rules. With this value, days are counted from the time when an upgrade became possible. */
export const defaultDaysBasis: DaysBasis = 'first_newer_release';

/** The parts of a monitoring rule that affect the verdict. */
export interface Rule {
  readonly type: RuleTypeId;
  readonly thresholds: Thresholds;
  readonly stableOnly: boolean;
  /**
   * Only for types of the kind `version_age`. `null` means `deployed_release`, for rules stored before this option
   * existed.
   */
  readonly daysBasis: DaysBasis | null;
  readonly minReleaseAgeDays: number;
  /** Only for types of the kind `support`. Default: `end_of_life`. */
  readonly supportPhase?: SupportPhase | null;
  /**
   * Days after which a vulnerability that is known to be exploited reaches the highest severity of the thresholds. Only for
   * rule types that count the days since a fix. `null` for no separate deadline.
   */
  readonly knownExploitedDays?: number | null;
  /**
   * Minimum EPSS score of the vulnerabilities that count. Those that are known to be exploited and those without a score
   * always count. Only for the same rule types. `null` to count all.
   */
  readonly minEpss?: number | null;
}

export interface Comparison {
  readonly rule: Rule;
  readonly deployed: Version;
  /** The deployed release, even if it's withdrawn, yanked, or a pre-release. `null` if the source doesn't list it. */
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
       * Returns the time when the lag reached `threshold`, in milliseconds since 1970. That's the date of the
       * release with which the lag reached the threshold. `null` if that date isn't known.
       */
      readonly reachedAtMs: (threshold: number) => number | null;
    }
  /** The version has been behind since a date. The caller computes the number of days. */
  | { readonly kind: 'since'; readonly date: LagDate }
  /** The version is behind, but the source doesn't list it and has no lower release, so no date is available. */
  | { readonly kind: 'version_not_found' };

export type MeasuredLag = Exclude<Lag, { kind: 'version_not_found' }>;

export interface LagDate {
  readonly atMs: number;
  readonly source: DateSource;
  readonly of:
    | 'deployed_release'
    | 'nearest_lower_release'
    | 'first_newer_release'
    | 'newest_release'
    | 'fix_release';
  /** Version of the release that provides the date. */
  readonly version: string;
  /** True if `atMs` isn't exactly the release date that `of` describes. */
  readonly isEstimate: boolean;
}

export const notBehind: MeasuredLag = { kind: 'count', behindBy: 0, reachedAtMs: () => null };

export function lagSinceRelease(release: Release, of: LagDate['of']): MeasuredLag {
  const { dateMs, dateSource, text } = release;
  const isEstimate =
    of === 'nearest_lower_release' || dateSource === 'discovered_at' || dateSource === 'listed_at';
  return { kind: 'since', date: { atMs: dateMs, source: dateSource, of, version: text, isEstimate } };
}
