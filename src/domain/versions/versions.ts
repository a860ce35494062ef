import { autoScheme, createAutoScheme } from './auto-scheme.ts';
import { splitPlatformWords } from './platform-words.ts';
import { semverScheme } from './semver-scheme.ts';
import type { VersionScheme, VersionSchemeId } from './version-scheme.ts';

/** All version schemes. To add a scheme, create a file and add a line here. */
const schemes: Readonly<Record<VersionSchemeId, VersionScheme>> = {
  auto: autoScheme,
  semver: semverScheme,
};

export const versionSchemeIds: readonly VersionSchemeId[] = ['auto', 'semver'];

/**
 * @param platformWords Additional platform words for the `auto` scheme, in the format that
 * `joinPlatformWords` returns.
 */
export function versionScheme(id: VersionSchemeId, platformWords = ''): VersionScheme {
  if (id !== 'auto' || platformWords === '') return schemes[id];
  const known = schemesWithWords.get(platformWords);
  if (known !== undefined) return known;
  if (schemesWithWords.size === maxSchemesWithWords) schemesWithWords.clear();
  const scheme = createAutoScheme(splitPlatformWords(platformWords));
  schemesWithWords.set(platformWords, scheme);
  return scheme;
}

const schemesWithWords = new Map<string, VersionScheme>();
const maxSchemesWithWords = 1_000;

/**
 * Increase this number when version strings are parsed differently. Stored releases keep the number with
 * which they were parsed, and are reparsed if it's outdated.
 */
export const parserVersion = 1;
