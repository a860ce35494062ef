/** The fields of an OSV record that matching uses, for one or more packages. */
export interface Advisory {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly isWithdrawn: boolean;
  /** Severity. `null` if it isn't available from the database or a CVSS vector. */
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
  /**
   * Ranges of versions that the ecosystem can't express, such as the tags of a Go project whose module has
   * other versions.
   */
  readonly customRanges?: readonly AffectedRange[];
  /** True if the database states that it couldn't map all affected versions, so open ranges are a guess. */
  readonly isUnmapped?: boolean;
  /** First and last affected major version of `ranges`. If undefined, all major versions can be affected. */
  readonly majors?: readonly [first: number, last: number];
}

/** Events of a SEMVER or ECOSYSTEM range. GIT ranges count only through `versions`. */
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
