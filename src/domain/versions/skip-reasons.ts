export const maxVersionLength = 256;

/** Why a run skips a release, as its skipped items report it. */
export const skipReasons = {
  patternMismatch: "doesn't match version_pattern",
  tooLong: `version is longer than ${maxVersionLength} characters`,
  prerelease: 'is a pre-release',
} as const;
