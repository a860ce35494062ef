import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Finding as Vulnerability } from '../verdicts/find-vulnerabilities.ts';
import { behindDays, dayMs } from './behind-days.ts';
import { type CandidateOptions, type Candidates, selectCandidates } from './candidates.ts';
import { type DeployedMatch, type Evidence, fingerprint } from './explanation.ts';
import { type DeployedInLine, findDeployed, notComparable } from './find-deployed.ts';
import { type FoundFindings, findFindings } from './find-findings.ts';
import { type FoundSupport, findSupport } from './find-support.ts';
import type { ComparableRelease, Release, ReleaseSet } from './release-set.ts';
import { type AlertReason, type Lag, notBehind, type Rule, type RuleType } from './rule-type.ts';
import { ruleTypes } from './rule-types.ts';
import { type AlertSeverity, highestSeverityOf } from './severity.ts';
import type { SupportFacts } from './support-facts.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

export interface JudgeInput {
  readonly rule: Rule;
  /** Options from the alert configuration. */
  readonly options: Pick<CandidateOptions, 'candidatePattern' | 'ignoredVersions' | 'countedVersions'>;
  /** Deployed version as scraped or set, after the transform. `null` if it isn't known. */
  readonly deployedVersion: string | null;
  /** All releases of the gather job. */
  readonly releases: ReleaseSet;
  /** Support data. Only for rule types with `measureSupport`. `null` if the product isn't known. */
  readonly support?: SupportFacts | null;
  /** True if the repository is archived on its git platform. Only for rule types with `measureUpstream`. */
  readonly isArchived?: boolean;
  /**
   * Vulnerability data. Only for rule types with `measureFindings`. `null` if no data about the packages
   * exists.
   */
  readonly vulnerabilities?: VulnerabilityFacts | null;
  readonly nowMs: number;
}

/** Reason why a configuration doesn't alert, if the state alone doesn't explain it. */
export type VerdictReason =
  | 'no_release'
  | 'no_version'
  | 'not_comparable'
  /**
   * The product of the gather job isn't known, or its data contains no end of support for the deployed
   * version.
   */
  | 'no_lifecycle'
  /** No vulnerability data exists for the gather job's packages or for the deployed version. */
  | 'no_vulnerability_data'
  /** The deployed version is higher than every release line in the data. */
  | 'line_unknown'
  /**
   * The environment used for the comparison never had the deployed version, which also can't be compared as a
   * version.
   */
  | 'not_seen_there'
  | 'no_candidate'
  | 'ahead_of_upstream'
  /**
   * The deployed version is the last release of a variant that no longer gets releases, but another variant
   * does.
   */
  | 'variant_ended';

/** Reasons that occur with a lag of 0. */
type LagReason = 'no_candidate' | 'ahead_of_upstream' | 'variant_ended';

interface VerdictFacts {
  readonly deployedVersion: string | null;
  /** The highest release that counts. For a stable-only rule, this is also the latest stable release. */
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /** URL of the page of the latest release. */
  readonly releaseUrl: string | null;
  /** Lag in the unit of the rule type at the time of the evaluation. `null` if it can't be determined. */
  readonly behindBy: number | null;
  /** Time from which `behindBy` counts, for rules in days that found a newer release. Otherwise `null`. */
  readonly behindSinceMs: number | null;
  /**
   * The first instant after the end of support, for rule types with `measureSupport`. `null` for other types,
   * and if the date isn't known.
   */
  readonly endsAtMs: number | null;
  /**
   * Counted vulnerabilities, most severe first, for rule types with `measureFindings`. `null` for other
   * types, and without data.
   */
  readonly vulnerabilities: readonly Vulnerability[] | null;
  readonly isEstimate: boolean;
  /**
   * Time at which the lag reached the threshold of the severity: a number of days after `behindSinceMs`, or
   * the time of the release that increased the count to the threshold. `null` if nothing is counted or the
   * verdict has no severity.
   */
  readonly crossedAtMs: number | null;
  /** Time of the next change of this verdict, if nothing but time changes. */
  readonly nextCrossingAtMs: number | null;
  /**
   * True if only the complete list of releases proves this verdict. A list with missing releases proves that the
   * deployed version is behind, but not that it isn't.
   */
  readonly requiresCompleteList: boolean;
  /** Input for `explain`. */
  readonly evidence: Evidence;
  /**
   * Changes when the explanation changes. It's short, so a comparison doesn't require reading the stored
   * explanation.
   */
  readonly explanationFingerprint: string;
}

