import { matchesPath, type PathPattern, parsePathPattern } from './path-pattern.ts';

const maxRules = 2_000;
/** Of the value of a label. A name that is cut off would be another owner. */
const maxLength = 200;

/** Where forges expect the file, in their order of precedence. */
export const codeOwnersPaths: readonly string[] = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.gitlab/CODEOWNERS',
];

/**
 * The owners of a path in a CODEOWNERS file, in the notation of the label `owner`: without `@`, separated by commas. The last
 * matching rule applies, even if it has no owner. In a section of GitLab, such a rule has the owners of the section.
 */
export function readCodeOwners(text: string): (path: string) => string | null {
  const rules: { pattern: PathPattern; owner: string | null }[] = [];
  let ofSection: string[] = [];
  for (const line of text.split('\n')) {
    const rule = withoutComment(line).trim();
    // GitLab has sections, whose names are in brackets, with the number of approvals behind them.
    const section = /^\^?\[[^\]]*\](?:\[\d+\])?(.*)$/.exec(rule);
    if (section) {
      ofSection = wordsOf(section[1]!);
      continue;
    }
    const [pattern = '', ...owners] = wordsOf(rule);
    if (pattern === '' || rules.length >= maxRules) continue;
    const parsed = parsePathPattern(pattern);
    if (parsed) rules.push({ pattern: parsed, owner: joined(owners.length > 0 ? owners : ofSection) });
  }
  return (path) => rules.findLast(({ pattern }) => matchesPath(pattern, path))?.owner ?? null;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** As many as fit, and each once. */
function joined(owners: readonly string[]): string | null {
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
