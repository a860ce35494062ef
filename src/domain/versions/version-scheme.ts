/**
 * The interface of version schemes. A scheme parses version strings and orders them. `versions.ts` lists the
 * schemes.
 *
 * There are two orders. The **rank** defines which version is newer: epoch, numbers, pre-release stage,
 * describe count, revision. Versions with the same rank, such as `1.2.3`, `v1.2.3`, and `1.2.3-alpine3.19`,
 * are neither higher nor lower than each other. Their line and variant determine if they are compared, which
 * depends on all releases of a job (`src/domain/rules`). The **key** sorts lists: rank, then variant,
 * platform numbers, line, string. It starts with the rank.
 */

import type { NumberingSchemeId } from './numbering-schemes.ts';

/** A parsed version with everything needed to compare and match it, so that each string is parsed once. */
export interface Version {
  /** The original string. */
  readonly text: string;
  /**
   * The numeric components in order: `1.25.3` is `[1, 25, 3]`, `2024.01` is `[2024, 1]`. Never empty.
   * Exact up to any length: a component above 2^53-1 is a bigint.
   */
  readonly numbers: readonly (number | bigint)[];
  /** True if the string marks a pre-release. The flag of the source isn't considered. */
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
   * Index of the last pre-release stage in the list of stages, -1 for a commit before all of them. `null` if
   * the version has no stage, and always in `semver`.
   */
  readonly stage: number | null;
  readonly isStageNumbered: boolean;
  /**
   * The number in a suffix that consists of it alone, as in `-build3`, `-3`, `-r3`, `.r3`, `-b3`, and `.b3`.
   * Empty in `.b`, and `null` in all other versions. It counts trial builds of a version, or rebuilds, which
   * depends on the other releases of the job.
   */
  readonly buildNumber: string | null;
  /** True if the numbers are joined by dots. */
  readonly hasDots: boolean;
  /**
   * True if there are two numbers, joined by `_` or `-`. `parse` reads this character as a dot. In a line
   * whose releases have dots, the character separates a number and its revision (`parseAmongDotted`).
   */
  readonly isJoined: boolean;
  /** True if the numbers are a date: `20240601`, `2024-06-01`. */
  readonly isDate: boolean;
  /** Position in the order of the scheme that parsed the version. */
  readonly rank: string;
  /**
   * Rank of the upstream part, without the revisions of packages and builds: `5.15.12-debian-12-r3` has the
   * upstream rank of 5.15.12, but `1.1.1u` doesn't have that of 1.1.1.
   */
  readonly upstreamRank: string;
}

export type VersionSchemeId = 'auto' | 'semver' | NumberingSchemeId;

export interface VersionScheme {
  readonly id: VersionSchemeId;
  /** Platform words of the scheme. */
  readonly platforms: ReadonlySet<string>;
  /**
   * Parses a version string of at most 256 characters. Returns `null` if the string isn't a version of this
   * scheme. Never throws, and takes time linear in the length.
   */
  readonly parse: (text: string) => Version | null;
  /** Parses a string for which `parse` reported `isJoined`, if its line has releases with dots. */
  readonly parseAmongDotted: (text: string) => Version | null;
  /**
   * Returns a negative number, zero, or a positive number if the rank of `a` is lower than, equal to, or
   * higher than that of `b`. Antisymmetric and transitive.
   */
  readonly compare: (a: Version, b: Version) => number;
  /**
   * Returns a string of printable ASCII with at most 1,700 characters (PostgreSQL limits a B-tree entry to
   * 2,700 bytes). Its byte order (`COLLATE "C"`) is total. It starts with the rank, so a database can sort by
   * it and find all versions of a rank with an index. Two keys are equal only if the version strings are
   * equal. Keys of different schemes can't be compared.
   */
  readonly sortKey: (version: Version) => string;
}
