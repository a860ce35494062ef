/** Every severity, the lowest first. */
export const alertSeverities = ['moderate', 'high', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** Whole numbers of at least 1 in the unit of the rule type, strictly ascending; at least one is there. */
export type Thresholds = Readonly<Partial<Record<AlertSeverity, number | null>>>;

/** The highest severity whose threshold is reached; `null` below the lowest. */
export function severityOf(behindBy: number, thresholds: Thresholds): AlertSeverity | null {
  for (const severity of highestFirst) {
    const threshold = thresholds[severity];
    if (threshold != null && behindBy >= threshold) return severity;
  }
  return null;
}

/** The severity of what cannot be counted: the highest that the rule has a threshold for. */
export function highestSeverityOf(thresholds: Thresholds): AlertSeverity | null {
  return highestFirst.find((severity) => thresholds[severity] != null) ?? null;
}

/** The lowest threshold above `behindBy`: where the severity changes next. `null` when there is none. */
export function nextThreshold(behindBy: number, thresholds: Thresholds): number | null {
  for (const severity of alertSeverities) {
    const threshold = thresholds[severity];
    if (threshold != null && threshold > behindBy) return threshold;
  }
  return null;
}

/** No severity at all is below every severity. */
export function isHigherSeverity(a: AlertSeverity | null, b: AlertSeverity | null): boolean {
  return rank(a) > rank(b);
}

const highestFirst = alertSeverities.toReversed();

function rank(severity: AlertSeverity | null): number {
  return severity === null ? -1 : alertSeverities.indexOf(severity);
}