type VerdictOutcome =
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

export type Verdict = VerdictFacts & VerdictOutcome;

/**
 * Evaluates how far the deployed version is behind. This is a pure function: the same input always returns
 * the same verdict.
 */
export function judge(input: JudgeInput): Verdict {
  const { deployedVersion, releases, nowMs } = input;
  const deployed =
    deployedVersion === null
      ? notComparable
      : findDeployed(releases, deployedVersion, input.options.candidatePattern);
  const options = {
    ...input.options,
    stableOnly: input.rule.stableOnly,
    minReleaseAgeDays: input.rule.minReleaseAgeDays,
  };
  const candidates = selectCandidates(releases, options, deployed, nowMs);
  const finding = find(input, deployed, candidates);
  return toVerdict(input, deployed, candidates, finding);
}

/** The result before the thresholds are applied. */
type Finding = { readonly match: DeployedMatch; readonly matched: Release | null } & (
  | {
      readonly kind: 'no_data';
      readonly why:
        | 'no_release'
        | 'no_version'
        | 'not_comparable'
        | 'not_seen_there'
        | 'no_lifecycle'
        | 'no_vulnerability_data';
    }
  | { readonly kind: 'support'; readonly support: FoundSupport }
  | { readonly kind: 'findings'; readonly findings: FoundFindings }
  | { readonly kind: 'violation'; readonly why: 'version_not_found' | 'version_unparseable' }
  | {
      readonly kind: 'lag';
      readonly lag: MeasuredLag;
      readonly why: LagReason | null;
      /** The release that continues a variant that has ended. */
      readonly successor?: ComparableRelease;
      /**
       * True if upstream has archived the repository. The configuration then alerts without reaching a
       * threshold.
       */
      readonly isArchived?: boolean;
    }
);

type MeasuredLag = Exclude<Lag, { kind: 'version_not_found' }>;

function find(input: JudgeInput, deployed: DeployedInLine, candidates: Candidates): Finding {
  const { rule, deployedVersion, releases } = input;
  const type: RuleType = ruleTypes[rule.type];
  if (deployedVersion === null) {
    const why = releases.size === 0 ? 'no_release' : 'no_version';
    return { kind: 'no_data', why, match: 'no_version', matched: null };
  }
  const exact = releases.withText(deployedVersion);
  if (type.measureSupport !== null) return findEnd(input, deployed, type.measureSupport, exact);
  if (type.measureFindings !== null)
    return findVulnerabilities(input, deployed, type.measureFindings, candidates, exact);
  if (type.measureUpstream !== null) return findUpstream(input, deployed, candidates, exact);
  if (deployed.version === null) return findByDate(input, deployed, candidates, exact);
  const { version, movesTo } = deployed;
  const deployedRelease = movesTo ?? exact ?? releases.sameAs(version)[0] ?? null;
  const match = matchOf(movesTo, exact, deployedRelease);
  if (releases.size === 0) return { kind: 'no_data', why: 'no_release', match, matched: null };
  const lag = type.measure({ rule, deployed: version, deployedRelease, candidates, set: releases });
  if (releases.isBelow(version)) return toFinding(lag, match, deployedRelease, 'ahead_of_upstream');
  if (candidates.size === 0) return toFinding(lag, match, deployedRelease, 'no_candidate');
  const successor = candidates.newer.count(version) === 0 ? candidates.successorOf(version) : null;
  const finding = toFinding(lag, match, deployedRelease, successor === null ? null : 'variant_ended');
  return finding.kind === 'lag' && successor !== null ? { ...finding, successor } : finding;
}

