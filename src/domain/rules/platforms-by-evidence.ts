import { numbersOfRank } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import { commitWords, levelOfStage, revisionWords } from '../versions/version-words.ts';

/** Minimum number of versions that have the word followed by several distinct numbers. */
const versionsToJudge = 5;

/**
 * Finds words that name a platform but aren't in any word list, such as `operand` in `0.47.0-operand-3.9.1`.
 * A word qualifies if each of at least five versions occurs with several distinct numbers after the word.
 * Such a number isn't part of the version.
 */
export function findPlatformsByEvidence(versions: readonly Version[]): ReadonlySet<string> {
  const numbersOf = new Map<string, Map<string, Set<string>>>();
  for (const { text, line, rank, revision } of versions) {
    if (revision.length === 0) continue;
    const match = wordBetweenNumbers.exec(text);
    const word = match?.[1]?.toLowerCase();
    if (word === undefined || isKnown(word)) continue;
    const versionsOfWord = numbersOf.get(word) ?? new Map<string, Set<string>>();
    const key = `${line}\0${numbersOfRank(rank)}`;
    versionsOfWord.set(key, (versionsOfWord.get(key) ?? new Set()).add(match?.[2] ?? ''));
    numbersOf.set(word, versionsOfWord);
  }
  const found = new Set<string>();
  for (const [word, ofVersions] of numbersOf) if (isPlatform([...ofVersions.values()])) found.add(word);
  return found;
}

/**
 * True if most numbers after a word recur in other versions, as platform numbers do. Build numbers don't: they either
 * increase across all versions or restart at 0 or 1.
 */
function isPlatform(numbersOfVersions: readonly ReadonlySet<string>[]): boolean {
  const several = numbersOfVersions.filter(({ size }) => size > 1);
  if (several.length < versionsToJudge) return false;
  const counts = new Map<string, number>();
  for (const numbers of numbersOfVersions)
    for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const recurring = [...counts.values()].filter((count) => count > 1).length;
  const restarted = several.filter((numbers) => numbers.has('0') || numbers.has('1')).length;
  return recurring * 2 >= counts.size && restarted * 2 < several.length;
}

/** Matches a word and a number after a version: `-operand-3.9.1`, `_operand12`. */
const wordBetweenNumbers = /[0-9][-_.+]([A-Za-z]{2,32})[-_.]?v?([0-9]+(?:\.[0-9]+)*)/;

function isKnown(word: string): boolean {
  return levelOfStage.has(word) || revisionWords.has(word) || commitWords.has(word);
}
