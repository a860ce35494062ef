import { type AutoSchemeOptions, autoScheme, createAutoScheme } from './auto-scheme.ts';
import { semverScheme } from './semver-scheme.ts';
import type { VersionScheme, VersionSchemeId } from './version-scheme.ts';

/** Every version scheme there is. A new one is a file and a line here. */
const schemes: Readonly<Record<VersionSchemeId, VersionScheme>> = {
  auto: autoScheme,
  semver: semverScheme,
};

export const versionSchemeIds: readonly VersionSchemeId[] = ['auto', 'semver'];

/** @param options What `auto` is told in addition to its lists; a scheme with options is made once and kept. */
export function versionScheme(id: VersionSchemeId, options?: AutoSchemeOptions): VersionScheme {
  return id === 'auto' && options?.platformWords?.length ? createAutoScheme(options) : schemes[id];
}

/**
 * Grows when a string is read in another way than before: what is stored of releases was read under the number of its
 * time, and is read again.
 */
export const versionReading = 2;
