import { type AlertSeverity, alertSeverities, isHigherSeverity, type Thresholds } from '../rules/severity.ts';
import { earlierTime } from '../scheduling/earlier-time.ts';
import type { Finding } from './find-vulnerabilities.ts';

/** A vulnerability that doesn't count, by its id or one of its aliases. */
export interface IgnoredVulnerability {
  readonly id: string;
  /** `null` for good. */
  readonly untilMs: number | null;
}

export interface FindingsVerdict {
  readonly severity: AlertSeverity | null;
  /** Those that aren't ignored, in the given order. */
  readonly counted: readonly Finding[];
  readonly ignored: readonly Finding[];
  /** How many of the counted ones no database rates. They reach only the threshold of `moderate`. */
  readonly unknownCount: number;
  /** When the next finding stops being ignored, if only time passes. */
  readonly nextCrossingAtMs: number | null;
}

/**
 * Counts findings against thresholds: `critical: 1` is at least one critical finding, `high: 1` at least one that is high
 * or worse, `moderate: 5` five of any severity, known or not.
 */
export function judgeFindings(
  findings: readonly Finding[],
  thresholds: Thresholds,
  ignoredVulnerabilities: readonly IgnoredVulnerability[],
  nowMs: number,
): FindingsVerdict {
  const ignoredUntil = ignoredUntilBy(ignoredVulnerabilities);
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
  return counted.filter((finding) => countsAt(finding, severity)).length >= threshold;
}

/** Until when a finding is ignored by any of its names: `Infinity` for good, `-Infinity` if it isn't. */
export function ignoredUntilBy(
  ignored: readonly IgnoredVulnerability[],
): (finding: Pick<Finding, 'id' | 'aliases'>) => number {
  const untilMs = new Map<string, number>();
  for (const { id, untilMs: until } of ignored)
    untilMs.set(id, Math.max(untilMs.get(id) ?? -Infinity, until ?? Infinity));
  return ({ id, aliases }) => Math.max(...[id, ...aliases].map((name) => untilMs.get(name) ?? -Infinity));
}

/** Whether a finding counts for the threshold of a severity: for `moderate`, all do. */
export function countsAt(finding: Finding, severity: AlertSeverity): boolean {
  return severity === 'moderate' || isAtLeast(finding, severity);
}

function isAtLeast({ severity }: Finding, minimum: AlertSeverity): boolean {
  if (severity === null || severity === 'low') return false;
  return !isHigherSeverity(minimum, severity);
}
