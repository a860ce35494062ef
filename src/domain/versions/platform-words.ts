import { versionWordLists } from './version-word-lists.ts';
import { platformNames } from './version-words.ts';

export const maxPlatformWords = 50;

/** Words of versions are letters, because a digit starts a number. */
export const platformWordPattern = '^[a-z]{2,32}$';
export const platformWordPatternProblem = 'must be 2 to 32 letters from a to z, in lowercase';

/** Why a word can't be added to the platform words, or `null` if it can. */
export function platformWordProblem(word: string): string | null {
  if (!new RegExp(platformWordPattern).test(word)) return platformWordPatternProblem;
  // Lets a word stay that a later version of Pacekeeper knows.
  if (platformNames.has(word)) return null;
  const list = versionWordLists.find(({ words }) => words.includes(word));
  return list === undefined ? null : `"${word}" already has another meaning in versions: ${list.name}`;
}

/** The same text for the same words in any order, without built-in ones. Empty for none. */
export function joinPlatformWords(words: readonly string[]): string {
  return [...new Set(words)]
    .filter((word) => !platformNames.has(word))
    .toSorted()
    .join(' ');
}

export function splitPlatformWords(joined: string): string[] {
  return joined === '' ? [] : joined.split(' ');
}
