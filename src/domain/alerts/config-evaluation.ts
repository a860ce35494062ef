import type { VerdictReason } from '../rules/measurement.ts';
import type { AlertSeverity } from '../rules/severity.ts';

export type ConfigState = 'ok' | 'alerting' | 'no_data' | 'stale' | 'inactive';

export type ConfigStateReason =
  | VerdictReason
  | 'upstream_silent'
  | 'end_of_life'
  | 'fix_available'
  | 'known_vulnerabilities'
  | 'release_moved'
  | 'version_not_found'
  | 'version_unparseable'
  | 'resolved_by_hand'
  | 'snoozed'
  | 'source_failing'
  | ListDoubt['reason'];

/** Reason why a release list can prove that a deployed version is behind, but not that it's up to date. */
export type ListDoubt =
  /** The list can be truncated. A previously confirmed state becomes stale at `untilMs`. */
  | { readonly reason: 'list_incomplete'; readonly untilMs: number }
  /** The list comes from a mirror, which may be missing newer releases, so it never confirms a state. */
  | { readonly reason: 'mirror_only' };

/**
 * Doubt about whether a list contains the newest releases, and the time at which the doubt starts. Before
 * that time, the list contained them.
 */
export interface DatedListDoubt {
  readonly sinceMs: number;
  readonly doubt: ListDoubt;
}

/**
 * Returns the doubt that applies at a time, or `null` if the list contained the newest releases at that time.
 */
export function listDoubtAt(dated: DatedListDoubt | null, atMs: number): ListDoubt | null {
  return dated !== null && dated.sinceMs <= atMs ? dated.doubt : null;
}

/** Stored result of the last evaluation of an alert configuration. Times are milliseconds since 1970, UTC. */
export interface ConfigEvaluation {
  readonly state: ConfigState;
  readonly stateReason: ConfigStateReason | null;
  readonly severity: AlertSeverity | null;
  readonly deployedVersion: string | null;
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /**
   * The gather job that reads a mirror of the upstream, and the highest of the compared releases in that
   * mirror.
   */
  readonly mirrorJobId: number | null;
  readonly mirrorVersion: string | null;
  /** `null` if the lag is in days, which are counted from `behindSinceMs`, or if it can't be counted. */
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
  /** End of support, if the date is known. Only for rules about support. */
  readonly endsAtMs: number | null;
  /**
   * IDs of the vulnerabilities that reached a threshold in the last evaluation with vulnerability data. Only for rules
   * about vulnerabilities.
   */
  readonly vulnerabilityIds: readonly string[] | null;
  /** Time at which the threshold of `severity` was crossed; `null` without a severity. */
  readonly crossedAtMs: number | null;
  /**
   * Set when someone resolves an alert manually. No new alert opens for this version up to `mutedSeverity`.
   */
  readonly mutedVersion: string | null;
  readonly mutedSeverity: AlertSeverity | null;
  /** True if the references or the type of the rule have changed since the last evaluation. */
  readonly isReconfigured: boolean;
  /** Fingerprint of the stored explanation; `null` if none is stored. */
  readonly explanationFingerprint: string | null;
}

export const notMuted = { mutedVersion: null, mutedSeverity: null } as const;

/** Initial state of a new alert configuration. */
export const initialEvaluation: ConfigEvaluation = {
  state: 'no_data',
  stateReason: null,
  severity: null,
  deployedVersion: null,
  latestVersion: null,
  latestStableVersion: null,
  mirrorJobId: null,
  mirrorVersion: null,
  behindBy: null,
  behindSinceMs: null,
  endsAtMs: null,
  vulnerabilityIds: null,
  crossedAtMs: null,
  mutedVersion: null,
  mutedSeverity: null,
  isReconfigured: false,
  explanationFingerprint: null,
};
