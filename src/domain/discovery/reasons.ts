/** Reasons why an item isn't proposed, each with its text. */
export const reasonTexts = {
  templated: 'The version or the name comes from a template, a variable, or a placeholder.',
  range: "A version range without a lock file. It doesn't say which version is deployed.",
  floating: 'No fixed version: a branch, a moving tag such as latest or v4, or none at all.',
  digest: 'A digest without a tag, so the version is unknown.',
  commit: 'A commit without a version next to it.',
  overridden: 'An overlay replaces this version.',
  not_installed: 'The repository shows that nothing deploys it.',
  chart_default: 'The chart decides the version, and no file in this directory says which one it is.',
  no_source: 'No file says where it is published.',
  local: 'Part of this repository.',
  unsupported_source: "It's published in a place that Pacekeeper can't read.",
  invalid: "The version or the name isn't valid.",
  malformed: "The file isn't valid YAML, HCL, or TOML, or a required part is missing.",
  unreadable: "The file can't be read.",
  too_large: 'The file exceeds a limit.',
  outside: "A symbolic link. Links aren't followed.",
  submodule: "A submodule. Submodules aren't followed.",
  not_scanned: 'A configuration file names it, and no scan has found it yet.',
  git_lfs: "The file is stored in Git LFS, which isn't read.",
  encrypted: 'The file is encrypted.',
  timed_out: 'Reading the file took too long.',
  limit: 'The scan reached a limit before it read this file.',
  no_lifecycle:
    'No product on endoflife.date is known for this managed service. If one fits, select it as the source.',
  not_a_version:
    "The tag is a branch, a preview, a platform, or a name with one number. Its numbers don't order releases.",
} as const satisfies Record<string, string>;

export type Reason = keyof typeof reasonTexts;

/** True if only the upstream is missing and a user has chosen one. */
export function isResolvedBySource(reason: Reason | null, sourceType: string | null): boolean {
  return (
    (reason === 'no_source' ||
      reason === 'no_lifecycle' ||
      reason === 'unsupported_source' ||
      reason === 'not_scanned') &&
    sourceType !== null
  );
}
