import { hasControls } from '../text/visible-controls.ts';

export const maxVersionLength = 256;

/** Why a run skips a release, as its skipped items report it. */
export const skipReasons = {
  patternMismatch: "doesn't match version_pattern",
  tooLong: `version is longer than ${maxVersionLength} characters`,
  invalidCharacters: 'contains invalid characters',
  prerelease: 'is a pre-release',
} as const;

/** Why the version of a release can't be used; null if it can. An empty one wasn't found in the tag, which is shown too. */
export function versionProblem(version: string, tag: string): string | null {
  if (version === '') return skipReasons.patternMismatch;
  if (version.length > maxVersionLength) return skipReasons.tooLong;
  return hasControls(version) || hasControls(tag) ? skipReasons.invalidCharacters : null;
}
