import { matchesPath, type PathPattern, parsePathPattern } from './path-pattern.ts';

const maxRules = 2_000;
/** The limit of a label's value. Owners aren't truncated, because a truncated name could be another owner. */
const maxLength = 200;

/** Where forges expect the file, in their order of precedence. */
export const codeOwnersPaths: readonly string[] = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.gitlab/CODEOWNERS',
];

/**
 * The owners of a path in a CODEOWNERS file, in the format of the label `owner`: without `@`, separated by commas. The last
 * matching rule applies, even if it has no owner. In a GitLab section, such a rule gets the section's owners.
 */
export function readCodeOwners(text: string): (path: string) => string | null {
  const rules: { pattern: PathPattern; owner: string | null }[] = [];
  let sectionOwners: string[] = [];
  for (const line of text.split('\n')) {
    const rule = withoutComment(line).trim();
    // A GitLab section: its name in brackets, an optional number of approvals, and its owners.
    const section = /^\^?\[[^\]]*\](?:\[\d+\])?(.*)$/.exec(rule);
    if (section) {
      sectionOwners = wordsOf(section[1]!);
      continue;
    }
    const [pattern = '', ...owners] = wordsOf(rule);
    if (pattern === '' || rules.length >= maxRules) continue;
    const parsed = parsePathPattern(pattern);
    if (parsed)
      rules.push({ pattern: parsed, owner: joinOwners(owners.length > 0 ? owners : sectionOwners) });
  }
  return (path) => rules.findLast(({ pattern }) => matchesPath(pattern, path))?.owner ?? null;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Skips duplicates and owners that don't fit. */
function joinOwners(owners: readonly string[]): string | null {
  let text: string | null = null;
  for (const owner of new Set(owners.map((each) => each.replace(/^@+/, '')))) {
    const next: string = text === null ? owner : `${text}, ${owner}`;
    if (owner === '' || next.length > maxLength) continue;
    text = next;
  }
  return text;
}

function withoutComment(line: string): string {
  const start = line.slice(0, 2_000);
  const comment = /(?:^|\s)#/.exec(start);
  return comment ? start.slice(0, comment.index) : start;
}
