import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Version } from '../versions/version-scheme.ts';
import { type ExploitFacts, exploitedSinceMs, exploitScoreOf } from '../vulnerabilities/exploits.ts';
import type { Finding } from '../vulnerabilities/find-vulnerabilities.ts';
import { findFixes } from '../vulnerabilities/patch-clock.ts';
import type { Candidates } from './candidates.ts';
import { type ExploitedFix, findFindings, type HigherRelease, higherReleases } from './find-findings.ts';
import { findSupport } from './find-support.ts';
import type { JudgeInput } from './judge.ts';
import { noRelease, noVersion } from './measure-lag.ts';
import { type Measurement, measurement, noData, withoutAlert, withSeverity } from './measurement.ts';
import { type LookupTarget, type ResolvedDeployed, versionToLookUp } from './resolve-deployed.ts';
import type { LagDate, Rule, SupportRuleType, VulnerabilityRuleType } from './rule-type.ts';
import { type AlertSeverity, highestSeverityOf } from './severity.ts';
import { dayMs, wholeDaysBetween } from './stored-lag.ts';
import type { SupportFacts } from './support-facts.ts';
import type { VulnerabilityFacts } from './vulnerability-facts.ts';

/**
 * Measures the time until the end of support, which depends only on the deployed version. The releases are used only to
 * find the application version of a chart.
 */
export function measureSupport(
  input: JudgeInput,
  deployed: ResolvedDeployed,
  candidates: Candidates,
  type: SupportRuleType,
): Measurement {
  const { rule, deployedVersion, support: facts, dataGap, nowMs } = input;
  const { match, release: matched } = deployed;
  const { nextChangeAtMs } = candidates;
  if (deployedVersion === null) {
    // Support doesn't depend on releases, so for a source without releases, the missing version is the only
    // reason.
    if (input.hasReleases === false) return noData('no_version', 'no_version', null, nextChangeAtMs);
    return noVersion(input, candidates);
  }
  if (facts == null) return noData(dataGap ?? 'no_lifecycle', match, matched, nextChangeAtMs);
  const lookup = versionToLookUp(lookedUp(deployed), facts.applicationVersions);
  if (isNoVersion(deployed, lookup, facts)) return noData('not_comparable', match, matched, nextChangeAtMs);
  const support = findSupport(facts, rule, lookup, nowMs);
  const { state, stateReason, severity, end, nextCrossingAtMs } = support.verdict;
  return measurement({
    outcome:
      state === 'no_data'
        ? withoutAlert('no_data', stateReason)
        : withSeverity(severity, type.reason, stateReason),
    match,
    matched,
    support,
    crossedAtMs: severity === null ? null : endCrossedAtMs(rule, severity, end?.endsAtMs ?? null),
    nextCrossingAtMs,
  });
}

/**
 * Measures the vulnerabilities of the deployed version. Releases don't affect the count: they serve only to
 * suggest an upgrade.
 */
export function measureVulnerabilities(
  input: JudgeInput,
  deployed: ResolvedDeployed,
  candidates: Candidates,
  type: VulnerabilityRuleType,
): Measurement {
  const { rule, deployedVersion, vulnerabilities: facts, dataGap, nowMs } = input;
  const { match, release: matched, version } = deployed;
  const { nextChangeAtMs } = candidates;
  if (deployedVersion === null) return noVersion(input, candidates);
  if (facts == null) return noData(dataGap ?? 'no_vulnerability_data', match, matched, nextChangeAtMs);
  // Without releases, no fix can be found, although one can exist.
  if (type.counts === 'days' && input.releases.size === 0) return noRelease(input, match, candidates);
  const lookup = versionToLookUp(lookedUp(deployed), facts.applicationVersions);
  if (isNoVersion(deployed, lookup, facts)) return noData('not_comparable', match, matched, nextChangeAtMs);
  const findings = findFindings(facts, rule, { version, lookup }, candidates, nowMs);
  const { verdict } = findings;
  if (type.counts === 'days' && verdict !== null && lookup !== null)
    return measureFixes(
      input,
      { match, matched, version, findings, counted: verdict.counted },
      candidates,
      type,
    );
  return measurement({
    outcome:
      verdict === null
        ? withoutAlert('no_data', lookup === null ? 'no_vulnerability_data' : 'not_comparable')
        : withSeverity(verdict.severity, type.reason, null),
    match,
    matched,
    behindBy: verdict?.counted.length ?? null,
    findings,
    nextCrossingAtMs: earlierTime(nextChangeAtMs, verdict?.nextCrossingAtMs ?? null),
  });
}

