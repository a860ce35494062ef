import type { VersionScheme } from './version-scheme.ts';

/**
 * Returns a scheme for a list of strings that includes commit IDs. In this scheme, a commit ID isn't a
 * version, even if it consists of digits. `7014533` is a commit ID among `b4c614f` and `d7eed0c`, but a
 * version among `6900000` and `7014000`.
 * @param texts The strings that are compared.
 */
export function excludeCommitIds(scheme: VersionScheme, texts: Iterable<string>): VersionScheme {
  const commitShapes = findCommitShapes(new Set(texts));
  if (commitShapes.size === 0) return scheme;
  const isCommit = (text: string) => {
    const shape = shapeOf(text);
    return shape !== null && commitShapes.has(shape);
  };
  return {
    ...scheme,
    parse: (text) => (isCommit(text) ? null : scheme.parse(text)),
    parseAmongDotted: (text) => (isCommit(text) ? null : scheme.parseAmongDotted(text)),
  };
}

/**
 * Returns the shapes for which at least half of the strings contain a letter from a to f, which shows that they are
 * commit IDs.
 */
function findCommitShapes(texts: Iterable<string>): Set<string> {
  const counts = new Map<string, { all: number; withLetters: number }>();
  for (const text of texts) {
    const shape = shapeOf(text);
    if (shape === null) continue;
    const count = counts.get(shape) ?? { all: 0, withLetters: 0 };
    count.all++;
    if (/[a-f]/.test(text.slice(-hexDigits(text)))) count.withLetters++;
    counts.set(shape, count);
  }
  const mostlyCommits = [...counts].filter(([, { all, withLetters }]) => withLetters * 2 >= all);
  return new Set(mostlyCommits.map(([shape]) => shape));
}

/**
 * True if the string can be a commit ID or a version, so that only a comparison with other strings shows which of them
 * it is.
 */
export function canBeCommit(text: string): boolean {
  return hexDigits(text) > 0;
}

/**
 * Returns the shape of a string that can be a commit ID: the words before the hexadecimal digits at the end, followed
 * by the number of these digits. For example, `release-7014533` has the shape `release-7`. `null` for other strings.
 */
function shapeOf(text: string): string | null {
  const digits = hexDigits(text);
  return digits === 0 ? null : `${text.slice(0, -digits)}${digits}`;
}

function hexDigits(text: string): number {
  return /^(?:[A-Za-z]+[-_.])*([0-9a-f]{7,40})$/.exec(text)?.[1]?.length ?? 0;
}
