import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Candidates } from './candidates.ts';
import type { ExplainedMatch } from './explanation.ts';
import type { JudgeInput } from './judge.ts';
import { type LagReason, type Measurement, measurement, noData, withSeverity } from './measurement.ts';
import type { ComparableRelease, Release } from './release-set.ts';
import type { ResolvedDeployed } from './resolve-deployed.ts';
import {
  type Lag,
  type MeasuredLag,
  notBehind,
  type Rule,
  type RuleType,
  type UpstreamActivityRuleType,
  type VersionAgeRuleType,
  type VersionCountRuleType,
} from './rule-type.ts';
import { type AlertSeverity, highestSeverityOf } from './severity.ts';
import { dayMs, wholeDaysBetween } from './stored-lag.ts';

/**
 * Measures how far the deployed version is behind the latest release.
 *
 * @param measureByDate Measures the lag by date if versions can't be compared. `null` if the rule type counts
 * versions, which is possible only if they can be compared.
 */
export function measureLag(
  input: JudgeInput,
  deployed: ResolvedDeployed,
  candidates: Candidates,
  type: VersionCountRuleType | VersionAgeRuleType,
  measureByDate: VersionAgeRuleType['measureByDate'] | null,
): Measurement {
  const { rule, deployedVersion, releases } = input;
  const { version, match, release } = deployed;
  if (deployedVersion === null) return noVersion(input, candidates);
  if (releases.size === 0) return noRelease(input, match, candidates);
  const subject: LagSubject = { input, type, candidates, match, matched: release };
  if (version === null) return measureText(subject, deployed, measureByDate);
  const continuing = candidates.numberingAfter(version);
  if (continuing !== null) return measureEndedNumbering(subject, continuing, measureByDate);
  const lag = type.measure({ rule, deployed: version, deployedRelease: release, candidates, set: releases });
  if (releases.isBelow(version)) return ofLag(subject, lag, 'ahead_of_upstream');
  if (candidates.size === 0) return ofLag(subject, lag, 'no_candidate');
  const successor = candidates.newer.count(version) === 0 ? candidates.successorOf(version) : null;
  if (successor === null) return ofLag(subject, lag, null);
  const measured = ofLag(subject, lag, 'variant_ended');
  return measured.outcome.stateReason === 'variant_ended' ? { ...measured, successor } : measured;
}

/**
 * Measures the activity of upstream. This activity doesn't depend on the deployed version, so a version that
 * can't be compared isn't a violation here.
 */
export function measureActivity(
  input: JudgeInput,
  { match, release }: ResolvedDeployed,
  candidates: Candidates,
  type: UpstreamActivityRuleType,
): Measurement {
  const { rule, deployedVersion, releases, isArchived = false, nowMs } = input;
  if (deployedVersion === null) return noVersion(input, candidates);
  if (releases.size === 0) return noRelease(input, match, candidates);
  const subject: LagSubject = { input, type, candidates, match, matched: release };
  const measured = ofMeasuredLag(
    subject,
    type.measure(candidates),
    candidates.newestOfAll === null ? 'no_candidate' : null,
    isArchived ? highestSeverityOf(rule.thresholds) : undefined,
  );
  // Unlike for other rule types, the state `ok` is certain: any recent release proves that upstream is
  // active. Apparent silence can be due to a missing release.
  if (!isArchived) return { ...measured, requiresCompleteList: measured.outcome.state === 'alerting' };
  const { crossedAtMs } = measured;
  return {
    ...measured,
    isArchived,
    // An archived repository alerts before a threshold is crossed. The time when it was archived isn't known.
    crossedAtMs: crossedAtMs !== null && crossedAtMs > nowMs ? null : crossedAtMs,
    nextCrossingAtMs: candidates.nextChangeAtMs,
    requiresCompleteList: false,
  };
}

interface LagSubject {
  readonly input: JudgeInput;
  readonly type: RuleType;
  readonly candidates: Candidates;
  readonly match: ExplainedMatch;
  readonly matched: Release | null;
}

/**
 * Measures a deployed string that can't be compared as a version. The string has a date only if it exactly
 * matches the name of a release.
 */
function measureText(
  subject: LagSubject,
  { match, release, platformTag }: ResolvedDeployed,
  measureByDate: VersionAgeRuleType['measureByDate'] | null,
): Measurement {
  const { input, candidates } = subject;
  const { rule, releases } = input;
  const { nextChangeAtMs } = candidates;
  if (release === null && releases.isDeployed) return noData('not_seen_there', match, null, nextChangeAtMs);
  if (release === null && platformTag === null) return violation(subject, 'version_unparseable', null);
  if (release === null || measureByDate === null)
    return noData('not_comparable', match, release, nextChangeAtMs);
  const lag = measureByDate({ rule, deployedRelease: release, candidates });
  return ofMeasuredLag(subject, lag, candidates.size === 0 ? 'no_candidate' : null);
}

