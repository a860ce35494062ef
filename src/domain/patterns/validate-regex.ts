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
}

/** The Test action of the job form. The pattern runs only on a given sample: then in the sandbox. */
export function validateRegex({ pattern: source, sample }: ValidateRegexInput): ValidateRegexResult {
  const compiled = compilePattern(source);
  if (!compiled.ok) return { valid: false, error: compiled.message, group_count: 0, match: null };
  const { pattern } = compiled;
  const found = sample === undefined ? null : pattern.find(sample);
  const match = found && (pattern.groupCount > 0 ? (found.groups[0] ?? null) : found.match);
  return { valid: true, error: null, group_count: pattern.groupCount, match };
}