interface FoundFixes {
  readonly match: Measurement['match'];
  readonly matched: Measurement['matched'];
  readonly version: ResolvedDeployed['version'];
  readonly findings: NonNullable<Measurement['findings']>;
  readonly counted: readonly Finding[];
}

/**
 * Counts the days since the first fix of a counted vulnerability. A day before the vulnerability was published doesn't
 * count. Outdated data is measured at the end of its validity, so that time alone doesn't change the result.
 */
function measureFixes(
  { rule, vulnerabilities, nowMs }: JudgeInput,
  { match, matched, version, findings: found, counted: known }: FoundFixes,
  candidates: Candidates,
  type: VulnerabilityRuleType,
): Measurement {
  const { facts } = found;
  const exploits = facts.exploits ?? null;
  const counted = aboveMinimum(known, exploits, rule);
  const fixes = version === null ? [] : listFixes(facts, version, counted, candidates);
  const oldest = oldestFix(fixes);
  const validUntilMs = vulnerabilities?.validUntilMs ?? null;
  const atMs = Math.min(nowMs, validUntilMs ?? nowMs);
  const catalogValidUntilMs = earlierTime(validUntilMs, exploits?.catalogValidUntilMs ?? null);
  const exploitedFix = firstExploited(fixes, exploits, rule, Math.min(nowMs, catalogValidUntilMs ?? nowMs));
  const isOverdue = exploitedFix?.isOverdue ?? false;
  const findings = { ...found, belowMinimumCount: known.length - counted.length, exploitedFix };

  const days = oldest === null ? 0 : Math.max(0, wholeDaysBetween(oldest.atMs, atMs));
  const severityByDays = type.thresholds.severityOf(days, rule.thresholds);
  const severity = isOverdue ? highestSeverityOf(rule.thresholds) : severityByDays;
  const threshold = severity === null ? null : (rule.thresholds[severity] ?? null);
  const crossedByDaysMs =
    oldest === null || threshold === null || severityByDays !== severity
      ? null
      : oldest.atMs + threshold * dayMs;
  const next = oldest === null ? null : type.thresholds.nextThreshold(days, rule.thresholds);
  const nextByDaysMs = oldest === null || next === null || isOverdue ? null : oldest.atMs + next * dayMs;
  const nextDueMs = exploitedFix === null || isOverdue ? null : exploitedFix.dueAtMs;
  const nextCrossingAtMs = [
    candidates.nextChangeAtMs,
    found.verdict?.nextCrossingAtMs ?? null,
    onlyUntil(nextByDaysMs, validUntilMs),
    onlyUntil(nextDueMs, catalogValidUntilMs),
  ].reduce(earlierTime, null);
  const isAnyExcluded = counted.length < known.length;
  if (isUncertain(rule, exploits, { severity, isOverdue, hasFix: fixes.length > 0, isAnyExcluded }))
    return { ...noData('reference_not_loaded', match, matched, nextCrossingAtMs), findings };
  return measurement({
    outcome: withSeverity(severity, type.reason, null),
    match,
    matched,
    behindBy: days,
    date: oldest,
    findings,
    crossedAtMs: isOverdue ? earlierTime(exploitedFix!.dueAtMs, crossedByDaysMs) : crossedByDaysMs,
    nextCrossingAtMs,
    // The missing releases can include a fix.
    requiresCompleteList: severity === null,
  });
}

function onlyUntil(atMs: number | null, untilMs: number | null): number | null {
  return atMs !== null && untilMs !== null && atMs > untilMs ? null : atMs;
}

/** Excludes vulnerabilities with a score below the minimum, unless they are known to be exploited. */
function aboveMinimum(
  counted: readonly Finding[],
  exploits: ExploitFacts | null,
  { minEpss = null }: Rule,
): readonly Finding[] {
  if (minEpss === null) return counted;
  return counted.filter(
    (finding) =>
      exploitedSinceMs(exploits, finding) !== null ||
      (exploitScoreOf(exploits, finding)?.score ?? 1) >= minEpss,
  );
}

