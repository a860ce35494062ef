import type { Version } from './version-scheme.ts';

/**
 * Numbering schemes of projects that mark development releases by their numbers. In all other respects,
 * versions are parsed as in the `auto` scheme. Users select the scheme, because a version doesn't show which
 * scheme its project uses.
 */
export type NumberingSchemeId = 'odd_minor' | 'minor_90' | 'patch_99' | 'ceph';

export const numberingSchemes: Readonly<Record<NumberingSchemeId, (numbers: Version['numbers']) => boolean>> =
  {
    // Perl 5.41.3 and GNOME 3.35.2 are development releases before 5.42 and 3.36.
    odd_minor: ([, minor]) => minor !== undefined && BigInt(minor) % 2n === 1n,
    // GIMP 2.99.18 is a development release before 3.0, and KDE Plasma 6.4.91 before 6.5.
    minor_90: ([, ...others]) => others.some((number) => number >= 90 && number < 100),
    // Development releases before hledger 1.25 have the number 1.24.99.
    patch_99: ([, ...others]) => others.some((number) => number === 99),
    // Ceph 20.1.0 is a release candidate of 20.2.0, and 20.0.0 is an earlier development release.
    ceph: ([, minor]) => minor === 0 || minor === 1,
  };
