import type { Candidates, VariantRule } from './candidates.ts';
import type { LeftOut } from './left-out.ts';
import type { DateSource, Release } from './release-set.ts';
import type { DaysBasis, Rule, RuleTypeId, UsedDate } from './rule-type.ts';
import type { AlertSeverity } from './severity.ts';
import { textFingerprint } from './text-fingerprint.ts';

/** How the deployed version was found among the releases. */
export type DeployedMatch =
  | 'exact'
  | 'same_version'
  /** It is a tag that moves: it stands for the release that is named. */
  | 'moving_tag'
  /** It is not there; the date is that of the release below it. */
  | 'nearest_lower'
  | 'none'
  | 'unparseable'
  | 'no_version';

/**
 * Why the verdict is what it is, as it is stored and answered. Instants are RFC 3339. Nothing in it changes
 * by the passing of days: they are counted from `behind_since`.
 */
export interface Explanation {
  readonly state: 'ok' | 'alerting' | 'no_data';
  readonly state_reason: string | null;
  readonly severity: AlertSeverity | null;
  readonly reason: string | null;
  readonly rule: {
    readonly rule_type: RuleTypeId;
    readonly thresholds: Readonly<Record<AlertSeverity, number | null>>;
    readonly stable_only: boolean;
    readonly days_basis: DaysBasis | null;
    readonly min_release_age_days: number;
  };
  readonly deployed: {
    readonly version: string | null;
    readonly match: DeployedMatch;
    /** The release that it was found to be. */
    readonly release: string | null;
    /** The line that it is compared with although its own name is another one, `''` for the one without a name. */
    readonly adopted_line: string | null;
  };
  /** With `variant_ended`: the latest release of the flavor or line in which the software goes on. */
  readonly continued_by: string | null;
  readonly latest: {
    readonly version: string;
    readonly date: string;
    readonly date_source: DateSource;
  } | null;
  readonly candidates: {
    readonly count: number;
    readonly variant_rule: VariantRule;
    /** Outliers that count because the configuration lists them: up to three, the highest first. */
    readonly counted: readonly string[];
  };
  /** Which date the days are counted from. */
  readonly date_used: {
    readonly at: string;
    readonly source: DateSource;
    readonly of: UsedDate['of'];
    readonly version: string;
    readonly is_estimate: boolean;
  } | null;
  /** `null` for days that are counted from `behind_since`, and for what cannot be counted. */
  readonly behind_by: number | null;
  readonly behind_since: string | null;
  /** The next instant at which time alone changes the answer. */
  readonly next_change_at: string | null;
  readonly left_out: readonly LeftOut[];
}

/** Everything that a verdict rests on. It holds on to the releases: for use, not for keeping. */
export interface Evidence {
  readonly rule: Rule;
  readonly deployedVersion: string | null;
  readonly match: DeployedMatch;
  readonly matched: Release | null;
  readonly adoptedLine: string | null;
  readonly successor: Release | null;
  readonly candidates: Candidates;
  readonly date: UsedDate | null;
  readonly behindBy: number | null;
  readonly nextCrossingAtMs: number | null;
  readonly outcome: Pick<Explanation, 'state' | 'severity' | 'reason'> & {
    readonly stateReason: string | null;
  };
}

export function explain(evidence: Evidence): Explanation {
  const { rule, candidates, date, outcome } = evidence;
  const { latest } = candidates;
  return {
    state: outcome.state,
    state_reason: outcome.stateReason,
    severity: outcome.severity,
    reason: outcome.reason,
    rule: explainRule(rule),
    deployed: {
      version: evidence.deployedVersion,
      match: evidence.match,
      release: evidence.matched?.text ?? null,
      adopted_line: evidence.adoptedLine,
    },
    continued_by: evidence.successor?.text ?? null,
    latest:
      latest === null
        ? null
        : { version: latest.text, date: toInstant(latest.dateMs), date_source: latest.dateSource },
    candidates: {
      count: candidates.size,
      variant_rule: candidates.variantRule,
      counted: candidates.counted,
    },
    date_used:
      date === null
        ? null
        : {
            at: toInstant(date.atMs),
            source: date.source,
            of: date.of,
            version: date.version,
            is_estimate: date.isEstimate,
          },
    behind_by: date === null ? evidence.behindBy : null,
    behind_since: date === null ? null : toInstant(date.atMs),
    next_change_at: evidence.nextCrossingAtMs === null ? null : toInstant(evidence.nextCrossingAtMs),
    left_out: candidates.leftOut,
  };
}

/**
 * A short text that differs when the explanation does, for a fraction of its cost: nearly always nothing has
 * changed, and then no explanation has to be made, read or written.
 */
export function fingerprint(evidence: Evidence): string {
  const { rule, candidates, date, outcome } = evidence;
  const { latest } = candidates;
  const parts = [
    outcome.state,
    outcome.stateReason,
    outcome.severity,
    outcome.reason,
    rule.type,
    rule.thresholds.moderate,
    rule.thresholds.high,
    rule.thresholds.critical,
    rule.stableOnly,
    effectiveDaysBasis(rule),
    rule.minReleaseAgeDays,
    evidence.deployedVersion,
    evidence.match,
    evidence.matched?.text,
    // No line and the line without a name are two things.
    evidence.adoptedLine === null ? null : `line ${evidence.adoptedLine}`,
    evidence.successor?.text,
    latest?.text,
    latest?.dateMs,
    latest?.dateSource,
    candidates.size,
    candidates.variantRule,
    date?.atMs,
    date?.source,
    date?.of,
    date?.version,
    date?.isEstimate,
    date === null ? evidence.behindBy : null,
    evidence.nextCrossingAtMs,
    candidates.leftOutFingerprint,
    // As it was without any.
    ...candidates.counted,
  ];
  // NUL stands in no version, so that two lists of parts never look alike.
  return textFingerprint(parts.join('\0'));
}

function explainRule(rule: Rule): Explanation['rule'] {
  return {
    rule_type: rule.type,
    thresholds: {
      moderate: rule.thresholds.moderate ?? null,
      high: rule.thresholds.high ?? null,
      critical: rule.thresholds.critical ?? null,
    },
    stable_only: rule.stableOnly,
    days_basis: effectiveDaysBasis(rule),
    min_release_age_days: rule.minReleaseAgeDays,
  };
}

function effectiveDaysBasis(rule: Rule): DaysBasis | null {
  return rule.type === 'days_behind' ? (rule.daysBasis ?? 'deployed_release') : null;
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
