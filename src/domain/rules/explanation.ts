import { defaultSupportPhase, type SupportPhase } from '../support/support-phases.ts';
import type { AdvisorySeverity } from '../vulnerabilities/advisory.ts';
import { exploitedSinceMs } from '../vulnerabilities/exploits.ts';
import type { Finding } from '../vulnerabilities/find-vulnerabilities.ts';
import type { Candidates, VariantRule } from './candidates.ts';
import type { FindingsLookup } from './find-findings.ts';
import type { SupportLookup } from './find-support.ts';
import type { Jump } from './jumps.ts';
import type { LeftOut } from './left-out.ts';
import type { ReleaseChange } from './release-changes.ts';
import type { DateSource, Release } from './release-set.ts';
import type { DeployedMatch } from './resolve-deployed.ts';
import type { DaysBasis, LagDate, Rule } from './rule-type.ts';
import { type RuleTypeId, ruleTypes } from './rule-types.ts';
import type { AlertSeverity } from './severity.ts';
import { textFingerprint } from './text-fingerprint.ts';

/** Way in which the deployed version was matched with the releases. */
export type ExplainedMatch =
  | DeployedMatch
  /** The deployed version isn't listed. The date is that of the closest lower release. */
  | 'nearest_lower'
  /** The source has no releases, only a lifecycle. */
  | 'no_releases';

/**
 * The explanation of a verdict, as stored and returned. Times are in RFC 3339 format. The explanation
 * contains `behind_since` instead of a number of days, so it doesn't change every day.
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
    /** Support phase. Only set for rule types of the kind `support`. */
    readonly support_phase?: SupportPhase;
    /** Set only if the rule has a deadline for known exploited vulnerabilities. */
    readonly known_exploited_days?: number;
    /** Set only if the rule has a minimum EPSS score. */
    readonly min_epss?: number;
  };
  readonly deployed: {
    readonly version: string | null;
    readonly match: ExplainedMatch;
    /** The release that matches the deployed version. */
    readonly release: string | null;
    /**
     * The line whose releases are compared with the deployed version, if it isn't the version's own line.
     * `''` is the line without a name.
     */
    readonly adopted_line: string | null;
  };
  /**
   * If the variant, line, or numbering of the deployed version has ended: the highest release of the one with
   * which upstream continues.
   */
  readonly continued_by: string | null;
  readonly latest: {
    readonly version: string;
    readonly date: string;
    readonly date_source: DateSource;
  } | null;
  /** An unusually large step from the previous releases to the latest ones. */
  readonly jump: {
    /** The highest release below the step. */
    readonly from: string;
    /** The releases above the step, one per version, highest first. */
    readonly above: readonly string[];
  } | null;
  readonly candidates: {
    readonly count: number;
    readonly variant_rule: VariantRule;
    /** Outliers that qualify because the configuration lists them: up to three, highest first. */
    readonly counted: readonly string[];
  };
  /** The date from which days are counted. */
  readonly date_used: {
    readonly at: string;
    readonly source: DateSource;
    readonly of: LagDate['of'];
    readonly version: string;
    readonly is_estimate: boolean;
  } | null;
  /** Support of the deployed version. `null` for rules about releases, and if the product isn't known. */
  readonly lifecycle: {
    readonly product: string;
    readonly label: string;
    /**
     * The version whose support was looked up. `null` if the release doesn't specify the version of its
     * application.
     */
    readonly version: string | null;
    readonly line: string | null;
    readonly phase: SupportPhase | null;
    /** Last day of support, or `null` if it isn't known. */
    readonly ends_on: string | null;
    /** True if the phase has ended. Only set if the date isn't known, otherwise `null`. */
    readonly has_ended: boolean | null;
    readonly is_paid: boolean;
    readonly newest: {
      readonly line: string;
      readonly ends_on: string | null;
      readonly latest_version: string | null;
    } | null;
    readonly source: 'endoflife.date';
  } | null;
  /** Set if upstream has archived the repository. Only for rule types of the kind `upstream_activity`. */
  readonly is_archived?: true;
  /**
   * Known vulnerabilities of the deployed version. `null` for other rules, and without data. Older stored
   * explanations don't have this field.
   */
  readonly vulnerabilities?: {
    readonly packages: readonly string[];
    /**
     * The version whose vulnerabilities were looked up. `null` if the release doesn't specify the version of
     * its application.
     */
    readonly version: string | null;
    /** Number of counted vulnerabilities per severity. */
    readonly counts: Readonly<Record<AdvisorySeverity | 'unknown', number>>;
    readonly ignored_count: number;
    /** The lowest release, starting at the deployed one, without counted vulnerabilities. */
    readonly lowest_without: string | null;
    /** The counted vulnerabilities: known exploited ones first, then the most severe ones. */
    readonly findings: readonly {
      readonly id: string;
      readonly aliases: readonly string[];
      readonly severity: AdvisorySeverity | null;
      readonly fixed_in: string | null;
      /** Set only for vulnerabilities in the catalog of known exploited ones. */
      readonly known_exploited_since?: string;
    }[];
    /** Number of counted vulnerabilities in that catalog. `null` if it was never loaded. */
    readonly known_exploited_count: number | null;
    /** Number of vulnerabilities that don't count because of the minimum EPSS score. Set only with a minimum. */
    readonly below_min_epss_count?: number;
    readonly exploited_fix?: {
      readonly id: string;
      readonly version: string;
      readonly since: string;
      readonly due_at: string;
      readonly is_overdue: boolean;
    };
    readonly source: 'OSV';
  } | null;
  /**
   * Changes to the deployed release after it was published. Only for rule types of the kind `release_moves`,
   * if the release can be checked.
   */
  readonly release_moves?: {
    readonly count: number;
    /** The most recent change. `null` if none was noticed. */
    readonly latest: { readonly noticed_at: string; readonly from: string; readonly to: string } | null;
  };
  /**
   * Lag in the unit of the rule type. `null` if the lag can't be determined. Also `null` for a lag in days,
   * which can be computed from `behind_since`.
   */
  readonly behind_by: number | null;
  readonly behind_since: string | null;
  /** Time at which the result changes next if only time passes. */
  readonly next_change_at: string | null;
  readonly left_out: readonly LeftOut[];
}

