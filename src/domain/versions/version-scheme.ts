/**
 * What a version scheme promises. A scheme reads version strings and puts them into a total order.
 * `semantics.md`, "Versions", of the design is the source of every rule; `versions.ts` lists the schemes.
 */

/** A version that was read: what comparing and matching need, so that no string is read twice. */
export interface Version {
  /** The string as it was given. */
  readonly text: string;
  /** The numeric components in order: `1.25.3` is `[1, 25, 3]`, `2024.01` is `[2024, 1]`. Never empty. Exact up to any length: a component above 2^53-1 is a bigint. */
  readonly numbers: readonly (number | bigint)[];
  /** True when the suffix has a pre-release word. What the source says of a release is not in here. */
  readonly isPrerelease: boolean;
  /** `''` for none; else lower case, such as `alpine`, `debian-r`, `k-s`, `controller`. */
  readonly variant: string;
  /** The prefix as written, with ornament (`v`, `release-`): `''`, `v`, `controller-v`. */
  readonly prefix: string;
  /** True when anything follows the numbers: a pre-release, a variant or build metadata. */
  readonly hasSuffix: boolean;
}

export type VersionSchemeId = 'auto' | 'semver';

export interface VersionScheme {
  readonly id: VersionSchemeId;
  /** Reads a version string of at most 256 characters. `null` when it is not a version of this scheme. Never throws; time is linear in the length. */
  parse(text: string): Version | null;
  /**
   * Negative, zero or positive as `a` is below, equal to or above `b` in precedence.
   * Total, antisymmetric and transitive. Zero exactly when both are the same version.
   */
  compare(a: Version, b: Version): number;
  /**
   * A string of ASCII characters whose byte order (PostgreSQL: `COLLATE "C"`) is the order of `compare`,
   * so that a database can sort by precedence with an index.
   */
  sortKey(version: Version): string;
}
