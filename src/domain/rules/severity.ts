/** All severities, lowest first. */
export const alertSeverities = ['moderate', 'high', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** Thresholds of a rule, in the unit of the rule type and within the limits of its scale. At least one is required. */
export type Thresholds = Readonly<Partial<Record<AlertSeverity, number | null>>>;

/** Meaning and limits of the thresholds of a rule type. */
export interface ThresholdScale {
  /** Lowest valid threshold. `max` is the highest valid one. */
  readonly min: number;
  readonly max: number;
  /**
   * Returns the first threshold that is out of range or conflicts with the others, or `null` if all are
   * valid.
   */
  problemOf(thresholds: Thresholds): { readonly severity: AlertSeverity; readonly message: string } | null;
  /** Returns the highest severity whose threshold is reached, or `null` if none is reached. */
  severityOf(behindBy: number, thresholds: Thresholds): AlertSeverity | null;
  /** Returns the next threshold that will be reached if only time passes, or `null` if none remains. */
  nextThreshold(behindBy: number, thresholds: Thresholds): number | null;
}

/**
 * Thresholds that are whole numbers of at least 1, in strictly ascending order. A threshold is reached when the lag
 * increases to its value.
 */
export const ascendingThresholds: ThresholdScale = {
  min: 1,
  max: 1_000_000,

  problemOf(thresholds) {
    const outside = outsideOf(this, thresholds);
    if (outside !== null) return outside;
    const defined = alertSeverities.filter((severity) => thresholds[severity] != null);
    for (const [index, severity] of defined.entries()) {
      const lower = defined[index - 1];
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

/**
 * Thresholds that are days before an end date, in strictly descending order. A threshold is reached when the number of
 * days left decreases to its value. 0 is the end date itself, and negative numbers are days after it.
 */
export const descendingThresholds: ThresholdScale = {
  min: -3_650,
  max: 3_650,

  problemOf(thresholds) {
    const outside = outsideOf(this, thresholds);
    if (outside !== null) return outside;
    const defined = alertSeverities.filter((severity) => thresholds[severity] != null);
    for (const [index, severity] of defined.entries()) {
      const lower = defined[index - 1];
      if (lower !== undefined && thresholds[severity]! >= thresholds[lower]!)
        return { severity, message: `must be less than ${lower} (${thresholds[lower]})` };
    }
    return null;
  },

  severityOf(daysLeft, thresholds) {
    return (
      highestFirst.find((severity) => {
        const threshold = thresholds[severity];
        return threshold != null && daysLeft <= threshold;
      }) ?? null
    );
  },

  nextThreshold(daysLeft, thresholds) {
    for (const severity of alertSeverities) {
      const threshold = thresholds[severity];
      if (threshold != null && threshold < daysLeft) return threshold;
    }
    return null;
  },
};

/**
 * Thresholds that are numbers of findings. Each threshold applies to the number of findings of at least its
 * severity, so the values don't have to be in order. Findings without known severities can reach only
 * `moderate`.
 */
export const countThresholds: ThresholdScale = {
  min: 1,
  max: 1_000_000,

  problemOf(thresholds) {
    return outsideOf(this, thresholds);
  },

  severityOf(total, { moderate }) {
    return moderate != null && total >= moderate ? 'moderate' : null;
  },

  /** A count doesn't change just because time passes. */
  nextThreshold: () => null,
};

function outsideOf(
  { min, max }: ThresholdScale,
  thresholds: Thresholds,
): ReturnType<ThresholdScale['problemOf']> {
  for (const severity of alertSeverities) {
    const threshold = thresholds[severity];
    if (threshold == null || (threshold >= min && threshold <= max)) continue;
    return { severity, message: threshold < min ? `must be at least ${min}` : `must be at most ${max}` };
  }
  return null;
}

/** Returns the severity of a lag that can't be counted: the highest severity that has a threshold in the rule. */
export function highestSeverityOf(thresholds: Thresholds): AlertSeverity | null {
  return highestFirst.find((severity) => thresholds[severity] != null) ?? null;
}

/** Compares severities. `null` is lower than any severity. */
export function isHigherSeverity(a: AlertSeverity | null, b: AlertSeverity | null): boolean {
  return rank(a) > rank(b);
}

const highestFirst = alertSeverities.toReversed();

function rank(severity: AlertSeverity | null): number {
  return severity === null ? -1 : alertSeverities.indexOf(severity);
}