function matchOf(movesTo: Release | null, exact: Release | null, release: Release | null): DeployedMatch {
  if (movesTo !== null) return 'moving_tag';
  if (exact !== null) return 'exact';
  return release === null ? 'none' : 'same_version';
}

/**
 * Finds the end of support, which depends only on the deployed version. Releases only provide the application
 * version of a chart.
 */
function findEnd(
  { rule, deployedVersion, releases, support, nowMs }: JudgeInput,
  deployed: DeployedInLine,
  measure: NonNullable<RuleType['measureSupport']>,
  exact: Release | null,
): Finding {
  const { version, movesTo } = deployed;
  const matched = movesTo ?? exact ?? (version === null ? null : (releases.sameAs(version)[0] ?? null));
  const match = version === null && exact === null ? 'unparseable' : matchOf(movesTo, exact, matched);
  if (support == null || deployedVersion === null)
    return { kind: 'no_data', why: 'no_lifecycle', match, matched };
  const subject = { deployedVersion, releaseText: matched?.text ?? null };
  return { kind: 'support', support: findSupport(measure, support, rule, subject, nowMs), match, matched };
}

/**
 * Finds the vulnerabilities of the deployed version. They don't depend on the releases, which only determine
 * a possible upgrade.
 */
function findVulnerabilities(
  { rule, deployedVersion, releases, vulnerabilities, nowMs }: JudgeInput,
  deployed: DeployedInLine,
  measure: NonNullable<RuleType['measureFindings']>,
  candidates: Candidates,
  exact: Release | null,
): Finding {
  const { version, movesTo } = deployed;
  const matched = movesTo ?? exact ?? (version === null ? null : (releases.sameAs(version)[0] ?? null));
  const match = version === null && exact === null ? 'unparseable' : matchOf(movesTo, exact, matched);
  if (vulnerabilities == null || deployedVersion === null)
    return { kind: 'no_data', why: 'no_vulnerability_data', match, matched };
  const subject = {
    deployedVersion,
    movesTo: movesTo?.text ?? null,
    releaseText: matched?.text ?? null,
  };
  const findings = findFindings(measure, vulnerabilities, rule, subject, candidates, nowMs);
  return { kind: 'findings', findings, match, matched };
}

/**
 * Evaluates the activity of upstream, which is the same for every deployed version. Therefore, a version that
 * can't be compared isn't a violation.
 */
function findUpstream(
  { rule, releases, isArchived = false }: JudgeInput,
  deployed: DeployedInLine,
  candidates: Candidates,
  exact: Release | null,
): Finding {
  const type: RuleType = ruleTypes[rule.type];
  const { version, movesTo } = deployed;
  const same = version === null ? null : (releases.sameAs(version)[0] ?? null);
  const release = movesTo ?? exact ?? same;
  const match = version === null && exact === null ? 'unparseable' : matchOf(movesTo, exact, release);
  if (releases.size === 0) return { kind: 'no_data', why: 'no_release', match, matched: null };
  const lag = type.measureUpstream?.(candidates) ?? notBehind;
  const finding = toFinding(lag, match, release, candidates.newestOfAll === null ? 'no_candidate' : null);
  return finding.kind === 'lag' && isArchived ? { ...finding, isArchived } : finding;
}

/**
 * Evaluates a string that can't be compared as a version. It has a date only if it's exactly the name of a
 * release.
 */
function findByDate(
  { rule, releases }: JudgeInput,
  deployed: DeployedInLine,
  candidates: Candidates,
  exact: Release | null,
): Finding {
  const type: RuleType = ruleTypes[rule.type];
  const match = exact === null ? 'unparseable' : 'exact';
  if (releases.size === 0) return { kind: 'no_data', why: 'no_release', match, matched: null };
  const isPlatformTag = deployed.platformTag !== null;
  if (exact === null && releases.isDeployed)
    return { kind: 'no_data', why: 'not_seen_there', match, matched: null };
  if (exact === null && !isPlatformTag) {
    return { kind: 'violation', why: 'version_unparseable', match, matched: null };
  }
  if (exact === null || type.measureByDate === null) {
    return { kind: 'no_data', why: 'not_comparable', match, matched: exact };
  }
  const lag = type.measureByDate({ rule, deployedRelease: exact, candidates });
  return toFinding(lag, match, exact, candidates.size === 0 ? 'no_candidate' : null);
}

