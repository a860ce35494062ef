import type { LinkProblem } from './fact.ts';
import type { ScannedFile } from './link-facts.ts';

/**
 * Maximum number of facts or files that one scan excludes. To find each one, the files are linked several
 * times.
 */
const maxFailures = 10;

/**
 * Links the facts of all files. If that fails, excludes the facts that cause the failure, so that an error
 * about one of them doesn't hide the others.
 *
 * @returns The linked facts, and a problem for each excluded fact or file.
 */
export function linkSeparately<T>(
  files: readonly ScannedFile[],
  link: (files: readonly ScannedFile[]) => T[],
): { linked: T[]; failed: LinkProblem[] } {
  const failed: LinkProblem[] = [];
  for (let rest = files; ; ) {
    try {
      return { linked: link(rest), failed };
    } catch (error) {
      if (failed.length === maxFailures) throw error;
      const { others, file, line } = excludeCause(rest, (part) => isFailing(() => link(part)));
      rest = others;
      failed.push(linkProblem(file, line, error));
    }
  }
}

/** Returns the problem for a location whose version couldn't be linked. */
export function linkProblem(file: string, line: number, error: unknown): LinkProblem {
  const cause = error instanceof Error ? error.message.slice(0, 200) : '';
  return {
    file,
    line,
    reason: 'unreadable',
    message: `An error occurred while linking its versions: ${cause}`,
  };
}

/** Excludes the fact that causes a failure, or its whole file if the file fails even without facts. */
function excludeCause(
  files: readonly ScannedFile[],
  fails: (files: readonly ScannedFile[]) => boolean,
): { others: ScannedFile[]; file: string; line: number } {
  const fileAt = firstFailure(files.length, (count) => fails(files.slice(0, count))) - 1;
  const [before, file, after] = [files.slice(0, fileAt), files[fileAt]!, files.slice(fileAt + 1)];
  const withFacts = (facts: ScannedFile['facts']) => [...before, { ...file, facts }];
  if (fails(withFacts([]))) return { others: [...before, ...after], file: file.path, line: 1 };
  const factAt = firstFailure(file.facts.length, (count) => fails(withFacts(file.facts.slice(0, count)))) - 1;
  const others = [...withFacts(file.facts.toSpliced(factAt, 1)), ...after];
  return { others, file: file.path, line: file.facts[factAt]!.place.line };
}

/**
 * Returns a number from 1 to `count` for which `fails` is true, although it's false for the number before.
 * `fails` must be true for `count`.
 */
function firstFailure(count: number, fails: (count: number) => boolean): number {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fails(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function isFailing(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
