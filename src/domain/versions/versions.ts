import { autoScheme, createAutoScheme } from './auto-scheme.ts';
import { splitPlatformWords } from './platform-words.ts';
import { semverScheme } from './semver-scheme.ts';
import type { VersionScheme, VersionSchemeId } from './version-scheme.ts';

/** All version schemes. A new one is a file and a line here. */
const schemes: Readonly<Record<VersionSchemeId, VersionScheme>> = {
  auto: autoScheme,
  semver: semverScheme,
};

export const versionSchemeIds: readonly VersionSchemeId[] = ['auto', 'semver'];

/** @param platformWords Words that the `auto` scheme reads as platforms too, as `joinPlatformWords` returns them. */
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

/** Increase this when strings are read differently. Stored releases keep the number they were read with, and are reread. */
export const versionReading = 4;