function toFinding(lag: Lag, match: DeployedMatch, matched: Release | null, why: LagReason | null): Finding {
  switch (lag.kind) {
    case 'version_not_found':
      return { kind: 'violation', why: 'version_not_found', match, matched };
    case 'count':
      return { kind: 'lag', lag, match, matched, why };
    case 'since': {
      const isNearest = lag.date.of === 'nearest_lower_release';
      return { kind: 'lag', lag, match: isNearest ? 'nearest_lower' : match, matched, why };
    }
  }
}

function toVerdict(
  input: JudgeInput,
  deployed: DeployedInLine,
  candidates: Candidates,
  finding: Finding,
): Verdict {
  const { rule, deployedVersion, nowMs } = input;
  const { match, matched } = finding;
  const lag = finding.kind === 'lag' ? finding.lag : null;
  const support = finding.kind === 'support' ? finding.support : null;
  const findings = finding.kind === 'findings' ? finding.findings : null;
  const vulnerabilities = findings?.verdict?.counted ?? null;
  const endsAtMs = support?.verdict.end?.endsAtMs ?? null;
  const date = lag?.kind === 'since' ? lag.date : null;
  const behindBy =
    date !== null
      ? behindDays(date.atMs, nowMs)
      : lag?.kind === 'count'
        ? lag.behindBy
        : (vulnerabilities?.length ?? null);
  const outcome = toOutcome(rule, finding, behindBy);
  const isArchived = finding.kind === 'lag' && finding.isArchived === true;
  const nextCrossingAtMs =
    support === null
      ? earlierTime(
          candidates.nextChangeAtMs,
          isArchived
            ? null
            : date === null
              ? (findings?.verdict?.nextCrossingAtMs ?? null)
              : nextThresholdAtMs(rule, date.atMs, nowMs),
        )
      : support.verdict.nextCrossingAtMs;
  const evidence = {
    rule,
    deployedVersion,
    match,
    matched,
    adoptedLine: deployed.adoptedLine,
    successor:
      (outcome.stateReason === 'variant_ended' && finding.kind === 'lag' && finding.successor) || null,
    candidates,
    jump: deployed.version === null ? null : candidates.jumpAbove(deployed.version),
    date,
    support,
    findings,
    behindBy,
    isArchived,
    nextCrossingAtMs,
    outcome,
  };
  return {
    ...outcome,
    deployedVersion,
    ...(support === null ? latestOf(candidates) : latestSupported(support)),
    behindBy,
    behindSinceMs: date?.atMs ?? null,
    endsAtMs,
    vulnerabilities,
    isEstimate: date?.isEstimate ?? false,
    crossedAtMs:
      outcome.severity === null
        ? null
        : lag !== null
          ? crossingBefore(isArchived ? nowMs : Infinity, crossedAtMs(rule, outcome.severity, lag))
          : endCrossedAtMs(rule, outcome.severity, endsAtMs),
    nextCrossingAtMs,
    requiresCompleteList: requiresCompleteList(rule, finding, outcome),
    evidence,
    explanationFingerprint: fingerprint(evidence),
  };
}

function requiresCompleteList(rule: Rule, finding: Finding, outcome: VerdictOutcome): boolean {
  switch (finding.kind) {
    case 'no_data':
    case 'support':
    case 'findings':
      return false;
    case 'violation':
      return finding.why === 'version_not_found';
    case 'lag': {
      // Any recent release proves that upstream is active, but silence can be a missing release.
      const isUpstream = ruleTypes[rule.type].measureUpstream !== null;
      return isUpstream
        ? outcome.state === 'alerting' && finding.isArchived !== true
        : outcome.state === 'ok';
    }
  }
}

