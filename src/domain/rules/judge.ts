import type { Version } from '../versions/version-scheme.ts';
import { behindDays, dayMs } from './behind-days.ts';
import { type CandidateOptions, type Candidates, selectCandidates } from './candidates.ts';
import { type DeployedMatch, type Evidence, fingerprint } from './explanation.ts';
import type { Release, ReleaseSet } from './release-set.ts';
import type { Lag, Rule } from './rule-type.ts';
import { ruleTypes } from './rule-types.ts';
import { type AlertSeverity, highestSeverityOf, nextThreshold, severityOf } from './severity.ts';

export interface JudgeInput {
  readonly rule: Rule;
  /** Of the alert configuration. */
  readonly options: Pick<CandidateOptions, 'candidatePattern' | 'ignoredVersions'>;
  /** As it was scraped or set, after the transform; `null` while none is known. */
  readonly deployedVersion: string | null;
  /** All releases of the gather job. */
  readonly releases: ReleaseSet;
  readonly nowMs: number;
}

export type AlertReason = 'behind' | 'version_not_found' | 'version_unparseable';

/** Why a configuration that does not alert is as it is; `null` where there is nothing to say. */
export type VerdictReason =
  | 'no_release'
  | 'no_version'
  | 'not_comparable'
  | 'no_candidate'
  | 'ahead_of_upstream';

interface VerdictFacts {
  readonly deployedVersion: string | null;
  /** The highest release that counts; for a stable-only rule that is also the latest stable one. */
  readonly latestVersion: string | null;
  readonly latestStableVersion: string | null;
  /** The page of the latest release. */
  readonly releaseUrl: string | null;
  /** In the unit of the rule type, at the `nowMs` of the judgement; `null` where it cannot be counted. */
  readonly behindBy: number | null;
  /** Days rules that found something newer: `behindBy` counts from here. Otherwise `null`. */
  readonly behindSinceMs: number | null;
  readonly isEstimate: boolean;
  /**
   * When the threshold of the severity was crossed: enough days after `behindSinceMs`, or with the release that made
   * the count reach it. `null` where nothing is counted and without a severity.
   */
  readonly crossedAtMs: number | null;
  /** The next instant at which this judgement differs although nothing but the time has changed. */
  readonly nextCrossingAtMs: number | null;
  /** What `explain` makes the explanation of. */
  readonly evidence: Evidence;
  /** Differs when the explanation does; short, so that a stored explanation need not be read to compare. */
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

/** How far is this behind? Pure: the same input gives the same verdict. */
export function judge(input: JudgeInput): Verdict {
  const { deployedVersion, releases, nowMs } = input;
  const deployed = deployedVersion === null ? null : releases.scheme.parse(deployedVersion);
  const options = {
    ...input.options,
    stableOnly: input.rule.stableOnly,
    minReleaseAgeDays: input.rule.minReleaseAgeDays,
  };
  const candidates = selectCandidates(releases, options, deployed, nowMs);
  const finding = find(input, deployed, candidates);
  return toVerdict(input, candidates, finding);
}

/** What was found out, before thresholds are looked at. */
type Finding = { readonly match: DeployedMatch; readonly matched: Release | null } & (
  | { readonly kind: 'no_data'; readonly why: 'no_release' | 'no_version' | 'not_comparable' }
  | { readonly kind: 'violation'; readonly why: 'version_not_found' | 'version_unparseable' }
  | {
      readonly kind: 'lag';
      readonly lag: MeasuredLag;
      readonly why: 'no_candidate' | 'ahead_of_upstream' | null;
    }
);

type MeasuredLag = Exclude<Lag, { kind: 'version_not_found' }>;

function find(input: JudgeInput, deployed: Version | null, candidates: Candidates): Finding {
  const { rule, deployedVersion, releases } = input;
  const type = ruleTypes[rule.type];
  if (deployedVersion === null) {
    const why = releases.size === 0 ? 'no_release' : 'no_version';
    return { kind: 'no_data', why, match: 'no_version', matched: null };
  }
  const exact = releases.withText(deployedVersion);
  if (deployed === null) {
    const match = exact === null ? 'unparseable' : 'exact';
    if (releases.size === 0) return { kind: 'no_data', why: 'no_release', match, matched: null };
    if (exact === null) return { kind: 'violation', why: 'version_unparseable', match, matched: null };
    if (type.measureByDate === null) return { kind: 'no_data', why: 'not_comparable', match, matched: exact };
    const lag = type.measureByDate({ rule, deployedRelease: exact, candidates });
    return toFinding(lag, match, exact, candidates.size === 0 ? 'no_candidate' : null);
  }
  const deployedRelease = exact ?? releases.sameAs(deployed)[0] ?? null;
  const match = exact !== null ? 'exact' : deployedRelease !== null ? 'same_version' : 'none';
  if (releases.size === 0) return { kind: 'no_data', why: 'no_release', match, matched: null };
  const lag = type.measure({ rule, deployed, deployedRelease, candidates, set: releases });
  const why = releases.isBelow(deployed)
    ? 'ahead_of_upstream'
    : candidates.size === 0
      ? 'no_candidate'
      : null;
  return toFinding(lag, match, deployedRelease, why);
}

function toFinding(
  lag: Lag,
  match: DeployedMatch,
  matched: Release | null,
  why: 'no_candidate' | 'ahead_of_upstream' | null,
): Finding {
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

function toVerdict(input: JudgeInput, candidates: Candidates, finding: Finding): Verdict {
  const { rule, deployedVersion, nowMs } = input;
  const { match, matched } = finding;
  const lag = finding.kind === 'lag' ? finding.lag : null;
  const date = lag?.kind === 'since' ? lag.date : null;
  const behindBy = date !== null ? behindDays(date.atMs, nowMs) : lag?.kind === 'count' ? lag.behindBy : null;
  const outcome = toOutcome(rule, finding, behindBy);
  const nextCrossingAtMs = earlier(
    candidates.nextChangeAtMs,
    date === null ? null : nextThresholdAtMs(rule, date.atMs, nowMs),
  );
  const evidence = {
    rule,
    deployedVersion,
    match,
    matched,
    candidates,
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
  if (finding.kind === 'no_data') return quietOutcome('no_data', finding.why);
  const severity =
    finding.kind === 'violation'
      ? highestSeverityOf(rule.thresholds)
      : severityOf(behindBy ?? 0, rule.thresholds);
  if (severity === null) return quietOutcome('ok', finding.kind === 'lag' ? finding.why : null);
  const reason = finding.kind === 'violation' ? finding.why : 'behind';
  return { state: 'alerting', stateReason: null, severity, reason };
}

function quietOutcome(state: 'ok' | 'no_data', stateReason: VerdictReason | null): VerdictOutcome {
  return { state, stateReason, severity: null, reason: null };
}

/** When enough days have passed for the next threshold. */
function nextThresholdAtMs(rule: Rule, sinceMs: number, nowMs: number): number | null {
  const threshold = nextThreshold(behindDays(sinceMs, nowMs), rule.thresholds);
  return threshold === null ? null : sinceMs + threshold * dayMs;
}

function crossedAtMs(rule: Rule, severity: AlertSeverity, lag: MeasuredLag): number | null {
  const threshold = rule.thresholds[severity];
  if (threshold == null) return null;
  if (lag.kind === 'since') return lag.date.atMs + threshold * dayMs;
  const reachedAtMs = lag.reachedAtMs(threshold);
  return reachedAtMs === null ? null : reachedAtMs + rule.minReleaseAgeDays * dayMs;
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