/** The facts behind a verdict. They reference all releases, so don't retain this object. */
export interface Evidence {
  readonly rule: Rule;
  readonly deployedVersion: string | null;
  readonly match: ExplainedMatch;
  readonly matched: Release | null;
  readonly adoptedLine: string | null;
  readonly successor: Release | null;
  /** Latest release to compare with: `candidates.latest`, unless the numbering of the deployed version has ended. */
  readonly latest: Release | null;
  readonly candidates: Candidates;
  readonly jump: Jump | null;
  readonly date: LagDate | null;
  readonly support: SupportLookup | null;
  readonly findings: FindingsLookup | null;
  readonly moves: readonly ReleaseChange[] | null;
  readonly behindBy: number | null;
  readonly isArchived: boolean;
  readonly nextCrossingAtMs: number | null;
  readonly outcome: Pick<Explanation, 'state' | 'severity' | 'reason'> & {
    readonly stateReason: string | null;
  };
}

export function explain(evidence: Evidence): Explanation {
  const { rule, candidates, date, outcome, latest } = evidence;
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
    lifecycle: evidence.support === null ? null : explainSupport(evidence.support),
    ...(evidence.isArchived && { is_archived: true }),
    vulnerabilities: evidence.findings === null ? null : explainFindings(evidence.findings, rule),
    ...(evidence.moves !== null && { release_moves: explainMoves(evidence.moves) }),
    behind_by: date === null ? evidence.behindBy : null,
    behind_since: date === null ? null : toInstant(date.atMs),
    next_change_at: evidence.nextCrossingAtMs === null ? null : toInstant(evidence.nextCrossingAtMs),
    left_out: candidates.leftOut,
  };
}

/**
 * Returns a short string that changes when the explanation changes. Computing it takes a fraction of the time
 * of building the explanation. Explanations rarely change, so most evaluations don't build, read, or write
 * one.
 */