type Latest = Pick<VerdictFacts, 'latestVersion' | 'latestStableVersion' | 'releaseUrl'>;

function latestOf({ latest, latestStable }: Candidates): Latest {
  return {
    latestVersion: latest?.text ?? null,
    latestStableVersion: latestStable?.text ?? null,
    releaseUrl: latest?.url ?? null,
  };
}

/** Returns the newest supported line, which is the upgrade target. */
function latestSupported({ newest }: FoundSupport): Latest {
  const version = newest?.latest ?? newest?.name ?? null;
  return { latestVersion: version, latestStableVersion: version, releaseUrl: null };
}

function toOutcome(rule: Rule, finding: Finding, behindBy: number | null): VerdictOutcome {
  if (finding.kind === 'support') {
    const { state, stateReason, severity } = finding.support.verdict;
    if (severity === null) return outcomeWithoutAlert(state === 'no_data' ? 'no_data' : 'ok', stateReason);
    return { state: 'alerting', stateReason: null, severity, reason: ruleTypes[rule.type].reason };
  }
  if (finding.kind === 'findings') {
    const { verdict, version } = finding.findings;
    if (verdict === null)
      return outcomeWithoutAlert('no_data', version === null ? 'no_vulnerability_data' : 'not_comparable');
    if (verdict.severity === null) return outcomeWithoutAlert('ok', null);
    return {
      state: 'alerting',
      stateReason: null,
      severity: verdict.severity,
      reason: ruleTypes[rule.type].reason,
    };
  }
  if (finding.kind === 'no_data') return outcomeWithoutAlert('no_data', finding.why);
  const severity =
    finding.kind === 'violation' || (finding.kind === 'lag' && finding.isArchived)
      ? highestSeverityOf(rule.thresholds)
      : ruleTypes[rule.type].thresholds.severityOf(behindBy ?? 0, rule.thresholds);
  if (severity === null) return outcomeWithoutAlert('ok', finding.kind === 'lag' ? finding.why : null);
  const reason = finding.kind === 'violation' ? finding.why : ruleTypes[rule.type].reason;
  return { state: 'alerting', stateReason: null, severity, reason };
}

function outcomeWithoutAlert(state: 'ok' | 'no_data', stateReason: VerdictReason | null): VerdictOutcome {
  return { state, stateReason, severity: null, reason: null };
}

/**
 * Returns `null` if the threshold is crossed only after `endMs`. An archived repository alerts even below the
 * threshold, and the time when it was archived isn't known.
 */
function crossingBefore(endMs: number, atMs: number | null): number | null {
  return atMs !== null && atMs > endMs ? null : atMs;
}

/** Returns the time at which the lag reaches the next threshold. */
function nextThresholdAtMs(rule: Rule, sinceMs: number, nowMs: number): number | null {
  const scale = ruleTypes[rule.type].thresholds;
  const threshold = scale.nextThreshold(behindDays(sinceMs, nowMs), rule.thresholds);
  return threshold === null ? null : sinceMs + threshold * dayMs;
}

/**
 * Returns the time at which a threshold before the end of support is crossed. For example, a threshold of 60
 * is crossed 60 days before the end.
 */
function endCrossedAtMs(rule: Rule, severity: AlertSeverity, endsAtMs: number | null): number | null {
  const threshold = rule.thresholds[severity];
  return threshold == null || endsAtMs === null ? null : endsAtMs - threshold * dayMs;
}

function crossedAtMs(rule: Rule, severity: AlertSeverity, lag: MeasuredLag): number | null {
  const threshold = rule.thresholds[severity];
  if (threshold == null) return null;
  if (lag.kind === 'since') return lag.date.atMs + threshold * dayMs;
  const reachedAtMs = lag.reachedAtMs(threshold);
  return reachedAtMs === null ? null : reachedAtMs + rule.minReleaseAgeDays * dayMs;
}
