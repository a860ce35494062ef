/** All severities, lowest first. */
export const alertSeverities = ['moderate', 'high', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** At least one whole number of at least 1, in the unit of the rule type, strictly ascending. */
export type Thresholds = Readonly<Partial<Record<AlertSeverity, number | null>>>;

/** The highest severity whose threshold is reached, or `null` below the lowest. */
export function severityOf(behindBy: number, thresholds: Thresholds): AlertSeverity | null {
  for (const severity of highestFirst) {
    const threshold = thresholds[severity];
    if (threshold != null && behindBy >= threshold) return severity;
  }
  return null;
}

/** The severity of a lag that can't be counted: the highest one that the rule has a threshold for. */
export function highestSeverityOf(thresholds: Thresholds): AlertSeverity | null {
  return highestFirst.find((severity) => thresholds[severity] != null) ?? null;
}

/** The lowest threshold above `behindBy`, where the severity changes next, or `null` if there is none. */
export function nextThreshold(behindBy: number, thresholds: Thresholds): number | null {
  for (const severity of alertSeverities) {
    const threshold = thresholds[severity];
    if (threshold != null && threshold > behindBy) return threshold;
  }
  return null;
}

/** `null` is lower than any severity. */
export function isHigherSeverity(a: AlertSeverity | null, b: AlertSeverity | null): boolean {
  return rank(a) > rank(b);
}

const highestFirst = alertSeverities.toReversed();

function rank(severity: AlertSeverity | null): number {
  return severity === null ? -1 : alertSeverities.indexOf(severity);
}
