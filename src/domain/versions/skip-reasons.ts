import { hasControlCharacters } from '../text/visible-controls.ts';

export const maxVersionLength = 256;

/** Reasons why a run skips a release. They are reported with the skipped items of the run. */
export const skipReasons = {
  patternMismatch: "doesn't match version_pattern",
  tooLong: `version is longer than ${maxVersionLength} characters`,
  invalidCharacters: 'contains invalid characters',
  prerelease: 'is a pre-release',
} as const;

/**
 * Returns the reason why a release can't be used, or null if it can. An empty version means that the pattern
 * didn't match the tag. The tag is also checked, because it's displayed.
 */
export function versionProblem(version: string, tag: string): string | null {
  if (version === '') return skipReasons.patternMismatch;
  if (version.length > maxVersionLength) return skipReasons.tooLong;
  return hasControlCharacters(version) || hasControlCharacters(tag) ? skipReasons.invalidCharacters : null;
}
