import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Finding } from '../vulnerabilities/find-vulnerabilities.ts';
import { type AlertSeverity, alertSeverities, isHigherSeverity, type Thresholds } from './severity.ts';

/** A vulnerability that a user ignores, identified by its ID or one of its aliases. */
export interface IgnoredVulnerability {
  readonly id: string;
  /** End of the period in which the vulnerability is ignored. `null` if it's ignored permanently. */
  readonly untilMs: number | null;
}

export interface FindingsVerdict {
  readonly severity: AlertSeverity | null;
  /** Findings that aren't ignored, in their original order. */
  readonly counted: readonly Finding[];
  readonly ignored: readonly Finding[];
  /** Number of counted findings without a known severity. They are counted only toward the `moderate` threshold. */
  readonly unknownCount: number;
  /** Earliest time at which a finding stops being ignored. `null` if no ignored finding has an end time. */
  readonly nextCrossingAtMs: number | null;
}

/**
 * Evaluates findings against thresholds. `critical: 1` means at least one critical finding, `high: 1` at
 * least one of high or critical severity, and `moderate: 5` at least five of any severity, known or unknown.
 */
export function judgeFindings(
  findings: readonly Finding[],
  thresholds: Thresholds,
  ignoredVulnerabilities: readonly IgnoredVulnerability[],
  nowMs: number,
): FindingsVerdict {
  const ignoredUntil = createIgnoredUntilLookup(ignoredVulnerabilities);
  const ignored = findings.filter((finding) => ignoredUntil(finding) > nowMs);
  const counted = findings.filter((finding) => ignoredUntil(finding) <= nowMs);
  const ends = ignored.map(ignoredUntil).filter(Number.isFinite);
  return {
    severity:
      alertSeverities.findLast((severity) => isReached(counted, severity, thresholds[severity])) ?? null,
    counted,
    ignored,
    unknownCount: counted.filter(({ severity }) => severity === null).length,
    nextCrossingAtMs: ends.reduce<number | null>((first, atMs) => earlierTime(first, atMs), null),
  };
}

function isReached(
  counted: readonly Finding[],
  severity: AlertSeverity,
  threshold: number | null | undefined,
): boolean {
  if (threshold == null) return false;
  return counted.filter((finding) => isCountedToward(finding, severity)).length >= threshold;
}

/**
 * Returns a function that returns the time until which a finding is ignored by its ID or an alias: `Infinity` if
 * permanently, `-Infinity` if it isn't ignored.
 */
export function createIgnoredUntilLookup(
  ignored: readonly IgnoredVulnerability[],
): (finding: Pick<Finding, 'id' | 'aliases'>) => number {
  const untilMs = new Map<string, number>();
  for (const { id, untilMs: until } of ignored)
    untilMs.set(id, Math.max(untilMs.get(id) ?? -Infinity, until ?? Infinity));
  return ({ id, aliases }) => Math.max(...[id, ...aliases].map((name) => untilMs.get(name) ?? -Infinity));
}

/** True if a finding is counted toward the threshold of a severity. All findings are counted toward `moderate`. */
export function isCountedToward(finding: Finding, severity: AlertSeverity): boolean {
  return severity === 'moderate' || isAtLeast(finding, severity);
}

function isAtLeast({ severity }: Finding, minimum: AlertSeverity): boolean {
  if (severity === null || severity === 'low') return false;
  return !isHigherSeverity(minimum, severity);
}
