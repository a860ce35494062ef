import { compileCheapPattern, type Pattern } from '../../../domain/patterns/compile-pattern.ts';

/** Input of a sandbox job: tags of a gather job and its pattern. */
export interface TagsToMatch {
  pattern: string;
  tags: readonly string[];
}

export function findVersions({ pattern: source, tags }: TagsToMatch): (string | null)[] {
  const pattern = compile(source);
  return tags.map((tag) => versionIn(pattern, tag));
}

/**
 * Compiles a pattern. Patterns are validated when they are saved.
 *
 * @throws If the pattern is invalid anyway. A pattern that matches no tags would withdraw all releases.
 */
function compile(source: string): Pattern {
  const result = compileCheapPattern(source);
  if (!result.ok) throw new Error(`version_pattern cannot be used: ${result.message}`);
  return result.pattern;
}

/** Returns the first capture group or the entire match. `null` if the tag doesn't match. */
function versionIn(pattern: Pattern, tag: string): string | null {
  const found = pattern.find(tag);
  return found && (found.groups[0] ?? found.match);
}
