/** All severities, lowest first. */
export const alertSeverities = ['moderate', 'high', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** At least one, in the unit of the rule type and as its scale allows. */
export type Thresholds = Readonly<Partial<Record<AlertSeverity, number | null>>>;

/** What the thresholds of a rule type mean. */
export interface ThresholdScale {
  /** The lowest and the highest valid threshold. */
  readonly min: number;
  readonly max: number;
  /** The first threshold that isn't valid together with the others. */
  problemOf(thresholds: Thresholds): { readonly severity: AlertSeverity; readonly message: string } | null;
  /** The highest severity whose threshold is reached, or `null` before the first. */
  severityOf(behindBy: number, thresholds: Thresholds): AlertSeverity | null;
  /** The next threshold that is reached if time passes and nothing else happens, or `null` after the last. */
  nextThreshold(behindBy: number, thresholds: Thresholds): number | null;
}

/** Whole numbers of at least 1, strictly ascending: each is reached from below. */
export const ascendingThresholds: ThresholdScale = {
  min: 1,
  max: 1_000_000,

  problemOf(thresholds) {
    const outside = outsideOf(this, thresholds);
    if (outside !== null) return outside;
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

/**
 * Days before an end, strictly descending: each is reached from above. 0 is the end itself, negative ones come after it.
 */
export const descendingThresholds: ThresholdScale = {
  min: -3_650,
  max: 3_650,

  problemOf(thresholds) {
    const outside = outsideOf(this, thresholds);
    if (outside !== null) return outside;
    const given = alertSeverities.filter((severity) => thresholds[severity] != null);
    for (const [index, severity] of given.entries()) {
      const lower = given[index - 1];
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

/** Counts of what is at least as bad as each severity, so they have no order. A total alone reaches only `moderate`. */
export const countThresholds: ThresholdScale = {
  min: 1,
  max: 1_000_000,

  problemOf(thresholds) {
    return outsideOf(this, thresholds);
  },

  severityOf(total, { moderate }) {
    return moderate != null && total >= moderate ? 'moderate' : null;
  },

  /** Time adds none. */
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
