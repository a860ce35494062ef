import { versionWordLists } from './version-word-lists.ts';
import { platformNames } from './version-words.ts';

export const maxPlatformWords = 50;

/**
 * Pattern of a platform word. Words in versions contain only letters, because the parser treats digits as the start of
 * a number.
 */
export const platformWordPattern = '^[a-z]{2,32}$';
export const platformWordPatternProblem = 'must be 2 to 32 letters from a to z, in lowercase';

/** Returns the reason why a word can't be added to the platform words, or `null` if it can. */
export function platformWordProblem(word: string): string | null {
  if (!new RegExp(platformWordPattern).test(word)) return platformWordPatternProblem;
  // A configured word remains valid if a later version of Pacekeeper adds the word to the built-in words.
  if (platformNames.has(word)) return null;
  const list = versionWordLists.find(({ words }) => words.includes(word));
  return list === undefined ? null : `"${word}" already has another meaning in versions: ${list.name}`;
}

/**
 * Joins words into one string, without built-in words and in alphabetical order, so that equal sets result in
 * the same string. Empty if no words remain.
 */
export function joinPlatformWords(words: readonly string[]): string {
  return [...new Set(words)]
    .filter((word) => !platformNames.has(word))
    .toSorted()
    .join(' ');
}

export function splitPlatformWords(joined: string): string[] {
  return joined === '' ? [] : joined.split(' ');
}
