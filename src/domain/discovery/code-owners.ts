import { matchesPath, type PathPattern, parsePathPattern } from './path-pattern.ts';

const maxRules = 2_000;
/**
 * Maximum length of a label value. Owners aren't truncated, because a truncated name could be that of another
 * owner.
 */
const maxLength = 200;
const separator = ', ';
/**
 * Maximum number of owners that are processed for a path. All sections of a file together can have several
 * hundred thousand.
 */
const maxProcessedOwners = 1_000;

/** Paths where forges expect the `CODEOWNERS` file, in order of precedence. */
export const codeOwnersPaths: readonly string[] = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.gitlab/CODEOWNERS',
];

interface Section {
  rules: { pattern: PathPattern; owners: readonly string[]; isExclusion: boolean }[];
  owners: readonly string[];
}

/**
 * Returns a function that returns the owners of a path in a CODEOWNERS file, in the format of the `owner`
 * label: without `@`, separated by commas. The last matching rule applies, even if it has no owner. In
 * GitLab's format, the last matching rule of each section applies, and the owners of all sections are
 * combined. There, a rule without owners has the owners of its section.
 */
export function readCodeOwners(text: string): (path: string) => string | null {
  let section: Section = { rules: [], owners: [] };
  const sections = new Map<string | null, Section>([[null, section]]);
  let ruleCount = 0;
  for (const line of text.split('\n')) {
    const written = withoutComment(line).trim();
    // A section header consists of the name in brackets, an optional number of approvals, and the owners. A
    // `^` before the name makes approval optional.
    const header = /^\^?\[([^\]]*)\](?:\[\d+\])?(.*)$/.exec(written);
    if (header) {
      const name = header[1]!.trim().toLowerCase();
      const owners = wordsOf(header[2]!);
      const same = sections.get(name);
      // A section can be continued later in the file. If the later header has no owners, the section keeps
      // its owners.
      section = same
        ? { rules: same.rules, owners: owners.length > 0 ? owners : same.owners }
        : { rules: [], owners };
      if (!same) sections.set(name, section);
      continue;
    }
    const [word = '', ...owners] = wordsOf(written);
    if (word === '' || ruleCount >= maxRules) continue;
    const isExclusion = word.startsWith('!');
    const pattern = parsePathPattern(isExclusion ? word.slice(1) : word);
    if (!pattern) continue;
    ruleCount++;
    section.rules.push({ pattern, isExclusion, owners: owners.length > 0 ? owners : section.owners });
  }
  const withRules = [...sections.values()].filter(({ rules }) => rules.length > 0);
  return (path) => joinOwners(ownersOf(withRules, path));
}

function* ownersOf(sections: readonly Section[], path: string): Generator<string, void> {
  for (const section of sections) yield* ownersIn(section, path);
}

/**
 * Returns the owners of a path in a section. Once a section excludes a file, it can't include the file again.
 */
function ownersIn({ rules }: Section, path: string): readonly string[] {
  const matching = rules.filter(({ pattern }) => matchesPath(pattern, path));
  return matching.some(({ isExclusion }) => isExclusion) ? [] : (matching.at(-1)?.owners ?? []);
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Joins owners for the label, without duplicates and without owners that would exceed the maximum length. */
function joinOwners(owners: Iterable<string>): string | null {
  const joined = new Set<string>();
  let [left, tried] = [maxLength, 0];
  for (const written of owners) {
    if (++tried > maxProcessedOwners) break;
    const owner = written.replace(/^@+/, '');
    const length = (joined.size === 0 ? 0 : separator.length) + owner.length;
    if (owner === '' || length > left || joined.has(owner)) continue;
    joined.add(owner);
    left -= length;
  }
  return joined.size === 0 ? null : [...joined].join(separator);
}

function withoutComment(line: string): string {
  const start = line.slice(0, 2_000);
  const comment = /(?:^|\s)#/.exec(start);
  return comment ? start.slice(0, comment.index) : start;
}
