/**
 * What a version scheme promises. A scheme reads version strings and puts them into an order; `versions.ts` lists the
 * schemes.
 *
 * There are two orders. The **rank** is what users mean by newer: epoch, numbers, pre-release stage, describe count,
 * revision. Versions of one rank are neither higher nor lower than each other, whatever they are called: `1.2.3`,
 * `v1.2.3` and `1.2.3-alpine3.19`. Which of them are compared at all is a matter of line and flavor, decided over the
 * releases of a job (`src/domain/rules`). The **key** orders lists: rank, then flavor, platform numbers, line, string.
 * The rank is the beginning of the key.
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
  /** What the string says; what the source says of a release is not in here. */
  readonly isPrerelease: boolean;
  /** The name before the numbers: `''` for none, else lower case, such as `controller`, `helm-chart`, `jdk`. */
  readonly line: string;
  /** The words behind the numbers: `''` for none, else lower case, such as `alpine`, `php-fpm-alpine`, `ce`. */
  readonly flavor: string;
  /** Numbers of the platform in order, as written: `8.4` and `3.23` of `11.4.5-php8.4-fpm-alpine3.23`. */
  readonly platformNumbers: readonly string[];
  /** The platform words behind the numbers: `php` and `alpine`. */
  readonly platforms: readonly string[];
  /** The numbers of its revision as written: one in `1.2.3-1`, `1.2.3-r0` and `+k3s2`, none in `1.1.1u`. */
  readonly revision: readonly string[];
  /** The place of its last pre-release stage among the stages, the lowest 0; `null` without one, and in `semver`. */
  readonly stage: number | null;
  readonly isStageNumbered: boolean;
  /** The numbers are joined by dots. */
  readonly hasDots: boolean;
  /**
   * Two numbers joined by `_` or `-`: dots in a line none of whose releases has dots, as this reading takes them, else
   * a number and its revision (`parseAmongDotted`).
   */
  readonly isJoined: boolean;
  /** The numbers are one date: `20240601`, `2024-06-01`. */
  readonly isDate: boolean;
  /** The place in the order of the scheme that read it. */
  readonly rank: string;
}

export type VersionSchemeId = 'auto' | 'semver';

export interface VersionScheme {
  readonly id: VersionSchemeId;
  /**
   * Reads a version string of at most 256 characters. `null` when it is not a version of this scheme.
   * Never throws; time is linear in the length.
   */
  readonly parse: (text: string) => Version | null;
  /** Reads a string whose first reading `isJoined` as in a line whose releases have dots. */
  readonly parseAmongDotted: (text: string) => Version | null;
  /**
   * Negative, zero or positive as the rank of `a` is below, equal to or above that of `b`.
   * Antisymmetric and transitive.
   */
  readonly compare: (a: Version, b: Version) => number;
  /**
   * A string of printable ASCII, at most 1,700 characters (a B-tree entry of PostgreSQL takes 2,700 bytes), whose
   * byte order (`COLLATE "C"`) is a total order that begins with `compare`: the rank is its beginning, so that a
   * database can sort by it with an index and find all of one rank. Equal only for equal strings.
   * Keys of different schemes mean nothing to each other.
   */
  readonly sortKey: (version: Version) => string;
}
