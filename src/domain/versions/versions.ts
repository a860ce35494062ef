import { autoScheme } from './auto-scheme.ts';
import { semverScheme } from './semver-scheme.ts';
import type { VersionScheme, VersionSchemeId } from './version-scheme.ts';

/** All version schemes. A new one is a file and a line here. */
const schemes: Readonly<Record<VersionSchemeId, VersionScheme>> = {
  auto: autoScheme,
  semver: semverScheme,
};

export const versionSchemeIds: readonly VersionSchemeId[] = ['auto', 'semver'];

export function versionScheme(id: VersionSchemeId): VersionScheme {
  return schemes[id];
}

/** Increase this when strings are read differently. Stored releases keep the number they were read with, and are reread. */
export const versionReading = 3;
