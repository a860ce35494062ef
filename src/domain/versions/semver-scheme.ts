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
 * Strict SemVer 2.0.0 with an optional `v`: three components, no leading zeros. Build metadata is ignored, and there are
 * no lines or flavors.
 */
export const semverScheme: VersionScheme = {
  id: 'semver',
  parse: parseSemver,
  parseAmongDotted: parseSemver,
  compare: compareRanks,
  sortKey: (version) => version.rank + detailsKey('', [], '', version.text),
};

const maxLength = 256;
const outline = /^v?([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
const leadingZero = /^0[0-9]/;
const none: readonly string[] = [];

function parseSemver(text: string): Version | null {
  if (text.length > maxLength) return null;
  const match = outline.exec(text);
  if (match === null) return null;
  const [, major = '', minor = '', patch = '', prerelease, build] = match;
  const components = [major, minor, patch];
  if (components.some((component) => leadingZero.test(component))) return null;
  const identifiers = prerelease?.split('.') ?? [];
  if (
    identifiers.some(
      (identifier) => identifier === '' || (isNumeric(identifier) && leadingZero.test(identifier)),
    )
  ) {
    return null;
  }
  if (build?.split('.').includes('')) return null;
  return {
    text,
    numbers: components.map(toExactNumber),
    isPrerelease: prerelease !== undefined,
    line: '',
    flavor: '',
    platformNumbers: none,
    platforms: none,
    revision: none,
    stage: null,
    isStageNumbered: false,
    hasDots: true,
    isJoined: false,
    isDate: false,
    rank:
      numbersRank(components) + (prerelease === undefined ? stableRank : semverPrereleaseRank(identifiers)),
  };
}