/**
 * Measures a version whose number no longer fits its line, so that comparing it with other numbers is meaningless. Only
 * dates are compared.
 */
function measureEndedNumbering(
  subject: LagSubject,
  successor: ComparableRelease,
  measureByDate: VersionAgeRuleType['measureByDate'] | null,
): Measurement {
  const { input, candidates, matched } = subject;
  const lag =
    measureByDate === null || matched === null
      ? notBehind
      : measureByDate({ rule: input.rule, deployedRelease: matched, candidates });
  return { ...ofMeasuredLag(subject, lag, 'numbering_ended'), successor, latest: successor };
}

/**
 * Returns the measurement if the deployed version isn't known. If no releases exist either, the result states
 * that as the reason.
 */
export function noVersion(input: JudgeInput, { nextChangeAtMs }: Candidates): Measurement {
  const why = input.releases.size > 0 ? 'no_version' : noReleaseReason(input);
  return noData(why, 'no_version', null, nextChangeAtMs);
}

/** Returns the measurement if no releases exist. */
export function noRelease(
  input: JudgeInput,
  match: ExplainedMatch,
  { nextChangeAtMs }: Candidates,
): Measurement {
  return noData(noReleaseReason(input), match, null, nextChangeAtMs);
}

function noReleaseReason({ hasReleases = true }: JudgeInput): 'no_release' | 'lifecycle_only' {
  return hasReleases ? 'no_release' : 'lifecycle_only';
}

/** A version whose lag can't be determined always has the highest severity of the rule. */
function violation(
  { input, match, candidates }: LagSubject,
  why: 'version_not_found' | 'version_unparseable',
  matched: Release | null,
): Measurement {
  return measurement({
    outcome: withSeverity(highestSeverityOf(input.rule.thresholds), why, null),
    match,
    matched,
    nextCrossingAtMs: candidates.nextChangeAtMs,
    // The missing releases can include the deployed one, or one that changes how the deployed text is parsed.
    requiresCompleteList: true,
  });
}

function ofLag(subject: LagSubject, lag: Lag, why: LagReason | null): Measurement {
  return lag.kind === 'version_not_found'
    ? violation(subject, 'version_not_found', subject.matched)
    : ofMeasuredLag(subject, lag, why);
}

/** @param severity The severity, if it doesn't depend on the thresholds. */
function ofMeasuredLag(
  { input, type, candidates, match, matched }: LagSubject,
  lag: MeasuredLag,
  why: LagReason | null,
  severity?: AlertSeverity | null,
): Measurement {
  const { rule, nowMs } = input;
  const date = lag.kind === 'since' ? lag.date : null;
  const behindBy = lag.kind === 'since' ? wholeDaysBetween(lag.date.atMs, nowMs) : lag.behindBy;
  const reached = severity === undefined ? type.thresholds.severityOf(behindBy, rule.thresholds) : severity;
  const isNearest = date?.of === 'nearest_lower_release';
  // All fields are listed, because merging two objects would take a twentieth of the time of an evaluation.
  return {
    outcome: withSeverity(reached, type.reason, why),
    match: isNearest ? 'nearest_lower' : match,
    matched,
    behindBy,
    date,
    support: null,
    findings: null,
    moves: null,
    successor: null,
    latest: null,
    isArchived: false,
    crossedAtMs: reached === null ? null : crossedAtMs(rule, reached, lag),
    nextCrossingAtMs:
      date === null
        ? candidates.nextChangeAtMs
        : earlierTime(candidates.nextChangeAtMs, nextThresholdAtMs(type, rule, date.atMs, nowMs)),
    // An incomplete list may be missing a newer release. It may also be missing the deployed release, whose
    // date would be used instead of that of the nearest lower release.
    requiresCompleteList: isNearest || reached === null,
  };
}

/** Returns the time at which the lag reaches the next threshold. */
function nextThresholdAtMs(type: RuleType, rule: Rule, sinceMs: number, nowMs: number): number | null {
  const threshold = type.thresholds.nextThreshold(wholeDaysBetween(sinceMs, nowMs), rule.thresholds);
  return threshold === null ? null : sinceMs + threshold * dayMs;
}

function crossedAtMs(rule: Rule, severity: AlertSeverity, lag: MeasuredLag): number | null {
  const threshold = rule.thresholds[severity];
  if (threshold == null) return null;
  if (lag.kind === 'since') return lag.date.atMs + threshold * dayMs;
  const reachedAtMs = lag.reachedAtMs(threshold);
  return reachedAtMs === null ? null : reachedAtMs + rule.minReleaseAgeDays * dayMs;
}
