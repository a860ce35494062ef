import { compileCheapPattern, type Pattern } from '../../../domain/patterns/compile-pattern.ts';

/** A job of the sandbox: tags of one job, and its pattern. */
export interface TagsToMatch {
  pattern: string;
  tags: readonly string[];
}

export function findVersions({ pattern: source, tags }: TagsToMatch): (string | null)[] {
  const pattern = compile(source);
  return tags.map((tag) => versionIn(pattern, tag));
}

/** @throws when it can't be used, which is checked when it's saved: to let nothing pass would withdraw every release */
function compile(source: string): Pattern {
  const result = compileCheapPattern(source);
  if (!result.ok) throw new Error(`version_pattern cannot be used: ${result.message}`);
  return result.pattern;
}

/** The first capture group, else the match; null when the tag doesn't match. */
function versionIn(pattern: Pattern, tag: string): string | null {
  const found = pattern.find(tag);
  return found && (found.groups[0] ?? found.match);
}
