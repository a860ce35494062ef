/**
 * What a version scheme promises. A scheme reads version strings and puts them into a total order;
 * `versions.ts` lists the schemes.
 *
 * "Same version" and "ties": spelling is no difference. `1.2.3` and `v1.2.3`, `1.2` and `1.2.0`, `2024.01` and
 * `2024.1` are the same version, and so `compare` says zero: were `1.2.0` above `1.2`, whoever runs `1.2` would be
 * told that something newer exists. A list that has to come out the same every time breaks such ties by the string,
 * after `compare` and outside of it (`compareForListing` of `match-release.ts`; in SQL a second sort column).
 */

/** A version that was read: what comparing and matching need, so that no string is read twice. */
export interface Version {
  /** The string as it was given. */
  readonly text: string;
  /**
   * The numeric components in order: `1.25.3` is `[1, 25, 3]`, `2024.01` is `[2024, 1]`. Never empty.
   * Exact up to any length: a component above 2^53-1 is a bigint.
   */
  readonly numbers: readonly (number | bigint)[];
  /**
   * In `auto`: the suffix has a pre-release word, or the prefix is nothing but one (`nightly-2024-01-15`).
   * In `semver`: there are pre-release identifiers, whatever they say.
   * What the source says of a release is not in here.
   */
  readonly isPrerelease: boolean;
  /** `''` for none; else lower case, such as `alpine`, `debian-r`, `k-s`, `controller`. Always `''` in `semver`. */
  readonly variant: string;
  /** The prefix as written, with ornament (`v`, `release-`): `''`, `v`, `controller-v`. */
  readonly prefix: string;
  /**
   * True when a pre-release, a variant or a revision follows the numbers. Build metadata of digits alone is none:
   * `17.0.2+8` is the plain release that its project counts so. In `semver` build metadata never is one.
   */
  readonly hasSuffix: boolean;
  /** The place in the order of the scheme that read it. Only `compare` and `sortKey` of that scheme look at it. */
  readonly precedence: string;
}

export type VersionSchemeId = 'auto' | 'semver';

export interface VersionScheme {
  readonly id: VersionSchemeId;
  /**
   * Reads a version string of at most 256 characters. `null` when it is not a version of this scheme.
   * Never throws; time is linear in the length.
   */
  readonly parse: (text: string) => Version | null;
  /**
   * Negative, zero or positive as `a` is below, equal to or above `b` in precedence.
   * Total, antisymmetric and transitive. Zero exactly when both are the same version.
   */
  readonly compare: (a: Version, b: Version) => number;
  /**
   * A string of printable ASCII, at most 1,500 characters (a B-tree entry of PostgreSQL takes 2,700 bytes), whose
   * byte order (`COLLATE "C"`) is the order of `compare`, so that a database can sort by precedence with an index.
   * Equal exactly when `compare` is zero. Keys of different schemes mean nothing to each other.
   */
  readonly sortKey: (version: Version) => string;
}
