import { earlierTime } from '../scheduling/earlier-time.ts';
import { behindDays, dayMs } from './behind-days.ts';
import { type CandidateOptions, type Candidates, selectCandidates } from './candidates.ts';
import { type DeployedMatch, type Evidence, fingerprint } from './explanation.ts';
import { type DeployedInLine, findDeployed, notComparable } from './find-deployed.ts';
import type { ComparableRelease, Release, ReleaseSet } from './release-set.ts';
import type { Lag, Rule, RuleType } from './rule-type.ts';
import { ruleTypes } from './rule-types.ts';
import { type AlertSeverity, highestSeverityOf } from './severity.ts';

export interface JudgeInput {
  readonly rule: Rule;
  /** From the alert configuration. */
  readonly options: Pick<CandidateOptions, 'candidatePattern' | 'ignoredVersions' | 'countedVersions'>;
  /** As scraped or set, after the transform. `null` if unknown. */
  readonly deployedVersion: string | null;
  /** All releases of the gather job. */
  readonly releases: ReleaseSet;
  readonly nowMs: number;
}

export type AlertReason = 'behind' | 'version_not_found' | 'version_unparseable';

/** Why a configuration doesn't alert, if that needs a reason. */
export type VerdictReason =
  | 'no_release'
  | 'no_version'
  | 'not_comparable'
  | 'no_candidate'
  | 'ahead_of_upstream'
  /** The deployed version is the top of a flavor that gets no more releases, but another flavor does. */
  | 'variant_ended';

/** The reasons that come with a lag of 0. */
type LagReason = 'no_candidate' | 'ahead_of_upstream' | 'variant_ended';

interface VerdictFacts {
  readonly deployedVersion: string | null;
  /** The highest release that counts. For a stable-only rule, that is also the latest stable one. */
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /** The page of the latest release. */
  readonly releaseUrl: string | null;
  /** In the unit of the rule type, at the time of the evaluation. `null` if it can't be counted. */
  readonly behindBy: number | null;
  /** For days rules that found a newer release, the time that `behindBy` counts from. Otherwise `null`. */
  readonly behindSinceMs: number | null;
  readonly isEstimate: boolean;
  /**
   * When the lag reached the threshold of the severity: days after `behindSinceMs`, or with the release that raised the
   * count to it. `null` if nothing is counted or there is no severity.
   */
  readonly crossedAtMs: number | null;
  /** When this verdict changes next if only time passes. */
  readonly nextCrossingAtMs: number | null;
  /** The input of `explain`. */
  readonly evidence: Evidence;
  /** Changes when the explanation does. Short, so comparing doesn't require reading the stored explanation. */
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

/** Measures how far the deployed version is behind. Pure: the same input returns the same verdict. */
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

/** The result before thresholds apply. */
type Finding = { readonly match: DeployedMatch; readonly matched: Release | null } & (
  | { readonly kind: 'no_data'; readonly why: 'no_release' | 'no_version' | 'not_comparable' }
  | { readonly kind: 'violation'; readonly why: 'version_not_found' | 'version_unparseable' }
  | {
      readonly kind: 'lag';
      readonly lag: MeasuredLag;
      readonly why: LagReason | null;
      /** The release that continues an ended flavor. */
      readonly successor?: ComparableRelease;
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

/** A string that can't be compared has a date only if it is exactly the name of a release. */
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
  const date = lag?.kind === 'since' ? lag.date : null;
  const behindBy = date !== null ? behindDays(date.atMs, nowMs) : lag?.kind === 'count' ? lag.behindBy : null;
  const outcome = toOutcome(rule, finding, behindBy);
  const nextCrossingAtMs = earlierTime(
    candidates.nextChangeAtMs,
    date === null ? null : nextThresholdAtMs(rule, date.atMs, nowMs),
  );
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
    behindBy,
    nextCrossingAtMs,
    outcome,
  };
  return {
    ...outcome,
    deployedVersion,
    latestVersion: candidates.latest?.text ?? null,
    latestStableVersion: candidates.latestStable?.text ?? null,
    releaseUrl: candidates.latest?.url ?? null,
    behindBy,
    behindSinceMs: date?.atMs ?? null,
    isEstimate: date?.isEstimate ?? false,
    crossedAtMs: outcome.severity === null || lag === null ? null : crossedAtMs(rule, outcome.severity, lag),
    nextCrossingAtMs,
    evidence,
    explanationFingerprint: fingerprint(evidence),
  };
}

function toOutcome(rule: Rule, finding: Finding, behindBy: number | null): VerdictOutcome {
  if (finding.kind === 'no_data') return outcomeWithoutAlert('no_data', finding.why);
  const severity =
    finding.kind === 'violation'
      ? highestSeverityOf(rule.thresholds)
      : ruleTypes[rule.type].thresholds.severityOf(behindBy ?? 0, rule.thresholds);
  if (severity === null) return outcomeWithoutAlert('ok', finding.kind === 'lag' ? finding.why : null);
  const reason = finding.kind === 'violation' ? finding.why : 'behind';
  return { state: 'alerting', stateReason: null, severity, reason };
}

function outcomeWithoutAlert(state: 'ok' | 'no_data', stateReason: VerdictReason | null): VerdictOutcome {
  return { state, stateReason, severity: null, reason: null };
}

/** When the lag reaches the next threshold. */
function nextThresholdAtMs(rule: Rule, sinceMs: number, nowMs: number): number | null {
  const scale = ruleTypes[rule.type].thresholds;
  const threshold = scale.nextThreshold(behindDays(sinceMs, nowMs), rule.thresholds);
  return threshold === null ? null : sinceMs + threshold * dayMs;
}

function crossedAtMs(rule: Rule, severity: AlertSeverity, lag: MeasuredLag): number | null {
  const threshold = rule.thresholds[severity];
  if (threshold == null) return null;
  if (lag.kind === 'since') return lag.date.atMs + threshold * dayMs;
  const reachedAtMs = lag.reachedAtMs(threshold);
  return reachedAtMs === null ? null : reachedAtMs + rule.minReleaseAgeDays * dayMs;
}
