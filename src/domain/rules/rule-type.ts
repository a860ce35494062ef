import type { Version } from '../versions/version-scheme.ts';
import type { Candidates } from './candidates.ts';
import type { DateSource, Release, ReleaseSet } from './release-set.ts';
import type { Thresholds } from './severity.ts';

/** What a rule type promises: one way to say how far a deployed version is behind. */
export interface RuleType {
  readonly id: RuleTypeId;
  /** How far a version that can be compared is behind. Pure; 0 when nothing that counts is above it. */
  measure(comparison: Comparison): Lag;
  /**
   * The same by dates alone, for what is no version but the very string of a release.
   * `null`: this type needs versions that can be compared.
   */
  readonly measureByDate: ((comparison: DateComparison) => Lag) | null;
}

export type RuleTypeId = 'days_behind' | 'majors_behind' | 'minors_behind';

/** The clock of the days rule starts at the release of what is deployed, or of the first that is newer. */
export type DaysBasis = 'deployed_release' | 'first_newer_release';

/** A monitoring rule as far as it decides. */
export interface Rule {
  readonly type: RuleTypeId;
  readonly thresholds: Thresholds;
  readonly stableOnly: boolean;
  /** `null`: `deployed_release`, as rules were stored before it could be chosen. Only the days rule asks. */
  readonly daysBasis: DaysBasis | null;
  readonly minReleaseAgeDays: number;
}

export interface Comparison {
  readonly rule: Rule;
  readonly deployed: Version;
  /** The release that is deployed, whatever its flags; `null` when it is not among all releases. */
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
       * The date of the release with which the count reached `threshold`, in milliseconds since 1970; `null` when
       * the dates of the releases don't tell.
       */
      readonly reachedAtMs: (threshold: number) => number | null;
    }
  /** Behind since an instant: the days are counted by whoever asks. */
  | { readonly kind: 'since'; readonly date: UsedDate }
  /** It is behind, and nothing tells for how long. */
  | { readonly kind: 'version_not_found' };

export interface UsedDate {
  readonly atMs: number;
  readonly source: DateSource;
  readonly of: 'deployed_release' | 'nearest_lower_release' | 'first_newer_release';
  /** The version of that release. */
  readonly version: string;
  /** True when the date is not that of the very release by its source. */
  readonly isEstimate: boolean;
}

export const notBehind: Lag = { kind: 'count', behindBy: 0, reachedAtMs: () => null };

export function sinceRelease(release: Release, of: UsedDate['of']): Lag {
  const { dateMs, dateSource, text } = release;
  const isEstimate = of === 'nearest_lower_release' || dateSource === 'discovered_at';
  return { kind: 'since', date: { atMs: dateMs, source: dateSource, of, version: text, isEstimate } };
}
