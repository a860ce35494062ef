import { compilePattern } from './compile-pattern.ts';

export interface ValidateRegexInput {
  pattern: string;
  sample?: string | undefined;
}

/** Response body of the API. */
export interface ValidateRegexResult {
  valid: boolean;
  /** Reason why the pattern isn't valid. */
  error: string | null;
  /** Number of capture groups, or 0 if the pattern isn't valid. */
  group_count: number;
  /**
   * Text that the regex parser would extract from the sample: the first capture group, or the whole match if
   * the pattern has no groups.
   */
  match: string | null;
  /**
   * Texts of the capture groups, truncated for display in a form. A group that didn't participate in the
   * match is `null`. The field itself is `null` without a sample, or if the pattern doesn't match the sample.
   */
  groups: (string | null)[] | null;
}

const maxGroups = 20;
const maxGroupLength = 1_000;

/**
 * Implements the Test action of the job form. The pattern runs only if a sample is given, and then only in
 * the sandbox.
 */
export function validateRegex({ pattern: source, sample }: ValidateRegexInput): ValidateRegexResult {
  const compiled = compilePattern(source);
  if (!compiled.ok)
    return { valid: false, error: compiled.message, group_count: 0, match: null, groups: null };
  const { pattern } = compiled;
  const found = sample === undefined ? null : pattern.find(sample);
  const match = found && (pattern.groupCount > 0 ? (found.groups[0] ?? null) : found.match);
  const groups =
    found?.groups.slice(0, maxGroups).map((text) => text?.slice(0, maxGroupLength) ?? null) ?? null;
  return { valid: true, error: null, group_count: pattern.groupCount, match, groups };
}
