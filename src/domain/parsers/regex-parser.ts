import { compilePattern } from '../patterns/compile-pattern.ts';
import { acceptVersion } from './accept-version.ts';
import { checkContent } from './content-limits.ts';
import { failure } from './parse-result.ts';
import type { VersionParser } from './version-parser.ts';

/** Any text by an RE2 pattern over the whole content: the first capture group, else the match. */
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

/** The mark that some editors put first says how the bytes are to be read; `^` stands behind it. */
function withoutByteOrderMark(content: string): string {
  return content.startsWith('\uFEFF') ? content.slice(1) : content;
}
