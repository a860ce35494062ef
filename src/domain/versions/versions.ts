import { autoScheme, createAutoScheme } from './auto-scheme.ts';
import { type NumberingSchemeId, numberingSchemes } from './numbering-schemes.ts';
import { splitPlatformWords } from './platform-words.ts';
import { semverScheme } from './semver-scheme.ts';
import type { VersionScheme, VersionSchemeId } from './version-scheme.ts';

const numberingSchemeIds = Object.keys(numberingSchemes) as NumberingSchemeId[];

export const versionSchemeIds: readonly VersionSchemeId[] = ['auto', 'semver', ...numberingSchemeIds];

/** All version schemes without additional platform words. */
const schemes: Readonly<Record<VersionSchemeId, VersionScheme>> = {
  auto: autoScheme,
  semver: semverScheme,
  odd_minor: createAutoScheme([], 'odd_minor'),
  minor_90: createAutoScheme([], 'minor_90'),
  patch_99: createAutoScheme([], 'patch_99'),
  ceph: createAutoScheme([], 'ceph'),
};

/**
 * @param platformWords Additional platform words, in the format that `joinPlatformWords` returns. The `semver` scheme
 * ignores them.
 */
export function versionScheme(id: VersionSchemeId, platformWords = ''): VersionScheme {
  if (id === 'semver' || platformWords === '') return schemes[id];
  const key = `${id} ${platformWords}`;
  const known = schemesWithWords.get(key);
  if (known !== undefined) return known;
  if (schemesWithWords.size === maxSchemesWithWords) schemesWithWords.clear();
  const scheme = createAutoScheme(splitPlatformWords(platformWords), id === 'auto' ? undefined : id);
  schemesWithWords.set(key, scheme);
  return scheme;
}

const schemesWithWords = new Map<string, VersionScheme>();
const maxSchemesWithWords = 1_000;

/**
 * Increase this number if a change affects how version strings are parsed. Each stored release has the number with
 * which it was parsed, and is reparsed if that number is outdated.
 */
export const parserVersion = 1;