/**
 * True if data that was never loaded could change the result: the catalog could require an alert, or the scores could
 * exclude all vulnerabilities that led to one.
 */
function isUncertain(
  { knownExploitedDays = null, minEpss = null }: Rule,
  exploits: ExploitFacts | null,
  {
    severity,
    isOverdue,
    hasFix,
    isAnyExcluded,
  }: { severity: AlertSeverity | null; isOverdue: boolean; hasFix: boolean; isAnyExcluded: boolean },
): boolean {
  // With the catalog, a vulnerability with a low score may be one that is known to be exploited, which isn't excluded.
  if (isAnyExcluded && severity === null && exploits?.exploitedSinceMs == null) return true;
  const lacksCatalog = knownExploitedDays !== null && exploits?.exploitedSinceMs == null;
  const lacksScores = minEpss !== null && exploits?.scores == null;
  return (lacksCatalog && hasFix && severity === null) || (lacksScores && severity !== null && !isOverdue);
}

interface AvailableFix {
  readonly finding: Finding;
  readonly release: HigherRelease;
  readonly publishedAtMs: number | null;
}

/** Finds the lowest release without each vulnerability. Vulnerabilities without a fix are missing. */
function listFixes(
  { known, applicationVersions }: VulnerabilityFacts,
  deployed: Version,
  counted: readonly Finding[],
  candidates: Candidates,
): AvailableFix[] {
  const steps = findFixes(
    higherReleases(deployed, candidates, applicationVersions),
    counted.map(({ id }) => id),
    (version, ids) => known.affectedBy(version, ids),
  );
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const releases = step.value;
  return counted.flatMap((finding) => {
    const release = releases.get(finding.id);
    return release === undefined
      ? []
      : [{ finding, release, publishedAtMs: known.publishedAtMs(finding.id) }];
  });
}

/** Returns the earliest time at which a vulnerability was published and had a fix. `null` if none has a fix. */
function oldestFix(fixes: readonly AvailableFix[]): LagDate | null {
  let oldest: LagDate | null = null;
  for (const { release, publishedAtMs } of fixes) {
    const atMs = Math.max(release.dateMs, publishedAtMs ?? release.dateMs);
    if (oldest !== null && oldest.atMs <= atMs) continue;
    const isEstimate = release.isEstimate || publishedAtMs === null;
    oldest = { atMs, source: 'released_at', of: 'fix_release', version: release.text, isEstimate };
  }
  return oldest;
}

/** Returns the known exploited vulnerability with a fix whose deadline comes first. */
function firstExploited(
  fixes: readonly AvailableFix[],
  exploits: ExploitFacts | null,
  { knownExploitedDays = null }: Rule,
  nowMs: number,
): ExploitedFix | null {
  if (knownExploitedDays === null) return null;
  let first: ExploitedFix | null = null;
  for (const { finding, release, publishedAtMs } of fixes) {
    const exploitedMs = exploitedSinceMs(exploits, finding);
    if (exploitedMs === null) continue;
    const sinceMs = Math.max(exploitedMs, release.dateMs, publishedAtMs ?? exploitedMs);
    if (first !== null && first.sinceMs <= sinceMs) continue;
    const dueAtMs = sinceMs + knownExploitedDays * dayMs;
    first = { id: finding.id, version: release.text, sinceMs, dueAtMs, isOverdue: dueAtMs <= nowMs };
  }
  return first;
}

function lookedUp({ text, match, release }: ResolvedDeployed): LookupTarget {
  return { text, match, release: release?.text ?? null };
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

/**
 * Returns the time at which the number of days left reaches the threshold of a severity. For example, a threshold of 60
 * is reached 60 days before the end of support.
 */
function endCrossedAtMs(rule: Rule, severity: AlertSeverity, endsAtMs: number | null): number | null {
  const threshold = rule.thresholds[severity];
  return threshold == null || endsAtMs === null ? null : endsAtMs - threshold * dayMs;
}
