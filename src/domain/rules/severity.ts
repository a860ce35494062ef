/** All severities, lowest first. */
export const alertSeverities = ['moderate', 'high', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** At least one, in the unit of the rule type and as its scale allows. */
export type Thresholds = Readonly<Partial<Record<AlertSeverity, number | null>>>;

/** What the thresholds of a rule type mean. */
export interface ThresholdScale {
  /** The lowest valid threshold. */
  readonly min: number;
  /** The first threshold that isn't valid together with the others. */
  problemOf(thresholds: Thresholds): { readonly severity: AlertSeverity; readonly message: string } | null;
  /** The highest severity whose threshold is reached, or `null` before the first. */
  severityOf(behindBy: number, thresholds: Thresholds): AlertSeverity | null;
  /** The next threshold that is reached if `behindBy` keeps growing, or `null` after the last. */
  nextThreshold(behindBy: number, thresholds: Thresholds): number | null;
}

/** Whole numbers of at least 1, strictly ascending: each is reached from below. */
export const ascendingThresholds: ThresholdScale = {
  min: 1,

  problemOf(thresholds) {
    const given = alertSeverities.filter((severity) => thresholds[severity] != null);
    for (const [index, severity] of given.entries()) {
      const lower = given[index - 1];
      if (lower !== undefined && thresholds[severity]! <= thresholds[lower]!)
        return { severity, message: `must be greater than ${lower} (${thresholds[lower]})` };
    }
    return null;
  },

  severityOf(behindBy, thresholds) {
    return (
      highestFirst.find((severity) => {
        const threshold = thresholds[severity];
        return threshold != null && behindBy >= threshold;
      }) ?? null
    );
  },

  nextThreshold(behindBy, thresholds) {
    for (const severity of alertSeverities) {
      const threshold = thresholds[severity];
      if (threshold != null && threshold > behindBy) return threshold;
    }
    return null;
  },
};

/** The severity of a lag that can't be counted: the highest one that the rule has a threshold for. */
export function highestSeverityOf(thresholds: Thresholds): AlertSeverity | null {
  return highestFirst.find((severity) => thresholds[severity] != null) ?? null;
}

/** `null` is lower than any severity. */
export function isHigherSeverity(a: AlertSeverity | null, b: AlertSeverity | null): boolean {
  return rank(a) > rank(b);
}

const highestFirst = alertSeverities.toReversed();

function rank(severity: AlertSeverity | null): number {
  return severity === null ? -1 : alertSeverities.indexOf(severity);
}
