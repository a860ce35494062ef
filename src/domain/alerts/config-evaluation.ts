import type { VerdictReason } from '../rules/judge.ts';
import type { AlertSeverity } from '../rules/severity.ts';

export type ConfigState = 'ok' | 'alerting' | 'no_data' | 'stale' | 'inactive';

export type ConfigStateReason =
  | VerdictReason
  | 'upstream_silent'
  | 'end_of_life'
  | 'known_vulnerabilities'
  | 'version_not_found'
  | 'version_unparseable'
  | 'resolved_by_hand'
  | 'snoozed'
  | 'source_failing';

/** What an alert configuration keeps of its last evaluation. Instants are milliseconds since 1970, UTC. */
export interface ConfigEvaluation {
  readonly state: ConfigState;
  readonly stateReason: ConfigStateReason | null;
  readonly severity: AlertSeverity | null;
  readonly deployedVersion: string | null;
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /** `null` for days, which are counted from `behindSinceMs`, and for what cannot be counted. */
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
  /** For rules about support: when it ends, if the day is known. */
  readonly endsAtMs: number | null;
  /** For rules about vulnerabilities: the ids of those that counted when that was last known. */
  readonly vulnerabilityIds: readonly string[] | null;
  /** When the threshold of `severity` was crossed; `null` without a severity. */
  readonly crossedAtMs: number | null;
  /** Set when an alert is resolved by hand: no new one for this version up to this severity. */
  readonly mutedVersion: string | null;
  readonly mutedSeverity: AlertSeverity | null;
  /** True when the references or the type of the rule are others than the last evaluation saw. */
  readonly isReconfigured: boolean;
  /** Of the explanation that is stored; `null` while there is none. */
  readonly explanationFingerprint: string | null;
}

export const notMuted = { mutedVersion: null, mutedSeverity: null } as const;

/** What a new alert configuration keeps. */
export const freshConfig: ConfigEvaluation = {
  state: 'no_data',
  stateReason: null,
  severity: null,
  deployedVersion: null,
  latestVersion: null,
  latestStableVersion: null,
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
