/** The fields of an OSV record that are needed to match versions. A record can be about several packages. */
export interface Advisory {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly isWithdrawn: boolean;
  /** Severity from the database or a CVSS vector. `null` if neither is available. */
  readonly severity: AdvisorySeverity | null;
  /** Time of the publication, in milliseconds since 1970. Absent or `null` if it isn't known. */
  readonly publishedAtMs?: number | null;
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
   * Ranges of versions that don't exist in the ecosystem. For example, the tags of a Go project can differ
   * from the versions of its module.
   */
  readonly customRanges?: readonly AffectedRange[];
  /** True if the database states that it couldn't map all affected versions. Open ranges are then only a guess. */
  readonly isUnmapped?: boolean;
  /** First and last affected major version. If undefined, all major versions can be affected. */
  readonly majors?: readonly [first: number, last: number];
}

/**
 * Events of a range of the type SEMVER or ECOSYSTEM. Ranges of the type GIT are ignored, because `versions` lists their
 * versions.
 */
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
