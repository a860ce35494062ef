/** Why something that was found isn't proposed, in words. */
export const reasonTexts = {
  templated: 'The version or the name comes from a template or a variable.',
  range: "A version range without a lock file. It doesn't say which version is deployed.",
  floating: 'No fixed version: a branch, a moving tag such as latest, or none at all.',
  digest: 'A digest without a tag, so the version is unknown.',
  commit: 'A commit without a version next to it.',
  overridden: 'An overlay replaces this version.',
  chart_default: "The chart decides the version, and the chart isn't in this directory.",
  no_source: 'No file says where it is published.',
  local: 'Part of this repository.',
  unsupported_source: "It's published in a place that Pacekeeper can't read.",
  invalid: "The version or the name isn't valid.",
  unreadable: "The file can't be read.",
  too_large: 'The file exceeds a limit.',
  outside: "A symbolic link. Links aren't followed.",
} as const satisfies Record<string, string>;

export type Reason = keyof typeof reasonTexts;
