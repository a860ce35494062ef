import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Finding as Vulnerability } from '../verdicts/find-vulnerabilities.ts';
import { type CandidateOptions, type Candidates, selectCandidates } from './candidates.ts';
import type { DataGap } from './data-gap.ts';
import { type Evidence, type ExplainedMatch, fingerprint } from './explanation.ts';
import { type FoundFindings, findFindings } from './find-findings.ts';
import { type FoundSupport, findSupport } from './find-support.ts';
import type { ComparableRelease, Release, ReleaseSet } from './release-set.ts';
import {
  type LookupTarget,
  lookupVersion,
  notComparable,
  type ResolvedDeployed,
  resolveDeployed,
} from './resolve-deployed.ts';
import { type AlertReason, type Lag, notBehind, type Rule, type RuleType } from './rule-type.ts';
import { ruleTypes } from './rule-types.ts';
import { type AlertSeverity, highestSeverityOf } from './severity.ts';
import { dayMs, wholeDaysBetween } from './stored-lag.ts';
import type { SupportFacts } from './support-facts.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

export interface JudgeInput {
  readonly rule: Rule;
  /** Options from the alert configuration. */
  readonly options: Pick<CandidateOptions, 'candidatePattern' | 'ignoredVersions' | 'countedVersions'>;
  /** Deployed version after the transform, as scraped or set manually. `null` if it isn't known. */
  readonly deployedVersion: string | null;
  /** All releases of the gather job. */
  readonly releases: ReleaseSet;
  /** The releases of a mirror of the upstream. They don't affect the verdict. `null` if there's no mirror. */
  readonly mirrored?: ReleaseSet | null;
  /** Support data. Only for rule types with `measureSupport`. `null` if no data is available (see `dataGap`). */
  readonly support?: SupportFacts | null;
  /** True if the repository is archived on its git platform. Affects only rule types with `measureUpstream`. */
  readonly isArchived?: boolean;
  /** False if the source has only a lifecycle, so the job never has releases. Default: true. */
  readonly hasReleases?: boolean;
  /** Vulnerability data. Only for rule types with `measureFindings`. `null` if no data is available (see `dataGap`). */
  readonly vulnerabilities?: VulnerabilityFacts | null;
  /**
   * Reason why `support` or `vulnerabilities` is `null`, unless the reason is that the product or the packages aren't
   * known. Otherwise `null`.
   */
  readonly dataGap?: DataGap | null;
  readonly nowMs: number;
}

/** Reason why a configuration doesn't alert, if the state alone doesn't explain it. */
export type VerdictReason =
  | 'no_release'
  /** The source has no releases, only a lifecycle. */
  | 'lifecycle_only'
  | 'no_version'
  | 'not_comparable'
  /** The product of the gather job isn't known. For a chart, also: the version of its application isn't known. */
  | 'no_lifecycle'
  /** The data about the product contains no end-of-support date for the deployed version. */
  | 'no_support_date'
  /**
   * The packages of the gather job aren't known, or their data isn't loaded. For a chart, also: the version of its
   * application isn't known.
   */
  | 'no_vulnerability_data'
  | DataGap
  /** The deployed version is higher than every release line in the data. */
  | 'line_unknown'
  /**
   * The deployed version can't be compared as a version, and it was never deployed in the environment that serves as
   * upstream.
   */
  | 'not_seen_there'
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

/** Reasons that occur with a lag of 0. */
type LagReason = 'no_candidate' | 'ahead_of_upstream' | 'variant_ended' | 'numbering_ended';

interface VerdictFacts {
  readonly deployedVersion: string | null;
  /** The highest counted release. For a stable-only rule, this is also the latest stable release. */
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /** The highest release that counts and is in the mirror. `null` if none is, and without a mirror. */
  readonly mirrorVersion: string | null;
  /** URL of the latest release's page. */
  readonly releaseUrl: string | null;
  /** Lag at the time of the evaluation, in the unit of the rule type. `null` if it can't be determined. */
  readonly behindBy: number | null;
  /**
   * Start of the days in `behindBy`, for rule types that count days. `null` for other types, or if the deployed version
   * isn't behind.
   */
  readonly behindSinceMs: number | null;
  /**
   * First instant after the end of support, for rule types with `measureSupport`. `null` for other types, or if the
   * date isn't known.
   */
  readonly endsAtMs: number | null;
  /**
   * Counted vulnerabilities, most severe first, for rule types with `measureFindings`. `null` for other types, or
   * without data.
   */
  readonly vulnerabilities: readonly Vulnerability[] | null;
  readonly isEstimate: boolean;
  /**
   * Time at which the lag reached the threshold of `severity`: a number of days after `behindSinceMs`, or the time of
   * the release that increased the count to the threshold. `null` if the time isn't known or the verdict has no
   * severity.
   */
  readonly crossedAtMs: number | null;
  /** Time at which this verdict changes next if no data changes until then. */
  readonly nextCrossingAtMs: number | null;
  /**
   * True if this verdict is certain only if the list of releases is complete. Even an incomplete list can prove that
   * the deployed version is behind, but only a complete one proves that it isn't.
   */
  readonly requiresCompleteList: boolean;
  /** Input for `explain`. */
  readonly evidence: Evidence;
  /** Hash that changes when the explanation changes. Comparing it avoids reading the stored explanation. */
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
      : resolveDeployed(deployedVersion, releases, input.options.candidatePattern);
  const options = {
    ...input.options,
    stableOnly: input.rule.stableOnly,
    minReleaseAgeDays: input.rule.minReleaseAgeDays,
  };
  const candidates = selectCandidates(releases, options, deployed, nowMs);
  const finding = find(input, deployed, candidates);
  return toVerdict(input, deployed, candidates, finding);
}

