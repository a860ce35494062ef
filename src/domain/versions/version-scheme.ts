/**
 * The interface of version schemes. A scheme parses version strings and orders them. `versions.ts` lists the schemes.
 *
 * There are two orders. The **rank** is what users mean by newer: epoch, numbers, pre-release stage, describe count,
 * revision. Versions with the same rank, such as `1.2.3`, `v1.2.3`, and `1.2.3-alpine3.19`, are neither higher nor
 * lower than each other. Whether they are compared depends on line and variant, which is decided over all releases of a
 * job (`src/domain/rules`). The **key** sorts lists: rank, then variant, platform numbers, line, string. It starts with
 * the rank.
 */

/** A parsed version, with all that comparing and matching use, so that each string is parsed once. */
export interface Version {
  /** The original string. */
  readonly text: string;
  /**
   * The numeric components in order: `1.25.3` is `[1, 25, 3]`, `2024.01` is `[2024, 1]`. Never empty.
   * Exact up to any length: a component above 2^53-1 is a bigint.
   */
  readonly numbers: readonly (number | bigint)[];
  /** From the string only, not from what the source reports about the release. */
  readonly isPrerelease: boolean;
  /** The name before the numbers in lowercase, such as `controller`, `helm-chart`, or `jdk`. Can be empty. */
  readonly line: string;
  /** The words after the numbers in lowercase, such as `alpine`, `php-fpm-alpine`, or `ce`. Can be empty. */
  readonly variant: string;
  /** The numbers of platforms as written: 8, 4, 3, and 23 in `11.4.5-php8.4-fpm-alpine3.23`. */
  readonly platformNumbers: readonly string[];
  /** The platform words after the numbers: `php` and `alpine`. */
  readonly platforms: readonly string[];
  /** The numbers of the revision as written: one in `1.2.3-1`, `1.2.3-r0`, and `+k3s2`, none in `1.1.1u`. */
  readonly revision: readonly string[];
  /**
   * The index of the last pre-release stage in the list of stages, -1 for a commit before all of them. `null` without one,
   * and always in `semver`.
   */
  readonly stage: number | null;
  readonly isStageNumbered: boolean;
  /** The numbers are joined by dots. */
  readonly hasDots: boolean;
  /**
   * Two numbers joined by `_` or `-`. `parse` reads the character as a dot. In a line whose releases have dots, it
   * separates a number and its revision (`parseAmongDotted`).
   */
  readonly isJoined: boolean;
  /** The numbers are a date: `20240601`, `2024-06-01`. */
  readonly isDate: boolean;
  /** The position in the order of the scheme that parsed it. */
  readonly rank: string;
  /**
   * The rank by what upstream counts, without the revisions of packages and builds: `5.15.12-debian-12-r3` has that of
   * 5.15.12, but `1.1.1u` isn't 1.1.1.
   */
  readonly upstreamRank: string;
}

export type VersionSchemeId = 'auto' | 'semver';

export interface VersionScheme {
  readonly id: VersionSchemeId;
  /** The words for platforms. */
  readonly platforms: ReadonlySet<string>;
  /**
   * Parses a version string of at most 256 characters. Returns `null` if it isn't a version of this scheme. Never
   * throws, and takes time linear in the length.
   */
  readonly parse: (text: string) => Version | null;
  /** Parses a string again if `parse` reported `isJoined` and its line has releases with dots. */
  readonly parseAmongDotted: (text: string) => Version | null;
  /**
   * Negative, zero, or positive if the rank of `a` is lower than, equal to, or higher than that of `b`. Antisymmetric
   * and transitive.
   */
  readonly compare: (a: Version, b: Version) => number;
  /**
   * A string of printable ASCII, at most 1,700 characters (PostgreSQL limits a B-tree entry to 2,700 bytes). Its byte
   * order (`COLLATE "C"`) is total. It starts with the rank, so a database can sort by it and find all versions of a
   * rank with an index. Equal only for equal strings. Keys of different schemes can't be compared.
   */
  readonly sortKey: (version: Version) => string;
}
