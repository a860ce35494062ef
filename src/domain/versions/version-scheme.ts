/**
 * The interface of version schemes. A scheme parses version strings and orders them. `versions.ts` lists the
 * schemes.
 *
 * A scheme defines two orders. The **rank** defines which version is newer: epoch, numbers, pre-release
 * stage, describe count (the number of commits in `git describe`), revision. Versions with the same rank,
 * such as `1.2.3`, `v1.2.3`, and `1.2.3-alpine3.19`, are neither higher nor lower than each other. Whether
 * two versions are compared at all depends on their lines and variants, and on the other releases of the job
 * (`src/domain/rules`). The **key** sorts lists: rank, then variant, platform numbers, line, string. It
 * starts with the rank.
 */

import type { NumberingSchemeId } from './numbering-schemes.ts';

/** A parsed version with all data for comparisons and lookups, so that each string is parsed only once. */
export interface Version {
  /** The original string. */
  readonly text: string;
  /**
   * The numeric components in order: `1.25.3` is `[1, 25, 3]`, `2024.01` is `[2024, 1]`. Never empty. Exact for any
   * number of digits: a component above 2^53-1 is a bigint.
   */
  readonly numbers: readonly (number | bigint)[];
  /** True if the string marks a pre-release. Doesn't include the pre-release flag of the source. */
  readonly isPrerelease: boolean;
  /** The name before the numbers in lowercase, such as `controller`, `helm-chart`, or `jdk`. Can be empty. */
  readonly line: string;
  /** The words after the numbers in lowercase, such as `alpine`, `php-fpm-alpine`, or `ce`. Can be empty. */
  readonly variant: string;
  /** The numbers of platforms as written: 8, 4, 3, and 23 in `11.4.5-php8.4-fpm-alpine3.23`. */
  readonly platformNumbers: readonly string[];
  /** The platform words after the numbers, such as `php` and `alpine`. */
  readonly platforms: readonly string[];
  /**
   * The numbers of the revision as written, such as 1 in `1.2.3-1`, 0 in `1.2.3-r0`, and 2 in `+k3s2`. Empty for
   * `1.1.1u`.
   */
  readonly revision: readonly string[];
  /**
   * Index of the last pre-release stage in the list of stages, or -1 for a commit before the first tag of its version.
   * `null` if the version has no stage, and always `null` in the `semver` scheme.
   */
  readonly stage: number | null;
  readonly isStageNumbered: boolean;
  /**
   * The number in a suffix that consists only of a build number: `-build3`, `-3`, `-r3`, `.r3`, `-b3`, or
   * `.b3`. Empty for `.b`, and `null` for all other versions. It can be the number of a trial build before
   * the version or of a rebuild after it, depending on the other releases of the job.
   */
  readonly buildNumber: string | null;
  /** True if the numbers are joined by dots. */
  readonly hasDots: boolean;
  /**
   * True if the version has exactly two numbers, joined by `_` or `-`. `parse` treats this character as a dot. In a
   * line whose releases have dots, the character separates a number from its revision instead (`parseAmongDotted`).
   */
  readonly isJoined: boolean;
  /** True if the numbers are a date: `20240601`, `2024-06-01`. */
  readonly isDate: boolean;
  /** String that defines the position of the version in the order of its scheme. */
  readonly rank: string;
  /**
   * Rank without the revisions of packages and builds: the upstream rank of `5.15.12-debian-12-r3` is that of 5.15.12.
   * Revisions that upstream assigns are included, so the upstream rank of `1.1.1u` isn't that of 1.1.1.
   */
  readonly upstreamRank: string;
}

export type VersionSchemeId = 'auto' | 'semver' | NumberingSchemeId;

export interface VersionScheme {
  readonly id: VersionSchemeId;
  /** Platform words that the scheme recognizes. */
  readonly platforms: ReadonlySet<string>;
  /**
   * Parses a version string of at most 256 characters. Returns `null` if the string isn't a version in this scheme.
   * Never throws, and takes time proportional to the length.
   */
  readonly parse: (text: string) => Version | null;
  /** Parses a string for which `parse` sets `isJoined`, if the line of the version has releases with dots. */
  readonly parseAmongDotted: (text: string) => Version | null;
  /**
   * Compares ranks. Returns a negative number if `a` is lower than `b`, zero if they are equal, and a positive number
   * if `a` is higher. Antisymmetric and transitive.
   */
  readonly compare: (a: Version, b: Version) => number;
  /**
   * Returns a string of printable ASCII with at most 1,700 characters, because PostgreSQL limits a B-tree
   * entry to 2,700 bytes. Its byte order (`COLLATE "C"`) is total, because two keys are equal only if the
   * version strings are equal. The string starts with the rank, so a database can sort by the string and find
   * all versions of a rank with an index. Keys of different schemes can't be compared.
   */
  readonly sortKey: (version: Version) => string;
}