/** The result of an evaluation before the thresholds are applied. */
type Finding = { readonly match: ExplainedMatch; readonly matched: Release | null } & (
  | {
      readonly kind: 'no_data';
      readonly why:
        | 'no_release'
        | 'lifecycle_only'
        | 'no_version'
        | 'not_comparable'
        | 'not_seen_there'
        | 'no_lifecycle'
        | 'no_vulnerability_data'
        | DataGap;
    }
  | { readonly kind: 'support'; readonly support: FoundSupport }
  | { readonly kind: 'findings'; readonly findings: FoundFindings }
  | { readonly kind: 'violation'; readonly why: 'version_not_found' | 'version_unparseable' }
  | {
      readonly kind: 'lag';
      readonly lag: MeasuredLag;
      readonly why: LagReason | null;
      /** The release with which upstream continues after a variant or a numbering has ended. */
      readonly successor?: ComparableRelease;
      /** True if the repository is archived. The configuration then alerts even if no threshold is reached. */
      readonly isArchived?: boolean;
    }
);

type MeasuredLag = Exclude<Lag, { kind: 'version_not_found' }>;

function find(input: JudgeInput, deployed: ResolvedDeployed, candidates: Candidates): Finding {
  const { rule, deployedVersion, releases } = input;
  const type: RuleType = ruleTypes[rule.type];
  if (deployedVersion === null) {
    // Support doesn't depend on releases, so for a source without releases, only the version is missing.
    const isWithoutReleases = input.hasReleases === false && type.measureSupport !== null;
    const why = releases.size > 0 || isWithoutReleases ? 'no_version' : noReleaseReason(input);
    return { kind: 'no_data', why, match: 'no_version', matched: null };
  }
  if (type.measureSupport !== null) return findEnd(input, deployed, type.measureSupport);
  if (type.measureFindings !== null)
    return findVulnerabilities(input, deployed, type.measureFindings, candidates);
  if (type.measureUpstream !== null) return findUpstream(input, deployed, candidates);
  const { version, match, release } = deployed;
  if (version === null) return findByDate(input, deployed, candidates);
  if (releases.size === 0) return { kind: 'no_data', why: noReleaseReason(input), match, matched: null };
  const continuing = candidates.numberingAfter(version);
  if (continuing !== null) return findEndedNumbering(input, deployed, candidates, continuing);
  const lag = type.measure({ rule, deployed: version, deployedRelease: release, candidates, set: releases });
  if (releases.isBelow(version)) return toFinding(lag, match, release, 'ahead_of_upstream');
  if (candidates.size === 0) return toFinding(lag, match, release, 'no_candidate');
  const successor = candidates.newer.count(version) === 0 ? candidates.successorOf(version) : null;
  const finding = toFinding(lag, match, release, successor === null ? null : 'variant_ended');
  return finding.kind === 'lag' && successor !== null ? { ...finding, successor } : finding;
}

/**
 * Evaluates a version whose number no longer fits its line, so that comparing it with other numbers is meaningless.
 * Only dates are compared.
 */
function findEndedNumbering(
  { rule }: JudgeInput,
  { match, release }: ResolvedDeployed,
  candidates: Candidates,
  successor: ComparableRelease,
): Finding {
  const { measureByDate } = ruleTypes[rule.type] as RuleType;
  const lag =
    measureByDate === null || release === null
      ? notBehind
      : measureByDate({ rule, deployedRelease: release, candidates });
  const finding = toFinding(lag, match, release, 'numbering_ended');
  return finding.kind === 'lag' ? { ...finding, successor } : finding;
}

/**
 * Finds the end of support, which depends only on the deployed version. The releases are used only to find the
 * application version of a chart.
 */
