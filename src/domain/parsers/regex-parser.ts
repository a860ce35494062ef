import { compilePattern } from '../patterns/compile-pattern.ts';
import { acceptVersion } from './accept-version.ts';
import { checkContent } from './content-limits.ts';
import { failure } from './parse-result.ts';
import type { VersionParser } from './version-parser.ts';

/**
 * Matches an RE2 pattern against the entire content. The version is the first capture group, or the whole
 * match if the pattern has no groups.
 */
export const regexParser: VersionParser = {
  id: 'regex',
  description: 'Any text with an RE2 pattern. Returns the first capture group, or the whole match.',
  readsFile: true,

  checkExpression(expression) {
    const compiled = compilePattern(expression);
    return compiled.ok ? { ok: true } : compiled;
  },

  parse(content, expression) {
    const compiled = compilePattern(expression);
    if (!compiled.ok) return failure('expression', compiled.message);
    const unreadable = checkContent(content);
    if (unreadable) return unreadable;

    const found = compiled.pattern.find(withoutByteOrderMark(content));
    if (!found)
      return failure('match', `the pattern doesn't match the content (${content.length} characters)`);
    if (compiled.pattern.groupCount === 0) return acceptVersion(found.match, 'match');
    const group = found.groups[0] ?? null;
    if (group === null) return failure('match', 'the pattern matches, but its first capture group is empty');
    return acceptVersion(group, 'match');
  },
};

/**
 * Removes the byte order mark that some editors write, so that `^` matches at the first character of the
 * text.
 */
function withoutByteOrderMark(content: string): string {
  return content.startsWith('\uFEFF') ? content.slice(1) : content;
}
