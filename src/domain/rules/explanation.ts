import type { Candidates, VariantRule } from './candidates.ts';
import type { Jump } from './jumps.ts';
import type { LeftOut } from './left-out.ts';
import type { DateSource, Release } from './release-set.ts';
import type { DaysBasis, Rule, UsedDate } from './rule-type.ts';
import { type RuleTypeId, ruleTypes } from './rule-types.ts';
import type { AlertSeverity } from './severity.ts';
import { textFingerprint } from './text-fingerprint.ts';

/** How the deployed version was found among the releases. */
export type DeployedMatch =
  | 'exact'
  | 'same_version'
  /** It is a moving tag that points to a release. */
  | 'moving_tag'
  /** It isn't listed. The date is that of the closest lower release. */
  | 'nearest_lower'
  | 'none'
  | 'unparseable'
  | 'no_version';

/**
 * The explanation of a verdict, as stored and returned. Times are RFC 3339. It doesn't change from day to day: days count
 * from `behind_since`.
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
    /** The matching release. */
    readonly release: string | null;
    /** The line it is compared with, if that isn't its own. `''` is the line without a name. */
    readonly adopted_line: string | null;
  };
  /** With `variant_ended`, the latest release of the flavor or line that continues. */
  readonly continued_by: string | null;
  readonly latest: {
    readonly version: string;
    readonly date: string;
    readonly date_source: DateSource;
  } | null;
  /** An unusually large step from the releases before to the latest ones. */
  readonly jump: {
    /** The highest release below it. */
    readonly from: string;
    /** The releases above it, one of each version, highest first. */
    readonly above: readonly string[];
  } | null;
  readonly candidates: {
    readonly count: number;
    readonly variant_rule: VariantRule;
    /** Outliers that count because the configuration lists them: up to three, highest first. */
    readonly counted: readonly string[];
  };
  /** The date that days count from. */
  readonly date_used: {
    readonly at: string;
    readonly source: DateSource;
    readonly of: UsedDate['of'];
    readonly version: string;
    readonly is_estimate: boolean;
  } | null;
  /** `null` for days, which count from `behind_since`, and if it can't be counted. */
  readonly behind_by: number | null;
  readonly behind_since: string | null;
  /** When the result changes next if only time passes. */
  readonly next_change_at: string | null;
  readonly left_out: readonly LeftOut[];
}

/** The facts behind a verdict. It references all releases, so don't keep it. */
export interface Evidence {
  readonly rule: Rule;
  readonly deployedVersion: string | null;
  readonly match: DeployedMatch;
  readonly matched: Release | null;
  readonly adoptedLine: string | null;
  readonly successor: Release | null;
  readonly candidates: Candidates;
  readonly jump: Jump | null;
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
    jump:
      evidence.jump === null
        ? null
        : { from: evidence.jump.from.text, above: evidence.jump.above.map(textOf) },
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
 * A short string that changes when the explanation does, at a fraction of its cost. Explanations rarely change, so most
 * evaluations don't build, read, or write one.
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
    // Distinguishes no adopted line from the line without a name.
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
    // These add nothing if there are none, so that stored fingerprints stay valid.
    ...candidates.counted,
    ...(evidence.jump === null ? [] : ['jump', evidence.jump.from.text, ...evidence.jump.above.map(textOf)]),
  ];
  // Versions can't contain NUL, so joined parts are unambiguous.
  return textFingerprint(parts.join('\0'));
}

function textOf({ text }: Release): string {
  return text;
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
  return ruleTypes[rule.type].hasDaysBasis ? (rule.daysBasis ?? 'deployed_release') : null;
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