function findEnd(
  { rule, support, dataGap, nowMs }: JudgeInput,
  deployed: ResolvedDeployed,
  measure: NonNullable<RuleType['measureSupport']>,
): Finding {
  const { match, release: matched } = deployed;
  if (support == null) return { kind: 'no_data', why: dataGap ?? 'no_lifecycle', match, matched };
  const version = lookupVersion(lookedUp(deployed), support.applicationVersions);
  if (isNoVersion(deployed, version, support))
    return { kind: 'no_data', why: 'not_comparable', match, matched };
  return { kind: 'support', support: findSupport(measure, support, rule, version, nowMs), match, matched };
}

/** Finds the vulnerabilities of the deployed version. The releases are used only to suggest an upgrade. */
function findVulnerabilities(
  { rule, vulnerabilities, dataGap, nowMs }: JudgeInput,
  deployed: ResolvedDeployed,
  measure: NonNullable<RuleType['measureFindings']>,
  candidates: Candidates,
): Finding {
  const { match, release: matched } = deployed;
  if (vulnerabilities == null)
    return { kind: 'no_data', why: dataGap ?? 'no_vulnerability_data', match, matched };
  const lookup = lookupVersion(lookedUp(deployed), vulnerabilities.applicationVersions);
  if (isNoVersion(deployed, lookup, vulnerabilities))
    return { kind: 'no_data', why: 'not_comparable', match, matched };
  const subject = { version: deployed.version, lookup };
  const findings = findFindings(measure, vulnerabilities, rule, subject, candidates, nowMs);
  return { kind: 'findings', findings, match, matched };
}

/**
 * True if nothing can be looked up because the deployed text isn't a version. False if the only reason is that the
 * version of a chart's application isn't known.
 */
function isNoVersion(
  { match }: ResolvedDeployed,
  lookup: string | null,
  { applicationVersions }: Pick<SupportFacts, 'applicationVersions'>,
): boolean {
  return (
    match === 'platform_tag' || (match === 'unparseable' && lookup === null && applicationVersions === null)
  );
}

function noReleaseReason({ hasReleases = true }: JudgeInput): 'no_release' | 'lifecycle_only' {
  return hasReleases ? 'no_release' : 'lifecycle_only';
}

function lookedUp({ text, match, release }: ResolvedDeployed): LookupTarget {
  return { text, match, release: release?.text ?? null };
}

/**
 * Evaluates the activity of upstream, which doesn't depend on the deployed version. Therefore, a version that can't be
 * compared isn't a violation here.
 */
function findUpstream(
  input: JudgeInput,
  { match, release }: ResolvedDeployed,
  candidates: Candidates,
): Finding {
  const { rule, releases, isArchived = false } = input;
  const type: RuleType = ruleTypes[rule.type];
  if (releases.size === 0) return { kind: 'no_data', why: noReleaseReason(input), match, matched: null };
  const lag = type.measureUpstream?.(candidates) ?? notBehind;
  const finding = toFinding(lag, match, release, candidates.newestOfAll === null ? 'no_candidate' : null);
  return finding.kind === 'lag' && isArchived ? { ...finding, isArchived } : finding;
}

/**
 * Evaluates a text that can't be compared as a version. The text has a date only if it exactly matches the name of a
 * release.
 */
function findByDate(
  input: JudgeInput,
  { match, release, platformTag }: ResolvedDeployed,
  candidates: Candidates,
): Finding {
  const { rule, releases } = input;
  const type: RuleType = ruleTypes[rule.type];
  if (releases.size === 0) return { kind: 'no_data', why: noReleaseReason(input), match, matched: null };
  if (release === null && releases.isDeployed)
    return { kind: 'no_data', why: 'not_seen_there', match, matched: null };
  if (release === null && platformTag === null)
    return { kind: 'violation', why: 'version_unparseable', match, matched: null };
  if (release === null || type.measureByDate === null)
    return { kind: 'no_data', why: 'not_comparable', match, matched: release };
  const lag = type.measureByDate({ rule, deployedRelease: release, candidates });
  return toFinding(lag, match, release, candidates.size === 0 ? 'no_candidate' : null);
}

