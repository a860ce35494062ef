import { matchesPath, type PathPattern, parsePathPattern } from './path-pattern.ts';

const maxRules = 2_000;

/** Where forges expect the file, in their order of precedence. */
export const codeOwnersPaths: readonly string[] = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.gitlab/CODEOWNERS',
];

/** The first owner of a path in a CODEOWNERS file. The last matching rule applies, even if it has no owner. */
export function readCodeOwners(text: string): (path: string) => string | null {
  const rules: { pattern: PathPattern; owner: string | null }[] = [];
  for (const line of text.split('\n')) {
    const [pattern = '', owner] = withoutComment(line).trim().split(/\s+/);
    // GitLab has sections, whose names are in brackets.
    if (pattern === '' || /^\^?\[/.test(pattern) || rules.length >= maxRules) continue;
    const parsed = parsePathPattern(pattern);
    if (parsed) rules.push({ pattern: parsed, owner: owner?.replace(/^@/, '') ?? null });
  }
  return (path) => rules.findLast(({ pattern }) => matchesPath(pattern, path))?.owner ?? null;
}

function withoutComment(line: string): string {
  const start = line.slice(0, 2_000);
  const comment = /(?:^|\s)#/.exec(start);
  return comment ? start.slice(0, comment.index) : start;
}