export function fingerprint(evidence: Evidence): string {
  const { rule, candidates, date, outcome, latest } = evidence;
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
    // Without the prefix, the line without a name would have the same fingerprint as no adopted line.
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
    // Add these parts only if they exist, because most configurations have none of them.
    ...candidates.counted,
    ...(evidence.support === null
      ? []
      : ['support', JSON.stringify(explainSupport(evidence.support)), effectivePhase(rule)]),
    ...(evidence.isArchived ? ['archived'] : []),
    ...(evidence.findings === null
      ? []
      : [
          'vulnerabilities',
          JSON.stringify(explainFindings(evidence.findings, rule)),
          rule.knownExploitedDays,
          rule.minEpss,
        ]),
    ...(evidence.moves === null ? [] : ['moves', evidence.moves.at(-1)?.atMs, evidence.moves.at(-1)?.to]),
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
    ...(ruleTypes[rule.type].kind === 'support' && { support_phase: effectivePhase(rule) }),
    ...(rule.knownExploitedDays != null && { known_exploited_days: rule.knownExploitedDays }),
    ...(rule.minEpss != null && { min_epss: rule.minEpss }),
  };
}

function effectivePhase({ supportPhase }: Rule): SupportPhase {
  return supportPhase ?? defaultSupportPhase;
}

function explainSupport(support: SupportLookup): NonNullable<Explanation['lifecycle']> {
  const { facts, version, verdict, newest, endsOn, newestEndsOn } = support;
  const { line, end } = verdict;
  return {
    product: facts.product,
    label: facts.label,
    version,
    line: line?.name ?? null,
    phase: end?.phase ?? null,
    ends_on: endsOn,
    has_ended: end === null || end.endsAtMs !== null ? null : end.hasEnded,
    is_paid: endsOn !== null && endsOn === facts.paidUntil,
    newest: newest && { line: newest.name, ends_on: newestEndsOn, latest_version: newest.latest },
    source: 'endoflife.date',
  };
}

/** Maximum number of findings in an explanation. */
const maxFindings = 50;

function explainFindings(
  { facts, version, verdict, lowestWithout, belowMinimumCount, exploitedFix }: FindingsLookup,
  { minEpss }: Rule,
): NonNullable<Explanation['vulnerabilities']> {
  const counted = verdict?.counted ?? [];
  const countOf = (severity: Finding['severity']) =>
    counted.filter((finding) => finding.severity === severity).length;
  const exploitedSince = (finding: Finding) => exploitedSinceMs(facts.exploits ?? null, finding);
  return {
    packages: facts.packages,
    version,
    counts: {
      critical: countOf('critical'),
      high: countOf('high'),
      moderate: countOf('moderate'),
      low: countOf('low'),
      unknown: countOf(null),
    },
    ignored_count: verdict?.ignored.length ?? 0,
    lowest_without: lowestWithout,
    // Known exploited vulnerabilities come first, so that none of them is cut.
    findings: counted
      .toSorted((a, b) => Number(exploitedSince(b) !== null) - Number(exploitedSince(a) !== null))
      .slice(0, maxFindings)
      .map((finding) => {
        const { id, aliases, severity, fixedIn } = finding;
        const since = exploitedSince(finding);
        return {
          id,
          aliases,
          severity,
          fixed_in: fixedIn,
          ...(since !== null && { known_exploited_since: toInstant(since) }),
        };
      }),
    known_exploited_count:
      facts.exploits?.exploitedSinceMs == null
        ? null
        : counted.filter((finding) => exploitedSince(finding) !== null).length,
    ...(minEpss != null && { below_min_epss_count: belowMinimumCount }),
    ...(exploitedFix !== null && {
      exploited_fix: {
        id: exploitedFix.id,
        version: exploitedFix.version,
        since: toInstant(exploitedFix.sinceMs),
        due_at: toInstant(exploitedFix.dueAtMs),
        is_overdue: exploitedFix.isOverdue,
      },
    }),
    source: 'OSV',
  };
}

function explainMoves(moves: readonly ReleaseChange[]): NonNullable<Explanation['release_moves']> {
  const latest = moves.at(-1);
  return {
    count: moves.length,
    latest:
      latest === undefined ? null : { noticed_at: toInstant(latest.atMs), from: latest.from, to: latest.to },
  };
}

function effectiveDaysBasis(rule: Rule): DaysBasis | null {
  return ruleTypes[rule.type].kind === 'version_age' ? (rule.daysBasis ?? 'deployed_release') : null;
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
