import {
  compareRanks,
  detailsKey,
  isNumeric,
  numbersRank,
  semverPrereleaseRank,
  stableRank,
  toExactNumber,
} from './precedence.ts';
import type { Version, VersionScheme } from './version-scheme.ts';

/**
 * Strict SemVer 2.0.0 with an optional `v`: three components, no leading zeros. Build metadata is ignored, even if it
 * follows `_`, which replaces `+` in image tags. Versions have no lines or variants.
 */
export const semverScheme: VersionScheme = {
  id: 'semver',
  platforms: new Set(),
  parse: parseSemver,
  parseAmongDotted: parseSemver,
  compare: compareRanks,
  sortKey: (version) => version.rank + detailsKey('', [], '', version.text),
};

const maxLength = 256;
const outline =
  /^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
const leadingZero = /^0[0-9]/;
const none: readonly string[] = [];

function parseSemver(text: string): Version | null {
  if (text.length > maxLength) return null;
  // Registries don't allow `+` in tags, so tags contain `_` instead. SemVer itself never contains `_`.
  const match = outline.exec(text.replace('_', '+'));
  if (match === null) return null;
  const [, major = '', minor = '', patch = '', prerelease, build] = match;
  const components = [major, minor, patch];
  const identifiers = prerelease?.split('.');
  if (identifiers?.some(isInvalidIdentifier) || build?.split('.').includes('')) return null;
  const rank = numbersRank(components) + (identifiers ? semverPrereleaseRank(identifiers) : stableRank);
  return {
    text,
    numbers: [toExactNumber(major), toExactNumber(minor), toExactNumber(patch)],
    isPrerelease: prerelease !== undefined,
    line: '',
    variant: '',
    platformNumbers: none,
    platforms: none,
    revision: none,
    stage: null,
    isStageNumbered: false,
    buildNumber: null,
    hasDots: true,
    isJoined: false,
    isDate: false,
    rank,
    upstreamRank: rank,
  };
}

function isInvalidIdentifier(identifier: string): boolean {
  return identifier === '' || (leadingZero.test(identifier) && isNumeric(identifier));
}
