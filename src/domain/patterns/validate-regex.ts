import { compilePattern } from './compile-pattern.ts';

export interface ValidateRegexInput {
  pattern: string;
  sample?: string | undefined;
}

/** The body of the answer, as the API has it. */
export interface ValidateRegexResult {
  valid: boolean;
  /** Why the pattern cannot be used. */
  error: string | null;
  /** 0 for a pattern that cannot be used. */
  group_count: number;
  /** What the regex parser would take from the sample: the first capture group, else the match. */
  match: string | null;
  /**
   * What the capture groups hold, cut to what a form can show; null for one that took no part. Null without a sample, and
   * where the pattern isn't found in it.
   */
  groups: (string | null)[] | null;
}

const maxGroups = 20;
const maxGroupLength = 1_000;

/** The Test action of the job form. The pattern runs only on a given sample: then in the sandbox. */
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
