/** What matching uses of an OSV record, for one or more packages. */
export interface Advisory {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly isWithdrawn: boolean;
  /** `null` if neither the database nor a CVSS vector rates it. */
  readonly severity: AdvisorySeverity | null;
  readonly affected: readonly AffectedPackage[];
}

export const advisorySeverities = ['low', 'moderate', 'high', 'critical'] as const;
export type AdvisorySeverity = (typeof advisorySeverities)[number];

export interface AffectedPackage {
  readonly ecosystem: string;
  readonly name: string;
  readonly ranges: readonly AffectedRange[];
  readonly versions: readonly string[];
  /** The first and the last major version that it is about. Without them, all. */
  readonly majors?: readonly [first: number, last: number];
}

/** The events of a SEMVER or ECOSYSTEM range. GIT ranges count through `versions` only. */
export type AffectedRange = readonly RangeEvent[];

export interface RangeEvent {
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit';
  readonly version: string;
}

export const rangeEventKinds: readonly RangeEvent['kind'][] = [
  'introduced',
  'fixed',
  'limit',
  'last_affected',
];