function toFinding(lag: Lag, match: ExplainedMatch, matched: Release | null, why: LagReason | null): Finding {
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
  deployed: ResolvedDeployed,
  candidates: Candidates,
  finding: Finding,
): Verdict {
  const { rule, deployedVersion, nowMs } = input;
  const { matched } = finding;
  // A source without releases has no list that a version could be missing from.
  const isListed = input.hasReleases !== false || finding.match === 'no_version';
  const match = isListed ? finding.match : 'no_releases';
  const lag = finding.kind === 'lag' ? finding.lag : null;
  const support = finding.kind === 'support' ? finding.support : null;
  const findings = finding.kind === 'findings' ? finding.findings : null;
  const vulnerabilities = findings?.verdict?.counted ?? null;
  const endsAtMs = support?.verdict.end?.endsAtMs ?? null;
  const date = lag?.kind === 'since' ? lag.date : null;
  const behindBy =
    date !== null
      ? wholeDaysBetween(date.atMs, nowMs)
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
  const continuing = finding.kind === 'lag' && finding.why === 'numbering_ended' ? finding.successor : null;
  const latest =
    support !== null
      ? latestSupported(support, candidates)
      : latestOf(candidates.latest, candidates.latestStable, continuing ?? null);
  const evidence = {
    rule,
    deployedVersion,
    match,
    matched,
    adoptedLine: deployed.adoptedLine,
    successor:
      ((outcome.stateReason === 'variant_ended' || continuing) &&
        finding.kind === 'lag' &&
        finding.successor) ||
      null,
    latest: continuing ?? candidates.latest,
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
    ...latest,
    mirrorVersion: newestIn(input.mirrored ?? null, input.releases, candidates)?.text ?? null,
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
      // The missing releases can include the deployed one, or one that changes how the deployed text is parsed.
      return true;
    case 'lag': {
      // The missing releases can include the deployed one, whose date would then be used instead of that of the nearest
      // lower release.
      if (finding.lag.kind === 'since' && finding.lag.date.of === 'nearest_lower_release') return true;
      // For upstream activity, the states are reversed: any recent release proves that upstream is active, but apparent
      // silence can be due to a missing release.
      const isUpstream = ruleTypes[rule.type].measureUpstream !== null;
      return isUpstream
        ? outcome.state === 'alerting' && finding.isArchived !== true
        : outcome.state === 'ok';
    }
  }
}

/**
 * Returns the highest candidate that a mirror has. Releases that only the mirror has, such as builds of the
 * organization, don't count.
 */
function newestIn(mirrored: ReleaseSet | null, releases: ReleaseSet, candidates: Candidates): Release | null {
  if (mirrored === null) return null;
  const isMirrored = ({ text, version }: Release): boolean => {
    const same = mirrored.withText(text);
    if (same !== null) return !same.isWithdrawn;
    // A tag of an image is another image, even if both have the same numbers.
    if (version === null || releases.isImage || mirrored.scheme.id !== releases.scheme.id) return false;
    return mirrored.sameAs(version).some(({ isWithdrawn }) => !isWithdrawn);
  };
  return candidates.comparable.find(isMirrored) ?? candidates.incomparable.find(isMirrored) ?? null;
}

type Latest = Pick<VerdictFacts, 'latestVersion' | 'latestStableVersion' | 'releaseUrl'>;

/**
 * @param continuing The latest release of the current numbering, if the numbering of the deployed version has ended.
 */
function latestOf(
  latest: Release | null,
  latestStable: Release | null,
  continuing: ComparableRelease | null,
): Latest {
  const shown = continuing ?? latest;
  return {
    latestVersion: shown?.text ?? null,
    latestStableVersion: (continuing?.isPrerelease === false ? continuing : latestStable)?.text ?? null,
    releaseUrl: shown?.url ?? null,
  };
}

/**
 * Returns the newest supported line, which is the upgrade target. For a chart, the deployed version is a chart version,
 * so this returns the highest chart release whose application belongs to that line.
 */
function latestSupported({ facts, newest }: FoundSupport, candidates: Candidates): Latest {
  const { applicationVersions, lines } = facts;
  if (newest === null) return latestOf(null, null, null);
  if (applicationVersions !== null) {
    const release = candidates.comparable.find(({ text }) => {
      const found = lines.find(applicationVersions.get(text) ?? '');
      return found.kind === 'line' && found.line === newest;
    });
    return latestOf(release ?? null, release ?? null, null);
  }
  const version = newest.latest ?? newest.name;
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
 * Returns `atMs`, or `null` if it's after `endMs`. That happens for an archived repository, which alerts before a
 * threshold is crossed. The time when it was archived isn't known.
 */
function crossingBefore(endMs: number, atMs: number | null): number | null {
  return atMs !== null && atMs > endMs ? null : atMs;
}

/** Returns the time at which the lag reaches the next threshold. */
function nextThresholdAtMs(rule: Rule, sinceMs: number, nowMs: number): number | null {
  const scale = ruleTypes[rule.type].thresholds;
  const threshold = scale.nextThreshold(wholeDaysBetween(sinceMs, nowMs), rule.thresholds);
  return threshold === null ? null : sinceMs + threshold * dayMs;
}

/**
 * Returns the time at which the number of days left reaches the threshold of a severity. For example, a threshold of 60
 * is reached 60 days before the end of support.
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
