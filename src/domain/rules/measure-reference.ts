import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Version } from '../versions/version-scheme.ts';
import type { Finding } from '../vulnerabilities/find-vulnerabilities.ts';
import { findFixes } from '../vulnerabilities/patch-clock.ts';
import type { Candidates } from './candidates.ts';
import { findFindings, higherReleases } from './find-findings.ts';
import { findSupport } from './find-support.ts';
import type { JudgeInput } from './judge.ts';
import { noRelease, noVersion } from './measure-lag.ts';
import { type Measurement, measurement, noData, withoutAlert, withSeverity } from './measurement.ts';
import { type LookupTarget, lookupVersion, type ResolvedDeployed } from './resolve-deployed.ts';
import type { LagDate, Rule, SupportRuleType, VulnerabilityRuleType } from './rule-type.ts';
import type { AlertSeverity } from './severity.ts';
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
  const lookup = lookupVersion(lookedUp(deployed), facts.applicationVersions);
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
  const lookup = lookupVersion(lookedUp(deployed), facts.applicationVersions);
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
  { match, matched, version, findings, counted }: FoundFixes,
  candidates: Candidates,
  type: VulnerabilityRuleType,
): Measurement {
  const validUntilMs = vulnerabilities?.validUntilMs ?? null;
  const atMs = validUntilMs === null ? nowMs : Math.min(nowMs, validUntilMs);
  const oldest = version === null ? null : findOldestFix(findings.facts, version, counted, candidates);
  const days = oldest === null ? 0 : Math.max(0, wholeDaysBetween(oldest.atMs, atMs));
  const severity = type.thresholds.severityOf(days, rule.thresholds);
  const threshold = severity === null ? null : (rule.thresholds[severity] ?? null);
  const next = oldest === null ? null : type.thresholds.nextThreshold(days, rule.thresholds);
  const nextAtMs = oldest === null || next === null ? null : oldest.atMs + next * dayMs;
  const ignoredEndsAtMs = findings.verdict?.nextCrossingAtMs ?? null;
  return measurement({
    outcome: withSeverity(severity, type.reason, null),
    match,
    matched,
    behindBy: days,
    date: oldest,
    findings,
    crossedAtMs: oldest === null || threshold === null ? null : oldest.atMs + threshold * dayMs,
    nextCrossingAtMs: earlierTime(
      earlierTime(candidates.nextChangeAtMs, ignoredEndsAtMs),
      validUntilMs !== null && nextAtMs !== null && nextAtMs > validUntilMs ? null : nextAtMs,
    ),
    // The missing releases can include a fix.
    requiresCompleteList: severity === null,
  });
}

/** Returns the earliest time at which a vulnerability was published and had a fix. `null` if none has a fix. */
function findOldestFix(
  { known, applicationVersions }: VulnerabilityFacts,
  deployed: Version,
  counted: readonly Finding[],
  candidates: Candidates,
): LagDate | null {
  const steps = findFixes(
    higherReleases(deployed, candidates, applicationVersions),
    counted.map(({ id }) => id),
    (version, ids) => known.affectedBy(version, ids),
  );
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  let oldest: LagDate | null = null;
  for (const [id, fix] of step.value) {
    const publishedAtMs = known.publishedAtMs(id);
    const atMs = Math.max(fix.dateMs, publishedAtMs ?? fix.dateMs);
    if (oldest !== null && oldest.atMs <= atMs) continue;
    const isEstimate = fix.isEstimate || publishedAtMs === null;
    oldest = { atMs, source: 'released_at', of: 'fix_release', version: fix.text, isEstimate };
  }
  return oldest;
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
