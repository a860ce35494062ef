import type { DataGap } from './data-gap.ts';
import type { ExplainedMatch } from './explanation.ts';
import type { FindingsLookup } from './find-findings.ts';
import type { SupportLookup } from './find-support.ts';
import type { ReleaseChange } from './release-changes.ts';
import type { ComparableRelease, Release } from './release-set.ts';
import type { AlertReason, LagDate } from './rule-type.ts';
import type { AlertSeverity } from './severity.ts';

/** Reason why a configuration doesn't alert, if the state alone doesn't explain it. */
export type VerdictReason =
  | NoDataReason
  /** The data about the product contains no end-of-support date for the deployed version. */
  | 'no_support_date'
  /** The deployed version is higher than every release line in the data. */
  | 'line_unknown'
  | LagReason;

/** Reason why nothing can be measured. */
export type NoDataReason =
  | 'no_release'
  /** The source has no releases, only a lifecycle. */
  | 'lifecycle_only'
  | 'no_version'
  | 'not_comparable'
  /**
   * The deployed version can't be compared as a version, and it was never deployed in the environment that serves as
   * upstream.
   */
  | 'not_seen_there'
  /** The product of the gather job isn't known. For a chart, also: the version of its application isn't known. */
  | 'no_lifecycle'
  /**
   * The packages of the gather job aren't known, or their data isn't loaded. For a chart, it's also possible
   * that the version of its application isn't known.
   */
  | 'no_vulnerability_data'
  /** Neither the commit nor the digest of the deployed release is known, or upstream no longer lists the release. */
  | 'release_unchecked'
  | DataGap;

/** Reasons that occur with a lag of 0. */
export type LagReason =
  | 'no_candidate'
  | 'ahead_of_upstream'
  /**
   * The deployed version is the last release of a variant that no longer gets releases, while another variant still
   * does.
   */
  | 'variant_ended'
  /**
   * The number of the deployed version is a mistake of upstream or belongs to a numbering that upstream abandoned.
   * Newer releases have lower numbers.
   */
  | 'numbering_ended';

export type VerdictOutcome =
  | {
      readonly state: 'ok' | 'no_data';
      readonly stateReason: VerdictReason | null;
      readonly severity: null;
      readonly reason: null;
    }
  | {
      readonly state: 'alerting';
      readonly stateReason: null;
      readonly severity: AlertSeverity;
      readonly reason: AlertReason;
    };

/** Result of measuring a rule type, with the outcome that follows from the thresholds of the rule. */
export interface Measurement {
  readonly outcome: VerdictOutcome;
  readonly match: ExplainedMatch;
  readonly matched: Release | null;
  /** Lag in the unit of the rule type. `null` if it can't be determined. */
  readonly behindBy: number | null;
  /** The date from which days are counted. `null` for other lags, or if the deployed version isn't behind. */
  readonly date: LagDate | null;
  readonly support: SupportLookup | null;
  readonly findings: FindingsLookup | null;
  /**
   * Changes to the deployed release, oldest first. `null` for other rule types, and if it can't be checked.
   */
  readonly moves: readonly ReleaseChange[] | null;
  /**
   * The release with which upstream continues after a variant or a numbering has ended. `null` for an alert
   * about an ended variant, because newer versions of that variant exist.
   */
  readonly successor: ComparableRelease | null;
  /**
   * The latest release of the current numbering, if the numbering of the deployed version has ended. Replaces the latest
   * candidate.
   */
  readonly latest: ComparableRelease | null;
  /** True if the repository is archived. The configuration then alerts even if no threshold is reached. */
  readonly isArchived: boolean;
  /** Time at which the lag reached the threshold of the severity. `null` if the time isn't known. */
  readonly crossedAtMs: number | null;
  /** Time at which the outcome changes next if no data changes until then. */
  readonly nextCrossingAtMs: number | null;
  /** True if the outcome is certain only if the list of releases is complete. */
  readonly requiresCompleteList: boolean;
}

/** Default values for the fields of a measurement that don't apply to a kind of rule type. */
const nothingMeasured = {
  matched: null,
  behindBy: null,
  date: null,
  support: null,
  findings: null,
  moves: null,
  successor: null,
  latest: null,
  isArchived: false,
  crossedAtMs: null,
  nextCrossingAtMs: null,
  requiresCompleteList: false,
} as const satisfies Partial<Measurement>;

/** Returns a measurement with the given fields. */
export function measurement(
  members: Pick<Measurement, 'outcome' | 'match'> & Partial<Measurement>,
): Measurement {
  return { ...nothingMeasured, ...members };
}

/** @param nextCrossingAtMs Time at which the set of candidates changes next. */
export function noData(
  why: NoDataReason,
  match: ExplainedMatch,
  matched: Release | null,
  nextCrossingAtMs: number | null,
): Measurement {
  return measurement({ outcome: withoutAlert('no_data', why), match, matched, nextCrossingAtMs });
}

export function withoutAlert(state: 'ok' | 'no_data', stateReason: VerdictReason | null): VerdictOutcome {
  return { state, stateReason, severity: null, reason: null };
}

/** @param stateReason The reason for the state `ok`. */
export function withSeverity(
  severity: AlertSeverity | null,
  reason: AlertReason,
  stateReason: VerdictReason | null,
): VerdictOutcome {
  return severity === null
    ? withoutAlert('ok', stateReason)
    : { state: 'alerting', stateReason: null, severity, reason };
}
