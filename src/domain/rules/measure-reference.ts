import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Candidates } from './candidates.ts';
import { findFindings } from './find-findings.ts';
import { findSupport } from './find-support.ts';
import type { JudgeInput } from './judge.ts';
import { noVersion } from './measure-lag.ts';
import { type Measurement, measurement, noData, withoutAlert, withSeverity } from './measurement.ts';
import { type LookupTarget, lookupVersion, type ResolvedDeployed } from './resolve-deployed.ts';
import type { Rule, SupportRuleType, VulnerabilityRuleType } from './rule-type.ts';
import type { AlertSeverity } from './severity.ts';
import { dayMs } from './stored-lag.ts';
import type { SupportFacts } from './support-facts.ts';

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
    // Support doesn't depend on releases, so for a source without releases, only the version is missing.
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

/** Counts the vulnerabilities of the deployed version. The releases are used only to suggest an upgrade. */
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
  const lookup = lookupVersion(lookedUp(deployed), facts.applicationVersions);
  if (isNoVersion(deployed, lookup, facts)) return noData('not_comparable', match, matched, nextChangeAtMs);
  const findings = findFindings(facts, rule, { version, lookup }, candidates, nowMs);
  const { verdict } = findings;
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
